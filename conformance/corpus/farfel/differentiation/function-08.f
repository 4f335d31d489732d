C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = TANH(X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = TANH(X)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 0.46211715726000974 0.7864477329659274
!! exact: 0.46211715726000974 0.7864477329659274

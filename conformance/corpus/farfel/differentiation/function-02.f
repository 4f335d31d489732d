C     The value and the derivative at 1/2, by formula, in both modes
      X = .5
      ADF (X)
        Y = EXP(X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      ADR (Y)
        Y = EXP(X)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 1.6487212707001282 1.6487212707001282
!! exact: 1.6487212707001282 1.6487212707001282

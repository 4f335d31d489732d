C     v in the opens and overwritten: the tangent of its final value, 2 x y = 12 times dx/dx at x = 3
      X = 3
      ADF (X)
        X = 2*X*X
      END ADF (D = TANGENT(X))
      PRINT *, X, D
      END
!! exact: 18 12

C     d(xy) = y dx + x dy = 3 * 1 + 2 * 10
      X = 2
      Y = 3
      ADF (TANGENT(X) = 1, TANGENT(Y) = 10)
        Z = X * Y
      END ADF (D = TANGENT(Z))
      PRINT *, Z, D
      END
!! exact: 6 23

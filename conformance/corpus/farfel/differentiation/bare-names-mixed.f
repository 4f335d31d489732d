C     ADF(X, Y) is the derivative along (1, 1): y + x = 5; with 10 for Y: 3 + 20
      X = 2
      Y = 3
      ADF (X, Y)
        Z = X*Y
      END ADF (D = TANGENT(Z))
      ADF (X, TANGENT(Y) = 10)
        Z = X*Y
      END ADF (E = TANGENT(Z))
      PRINT *, D, E
      END
!! exact: 5 23

C     d/dx of x d/dy (x + y) = d/dx x = 1, and not 2
      X = 7
      Y = 3
      ADF (X)
        ADF (Y)
          Z = X + Y
        END ADF (D = TANGENT(Z))
        R = X * D
      END ADF (E = TANGENT(R))
      PRINT *, E
      END
!! exact: 1

C     x**4: the third derivative is 24 x = 48 at 2
      X = 2
      ADF (X)
        ADF (X)
          ADF (X)
            Y = X**4
          END ADF (D1 = TANGENT(Y))
        END ADF (D2 = TANGENT(D1))
      END ADF (D3 = TANGENT(D2))
      PRINT *, Y, D1, D2, D3
      END
!! exact: 16 32 48 48

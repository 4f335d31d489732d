C     A variable of the opens that the block leaves alone keeps its tangent.
      X = 3
      ADF (TANGENT(X) = 7)
        Y = X
      END ADF (D = TANGENT(X))
      PRINT *, X, D
      END
!! exact: 3 7

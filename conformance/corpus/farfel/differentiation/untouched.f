C     What is assigned before a block that does not touch it has the tangent 0.
      X = 2
      Y = 5
      ADF (X)
        Z = X*X
      END ADF (D = TANGENT(Y), E = TANGENT(Z))
      PRINT *, D, E
      END
!! exact: 0 4

C     The closes take tangents from one snapshot, in order: E is that of Y, though D = Y was assigned before.
      X = 3
      ADF (X)
        Y = X*X
      END ADF (Y = TANGENT(Y), E = TANGENT(Y))
      PRINT *, Y, E
      END
!! exact: 6 6

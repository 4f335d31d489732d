C     The index of a loop and what is computed by truncation have no derivative.
      X = 2.5
      ADF (X)
        N = X
        Y = 0
        DO 10 I = 1, N
   10   Y = Y + I*X
      END ADF (D = TANGENT(Y))
      PRINT *, N, Y, D
      END
!! exact: 2 7.5 3

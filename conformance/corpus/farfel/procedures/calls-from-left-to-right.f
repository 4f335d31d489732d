C     Calls are evaluated from left to right, and plain variables are read after them.
      PROGRAM MAIN
        FUNCTION F(X)
          PRINT *, X
          N = N + 1
          F = N
        END
      N = 0
      Y = F(1.)*100 + F(2.)*10 + N
      PRINT *, Y
      END
!! exact: 1
!! exact: 2
!! exact: 122

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
!! expect: 1
!! expect: 2
!! expect: 122

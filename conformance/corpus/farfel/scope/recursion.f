C     10! = 3628800, by recursion
      PROGRAM MAIN
      PRINT *, FACT(10)
      END
      FUNCTION FACT(N)
      IF (N .LE. 1) THEN
        FACT = 1
      ELSE
        FACT = N*FACT(N - 1)
      END IF
      END
!! exact: 3628800

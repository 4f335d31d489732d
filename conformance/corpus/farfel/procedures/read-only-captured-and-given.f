C     N is captured by the procedure and given beside it, and only read: legal.
      PROGRAM MAIN
        FUNCTION F(X)
          F = X + N
        END
      N = 3
      PRINT *, SUM(F, N)
      END
      FUNCTION SUM(F, N)
      SUM = 0
      DO 10 I = 1, N
   10 SUM = SUM + F(REAL(I))
      END
!! exact: 15

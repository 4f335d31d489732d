      PROGRAM MAIN
      REAL X(4)
      DO 10 I = 1, 4
   10 X(I) = I*I
      PRINT *, SUM(X, 4), SUM(X, 2)
      END
      FUNCTION SUM(A, N)
      REAL A(*)
      SUM = 0
      DO 10 I = 1, N
   10 SUM = SUM + A(I)
      END
!! exact: 30 5

C     An array whose bound is a parameter: the reverse of 1, 2, 3
      PROGRAM MAIN
      REAL X(3)
      DO 10 I = 1, 3
   10 X(I) = I
      CALL REVERSE(X, 3)
      PRINT *, X
      END
      SUBROUTINE REVERSE(X, N)
      REAL X(N), W(N)
      DO 10 I = 1, N
   10 W(I) = X(N + 1 - I)
      DO 20 I = 1, N
   20 X(I) = W(I)
      END
!! exact: 3 2 1

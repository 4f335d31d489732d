C     Elimination with bounds that are known. The matrix of the smaller of both indices is L times its transpose for the L of
C     ones: so all numbers are whole, and exact. The right side is the product with (1, 2, ... 12), which is the solution.
      PROGRAM MAIN
      PARAMETER (N = 12)
      REAL A(N, N), B(N), X(N)
      DO 10 I = 1, N
      B(I) = 0
      DO 10 J = 1, N
      A(I, J) = MIN(I, J)
   10 B(I) = B(I) + J*MIN(I, J)
      DO 40 K = 1, N - 1
      DO 30 I = K + 1, N
      A(I, K) = A(I, K)/A(K, K)
      DO 20 J = K + 1, N
   20 A(I, J) = A(I, J) - A(I, K)*A(K, J)
   30 B(I) = B(I) - A(I, K)*B(K)
   40 CONTINUE
      DO 60 I = N, 1, -1
      S = B(I)
      DO 50 J = I + 1, N
   50 S = S - A(I, J)*X(J)
   60 X(I) = S/A(I, I)
      PRINT *, X
      END
!! exact: 1 2 3 4 5 6 7 8 9 10 11 12

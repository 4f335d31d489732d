C     Bounds that are parameters: the product of ((1, 2), (3, 4)) with (5, 6) is (17, 39).
      PROGRAM MAIN
      REAL A(2, 2), X(2), Y(2)
      A(1, 1) = 1
      A(1, 2) = 2
      A(2, 1) = 3
      A(2, 2) = 4
      X(1) = 5
      X(2) = 6
      CALL PRODUCT(A, X, Y, 2, 2)
      PRINT *, Y
      END
      SUBROUTINE PRODUCT(A, X, Y, M, N)
      REAL A(M, N), X(N), Y(M)
      DO 20 I = 1, M
        Y(I) = 0
        DO 10 J = 1, N
   10   Y(I) = Y(I) + A(I, J)*X(J)
   20 CONTINUE
      END
!! exact: 17 39

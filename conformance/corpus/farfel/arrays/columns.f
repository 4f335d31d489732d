C     Elements are stored by columns.
      INTEGER A(2, 3)
      DO 10 I = 1, 2
      DO 10 J = 1, 3
   10 A(I, J) = 10*I + J
      PRINT *, A
      CALL P(A, 6)
      END
      SUBROUTINE P(B, N)
      INTEGER B(N)
      PRINT *, B(1), B(2), B(3), B(6)
      END
!! exact: 11 21 12 22 13 23
!! exact: 11 21 12 23

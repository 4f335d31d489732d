C     Six elements as two rows of three, and as three rows of two
      PROGRAM MAIN
      REAL X(6)
      DO 10 I = 1, 6
   10 X(I) = I
      CALL P(X)
      CALL Q(X)
      END
      SUBROUTINE P(A)
      REAL A(2, 3)
      PRINT *, A(1, 2), A(2, 3)
      END
      SUBROUTINE Q(A)
      REAL A(3, 2)
      PRINT *, A(1, 2), A(2, 1)
      END
!! exact: 3 6
!! exact: 4 2

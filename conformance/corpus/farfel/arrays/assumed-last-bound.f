C     The last bound of a matrix may be that of the array given.
      PROGRAM MAIN
      REAL X(6)
      DO 10 I = 1, 6
   10 X(I) = I
      CALL P(X)
      END
      SUBROUTINE P(A)
      REAL A(2, *)
      PRINT *, A(2, 1), A(1, 3)
      END
!! exact: 2 5

C     The bounds of the parameter count, not those of the array given.
      PROGRAM MAIN
      REAL X(5)
      CALL P(X, 3)
      END
      SUBROUTINE P(A, I)
      REAL A(2)
      PRINT *, A(I)
      END
!! error: type 8:16-8:20 index

C     IMPLICIT changes the types of letters, in nested subprograms, too.
      IMPLICIT INTEGER (A-C), REAL (I), LOGICAL (L)
        FUNCTION AF(X)
          AF = X
        END
      A = 1.9
      I = 1.9
      L = A .EQ. 1
      PRINT *, A, I, L, AF(2.9)
      END
!! exact: 1 1.9 T 2

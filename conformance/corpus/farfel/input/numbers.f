C     Record ends do not matter; integers are whole.
      REAL X(2)
      READ *, A, N
      READ *, X(1), X(2)
      PRINT *, A, N, X
      END
!! input: 1.5 -3 7
!! input: 8
!! exact: 1.5 -3 7 8

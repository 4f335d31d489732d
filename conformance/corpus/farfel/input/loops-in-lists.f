C     READ does not mind line ends; the index is a variable of the program.
      REAL X(10), A(2, 3)
      READ *, N, (X(I), I = 1, N), K
      PRINT *, N, (X(I), I = 1, N), K, I
      READ *, ((A(I, J), J = 1, 3), I = 1, 2)
      PRINT *, A
      IF (N .EQ. 3) READ *, (X(I), X(I + 1), I = 1, 4, 2)
      PRINT *, (X(I), I = 1, 4)
      READ *, (X(I), I = 1, 0), L
      PRINT *, L, I
      END
!! input: 3 1.5 -25 4
!! input: 7
!! input: 1 2 3 4 5 6
!! input: 10 20 30 40 8
!! exact: 3 1.5 -25 4 7 4
!! exact: 1 4 2 5 3 6
!! exact: 10 20 30 40
!! exact: 8 1

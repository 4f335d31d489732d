C     A comma may stand between two numbers, with blanks around it, at the end of a line, and D is an exponent.
      REAL A(3)
      READ *, X, Y, I, (A(K), K = 1, 3), Z
      PRINT *, X, Y, I, A, Z
      END
!! input: 1.5,2D1 , 3
!! input: 1d-1, 2.D0,
!! input: -3E0,-.5d+1
!! exact: 1.5 20 3 0.1 2 -3 -5

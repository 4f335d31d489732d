      PROGRAM MAIN
      REAL X, X
      REAL Y(2), Y(3)
      END
      SUBROUTINE P(A, A)
      END
      SUBROUTINE P
      END
!! error: duplicate 2:15-2:16 the type of X is declared twice
!! error: duplicate 3:18-3:19 the type of Y is declared twice
!! error: duplicate 5:23-5:24 A is declared twice here
!! error: duplicate 7:18-7:19 there are two subprograms P

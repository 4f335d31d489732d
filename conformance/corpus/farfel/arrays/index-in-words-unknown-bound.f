C     A lower bound that only the run knows.
      PROGRAM MAIN
      REAL A(9)
      CALL P(A, 2)
      END
      SUBROUTINE P(B, N)
      REAL B(N:3)
      B(N) = 1
      B(4) = 1
      END
!! error: type 9:7-9:11 an index is outside of B(N:3)

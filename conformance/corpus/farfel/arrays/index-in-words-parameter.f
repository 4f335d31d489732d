C     Inside of the array given, but outside of the parameter.
      PROGRAM MAIN
      REAL A(9)
      CALL P(A, 2)
      END
      SUBROUTINE P(B, N)
      REAL B(0:N, 2)
      B(N, 2) = 1
      B(N - 3, 2) = 1
      END
!! error: type 9:7-9:18 index -1 is outside of dimension 1 of B(0:N, 2)

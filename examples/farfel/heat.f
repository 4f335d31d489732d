C     The heat equation on a rod with cold ends, in explicit steps, and the gradient of the final temperature in the
C     middle by the initial temperatures.
      PROGRAM MAIN
      PARAMETER (N = 7, NSTEPS = 20, C = 0.25)
      REAL U(N), G(N)
      DO 10 I = 1, N
   10 U(I) = I*(N + 1 - I)
      ADR (Y)
        CALL HEAT(U, N, NSTEPS, C)
        Y = U(4)
      END ADR (G = COTANGENT(U))
      PRINT *, Y
      PRINT *, G
      END

      SUBROUTINE HEAT(U, N, NSTEPS, C)
      REAL U(N), V(N)
      DO 30 K = 1, NSTEPS
        DO 10 I = 1, N
          V(I) = U(I)
          BEFORE = 0
          BEHIND = 0
          IF (I .GT. 1) BEFORE = U(I - 1)
          IF (I .LT. N) BEHIND = U(I + 1)
          V(I) = U(I) + C*(BEFORE - 2*U(I) + BEHIND)
   10   CONTINUE
        DO 20 I = 1, N
   20   U(I) = V(I)
   30 CONTINUE
      END

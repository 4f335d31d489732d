C     A line through points by least squares, found by gradient descent. One reverse sweep gives the whole gradient.
      PROGRAM MAIN
      PARAMETER (N = 5)
      REAL T(N), Y(N), P(2), G(2)
C       The sum of the squared distances from the line p1 + p2 t
        FUNCTION LOSS(P)
        REAL P(2), LOSS
          LOSS = 0
          DO 10 I = 1, N
   10     LOSS = LOSS + (P(1) + P(2)*T(I) - Y(I))**2
        END
      DO 20 I = 1, N
        T(I) = I
   20 CONTINUE
      Y(1) = 3
      Y(2) = 5
      Y(3) = 6
      Y(4) = 9
      Y(5) = 12
      DO 40 K = 1, 2000
        ADR (E)
          E = LOSS(P)
        END ADR ((G(I) = COTANGENT(P(I)), I = 1, 2))
        DO 30 I = 1, 2
   30   P(I) = P(I) - 0.01*G(I)
   40 CONTINUE
      PRINT *, P, E
      END

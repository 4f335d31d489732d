C     Procedures in VLAD as functions and subroutines. x**3 at 2; |(3, 4)| with its gradient (3, 4)/5; x**2 + 2p x + q = 0
C     for p = -2, q = 3: 1 and 3; 2*x + 1 three times from 1: 15; its derivative 8.
      INCLUDE 'parts/curves.vlad'
      PROGRAM MAIN
      INTERFACE
        FUNCTION CURVE(X)
        END
        FUNCTION TWO_NORM(V, N)
        REAL V(N)
        END
        SUBROUTINE ROOTS(P, Q, X1, X2)
        INTENT (IN) P, Q
        INTENT (OUT) X1, X2
        END
        FUNCTION ITERATE(F, N, X)
        EXTERNAL F
        END
        INTEGER FUNCTION COUNT_POSITIVE(V)
        REAL V(*)
        END
        LOGICAL FUNCTION IS_ASCENDING(V)
        REAL V(*)
        END
      END INTERFACE
      REAL V(2), G(2)
        FUNCTION STEP(X)
          STEP = A*X + 1
        END
      X = 2
      ADF (X)
        Y = CURVE(X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      V(1) = 3
      V(2) = 4
      ADR (S)
        S = TWO_NORM(V, 2)
      END ADR (G = COTANGENT(V))
      PRINT *, S, G
      CALL ROOTS(-2., 3., R1, R2)
      PRINT *, R1, R2
      A = 2
      X = 1
      ADF (X)
        Y = ITERATE(STEP, 3, X)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      PRINT *, COUNT_POSITIVE(V)/2, IS_ASCENDING(V)
      V(1) = -V(2)
      PRINT *, COUNT_POSITIVE(V), DERIVATIVE(CURVE, 1.)
      END
      FUNCTION DERIVATIVE(F, X)
      ADF (X)
        Y = F(X)
      END ADF (DERIVATIVE = TANGENT(Y))
      END
!! exact: 8 12
!! exact: 5 0.6000000000000001 0.8
!! exact: 1 3
!! exact: 15 8
!! exact: 1 T
!! exact: 1 3

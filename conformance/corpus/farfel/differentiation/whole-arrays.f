C     The sum of squares at (1, 2, 3) along (1, 1, 1): 2 + 4 + 6 = 12; its gradient is (2, 4, 6).
      REAL X(3), V(3), G(3)
      DO 10 I = 1, 3
        X(I) = I
        V(I) = 1
   10 CONTINUE
      ADF (TANGENT(X) = V)
        S = 0
        DO 20 I = 1, 3
   20   S = S + X(I)**2
      END ADF (D = TANGENT(S))
      PRINT *, D
      ADR (S)
        S = 0
        DO 30 I = 1, 3
   30   S = S + X(I)**2
      END ADR (G = COTANGENT(X))
      PRINT *, G
      END
!! exact: 12
!! exact: 2 4 6

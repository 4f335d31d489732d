C     u = x y, v = x + y; cotangents 2 and 3: by x 2 y + 3 = 13, by y 2 x + 3 = 7
      X = 2
      Y = 5
      ADR (COTANGENT(U) = 2, COTANGENT(V) = 3)
        U = X*Y
        V = X + Y
      END ADR (P = COTANGENT(X), Q = COTANGENT(Y))
      PRINT *, P, Q
      END
!! exact: 13 7

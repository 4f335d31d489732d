C     The gradient of the sum of squares of y(i) = i x, from cotangents 2 y(i): 2 x (1 + 4 + 9) = 84 at 3
      REAL Y(3)
      X = 3
      ADR ((COTANGENT(Y(I)) = 2*Y(I), I = 1, 3))
        DO 10 I = 1, 3
   10   Y(I) = I*X
      END ADR (D = COTANGENT(X))
      PRINT *, D
      END
!! exact: 84

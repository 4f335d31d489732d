C     y(i) = x**i for i = 1, 2, 3 with cotangents 1, 10, 100 at 2: 1 + 10 2 x + 100 3 x**2 = 1 + 40 + 1200
      REAL Y(3)
      X = 2
      ADR ((COTANGENT(Y(I)) = 10**(I - 1), I = 1, 3))
        DO 10 I = 1, 3
   10   Y(I) = X**I
      END ADR (D = COTANGENT(X))
      PRINT *, D
      END
!! exact: 1241

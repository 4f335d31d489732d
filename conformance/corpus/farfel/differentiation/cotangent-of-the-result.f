C     y = x**3 = 8 at 2; the cotangent 2 y = 16 times 3 x**2 = 12
      X = 2
      ADR (COTANGENT(Y) = 2*Y)
        Y = X**3
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 8 192

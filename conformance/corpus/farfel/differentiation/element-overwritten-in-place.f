C     x(i) = x(i) x(i-1) from (2, 3, 4): 2, 6, 24; the last is x1 x2 x3, with the gradient (12, 8, 6).
      REAL X(3), G(3)
      X(1) = 2
      X(2) = 3
      X(3) = 4
      ADR (Y)
        DO 10 I = 2, 3
   10   X(I) = X(I)*X(I - 1)
        Y = X(3)
      END ADR ((G(I) = COTANGENT(X(I)), I = 1, 3))
      PRINT *, X
      PRINT *, G
      END
!! exact: 2 6 24
!! exact: 12 8 6

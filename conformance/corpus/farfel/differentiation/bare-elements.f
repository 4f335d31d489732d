! An element alone has the tangent or the cotangent 1, as a variable has. Of x1 x2 x3**2 at (2, 3, 5) the derivatives are
! 75, 50 and 60; of x1**2 x3, which X(2) becomes, 20, 0 and 4.
      REAL X(3), G(3)
      X(1) = 2
      X(2) = 3
      X(3) = 5
      K = 2
      ADF (X(K))
        Y = X(1)*X(2)*X(3)**2
      END ADF (D = TANGENT(Y))
      PRINT *, D
      Z = 7
      ADF (X(1), Z, X(K + 1))
        Y = X(1)*X(2)*X(3)**2 + 3*Z
      END ADF (D = TANGENT(Y))
      PRINT *, D
      ADF ((X(I), I = 1, 3))
        Y = X(1)*X(2)*X(3)**2
      END ADF (D = TANGENT(Y))
      PRINT *, D
      ADR (X(K))
        X(K) = X(1)**2*X(3)
      END ADR ((G(I) = COTANGENT(X(I)), I = 1, 3))
      PRINT *, X(2), G
      END
!! exact: 50
!! exact: 138
!! exact: 185
!! exact: 20 20 0 4

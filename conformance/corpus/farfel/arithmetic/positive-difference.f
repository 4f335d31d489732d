C     DIM is 0, without a sign, where the difference is not positive, and so is its derivative there.
      Y = 0
      PRINT *, DIM(Y * (-1), 0.), DIM(2., 2.), DIM(3., 1.)
      X = 2
      ADF (X)
        Y = DIM(X, 2.)
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      X = 3
      ADR (COTANGENT(Y) = 1)
        Y = DIM(X, 2.)
      END ADR (D = COTANGENT(X))
      PRINT *, Y, D
      END
!! exact: 0 0 2
!! exact: 0 0
!! exact: 1 1

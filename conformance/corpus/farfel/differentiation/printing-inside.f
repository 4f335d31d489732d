C     A block is executed once: what it prints is printed once.
      X = 3
      ADF (X)
        Y = X*X
        PRINT *, 'inside', Y
      END ADF (D = TANGENT(Y))
      ADR (COTANGENT(Y) = Y)
        Y = 2*X
        PRINT *, 'inside', Y
      END ADR (E = COTANGENT(X))
      PRINT *, D, E
      END
!! exact: inside 9
!! exact: inside 6
!! exact: 6 12

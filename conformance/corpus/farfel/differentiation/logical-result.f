C     A truth value that the block assigns has no derivative, and keeps its value.
      LOGICAL BIG
      X = 3
      ADR (Y)
        Y = X*X
        BIG = Y .GT. 5
      END ADR (D = COTANGENT(X))
      PRINT *, BIG, Y, D
      ADF (X)
        Y = X*X
        BIG = Y .GT. 50
      END ADF (D = TANGENT(Y))
      PRINT *, BIG, Y, D
      END
!! exact: T 9 6
!! exact: F 9 6

      X = 1
      ADR (TANGENT(Y) = 1)
        Y = X
      END ADR (D = COTANGENT(X))
      END
!! error: type 2:12-2:19 TANGENT belongs to ADF; in ADR it is COTANGENT

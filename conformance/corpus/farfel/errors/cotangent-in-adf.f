      X = 1
      ADF (X)
        Y = X
      END ADF (D = COTANGENT(Y))
      END
!! error: type 4:20-4:29 COTANGENT belongs to ADR; in ADF it is TANGENT

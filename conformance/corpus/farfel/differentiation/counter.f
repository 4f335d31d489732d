C     A nested function that counts its calls does so once in each block.
      PROGRAM MAIN
      CALL COUNT(3.0, Y)
      END
      SUBROUTINE COUNT(X, Y)
        FUNCTION F(T)
          K = K + 1
          F = T*T
        END
      K = 0
      ADF (X)
        Y = F(X)
      END ADF (D = TANGENT(Y))
      PRINT *, K, D
      ADR (Y)
        Y = F(X)
      END ADR (D = COTANGENT(X))
      PRINT *, K, D
      CALL TWICE(F, X, Y)
      PRINT *, K, Y
      END
      SUBROUTINE TWICE(F, X, Y)
      Y = F(X) + F(X)
      END
!! exact: 1 6
!! exact: 2 6
!! exact: 4 18

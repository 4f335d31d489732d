C     F assigns R, and is passed in the block: so R lives in a frame, which gets the tangents that R has in the block.
      PROGRAM MAIN
      REAL R(4)
        REAL FUNCTION F(T)
          R(3) = T
          F = T
        END
        SUBROUTINE P(G)
          EXTERNAL G
          S = R(2)
          S = S + G(S)*0
        END
      ADF ((TANGENT(R(I)) = 2.*I, I = 1, 4))
        CALL P(F)
        T = R(4)
      END ADF (D = TANGENT(T))
      PRINT *, D
      ADR (T)
        CALL P(F)
        T = 3*R(4)
      END ADR (D = COTANGENT(R(4)))
      PRINT *, D
      END
!! exact: 8
!! exact: 3

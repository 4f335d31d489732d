C     The Hessian of a function of three variables: forward mode over reverse mode, one column a block.
      PROGRAM MAIN
      REAL X(3), H(3, 3)
        FUNCTION F(X)
        REAL X(3)
          F = X(1)**2*X(2) + EXP(X(3))*X(1) + X(2)**3
        END
      X(1) = 1
      X(2) = 2
      X(3) = 0
      CALL HESSIAN(F, X, 3, H)
      DO 10 I = 1, 3
   10 PRINT *, H(I, 1), H(I, 2), H(I, 3)
      END

      SUBROUTINE HESSIAN(F, X, N, H)
      EXTERNAL F
      REAL X(N), H(N, N), G(N)
      DO 10 J = 1, N
        ADF (TANGENT(X(J)) = 1)
          ADR (Y)
            Y = F(X)
          END ADR ((G(I) = COTANGENT(X(I)), I = 1, N))
        END ADF ((H(I, J) = TANGENT(G(I)), I = 1, N))
   10 CONTINUE
      END

C     The first column of the Hessian at (1, 2, 0): 1200 x1**2 - 400 x2 + 2 = 402, -400 x1 = -400, 0
      PROGRAM MAIN
      REAL X(3), G(3), V(3), H(3)
      X(1) = 1
      X(2) = 2
      X(3) = 0
      V(1) = 1
      ADF ((TANGENT(X(I)) = V(I), I = 1, 3))
        ADR (Y)
          Y = ROSEN(X, 3)
        END ADR ((G(I) = COTANGENT(X(I)), I = 1, 3))
      END ADF ((H(I) = TANGENT(G(I)), I = 1, 3))
      PRINT *, H
      END
      FUNCTION ROSEN(X, N)
      REAL X(N)
      ROSEN = 0
      DO 10 I = 1, N - 1
        ROSEN = ROSEN + 100*(X(I+1) - X(I)**2)**2 + (1 - X(I))**2
   10 CONTINUE
      END
!! exact: 402 -400 0

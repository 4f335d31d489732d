C     f = 100 (2 - 1)**2 + 0 + 100 (0 - 4)**2 + 1 = 1701; by hand
C     df/dx1 = -400 x1 (x2 - x1**2) - 2 (1 - x1) = -400
C     df/dx2 = 200 (x2 - x1**2) - 400 x2 (x3 - x2**2) - 2 (1 - x2) = 200 + 3200 + 2
C     df/dx3 = 200 (x3 - x2**2) = -800
      PROGRAM MAIN
      REAL X(3), G(3)
      X(1) = 1
      X(2) = 2
      X(3) = 0
      ADR (Y)
        Y = ROSEN(X, 3)
      END ADR ((G(I) = COTANGENT(X(I)), I = 1, 3))
      PRINT *, Y
      PRINT *, G(1), G(2), G(3)
      END
      FUNCTION ROSEN(X, N)
      REAL X(N)
      ROSEN = 0
      DO 10 I = 1, N - 1
        ROSEN = ROSEN + 100*(X(I+1) - X(I)**2)**2 + (1 - X(I))**2
   10 CONTINUE
      END
!! exact: 1701
!! exact: -400 3402 -800

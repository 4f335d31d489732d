C     The bounds of a parameter count: its two elements have the cotangents 2 x, and the third of the array given is no
C     part of it.
      PROGRAM MAIN
      REAL X(3), G(4), T(3)
      X(1) = 5
      X(2) = 7
      G(3) = 100
      CALL P(X, G, T)
      PRINT *, G
      PRINT *, T
      END
      SUBROUTINE P(X, G, T)
      REAL X(-1:0), G(2), T(2)
      ADR (S)
        S = X(-1)**2 + X(0)**2
      END ADR (G = COTANGENT(X))
      ADF (TANGENT(X) = G)
        Y = X(-1)*X(0)
      END ADF (T = TANGENT(X), D = TANGENT(Y))
      PRINT *, D
      END
!! exact: 140
!! exact: 10 14 100 0
!! exact: 10 14 0

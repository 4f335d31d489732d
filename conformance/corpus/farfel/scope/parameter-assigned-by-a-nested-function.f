C     U is a parameter of K that only the nested function assigns; its caller gets the 5.
      PROGRAM MAIN
      W = .75
      B = K(W)
      PRINT *, W
      END
      FUNCTION K(U)
        FUNCTION F(X)
          U = 5
          F = X
        END
      K = F(1.)
      END
!! exact: 5

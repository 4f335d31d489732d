      PROGRAM MAIN
        FUNCTION G(X, Y)
          G = X + Y
        END
      PRINT *, APPLY(G, 1.)
      END
      FUNCTION APPLY(F, X)
      APPLY = F(X)
      END
!! error: type 8:15-8:19 F (which may be G) takes 2 arguments, found 1

C     The procedure that MAIN gives is called two levels further in, and assigns variables of MAIN: 2.
      PROGRAM MAIN
        SUBROUTINE SET(V)
          K = 2
          I = K
        END
      CALL OUTER(SET)
      PRINT *, I
      END
      SUBROUTINE OUTER(P)
        SUBROUTINE INNER
          CALL P(W)
        END
        FUNCTION F(Z)
          CALL INNER
          F = W
        END
      W = 25E-2
      Z = F(1.25)
      END
!! exact: 2

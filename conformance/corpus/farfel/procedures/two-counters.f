C     Two procedures share a variable: 1, then 2 * 1, then 3, then 6.
      PROGRAM MAIN
        SUBROUTINE P
          N = N + 1
        END
        SUBROUTINE Q
          N = 2*N
        END
      N = 0
      CALL BOTH(P, Q)
      CALL BOTH(P, Q)
      PRINT *, N
      END
      SUBROUTINE BOTH(F, G)
      EXTERNAL F, G
      CALL F
      CALL G
      END
!! exact: 6

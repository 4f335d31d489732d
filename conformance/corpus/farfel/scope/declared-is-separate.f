C     T is declared in P, so that Q and MAIN have another T.
      PROGRAM MAIN
        SUBROUTINE P
        REAL T
          T = 100
          PRINT *, T
        END
        SUBROUTINE Q
          PRINT *, T
        END
      T = 5
      CALL P
      CALL Q
      END
!! exact: 100
!! exact: 5

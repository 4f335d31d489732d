C     T is undeclared in both nested subroutines, so they share the variable of MAIN.
      PROGRAM MAIN
        SUBROUTINE P
          T = T + 1
        END
        SUBROUTINE Q
          PRINT *, T
        END
      T = 5
      CALL P
      CALL Q
      PRINT *, T
      END
!! exact: 6
!! exact: 6

C     Both branches leave: what follows is reached by its label alone, and nobody jumps there but it itself.
      SUBROUTINE P(N)
        SUBROUTINE Q
          IF (N .GT. 0) THEN
            GOTO 40
          ELSE
            RETURN
          END IF
   50     T = W + 1
          GOTO 50
   40     PRINT *, N
        END
        SUBROUTINE R
          W = 2
          PRINT *, W
        END
      CALL R
      CALL Q
      END
      PROGRAM MAIN
      CALL P(1)
      CALL P(0)
      END
!! exact: 2
!! exact: 1
!! exact: 2

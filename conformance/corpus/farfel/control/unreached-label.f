C     Statements behind a jump that only they jump to are never executed; W has no value there.
      SUBROUTINE P
        SUBROUTINE Q
          GOTO 40
   50     L = L
          T = W
          GOTO 50
   40     CONTINUE
          PRINT *, 'here'
        END
        SUBROUTINE R
          W = 2
          PRINT *, W
        END
      CALL R
      CALL Q
      END
      PROGRAM MAIN
      CALL P
      END
!! exact: 2
!! exact: here

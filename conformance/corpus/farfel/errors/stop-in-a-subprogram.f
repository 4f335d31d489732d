      PROGRAM MAIN
      CALL P
      END
      SUBROUTINE P
      STOP
      END
!! error: syntax 5:7-5:11 STOP stands only in the main program
!! hint: RETURN

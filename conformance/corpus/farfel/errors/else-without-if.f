      ELSE
      END IF
      END
!! error: syntax 1:7-1:11 this ELSE belongs to no IF
!! error: syntax 2:7-2:13 this END IF closes nothing

      RETURN 1
      END
!! error: syntax 1:14-1:15 alternate RETURN
!! hint: computed GOTO

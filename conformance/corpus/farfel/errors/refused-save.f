      SAVE X
      END
!! error: syntax 1:7-1:11 SAVE is not part
!! hint: around this one

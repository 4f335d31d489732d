      GOTO I
      END
!! error: syntax 1:12-1:13 assigned label
!! hint: computed GOTO

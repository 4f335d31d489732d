      ASSIGN 10 TO I
      END
!! error: syntax 1:7-1:13 ASSIGN is not part
!! hint: computed GOTO

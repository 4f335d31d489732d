      BLOCK DATA
      END
!! error: syntax 1:7-1:12 BLOCK is not part
!! hint: assign the values

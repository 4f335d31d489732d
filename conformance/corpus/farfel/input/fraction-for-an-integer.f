      READ *, N
      PRINT *, N
      END
!! input: 1.5
!! error: pattern 1:15-1:16 whole number

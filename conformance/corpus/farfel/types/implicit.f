C     I to N are integers, all others reals.
      H = 1.5
      I = 1.5
      N = 1.5
      O = 1.5
      PRINT *, H, I, N, O
      END
!! exact: 1.5 1 1 1.5

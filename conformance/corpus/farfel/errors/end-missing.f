      X = 1
      Y = 2
!! error: syntax 2:7-2:12 END is missing at the end of MAIN

      PROGRAM MAIN
      X = F + 1
      END
      FUNCTION F(Y)
      F = Y
      END
!! error: type 2:11-2:12 a procedure is no value
!! hint: parentheses

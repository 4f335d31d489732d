      X = 1 + * 2
      Y = (1 + 2
      Z = A *-B
      CALL P(1, )
      END
!! error: syntax 1:15-1:16 this assignment does not continue like this
!! error: syntax 2:7-2:17 this assignment ends too early
!! error: syntax 3:14-3:15 this assignment does not continue
!! hint: parentheses
!! error: syntax 4:17-4:18 this CALL statement does not continue

      Y = X + 1
      X = 2
      PRINT *, Z
      END
!! error: type 1:11-1:12 X is used here, and nothing has assigned it
!! error: type 3:16-3:17 Z is used here

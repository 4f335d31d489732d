      X = 1
      END
      END
!! error: syntax 3:7-3:10 this END closes nothing

C     W has a value on one path only, and the run takes the other one.
      X = 1
      IF (X .GT. 2) W = 3
      Y = X + w
      END
!! error: type 4:11-4:16 W has no value here

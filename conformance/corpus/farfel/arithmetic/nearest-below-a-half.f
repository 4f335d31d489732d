C     .49999999999999994 is the double below one half, and rounds to 0.
      PRINT *, NINT(0.49999999999999994), NINT(0.5), NINT(-0.5)
      END
!! exact: 0 1 -1

      X = 'text
      Y = 1 # 2
      Z = .FOO. X
      W = 1 < 2
      END
!! error: read 1:11-1:16 this text is not closed
!! error: read 2:13-2:14 `#` is no token
!! error: read 3:11-3:16 `.FOO.` is no operator
!! error: read 4:13-4:14 comparisons are written .LT.

! a comment      X = 1
      Y = ?      END
!! error: read 3:11-3:12 `?` is no token

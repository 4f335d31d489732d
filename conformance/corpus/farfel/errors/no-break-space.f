      X = 1
      PRINT *, 'a b', 1 2
      END
!! error: read 1:10-1:11 the character U+00A0 is no token
!! hint: U+00A0 is a no-break space: write a blank, or nothing
!! error: read 2:24-2:25 the character U+202F is no token
!! hint: narrow no-break space

      A B = 3
      DO10I = 1, 3
      FOO BAR
      END
!! error: syntax 1:7-1:8 no statement begins with `A`
!! hint: blanks
!! error: syntax 2:7-2:12 no statement begins with `DO10I`
!! hint: blank
!! error: syntax 3:7-3:10 no statement begins with `FOO`
!! hint: blanks

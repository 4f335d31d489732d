      GOTO 10
      END
!! error: unbound 1:12-1:14 there is no label 10

C     Numbers without a label go on behind the statement.
      DO 50 I = 0, 4
        GOTO (10, 20, 30), I
        PRINT *, I, 'none'
        GOTO 50
   10   PRINT *, I, 'first'
        GOTO 50
   20   PRINT *, I, 'second'
        GOTO 50
   30   PRINT *, I, 'third'
   50 CONTINUE
      END
!! exact: 0 none
!! exact: 1 first
!! exact: 2 second
!! exact: 3 third
!! exact: 4 none

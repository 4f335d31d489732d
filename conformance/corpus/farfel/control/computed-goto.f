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
!! expect: 0 none
!! expect: 1 first
!! expect: 2 second
!! expect: 3 third
!! expect: 4 none

C     END, END IF, END DO and END ADF can be jumped to.
      PROGRAM P
      DO I = 1, 4
        IF (MOD(I, 2) .EQ. 0) GOTO 10
        PRINT *, I
   10 END DO
      DO 20 I = 1, 4
        IF (I .GT. 2) THEN
          IF (I .EQ. 4) GOTO 15
          PRINT *, 'T', I
   15   END IF
   20 CONTINUE
      X = I
      ADF (X)
        Y = X
        IF (X .GT. 4) GOTO 30
        Y = X*2
   30 END ADF
      PRINT *, Y
      CALL S(1)
      CALL S(2)
      IF (Y .GT. 4) GOTO 50
      PRINT *, 'NO'
   50 END
      SUBROUTINE S(K)
      IF (K .EQ. 1) GOTO 40
      PRINT *, 'S', K
   40 END
!! exact: 1
!! exact: 3
!! exact: T 3
!! exact: 5
!! exact: S 2

C     Statements that nothing reaches are no error.
      GOTO 10
      PRINT *, 'never'
      X = 1
   10 PRINT *, 'here'
      RETURN
      PRINT *, 'never'
      END
!! exact: here

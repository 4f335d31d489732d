C     Variables with the names of keywords
      IF = 3
      DO = 4
      PRINT = IF*DO
      REAL = 2
      PRINT *, PRINT, IF, DO, REAL
      GOTO = 1
      END = 5
      IF (GOTO .EQ. 1) END = 6
      PRINT *, END
      END
!! exact: 12 3 4 2
!! exact: 6

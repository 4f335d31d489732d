C     A scalar that only some path assigns is the empty list elsewhere: a type error when it is used.
      READ *, N
      IF (N .EQ. 1) X = 2
      PRINT *, 'before'
      PRINT *, X + 1
      END
!! input: 0
!! exact: before
!! error: type 5:16-5:21 X has no value here

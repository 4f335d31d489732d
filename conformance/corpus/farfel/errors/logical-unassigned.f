C     A truth value that the path to its use has not assigned is neither true nor false.
      LOGICAL L
      READ *, X
      IF (X .GT. 0) L = .TRUE.
      IF (L) THEN
        PRINT *, 'yes'
      END IF
      END
!! input: -1
!! error: pattern 5:11-5:12 L has no value

      DO I = 1, 3
        IF (I .EQ. 2) THEN
      END DO
      END
!! error: syntax 3:7-3:13 END DO does not end this IF: END IF is missing

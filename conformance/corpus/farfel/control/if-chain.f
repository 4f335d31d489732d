C     The first condition that holds decides.
      DO 10 I = 1, 4
        IF (I .GT. 3) THEN
          PRINT *, 'large', I
        ELSE IF (I .GT. 1) THEN
          PRINT *, 'middle', I
        ELSE
          PRINT *, 'small', I
        END IF
   10 CONTINUE
      END
!! exact: small 1
!! exact: middle 2
!! exact: middle 3
!! exact: large 4

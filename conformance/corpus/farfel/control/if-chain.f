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
!! expect: small 1
!! expect: middle 2
!! expect: middle 3
!! expect: large 4

C     A return from the middle of a loop, and from a branch
      PROGRAM MAIN
      PRINT *, IFIRST(30), IFIRST(1000)
      END
      FUNCTION IFIRST(N)
      IFIRST = -1
      DO 10 I = 1, 20
        IF (I*I .GT. N) THEN
          IFIRST = I
          RETURN
        END IF
   10 CONTINUE
      END
!! exact: 6 -1

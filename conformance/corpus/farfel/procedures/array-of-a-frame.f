C     A procedure that is passed assigns an array around it.
      PROGRAM MAIN
      INTEGER A(4)
        SUBROUTINE PUT(I)
          A(I) = A(I) + I*I
        END
      CALL EACH(PUT, 4)
      A(1) = A(1) + 100
      CALL EACH(PUT, 2)
      PRINT *, A
      END
      SUBROUTINE EACH(P, N)
      DO 10 I = 1, N
   10 CALL P(I)
      END
!! exact: 102 8 9 16

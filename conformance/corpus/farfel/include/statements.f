C     A text with the beginning of a construct, included twice: in a loop, and alone.
      S = 0
      DO 10 I = 1, 6
      INCLUDE "parts/step.f"
        END IF
   10 CONTINUE
      include 'parts/step.f' ! I is 7
      END IF
      PRINT *, S, I
      INCLUDE = 5
      PRINT *, INCLUDE
      END
!! exact: 12 7
!! exact: 5

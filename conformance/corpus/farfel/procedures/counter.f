C     A nested subroutine that is passed counts its calls in a variable around it.
      PROGRAM MAIN
        SUBROUTINE COUNT
          N = N + 1
        END
      N = 0
      CALL REPEAT(COUNT, 5)
      CALL COUNT
      PRINT *, N
      END
      SUBROUTINE REPEAT(P, K)
      DO 10 I = 1, K
   10 CALL P
      END
!! exact: 6

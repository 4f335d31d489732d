C     The sum of squares of 1 .. 4, gathered by a procedure; S is also changed between the calls.
      PROGRAM MAIN
        SUBROUTINE ADD(X)
          S = S + X*X
        END
      S = 0
      CALL EACH(ADD, 3)
      S = S + 100
      CALL EACH(ADD, 1)
      PRINT *, S
      END
      SUBROUTINE EACH(P, N)
      DO 10 I = 1, N
   10 CALL P(REAL(I))
      END
!! exact: 115

C     Two loops end with one statement: 2 * 3 turns, the sum of i j is 3 * 6.
      S = 0
      DO 10 I = 1, 2
      DO 10 J = 1, 3
   10 S = S + I*J
      PRINT *, S, I, J
      END
!! exact: 18 3 4

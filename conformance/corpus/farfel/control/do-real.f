C     A real index: 0, 1/4, 1/2, 3/4, 1
      S = 0
      DO 10 X = 0, 1, .25
        S = S + X
   10 CONTINUE
      PRINT *, S, X
      END
!! exact: 2.5 1.25

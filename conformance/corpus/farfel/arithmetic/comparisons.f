C     All six comparisons of 1 with 2
      PRINT *, 1.LT.2, 1.LE.2, 1.EQ.2, 1.NE.2, 1.GE.2, 1.GT.2
      END
!! exact: T T F T F F

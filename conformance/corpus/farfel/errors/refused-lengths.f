      REAL*8 X
      END
!! error: syntax 1:11-1:12 types have no lengths
!! hint: double

      EQUIVALENCE (X, Y)
      END
!! error: syntax 1:7-1:18 EQUIVALENCE is not part
!! hint: one name

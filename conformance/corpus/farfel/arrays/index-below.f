      REAL A(3)
      I = 0
      PRINT *, A(I + 1)
      A(I) = 1
      END
!! exact: 0
!! error: type 4:7-4:11 index

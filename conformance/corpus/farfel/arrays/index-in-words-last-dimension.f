      REAL A(2, 0:2)
      J = 3
      A(2, J) = 1
      END
!! error: type 3:7-3:14 index 3 is outside of dimension 2 of A(2, 0:2)

      REAL A(2, 0:2)
      I = 0
      PRINT *, A(I, 1)
      END
!! error: type 3:16-3:23 index 0 is outside of dimension 1 of A(2, 0:2)

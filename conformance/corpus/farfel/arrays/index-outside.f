C     An index outside of its own dimension is an error, even where it falls inside of the array.
      REAL A(2, 2)
      PRINT *, A(2, 2)
      I = 3
      PRINT *, A(I, 1)
      END
!! exact: 0
!! error: type 5:16-5:23 index

C     The array, the index and the bounds are in the message.
      REAL A(3)
      I = 4
      A(I) = 1
      END
!! error: type 4:7-4:11 index 4 is outside of A(3)

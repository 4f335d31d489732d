C     An array is no procedure.
      EXTERNAL F
      REAL F(3)
      PRINT *, F
      END
!! error: type 2:16-2:17 F is no procedure here

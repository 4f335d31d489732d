      PROGRAM MAIN
      X = 1
      REAL Y
      SUBROUTINE P
      END
      END
!! error: syntax 3:7-3:13 specifications stand before the statements
!! error: syntax 4:7-4:19 nested subprograms stand before the statements

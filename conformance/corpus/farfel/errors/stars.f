      REAL X(*)
      END
      SUBROUTINE P(A)
      REAL A(*, 2)
      END
!! error: syntax 1:12-1:13 * stands only for the last bound of a parameter
!! error: syntax 4:12-4:13 * stands only for the last bound of a parameter

C     Arrays start as zeros.
      REAL X(2)
      LOGICAL P(2)
      PRINT *, X, P
      END
!! exact: 0 0 F F

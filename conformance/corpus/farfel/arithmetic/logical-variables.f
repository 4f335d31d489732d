C     Truth values are assigned, passed and printed as T and F.
      LOGICAL P, Q
      P = 1 .LT. 2
      Q = .NOT. P
      PRINT *, P, Q, P .AND. Q, P .OR. Q, P .EQV. Q
      END
!! exact: T F F T F

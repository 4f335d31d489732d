C     An element given for a parameter that is assigned is changed.
      PROGRAM MAIN
      INTEGER A(3)
      CALL INC(A(2), 5)
      CALL INC(A(2), 5)
      PRINT *, A
      END
      SUBROUTINE INC(N, K)
      N = N + K
      END
!! exact: 0 10 0

C     A procedure passed down while a second activation of its maker lives: each has its own N.
      PROGRAM MAIN
      CALL MAKER(1, PRINTN)
      END
      SUBROUTINE PRINTN
      PRINT *, 'outermost'
      END
      SUBROUTINE MAKER(K, P)
      EXTERNAL P
      INTEGER N
        SUBROUTINE OWN
          N = N + 1
          PRINT *, K, N
        END
      N = 10*K
      IF (K .LT. 3) CALL MAKER(K + 1, OWN)
      CALL P
      CALL OWN
      END
!! exact: 2 21
!! exact: 3 31
!! exact: 1 11
!! exact: 2 22
!! exact: outermost
!! exact: 1 12

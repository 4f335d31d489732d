C     A truth value without a value can be given to a subroutine that assigns it; nested subprograms share it.
      PROGRAM MAIN
      LOGICAL L, M
        SUBROUTINE SET
          M = .FALSE.
        END
      READ *, X
      IF (X .GT. 0) L = .TRUE.
      CALL P(L, X)
      IF (X .GT. 0) M = .TRUE.
      CALL SET
      PRINT *, L, M, .NOT. M .AND. L
      END
      SUBROUTINE P(L, X)
      LOGICAL L
      L = X .LT. 0
      END
!! input: -1
!! exact: T F T

C     A procedure that is passed may assign its parameter.
      PROGRAM MAIN
        SUBROUTINE DOUBLE(X)
          X = 2*X
        END
        SUBROUTINE SHOW(X)
          PRINT *, 'shown', X
        END
      Y = 3
      CALL APPLY(DOUBLE, Y)
      CALL APPLY(SHOW, Y)
      PRINT *, Y
      END
      SUBROUTINE APPLY(P, X)
      CALL P(X)
      END
!! exact: shown 6
!! exact: 6

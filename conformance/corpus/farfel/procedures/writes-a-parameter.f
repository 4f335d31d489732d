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
!! expect: shown 6
!! expect: 6

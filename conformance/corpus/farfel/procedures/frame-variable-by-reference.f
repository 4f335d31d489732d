C     T lives in a frame, since a procedure that is passed assigns it; it is also given by reference to one that reads
C     another variable of the frame: 4.
      PROGRAM MAIN
        SUBROUTINE OUTER(U)
          SUBROUTINE INNER(V)
            V = K
          END
          K = 4
          CALL INNER(T)
        END
        FUNCTION IGNORE(P)
          EXTERNAL P
          IGNORE = 1
        END
      T = .75
      CALL OUTER(1.)
      PRINT *, T, IGNORE(OUTER)
      END
!! exact: 4 1

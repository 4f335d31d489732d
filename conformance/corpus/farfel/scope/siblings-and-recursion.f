C     Nested functions see one another: is 10 even?
      PROGRAM MAIN
        LOGICAL FUNCTION EVEN(N)
        LOGICAL ODD
          IF (N .EQ. 0) THEN
            EVEN = .TRUE.
          ELSE
            EVEN = ODD(N - 1)
          END IF
        END
        LOGICAL FUNCTION ODD(N)
        LOGICAL EVEN
          IF (N .EQ. 0) THEN
            ODD = .FALSE.
          ELSE
            ODD = EVEN(N - 1)
          END IF
        END
      PRINT *, EVEN(10), ODD(10)
      END
!! exact: T F

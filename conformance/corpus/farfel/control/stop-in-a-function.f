! A function that stops the program has no value then, and what stands behind its call in an expression is not evaluated.
      PROGRAM MAIN
        FUNCTION ROOT(X)
          IF (X .LT. 0) THEN
            PRINT *, 'no root of', X
            STOP 1
          ELSE
            ROOT = SQRT(X)
          END IF
        END
      X = 9
      PRINT *, ROOT(X) + ROOT(4.)
      Y = ROOT(X) + ROOT(-X) + ROOT(-1.)
      PRINT *, 'not here', Y
      END
!! exact: 5
!! exact: no root of -9

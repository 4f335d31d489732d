C     A function without arguments, called with parentheses
      PROGRAM MAIN
        FUNCTION NEXT()
          N = N + 1
          NEXT = N
        END
      N = 0
      X = NEXT() + 10*NEXT()
      PRINT *, X
      END
!! exact: 21

C     A parameter X of the nested function is not the X around it.
      PROGRAM MAIN
        FUNCTION F(X)
          X = X*2
          F = X
        END
      X = 3
      Y = 10
      PRINT *, F(Y), X, Y
      END
!! exact: 20 3 20

! A call that is differentiated stops the program like any other, also through a procedure that is an argument, and in a loop that is
! left otherwise: the derivative of x**2 at 2 and 3 is 4 and 6, and 4 is not reached.
      PROGRAM MAIN
        FUNCTION F(X)
          F = X**2
          IF (X .GT. 3.5) STOP
        END
        FUNCTION DERIV(G, X)
          ADF (X)
            Y = G(X)
          END ADF (DERIV = TANGENT(Y))
        END
        SUBROUTINE GRADIENT(X, D)
          ADR (Y)
            Y = F(X)
          END ADR (D = COTANGENT(X))
        END
      X = 2
   10 CALL GRADIENT(X, D)
      PRINT *, DERIV(F, X), D
      X = X + 1
      IF (X .LT. 9) GOTO 10
      PRINT *, 'not here'
      END
!! exact: 4 4
!! exact: 6 6

C     Newton's method for a system of two equations. The Jacobian is not written by hand: each of its columns is the
C     tangent of the equations along one variable.
      PROGRAM MAIN
      REAL X(2), F(2)
C       The circle of radius 2, and the hyperbola x y = 1
        SUBROUTINE EQUATIONS(X, F)
        REAL X(2), F(2)
          F(1) = X(1)**2 + X(2)**2 - 4
          F(2) = X(1)*X(2) - 1
        END
      X(1) = 2
      X(2) = 0.5
      CALL NEWTON(EQUATIONS, X, 10)
      PRINT *, X(1), X(2)
      CALL EQUATIONS(X, F)
      PRINT *, 'small', ABS(F(1)) + ABS(F(2)) .LT. 1E-12
      END

      SUBROUTINE NEWTON(EQUATIONS, X, N)
      EXTERNAL EQUATIONS
      REAL X(2), F(2), A(2), B(2)
      DO 10 I = 1, N
        ADF (TANGENT(X(1)) = 1)
          CALL EQUATIONS(X, F)
        END ADF ((A(K) = TANGENT(F(K)), K = 1, 2))
        ADF (TANGENT(X(2)) = 1)
          CALL EQUATIONS(X, F)
        END ADF ((B(K) = TANGENT(F(K)), K = 1, 2))
C       Cramer's rule for the step
        D = A(1)*B(2) - A(2)*B(1)
        X(1) = X(1) - (F(1)*B(2) - F(2)*B(1))/D
        X(2) = X(2) - (A(1)*F(2) - A(2)*F(1))/D
   10 CONTINUE
      END

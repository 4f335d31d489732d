C     The elements 1, 3, 5 have tangent 1: the derivative of the sum of squares is 2 (1 + 3 + 5).
      REAL X(5)
      DO 10 I = 1, 5
   10 X(I) = I
      ADF ((TANGENT(X(I)) = 1, I = 1, 5, 2))
        S = 0
        DO 20 I = 1, 5
   20   S = S + X(I)**2
      END ADF (D = TANGENT(S))
      PRINT *, S, D
      END
!! exact: 55 18

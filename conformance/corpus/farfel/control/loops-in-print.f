C     A list with loops is one line, also where its functions print, jump or are differentiated.
      PROGRAM P
      REAL A(2, 3), V(2)
      LOGICAL L(2)
        FUNCTION F(X)
          PRINT *, 'F', X
          F = X*X
        END
      DO 10 I = 1, 2
      L(I) = I .EQ. 2
      DO 10 J = 1, 3
   10 A(I, J) = 10*I + J
      PRINT *, 'A', ((A(I, J), ',', J = 1, 3), ';', I = 1, 2), I, J
      PRINT *, (F(1.*K), K = 1, 2), 'END'
      PRINT *, (L(I), V, I = 1, 2)
      PRINT *, (I, I = 3, 1, -1), (I, I = 1, 0), (.5*I, I = 1, 2)
      IF (A(1, 1) .GT. 0) PRINT *, ((I*J, I = 1, J), J = 1, 3)
      X = 3
      ADF (X)
        Y = X**3
        PRINT *, (X**I, I = 1, 3)
      END ADF (D = TANGENT(Y))
      PRINT *, (D, I = 1, 2)
      M = 0
   20 PRINT *, (M + I, I = 1, 2)
      M = M + 1
      IF (M .LT. 2) GOTO 20
      DO 30 M = 1, 2
   30 PRINT *, (M*I, I = 1, 2)
      END
!! exact: A 11 , 12 , 13 , ; 21 , 22 , 23 , ; 3 4
!! exact: F 1
!! exact: F 2
!! exact: 1 4 END
!! exact: F 0 0 T 0 0
!! exact: 3 2 1 0.5 1
!! exact: 1 2 4 3 6 9
!! exact: 3 9 27
!! exact: 27 27
!! exact: 1 2
!! exact: 2 3
!! exact: 1 2
!! exact: 2 4

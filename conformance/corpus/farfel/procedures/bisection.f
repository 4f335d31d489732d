C     The root of x**2 - 2 between 0 and 2, with GOTO, by 50 halvings
      PROGRAM MAIN
        FUNCTION F(X)
          F = X*X - 2
        END
      PRINT *, ROOT(F, 0., 2.)
      END
      FUNCTION ROOT(F, A0, B0)
      A = A0
      B = B0
   10 C = (A + B)/2
      IF (B - A .LT. 1E-14) GOTO 30
      IF (F(C)) 20, 30, 40
   20 A = C
      GOTO 10
   40 B = C
      GOTO 10
   30 ROOT = C
      END
!! exact: 1.4142135623730958

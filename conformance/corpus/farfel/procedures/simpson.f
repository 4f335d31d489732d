C     Simpson's rule is exact for cubics: the integral of x**3 from 0 to 2 is 4.
      PROGRAM MAIN
        FUNCTION CUBE(X)
          CUBE = X**3
        END
      PRINT *, SIMP(CUBE, 0., 2., 10)
      END
      FUNCTION SIMP(F, A, B, N)
      H = (B - A)/N
      SIMP = F(A) + F(B)
      DO 10 I = 1, N - 1
        W = 2
        IF (MOD(I, 2) .EQ. 1) W = 4
        SIMP = SIMP + W*F(A + I*H)
   10 CONTINUE
      SIMP = SIMP*H/3
      END
!! exact: 4.000000000000001

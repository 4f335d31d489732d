C     The loop of N changes I while the loop around uses it. Q has its own I; R changes J where nothing uses J.
      PROGRAM P
        SUBROUTINE N
          DO 20 I = 1, 2
   20     X = X + I
        END
        SUBROUTINE Q
        INTEGER I
          DO 30 I = 1, 2
   30     X = X + I
        END
        SUBROUTINE R
          DO 40 J = 1, 2
   40     X = X + J
        END
      X = 0
      DO 10 I = 1, 4
        CALL N
        CALL Q
        PRINT *, I, X
   10 CONTINUE
      DO 11 J = 1, 4
   11 CALL R
      PRINT *, X
      END
!! error: type 18:14-18:15 I is the index of a DO around, and N may assign it
!! hint: declare I

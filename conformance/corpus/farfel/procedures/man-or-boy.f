C     Knuth's test of 1964, with subroutines in place of functions: it needs variables of many activations. The values
C     are the published ones.
      PROGRAM MAIN
        SUBROUTINE ONE(R)
          R = 1
        END
        SUBROUTINE MINUS(R)
          R = -1
        END
        SUBROUTINE ZERO(R)
          R = 0
        END
      DO 10 I = 0, 7
      CALL A(I, ONE, MINUS, MINUS, ONE, ZERO, Y)
   10 PRINT *, I, Y
      END
      SUBROUTINE A(K0, X1, X2, X3, X4, X5, R)
      INTEGER K
        SUBROUTINE B(R)
          K = K - 1
          CALL A((K), B, X1, X2, X3, X4, R)
        END
      K = K0
      IF (K .LE. 0) THEN
        CALL X4(P)
        CALL X5(Q)
        R = P + Q
      ELSE
        CALL B(R)
      END IF
      END
!! exact: 0 1
!! exact: 1 0
!! exact: 2 -2
!! exact: 3 0
!! exact: 4 1
!! exact: 5 0
!! exact: 6 1
!! exact: 7 -1

C     Knuth's test with the depth among the data, so that the procedures that capture procedures have no end.
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
      READ *, K
      CALL A(K, ONE, MINUS, MINUS, ONE, ZERO, Y)
      PRINT *, Y
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
!! input: 10
!! exact: -67

C     Intrinsic functions with one type of operands are passed like functions of the program.
      PROGRAM MAIN
      INTRINSIC SIN, DABS, MOD, ATAN2
      PRINT *, DERIV(SIN, 0.), DERIV(DABS, -3.)
      PRINT *, IAPPLY(MOD, 17, 5)
      PRINT *, APPLY2(ATAN2, 0., 2.), SIN(0.)
      CALL INNER
      END
      SUBROUTINE INNER
      INTRINSIC SIN
      PRINT *, DERIV(SIN, 0.)
      END
      FUNCTION DERIV(F, X)
      ADF (X)
        Y = F(X)
      END ADF (DERIV = TANGENT(Y))
      END
      FUNCTION APPLY2(F, X, Y)
      APPLY2 = F(X, Y)
      END
      FUNCTION IAPPLY(F, I, J)
      INTEGER F
      IAPPLY = F(I, J)
      END
!! exact: 1 -1
!! exact: 2
!! exact: 0 0
!! exact: 1

      PROGRAM MAIN
      INTRINSIC MAX
      PRINT *, APPLY2(MAX, 1., 2.)
      END
      FUNCTION APPLY2(F, X, Y)
      APPLY2 = F(X, Y)
      END
!! error: type 3:23-3:26 the intrinsic function MAX cannot be passed
!! error: type 3:23-3:26 APPLY2 expects a procedure for F

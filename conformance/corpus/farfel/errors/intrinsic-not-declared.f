C     Without INTRINSIC a name alone is a variable.
      PROGRAM MAIN
      PRINT *, APPLY(SIN, 1.)
      END
      FUNCTION APPLY(F, X)
      EXTERNAL F
      APPLY = F(X)
      END
!! error: type 3:22-3:25 APPLY expects a procedure for F

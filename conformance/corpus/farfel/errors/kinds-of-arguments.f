      PROGRAM MAIN
      REAL X(5)
      N = 1
      CALL P(N)
      CALL P(X)
      CALL P(.TRUE.)
      CALL Q(N)
      CALL Q(Y)
      CALL R(Y)
      END
      SUBROUTINE P(A)
      PRINT *, A
      END
      SUBROUTINE Q(A)
      REAL A(*)
      END
      SUBROUTINE R(F)
      EXTERNAL F
      CALL F
      END
!! error: type 4:14-4:15 P expects REAL for A, found INTEGER
!! error: type 5:14-5:15 P expects a scalar for A, found an array
!! error: type 6:14-6:20 P expects REAL for A, found LOGICAL
!! error: type 7:14-7:15 Q expects an array for A
!! error: type 8:14-8:15 Q expects an array for A
!! error: type 9:14-9:15 R expects a procedure for F

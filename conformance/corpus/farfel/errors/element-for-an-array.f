      PROGRAM MAIN
      REAL X(5)
      CALL P(X(2))
      END
      SUBROUTINE P(A)
      REAL A(2)
      A(1) = 1
      END
!! error: type 3:14-3:18 P expects an array for A, found an element
!! hint: whole array

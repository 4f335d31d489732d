      REAL V(3)
      I = 1
      CALL P(V(I), V(1))
      END
      SUBROUTINE P(A, B)
      A = B + 1
      END
!! error: pattern 3:20-3:24 these are two names of one element, which the procedure assigns: an alias

C     The function G is given to a subroutine that assigns the array which G reads: it sees the new element, 3.25.
      PROGRAM MAIN
      REAL A(2)
        SUBROUTINE P(F)
          A(2) = 3.25
          X = F(1.)
        END
        FUNCTION G(W)
          G = A(2)
        END
      CALL P(G)
      PRINT *, X, A
      END
!! exact: 3.25 0 3.25

C     The innermost function sees the variables of all levels: 100 + 20 + 3.
      PROGRAM MAIN
      PRINT *, OUTER(100.)
      END
      FUNCTION OUTER(A)
        FUNCTION MIDDLE(B)
          FUNCTION INNER(C)
            INNER = A + B + C
          END
          MIDDLE = INNER(3.)
        END
      OUTER = MIDDLE(20.)
      END
!! exact: 123

      INTERFACE
        SUBROUTINE H(X)
        INTENT (IN) X
        INTENT (OUT) X
        END
      END INTERFACE
      PRINT *, 1
      END
!! error: duplicate 4:22-4:23 the intent of X is stated twice

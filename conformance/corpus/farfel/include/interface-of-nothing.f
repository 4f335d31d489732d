      INTERFACE
        FUNCTION NOWHERE_DEFINED(X)
        END
      END INTERFACE
      PRINT *, NOWHERE_DEFINED(1.)
      END
!! error: unbound 2:9-2:36 `nowhere-defined` is not defined

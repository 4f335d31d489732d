C     The type of a subprogram inside may be declared, whether it is called or not.
      PROGRAM MAIN
        INTEGER ROUND
        REAL UNUSED
        INTEGER FUNCTION ROUND(X)
          ROUND = NINT(X)
        END
        UNUSED(X) = 3
        PRINT *, ROUND(2.7)
      END
!! exact: 3

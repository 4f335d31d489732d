      INCLUDE 'parts/curves.vlad'
      PROGRAM MAIN
      INTERFACE
        FUNCTION ITERATE(F, N, X)
        EXTERNAL F
        END
      END INTERFACE
        FUNCTION COUNTED(X)
          K = K + 1
          COUNTED = 2*X
        END
      K = 0
      PRINT *, ITERATE(COUNTED, 3, 1.), K
      END
!! error: type 8:18-8:25 COUNTED assigns a variable around it

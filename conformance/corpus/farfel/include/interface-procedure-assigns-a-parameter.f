      INCLUDE 'parts/curves.vlad'
      INTERFACE
        FUNCTION ITERATE(F, N, X)
        EXTERNAL F
        END
      END INTERFACE
      PRINT *, ITERATE(TWICE, 3, 1.)
      END
      FUNCTION TWICE(X)
      X = 2*X
      TWICE = X
      END
!! error: type 9:16-9:21 TWICE assigns a parameter

! a comment      X = 1 +     + 2
* another      PRINT *, X, 'a'   ! a third      END
!! exact: 3 a

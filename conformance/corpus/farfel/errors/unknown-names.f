      PRINT *, F(1.)
      CALL P(2)
      X = 1
      Y = X(3)
      END
!! error: unbound 1:16-1:21 there is no function or array F
!! error: unbound 2:12-2:16 there is no subroutine P
!! error: type 4:11-4:15 X is neither an array nor a function

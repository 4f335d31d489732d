C     A was computed from X before the block, so it is constant in it: d(a x)/dx = a = 6.
      X = 3
      A = 2*X
      ADF (X)
        Y = A*X
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      END
!! exact: 18 6

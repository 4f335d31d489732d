      N = 3
      ADF (TANGENT(N) = 1)
        Y = N*2.
      END ADF (D = TANGENT(Y))
      END
!! error: type 2:20-2:21 only reals have a TANGENT, and this is INTEGER

      REAL X(3)
      INTEGER N(3)
      X(1) = 1
      N(1) = 1
      ADF (X(1), X(2), X(1))
        Y = X(1)
      END ADF (D = TANGENT(Y))
      ADF (N(1))
        Y = X(1)
      END ADF (D = TANGENT(Y))
      ADF (X(1, 2), X(1.5))
        Y = X(1)
      END ADF (D = TANGENT(Y))
      PRINT *, D
      END
!! error: duplicate 5:24-5:28 an element of X is named twice
!! error: type 8:12-8:16 only reals have a TANGENT
!! error: type 11:12-11:19 X has 1 dimensions, found 2 subscripts
!! error: type 11:23-11:26 INTEGER is expected here, found REAL

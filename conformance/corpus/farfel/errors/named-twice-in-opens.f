      X = 1
      ADF (X, TANGENT(X) = 2)
        Y = X
      END ADF (D = TANGENT(Y))
      END
!! error: duplicate 2:23-2:24 X is named twice in this list

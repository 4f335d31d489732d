      REAL V(3)
      X = 1
      ADF (TANGENT(X + 1) = 1)
        Y = X
      END ADF (TANGENT(Y) = D)
      ADF (TANGENT(V(2)) = 1, TANGENT(V(1)) = 2, TANGENT(V(2)) = 3)
        Y = V(2)
      END ADF (D = TANGENT(Y))
      END
!! error: syntax 3:22-3:23 this ADF statement does not continue like this
!! hint: of a variable or an element
!! error: syntax 5:16-5:23 this END ADF statement does not continue like this
!! hint: D = TANGENT(Y)

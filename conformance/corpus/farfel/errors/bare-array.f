      REAL X(3)
      ADF (X)
        Y = X(1)
      END ADF (D = TANGENT(Y))
      END
!! error: type 2:12-2:13 an array needs the elements of its derivative
!! hint: ADF((TANGENT(X(I)) = V(I), I = 1, N))

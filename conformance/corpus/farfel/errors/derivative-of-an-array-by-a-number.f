      REAL X(3)
      ADF (TANGENT(X) = 1)
        Y = X(1)
      END ADF (D = TANGENT(Y))
      END
!! error: type 2:25-2:26 the derivative of a whole array is a whole array
!! hint: name the elements

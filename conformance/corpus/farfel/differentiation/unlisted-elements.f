C     Elements of an array that are not listed have the tangent 0.
      REAL X(2)
      X(1) = 3
      X(2) = 4
      ADF (TANGENT(X(2)) = 1)
        Y = X(1)*X(2)
      END ADF (D = TANGENT(Y))
      PRINT *, D
      END
!! exact: 3

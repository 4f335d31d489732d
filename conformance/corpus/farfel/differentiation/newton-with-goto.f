C     The root of x x - a is sqrt(a), with the derivative 1 / (2 sqrt(a)) = .3535533905932738 at 2
      A = 2
      ADF (A)
        X = 1
        K = 0
   10   X = X - (X*X - A)/(2*X)
        K = K + 1
        IF (K .LT. 30) GOTO 10
      END ADF (D = TANGENT(X))
      PRINT *, X, D
      END
!! exact: 1.414213562373095 0.3535533905932738

C     A function of one statement sees the variables around it.
      SQR(X) = X*X
      POLY(X, Y) = SQR(X) + K*Y
      K = 10
      PRINT *, SQR(3.), POLY(2., 5.)
      K = 100
      PRINT *, POLY(2., 5.)
      END
!! exact: 9 54
!! exact: 504

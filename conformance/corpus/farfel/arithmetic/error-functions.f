C     ERF AND ERFC OF FORTRAN 2008, AND A DERIVATIVE: 2/SQRT(PI) (EXP(-X*X) - 2 EXP(-4*X*X)) AT 0.5.
      X = 0.5
      D = 0.0
      ADF (TANGENT(X) = 1.0)
      Y = ERF(X) + ERFC(2.0*X)
      END ADF(D = TANGENT(Y))
      PRINT *, Y
      PRINT *, D
      PRINT *, ERFC(-1.0)
      END
!! exact: 0.6777990848633316
!! exact: 0.04856758409425532
!! exact: 1.8427007929497148

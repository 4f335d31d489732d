C     The specific names of MAX, MIN, DIM and of conversions; MAX1 and MIN1 convert to integers.
      X = 2.75
      I = -3
      PRINT *, MAX1(X, 1.6), MIN1(X, -0.5), MAX1(-X, -1.5), AMAX0(I, 1)/2, AMIN0(I, 3)/2
      PRINT *, SNGL(1.5D0), DPROD(X, 2.), DDIM(X, 1.), DDIM(1., X), MIN1(-0.25, 0.5)
      PRINT *, AMAX1(X, 3.), AMIN1(X, 3.), MAX0(I, 2), MIN0(I, 2), DMAX1(1D0, X), DMIN1(1D0, X)
      ADF (X)
        Y = DPROD(X, X) + SNGL(X) + DDIM(X, 1.)
      END ADF (D = TANGENT(Y))
      PRINT *, D
      END
!! exact: 2 0 -1 0.5 -1.5
!! exact: 1.5 5.5 1.75 0 0
!! exact: 3 2.75 2 -3 2.75 1
!! exact: 7.5

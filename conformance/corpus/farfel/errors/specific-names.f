      I = 2
      X = 2
      PRINT *, MAX1(I, 2), AMAX0(X, 1), DPROD(1., 2., 3.), SNGL(I)
      END
!! error: type 3:21-3:22 MAX1 takes REAL, found INTEGER
!! error: type 3:34-3:35 AMAX0 takes INTEGER, found REAL
!! error: type 3:41-3:58 DPROD takes 2 arguments, found 3
!! error: type 3:65-3:66 SNGL takes REAL, found INTEGER

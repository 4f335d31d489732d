C     By definition: nearest integers are halves away from zero; DIM is the positive difference.
      PRINT *, ABS(-3), ABS(-2.5), MAX(1, 3, 2), MIN(2., -1., 5.), MAX0(4, 5), AMIN1(1.5, 2.5)
      PRINT *, NINT(2.5), NINT(-2.5), NINT(2.4), ANINT(-1.5), INT(-2.7), AINT(2.7), IFIX(1.9)
      PRINT *, SIGN(3, -1), SIGN(-3, 2), SIGN(2.5, -0.5), DIM(5, 3), DIM(3, 5), DIM(1.5, 1.)
      PRINT *, MOD(5.5, 2.), AMOD(-5.5, 2.), FLOAT(3)/2, REAL(7)/2, DBLE(1)/4
      END
!! exact: 3 2.5 3 -1 5 1.5
!! exact: 3 -3 2 -2 -2 2 1
!! exact: -3 3 -2.5 2 0 0.5
!! exact: 1.5 -1.5 1.5 3.5 0.25

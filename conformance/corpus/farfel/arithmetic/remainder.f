! The remainder of reals is exact and has the sign of the first operand. The values are by fractions: of 1 and the double .1 it is
! 1 - 9 * .1 without a rounding. The double 1E300 is divisible by 3.
      PRINT *, MOD(1., .1), MOD(-1., .1), MOD(1., -.1), AMOD(5.5, 2.), DMOD(-5.5D0, 2D0)
      PRINT *, MOD(1E300, 3.), MOD(1E16, .1), MOD(.3, .4), MOD(-.3, .4), MOD(6., 3.), MOD(-6., 3.)
      ZERO = 0
      PRINT *, MOD(1., ZERO), MOD(1/ZERO, 3.), MOD(3., 1/ZERO), MOD(-3., 1/ZERO)
      PRINT *, MOD(1.7E308, 1E308), MOD(1.7E308, 1E-300) .LT. 1E-300, MOD(7, 3), MOD(-7, 3)
! d/dx is 1, d/dy is -int(x / y): 1 - 10 * 3 and 1 + 10 * 3.
      X = 7.5
      Y = 2
      ADF (X, TANGENT(Y) = 10)
        Z = MOD(X, Y)
        W = MOD(-X, Y)
        V = MOD(X, -Y)
      END ADF (A = TANGENT(Z), B = TANGENT(W), C = TANGENT(V))
      PRINT *, Z, A, W, B, V, C
      ADR (Z)
        Z = MOD(X, Y)
      END ADR (A = COTANGENT(X), B = COTANGENT(Y))
      PRINT *, A, B
      END
!! exact: 0.09999999999999995 -0.09999999999999995 0.09999999999999995 1.5 -1.5
!! exact: 0 0.04488848768742176 0.3 -0.3 0 -0
!! exact: +nan.0 +nan.0 3 -3
!! exact: 6.999999999999999e+307 T 1 -1
!! exact: 1.5 -29 -1.5 29 1.5 -29
!! exact: 1 -3

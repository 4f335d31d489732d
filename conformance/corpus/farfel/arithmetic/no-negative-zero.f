C     There is one integer zero.
      I = 0
      J = -5
      PRINT *, I*J, -I, I/J, INT(-.5), NINT(-.2), MOD(-6, 3), SIGN(0, -1), -0
      N = -.5
      X = N
      PRINT *, N, X, 1/X
      END
!! exact: 0 0 0 0 0 0 0 0
!! exact: 0 0 +inf.0

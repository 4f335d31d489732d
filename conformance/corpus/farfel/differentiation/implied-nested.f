C     The derivative of x11 x22 - x12 x21 along the tangents 10 i + j: 11 x22 + 22 x11 - 12 x21 - 21 x12
C     at x = ((1, 2), (3, 4)): 44 + 22 - 36 - 42 = -12
      REAL X(2, 2), T(2, 2)
      X(1, 1) = 1
      X(1, 2) = 2
      X(2, 1) = 3
      X(2, 2) = 4
      ADF (((TANGENT(X(I, J)) = 10*I + J, I = 1, 2), J = 1, 2))
        D = X(1, 1)*X(2, 2) - X(1, 2)*X(2, 1)
      END ADF (E = TANGENT(D), ((T(I, J) = TANGENT(X(I, J)), J = 1, 2), I = 1, 2))
      PRINT *, D, E
      PRINT *, T
      END
!! exact: -2 -12
!! exact: 11 21 12 22

C     The rotation by t of (1, 0): the tangent is (-sin t, cos t); at 0 it is (0, 1).
      PROGRAM MAIN
      T = 0
      ADF (T)
        X = 1
        Y = 0
        CALL ROTATE(X, Y, T)
      END ADF (DX = TANGENT(X), DY = TANGENT(Y))
      PRINT *, X, Y, DX, DY
      END
      SUBROUTINE ROTATE(X, Y, T)
      Z = X*COS(T) - Y*SIN(T)
      Y = X*SIN(T) + Y*COS(T)
      X = Z
      END
!! exact: 1 0 0 1

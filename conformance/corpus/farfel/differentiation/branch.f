C     The derivative is that of the branch taken.
      X = -2
      ADF (X)
        IF (X .LT. 0) THEN
          Y = -X
        ELSE
          Y = 3*X
        END IF
      END ADF (D = TANGENT(Y))
      PRINT *, Y, D
      END
!! exact: 2 -1

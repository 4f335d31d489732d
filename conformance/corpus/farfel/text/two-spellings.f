C     GO TO and GOTO, END IF and ENDIF, ELSE IF and ELSEIF, END DO and ENDDO
      N = 0
      DO I = 1, 3
        IF (I .EQ. 1) THEN
          N = N + 1
        ELSEIF (I .EQ. 2) THEN
          N = N + 10
        ELSE IF (I .EQ. 3) THEN
          N = N + 100
        ENDIF
      ENDDO
      GO TO 10
      N = 0
   10 CONTINUE
      X = 1
      ADF(X)
        Y = X
      ENDADF (D = TANGENT(Y))
      ADR(Y)
        Y = X
      ENDADR (E = COTANGENT(X))
      PRINT *, N, D, E
      END
!! exact: 111 1 1

C     RATE is defined by who includes this text.
      INTERFACE
        FUNCTION RATE(T)
        END
      END INTERFACE
      FUNCTION EULER(Y, N, H)
      EULER = Y
      DO 10 I = 1, N
   10 EULER = EULER + H*RATE(EULER)
      END
      FUNCTION SLOPE(F, X)
      ADF (X)
        Y = F(X)
      END ADF (SLOPE = TANGENT(Y))
      END

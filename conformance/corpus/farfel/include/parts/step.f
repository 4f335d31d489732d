      IF (MOD(I, 2) .EQ. 0) THEN
        S = S + I

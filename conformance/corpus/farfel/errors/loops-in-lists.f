      REAL X(3)
      DO 10 I = 1, 3
   10 PRINT *, (X(I), I = 1, 3)
      READ *, (X(J), J = 1, 3, 0)
      PRINT *, (X(R), R = 1, 3)
      END
!! error: type 3:23-3:24 I is the index of a DO around
!! error: type 4:32-4:33 the step of a DO is not zero
!! error: type 5:19-5:20 INTEGER is expected here

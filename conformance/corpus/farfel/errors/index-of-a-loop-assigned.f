      DO 10 I = 1, 3
   10 I = 5
      DO 20 J = 1, 3, 0
   20 CONTINUE
      DO 30 K = 1, 2.5
   30 CONTINUE
      END
!! error: type 2:7-2:8 I is the index of a DO around
!! error: type 3:23-3:24 the step of a DO is not zero
!! error: type 5:20-5:23 the index of this DO is INTEGER, and this is REAL
!! hint: INT(..)

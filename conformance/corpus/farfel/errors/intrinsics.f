      PRINT *, SIN(1., 2.), SQRT(1 + I), MAX(1), MOD(.TRUE., 2)
      END
!! error: type 1:16-1:27 SIN takes one argument, found 2
!! error: type 1:34-1:39 SQRT takes REAL, found INTEGER
!! hint: REAL(..)
!! error: type 1:42-1:48 MAX takes at least 2 arguments, found 1
!! error: type 1:54-1:60 a number is expected here, found LOGICAL

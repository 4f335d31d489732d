      PARAMETER (N = 3, M = K + 1)
      N = 4
      END
!! error: type 1:29-1:30 the value of a constant consists of constants above it
!! error: type 2:7-2:8 N is a constant

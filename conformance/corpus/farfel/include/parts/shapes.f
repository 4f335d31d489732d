C     A library of functions; the name of the file below is relative to this one.
      FUNCTION AREA(R)
      INCLUDE 'constants.inc'
      AREA = PI*R**2
      END
      FUNCTION ROUND(R)
      INCLUDE 'constants.inc'
      ROUND = 2*PI*R
      END
      SUBROUTINE SWAP(A, B)
      T = A
      A = B
      B = T
      END

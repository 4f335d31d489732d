C     Two different elements of one array
      PROGRAM MAIN
      INTEGER A(3)
      A(1) = 1
      A(3) = 3
      CALL SWAP(A(1), A(3))
      PRINT *, A
      I = 1
      J = 1
      CALL SWAP(A(I), A(J))
      END
      SUBROUTINE SWAP(M, N)
      K = M
      M = N
      N = K
      END
!! exact: 3 0 1
!! error: pattern 10:23-10:27 one element

C     Life on a torus of 10 rows and columns. A glider moves by a row and a column in 4 generations, so after 40 it is where
C     it was.
      PROGRAM LIFE
      PARAMETER (N = 10)
      REAL A(N, N)
      DO 10 I = 1, N
      DO 10 J = 1, N
   10 A(I, J) = 0
      A(1, 2) = 1
      A(2, 3) = 1
      A(3, 1) = 1
      A(3, 2) = 1
      A(3, 3) = 1
      DO 20 K = 1, 40
   20 CALL STEP(A, N)
      PRINT *, (A(1, J), J = 1, N)
      PRINT *, (A(2, J), J = 1, N)
      PRINT *, (A(3, J), J = 1, N)
      PRINT *, ALIVE(A, N)
      END
      SUBROUTINE STEP(A, N)
      REAL A(N, N), B(10, 10)
      DO 10 I = 1, N
      DO 10 J = 1, N
      S = AROUND(A, N, I, J)
      IF (S .EQ. 3) THEN
        B(I, J) = 1
      ELSE IF (S .EQ. 2) THEN
        B(I, J) = A(I, J)
      ELSE
        B(I, J) = 0
      END IF
   10 CONTINUE
      DO 20 I = 1, N
      DO 20 J = 1, N
   20 A(I, J) = B(I, J)
      END
      FUNCTION AROUND(A, N, I, J)
      REAL A(N, N)
      AROUND = 0
      DO 10 IUP = -1, 1
      DO 10 JUP = -1, 1
      IF (IUP .NE. 0 .OR. JUP .NE. 0) THEN
        K = MOD(I + IUP + N - 1, N) + 1
        L = MOD(J + JUP + N - 1, N) + 1
        AROUND = AROUND + A(K, L)
      END IF
   10 CONTINUE
      END
      FUNCTION ALIVE(A, N)
      REAL A(N, N)
      ALIVE = 0
      DO 10 I = 1, N
      DO 10 J = 1, N
   10 ALIVE = ALIVE + A(I, J)
      END
!! exact: 0 1 0 0 0 0 0 0 0 0
!! exact: 0 0 1 0 0 0 0 0 0 0
!! exact: 1 1 1 0 0 0 0 0 0 0
!! exact: 5

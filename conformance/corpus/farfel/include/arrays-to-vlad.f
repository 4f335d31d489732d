C     An array that is assigned, and a part of a larger one: VLAD gets the elements that the bounds name, and the others
C     stay as they are.
      INTERFACE
        SUBROUTINE SCALED(V, C)
        REAL V(2)
        INTENT (INOUT) V
        END
      END INTERFACE
      PROGRAM MAIN
      REAL A(2), B(2, 2)
      A(1) = 1
      A(2) = 2
      DO 10 I = 1, 2
      DO 10 J = 1, 2
   10 B(I, J) = 10*I + J
      CALL SCALED(A, 3.)
      CALL SCALED(B, 2.)
      PRINT *, A, B
      END
      INCLUDE 'parts/curves.vlad'
!! exact: 3 6 22 42 12 22

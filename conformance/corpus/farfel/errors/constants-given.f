      PROGRAM MAIN
      PARAMETER (K = 2)
      CALL INC(K)
      DO 10 I = 1, 3
        CALL INC(I)
        CALL INC((I))
   10 CONTINUE
      END
      SUBROUTINE INC(J)
      J = J + 1
      END
!! error: type 3:16-3:17 K is a constant, and the procedure may assign it
!! hint: parentheses
!! error: type 5:18-5:19 I is the index of a DO around
!! hint: parentheses

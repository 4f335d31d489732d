C     The motion of an undamped oscillator by the method of Runge and Kutta, and its sensitivity to the stiffness, which
C     is the tangent of the whole integration.
      PROGRAM MAIN
      REAL U(2)
        SUBROUTINE FORCE(U, V)
        REAL U(2), V(2)
          V(1) = U(2)
          V(2) = -STIFF*U(1)
        END
      STIFF = 1
      ADF (STIFF)
        U(1) = 1
        U(2) = 0
        CALL RUNGE(FORCE, U, 1., 100)
      END ADF (DX = TANGENT(U(1)), DV = TANGENT(U(2)))
      PRINT *, U(1), U(2)
      PRINT *, DX, DV
      END

C     N steps of the classical method of order four, from time 0 to TEND
      SUBROUTINE RUNGE(F, U, TEND, N)
      EXTERNAL F
      REAL U(2), A(2), B(2), C(2), D(2), W(2)
      H = TEND/N
      DO 60 K = 1, N
        CALL F(U, A)
        DO 10 I = 1, 2
   10   W(I) = U(I) + H/2*A(I)
        CALL F(W, B)
        DO 20 I = 1, 2
   20   W(I) = U(I) + H/2*B(I)
        CALL F(W, C)
        DO 30 I = 1, 2
   30   W(I) = U(I) + H*C(I)
        CALL F(W, D)
        DO 40 I = 1, 2
   40   U(I) = U(I) + H/6*(A(I) + 2*B(I) + 2*C(I) + D(I))
   60 CONTINUE
      END

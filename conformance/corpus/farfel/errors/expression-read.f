      REAL X(3)
      READ *, (X(J) + 1, J = 1, 3)
      PRINT *, (X(J), J = 1)
      END
!! error: syntax 2:21-2:22 this READ statement does not continue like this
!! error: syntax 3:28-3:29 this PRINT statement does not continue like this

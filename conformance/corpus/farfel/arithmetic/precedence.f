C     -2**2 = -4; 2**3**2 = 2**9; 6/2*3 = 9; 2 - 3 - 4 = -5; -2*3 + 1 = -5
      PRINT *, -2**2, 2**3**2, 6/2*3, 2 - 3 - 4, -2*3 + 1, 2*3**2
      PRINT *, .NOT. 1 .GT. 2 .AND. 2 .GT. 1, .TRUE. .OR. .TRUE. .AND. .FALSE.
      PRINT *, .TRUE. .EQV. .FALSE. .OR. .TRUE., .TRUE. .NEQV. .TRUE.
      END
!! exact: -4 512 9 -5 -5 18
!! exact: T T
!! exact: T F

*A star begins a comment whatever follows.
*=====
C-----------------------------------
C$    X = 7
C=====
c*
      C = 2
C= C + 1
      C = C + &
C*3
      PRINT *, C
      END
!! exact: 12

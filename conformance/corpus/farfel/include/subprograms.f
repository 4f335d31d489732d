C     Subprograms of another text. Both functions include the same declarations: each line is replaced by the text.
C     4 pi and 2 pi, in doubles.
      PROGRAM MAIN
      X = 1
      Y = 2
      PRINT *, AREA(Y), ROUND(X)
      CALL SWAP(X, Y)
      PRINT *, X, Y
      END
      INCLUDE 'parts/shapes.f'
!! exact: 12.566370614359172 6.283185307179586
!! exact: 2 1

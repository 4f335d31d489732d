123456 X = 1
0 Y = 2
20
      END
!! error: read 1:1-1:7 a label is a number
!! error: read 2:1-2:2 a label is a number
!! error: read 3:1-3:3 no statement stands behind this label

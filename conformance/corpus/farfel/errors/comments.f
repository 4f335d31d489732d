CThis is a comment without a blank
      X = 1                                                             00000020
      PRINT *, X                                                        P0000030
      END                                                               P0000040
!! error: syntax 1:1-1:6 no statement begins with `CTHIS`
!! hint: a comment has one behind the C
!! error: syntax 2:73-2:81 this assignment does not continue like this
!! hint: column 72
!! error: syntax 3:73-3:81 this PRINT statement does not continue like this
!! hint: column 72
!! error: syntax 4:73-4:81 there is no END P0000040
!! hint: column 72

      WRITE(*,*) X
      END
!! error: syntax 1:7-1:12 WRITE is not part
!! hint: PRINT *

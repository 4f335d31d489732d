      10 FORMAT (F5.1)
      END
!! error: syntax 1:10-1:16 FORMAT is not part
!! hint: as many digits

      PRINT 10, X
      END
!! error: syntax 1:13-1:15 no formats
!! hint: PRINT *

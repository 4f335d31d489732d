      READ (5,*) X
      END
!! error: syntax 1:12-1:13 no formats
!! hint: READ *

      DATA X /1/
      END
!! error: syntax 1:7-1:11 DATA is not part
!! hint: assign the values

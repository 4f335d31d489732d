      CHARACTER C
      END
!! error: syntax 1:7-1:16 CHARACTER is not part
!! hint: PRINT

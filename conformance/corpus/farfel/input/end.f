      READ *, X, Y
      END
!! input: 1
!! error: input 1:18-1:19 end of the input

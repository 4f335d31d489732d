      READ *, X, Y
      END
!! input: 1
!! error: input 1:18-1:19 READ expects a number, found the end of the input

C     Two commas with nothing between them leave a variable as it is in Fortran; here they are an error.
      Y = 7
      READ *, X, Y
      END
!! input: 1,,2
!! error: input 3:18-3:19 READ expects a number, found ","

      READ *, X
      END
!! input: one
!! error: input 1:15-1:16 READ expects a number, found "one"

      PROGRAM A
      END
      PROGRAM B
      END
!! error: duplicate 3:15-3:16 there are two main programs

      X = 1
      INCLUDE 'round.f'

      INCLUDE 'parts/round.f'
      END
!! error: file parts/round.f:2:15-2:24 includes itself

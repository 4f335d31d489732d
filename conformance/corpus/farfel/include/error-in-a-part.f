      INCLUDE 'parts/wrong.f'
      END
!! error: syntax parts/wrong.f:2:7-2:14 ends too early

      INCLUDE 'parts/absent.f'
      X = Y
      END
!! error: file 1:15-1:31 there is no file `parts/absent.f`

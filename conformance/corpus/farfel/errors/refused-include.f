      INCLUDE 'a.f'
      END
!! error: syntax 1:7-1:14 INCLUDE is not part
!! hint: (include

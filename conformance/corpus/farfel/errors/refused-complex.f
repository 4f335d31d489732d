      COMPLEX Z
      END
!! error: syntax 1:7-1:14 COMPLEX is not part
!! hint: two reals

C     Points, exponents, and a comparison behind a whole number
      PRINT *, 1., .5, 1E2, 1.5D-3, 2.E1, 1.E0, 0012
      IF (1.EQ.1 .AND. 1..LT.2.) PRINT *, 'yes'
      END
!! exact: 1 0.5 100 0.0015 20 1 12
!! exact: yes

C     One variable in any case
      Abc = 1.5
      PRINT *, aBC + abc
      END
!! exact: 3

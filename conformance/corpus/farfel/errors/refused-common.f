      COMMON /A/ X
      END
!! error: syntax 1:7-1:13 COMMON is not part of the language
!! hint: nest the subprograms

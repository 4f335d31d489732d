C     A doubled quote is a quote, and quotation marks serve as well.
      PRINT *, 'it''s', "a ""b""", '', 'x'
      END
!! exact: it's a "b"  x

      ENTRY F(X)
      END
!! error: syntax 1:7-1:12 ENTRY is not part
!! hint: subprogram of its own

C     The type of a function before the word, inside, and repeated where it is used
      PROGRAM MAIN
      INTEGER F, G
      PRINT *, F(2.7), G(2.7), H(3)
      END
      INTEGER FUNCTION F(X)
      F = X
      END
      FUNCTION G(X)
      INTEGER G
      G = X + 1
      END
      FUNCTION H(N)
      H = N/2.
      END
!! exact: 2 3 1.5

      FUNCTION F(X)
      F = X +
      END

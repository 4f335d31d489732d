      REAL V(3)
      ADF (TANGENT(V(2)) = 1, TANGENT(V(1)) = 2, TANGENT(V(2)) = 3)
        Y = V(2)
      END ADF (D = TANGENT(Y))
      END
!! error: duplicate 2:58-2:62 an element of V is named twice in this list

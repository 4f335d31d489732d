      INTERFACE
        FUNCTION F(X)
        X = 1
        INTENT (OUT) Y
        INTENT (SIDEWAYS) X
        END
        PRINT *, 1
        FUNCTION G(X)
        INTENT (IN) X
        INTENT (OUT) X
      END INTERFACE
      INTENT (IN) X
      END INTERFACE
      INTERFACE
        SUBROUTINE H(X)
        END
      END
!! error: syntax 3:9-3:14 an interface has the first line
!! error: syntax 4:22-4:23 Y is no parameter of this interface
!! error: syntax 5:17-5:25 an intent is IN, OUT or INOUT
!! error: syntax 7:9-7:19 an interface has the first line
!! error: syntax 11:7-11:20 END is missing before END INTERFACE
!! error: syntax 12:7-12:20 INTENT stands only in an interface
!! error: syntax 13:7-13:20 closes nothing
!! error: syntax 14:7-14:16 END INTERFACE is missing
!! error: syntax 17:7-17:10 an interface has the first line

C     The runtime of programs in plain Fortran 77. A program gets the subprograms that it needs.
C
C     Arrays and cells are in the heap: at the place K, H(K) is the number of elements, which follow. The place 0 is that of
C     the array without elements, and of what is absent. Truth values are 0 and 1, places are whole numbers.
C
C     Infinity and NaN, which have no notation.
      SUBROUTINE VLINIT
      DOUBLE PRECISION VINF, VNAN, X
      COMMON /VLCON/ VINF, VNAN
      X = 1D300
      VINF = X*X
      VNAN = VINF - VINF
      END
C     The end of a program that fails.
      SUBROUTINE VLFAIL(TEXT)
      CHARACTER*(*) TEXT
      WRITE (0, *) TEXT
      STOP 1
      END
C     A new array or cell of N elements.
      INTEGER FUNCTION VLNEW(N)
      INTEGER N, KTOP
      DOUBLE PRECISION H
      COMMON /VLHEAP/ H(0:16777216)
      COMMON /VLTOP/ KTOP
      IF (KTOP + N .GE. 16777216) CALL VLFAIL('the heap is full: enlarge VLHEAP')
      VLNEW = KTOP + 1
      KTOP = VLNEW + N
      H(VLNEW) = N
      END
C     A copy of an array.
      INTEGER FUNCTION VLCOPY(K)
      INTEGER K, N, I, VLNEW
      DOUBLE PRECISION H
      COMMON /VLHEAP/ H(0:16777216)
      N = INT(H(K))
      VLCOPY = VLNEW(N)
      DO 10 I = 1, N
        H(VLCOPY + I) = H(K + I)
   10 CONTINUE
      END
C     An array of zeros, as long as another one.
      INTEGER FUNCTION VLZERO(K)
      INTEGER K, N, I, VLNEW
      DOUBLE PRECISION H
      COMMON /VLHEAP/ H(0:16777216)
      N = INT(H(K))
      VLZERO = VLNEW(N)
      DO 10 I = 1, N
        H(VLZERO + I) = 0D0
   10 CONTINUE
      END
C     True if X is the index of an element, from 0 on.
      LOGICAL FUNCTION VLIDX(K, X)
      INTEGER K
      DOUBLE PRECISION X, H
      COMMON /VLHEAP/ H(0:16777216)
      VLIDX = .FALSE.
      IF (X .GE. 0D0) THEN
        IF (X .LT. H(K)) VLIDX = DINT(X) .EQ. X
      END IF
      END
C     True if two arrays have the same elements.
      LOGICAL FUNCTION VLSAME(K1, K2)
      INTEGER K1, K2, I
      DOUBLE PRECISION H
      COMMON /VLHEAP/ H(0:16777216)
      VLSAME = H(K1) .EQ. H(K2)
      IF (.NOT. VLSAME) RETURN
      DO 10 I = 1, INT(H(K1))
        IF (.NOT. H(K1 + I) .EQ. H(K2 + I)) VLSAME = .FALSE.
   10 CONTINUE
      END
C     The part I of a cell: 0 if the cell is absent, or has no such part.
      DOUBLE PRECISION FUNCTION VLPART(K, I)
      INTEGER K, I
      DOUBLE PRECISION H
      COMMON /VLHEAP/ H(0:16777216)
      VLPART = 0D0
      IF (I .LE. INT(H(K))) VLPART = H(K + I)
      END
C     A truth value as a number.
      DOUBLE PRECISION FUNCTION VLBIT(L)
      LOGICAL L
      VLBIT = 0D0
      IF (L) VLBIT = 1D0
      END
C     Room for N words on the stack of records.
      SUBROUTINE VLROOM(N)
      INTEGER N, NTOP
      COMMON /VLSTAT/ NTOP(2)
      IF (NTOP(1) + N .GT. 16777216) CALL VLFAIL('the stack of records is full: enlarge VLSTK1')
      IF (NTOP(2) + N .GT. 4194304) CALL VLFAIL('the stack of calls is full: enlarge VLSTK2')
      END
C     The product, which is 0 if either operand is, and never -0.
      DOUBLE PRECISION FUNCTION VLGMUL(X, Y)
      DOUBLE PRECISION X, Y
      IF (X .EQ. 0D0 .OR. Y .EQ. 0D0) THEN
        VLGMUL = 0D0
      ELSE
        VLGMUL = X*Y + 0D0
      END IF
      END
C     The greater number: the second one only if the first is less.
      DOUBLE PRECISION FUNCTION VLMAX(X, Y)
      DOUBLE PRECISION X, Y
      VLMAX = X
      IF (X .LT. Y) VLMAX = Y
      END
C     The lesser number: the second one only if it is less than the first.
      DOUBLE PRECISION FUNCTION VLMIN(X, Y)
      DOUBLE PRECISION X, Y
      VLMIN = X
      IF (Y .LT. X) VLMIN = Y
      END
C     The greatest whole number that is not above.
      DOUBLE PRECISION FUNCTION VLFLR(X)
      DOUBLE PRECISION X
      VLFLR = DINT(X)
      IF (VLFLR .GT. X) VLFLR = VLFLR - 1D0
      END
C     The least whole number that is not below.
      DOUBLE PRECISION FUNCTION VLCEI(X)
      DOUBLE PRECISION X
      VLCEI = DINT(X)
      IF (VLCEI .LT. X) VLCEI = VLCEI + 1D0
      END
C     The nearest whole number, the even one of two.
      DOUBLE PRECISION FUNCTION VLRND(X)
      DOUBLE PRECISION X
      VLRND = DNINT(X)
      IF (DABS(VLRND - X) .EQ. 0.5D0) VLRND = 2D0*DNINT(X/2D0)
      END
C     X - Y floor(X / Y), rounded once: multiples of Y that halve are taken away, which is exact.
      DOUBLE PRECISION FUNCTION VLMOD(X, Y)
      DOUBLE PRECISION X, Y, R, S, P
      R = DABS(X)
      S = DABS(Y)
      VLMOD = X*Y/(X*Y)
      IF (.NOT. (R .LE. 1.7976931348623157D308 .AND. S .GT. 0D0)) RETURN
      P = S
   10 IF (P .LE. R*0.5D0) THEN
        P = P + P
        GOTO 10
      END IF
   20 IF (P .LE. R) R = R - P
      IF (P .GT. S) THEN
        P = P*0.5D0
        GOTO 20
      END IF
      IF (X .LT. 0D0) R = -R
      IF (R .NE. 0D0 .AND. ((R .LT. 0D0) .NEQV. (Y .LT. 0D0))) R = R + Y
      VLMOD = R + 0D0
      END
C     An empty tape. Its nodes have numbers from 1 on; 0 is no node.
      SUBROUTINE VLTBEG
      INTEGER NODES, NODE1, NODE2
      DOUBLE PRECISION C1, C2, SUM
      COMMON /VLTAPE/ C1(0:2097152), C2(0:2097152), SUM(0:2097152), NODE1(0:2097152), NODE2(0:2097152), NODES
      NODES = 0
      SUM(0) = 0D0
      END
C     A node of the tape: numbers and coefficients of two operands. It is none if no operand is one.
      SUBROUTINE VLTNOD(X1, D1, X2, D2, X)
      DOUBLE PRECISION X1, D1, X2, D2, X
      INTEGER NODES, NODE1, NODE2
      DOUBLE PRECISION C1, C2, SUM
      COMMON /VLTAPE/ C1(0:2097152), C2(0:2097152), SUM(0:2097152), NODE1(0:2097152), NODE2(0:2097152), NODES
      X = 0D0
      IF (.NOT. (X1 .GT. 0D0 .OR. X2 .GT. 0D0)) RETURN
      CALL VLTIND(X)
      NODE1(NODES) = INT(X1)
      NODE2(NODES) = INT(X2)
      C1(NODES) = D1
      C2(NODES) = D2
      END
C     A node of the tape without operands.
      SUBROUTINE VLTIND(X)
      DOUBLE PRECISION X
      INTEGER NODES, NODE1, NODE2
      DOUBLE PRECISION C1, C2, SUM
      COMMON /VLTAPE/ C1(0:2097152), C2(0:2097152), SUM(0:2097152), NODE1(0:2097152), NODE2(0:2097152), NODES
      IF (NODES .GE. 2097152) CALL VLFAIL('the tape is full: enlarge VLTAPE')
      NODES = NODES + 1
      NODE1(NODES) = 0
      NODE2(NODES) = 0
      SUM(NODES) = 0D0
      X = NODES
      END
C     Adds to the accumulator of a node.
      SUBROUTINE VLTSEE(X, D)
      DOUBLE PRECISION X, D
      INTEGER NODES, NODE1, NODE2
      DOUBLE PRECISION C1, C2, SUM
      COMMON /VLTAPE/ C1(0:2097152), C2(0:2097152), SUM(0:2097152), NODE1(0:2097152), NODE2(0:2097152), NODES
      IF (X .GT. 0D0) SUM(INT(X)) = SUM(INT(X)) + D
      END
C     Goes over the nodes of the tape, the last one first.
      SUBROUTINE VLTSWP
      INTEGER NODES, NODE1, NODE2, I
      DOUBLE PRECISION C1, C2, SUM, VLGMUL
      COMMON /VLTAPE/ C1(0:2097152), C2(0:2097152), SUM(0:2097152), NODE1(0:2097152), NODE2(0:2097152), NODES
      DO 10 I = NODES, 1, -1
        CALL VLTSEE(DBLE(NODE1(I)), VLGMUL(C1(I), SUM(I)))
        CALL VLTSEE(DBLE(NODE2(I)), VLGMUL(C2(I), SUM(I)))
   10 CONTINUE
      END
C     The accumulator of a node.
      DOUBLE PRECISION FUNCTION VLTACC(X)
      DOUBLE PRECISION X
      INTEGER NODES, NODE1, NODE2
      DOUBLE PRECISION C1, C2, SUM
      COMMON /VLTAPE/ C1(0:2097152), C2(0:2097152), SUM(0:2097152), NODE1(0:2097152), NODE2(0:2097152), NODES
      VLTACC = SUM(INT(X))
      END
C     A blank before an item of a line, unless it is the first.
      SUBROUTINE VLITEM
      INTEGER NCHAR, NITEM
      COMMON /VLLINE/ NCHAR, NITEM
      IF (NITEM .GT. 0) CALL VLTEXT(' ')
      NITEM = NITEM + 1
      END
C     Adds characters to the line.
      SUBROUTINE VLTEXT(TEXT)
      CHARACTER*(*) TEXT
      CHARACTER*65536 LINE
      INTEGER NCHAR, NITEM
      COMMON /VLLINE/ NCHAR, NITEM
      COMMON /VLCHAR/ LINE
      IF (NCHAR + LEN(TEXT) .GT. 65536) CALL VLFAIL('a line is too long: enlarge VLCHAR')
      LINE(NCHAR + 1:NCHAR + LEN(TEXT)) = TEXT
      NCHAR = NCHAR + LEN(TEXT)
      END
C     Adds the character of a code to the line.
      SUBROUTINE VLCODE(X)
      DOUBLE PRECISION X
      CALL VLTEXT(CHAR(INT(X)))
      END
C     Adds a number to the line: a whole one as such, others with 17 digits.
      SUBROUTINE VLNUMB(X)
      DOUBLE PRECISION X
      CHARACTER*24 TEXT
      INTEGER I
      IF (X .NE. X) THEN
        CALL VLTEXT('+nan.0')
      ELSE IF (DABS(X) .GT. 1.7976931348623157D308) THEN
        IF (X .GT. 0D0) CALL VLTEXT('+inf.0')
        IF (X .LT. 0D0) CALL VLTEXT('-inf.0')
      ELSE IF (DABS(X) .LT. 1D15 .AND. DINT(X) .EQ. X) THEN
        IF (X .EQ. 0D0 .AND. DSIGN(1D0, X) .LT. 0D0) CALL VLTEXT('-')
        WRITE (TEXT, '(F24.0)') DABS(X)
        IF (X .LT. 0D0) CALL VLTEXT('-')
        I = 1
   10   IF (TEXT(I:I) .EQ. ' ') THEN
          I = I + 1
          GO TO 10
        END IF
        IF (I .LT. 24) CALL VLTEXT(TEXT(I:23))
        IF (I .GE. 24) CALL VLTEXT('0')
      ELSE
        WRITE (TEXT, '(1PE24.16E3)') X
        I = 1
   20   IF (TEXT(I:I) .EQ. ' ') THEN
          I = I + 1
          GO TO 20
        END IF
        CALL VLTEXT(TEXT(I:24))
      END IF
      END
C     Prints the line.
      SUBROUTINE VLROW
      CHARACTER*65536 LINE
      INTEGER NCHAR, NITEM
      COMMON /VLLINE/ NCHAR, NITEM
      COMMON /VLCHAR/ LINE
      IF (NCHAR .GT. 0) THEN
        WRITE (*, '(A)') LINE(1:NCHAR)
      ELSE
        WRITE (*, '(A)')
      END IF
      NCHAR = 0
      NITEM = 0
      END
C     Reads the next number, on whatever line it is. A comma may stand
C     between two numbers.
      SUBROUTINE VLREAD(X)
      DOUBLE PRECISION X, VINF, VNAN
      CHARACTER*4096 LINE
      INTEGER NEXT, NSEP, I
      COMMON /VLCON/ VINF, VNAN
      COMMON /VLIN/ NEXT, NSEP
      COMMON /VLINCH/ LINE
   10 IF (NEXT .LT. 1 .OR. NEXT .GT. 4096) THEN
        READ (*, '(A)', END = 40, ERR = 40) LINE
        NEXT = 1
      END IF
   20 IF (LINE(NEXT:NEXT) .EQ. ',' .AND. NSEP .EQ. 1) THEN
        NSEP = 0
        LINE(NEXT:NEXT) = ' '
      END IF
      IF (LINE(NEXT:NEXT) .LE. ' ') THEN
        NEXT = NEXT + 1
        IF (NEXT .GT. 4096) GO TO 10
        GO TO 20
      END IF
      I = NEXT
   30 IF (LINE(NEXT:NEXT) .GT. ' ' .AND. LINE(NEXT:NEXT) .NE. ',') THEN
        NEXT = NEXT + 1
        IF (NEXT .LE. 4096) GO TO 30
      END IF
      IF (NEXT .EQ. I) GO TO 50
      NSEP = 1
      IF (LINE(I:NEXT - 1) .EQ. '+inf.0') THEN
        X = VINF
      ELSE IF (LINE(I:NEXT - 1) .EQ. '-inf.0') THEN
        X = -VINF
      ELSE IF (LINE(I:NEXT - 1) .EQ. '+nan.0' .OR. LINE(I:NEXT - 1) .EQ. '-nan.0') THEN
        X = VNAN
      ELSE
        READ (LINE(I:NEXT - 1), '(F4096.0)', ERR = 50) X
      END IF
      RETURN
   40 CALL VLFAIL('the input has no number left')
      STOP 1
   50 CALL VLFAIL('the input has something else than a number')
      STOP 1
      END

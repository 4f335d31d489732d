//! Every error of syntax and scope: kind, place, message, hint.

use super::check_errors;

fn misplaced_definition(place: &str) -> String {
    let hint = "a body is its definitions, then its expressions; in the place of an expression `let` binds a name: (let ((x e)) ...)";
    format!("syntax at {place}: a definition stands only at top level or at the head of a body\n  hint: {hint}")
}

#[test]
fn shapes() {
    let check = |text: &str, shape: &str, found: &str| {
        check_errors(text, &format!("syntax at 1:1 `{text}`: expected {shape}, found {found}"));
    };
    check("(quote 1 2)", "(quote datum)", "`quote` with 2 operands");
    check("(cons 1)", "(cons first second)", "`cons` with 1 operand");
    check("(cons 1 2 3)", "(cons first second)", "`cons` with 3 operands");
    check("(if 1 2 3 4)", "(if test consequent alternative) or (if test consequent)", "`if` with 4 operands");
    check("(lambda)", "(lambda (parameter ...) expression ...)", "`lambda` with 0 operands");
    check("(let)", "(let ((name expression) ...) expression ...)", "`let` with 0 operands");
    check("(let f)", "(let name ((name expression) ...) expression ...)", "`let` with 1 operand");
    check("(let*)", "(let* ((name expression) ...) expression ...)", "`let*` with 0 operands");
    let letrec = "(letrec ((name (lambda (parameter ...) expression ...)) ...) expression ...)";
    check("(letrec)", letrec, "`letrec` with 0 operands");
    check("(begin)", "(begin expression ...)", "`begin` with 0 operands");
    check("(define x)", "(define name expression)", "`define` with 1 operand");
    check("(define x 1 2)", "(define name expression)", "`define` with 3 operands");
    let define = "(define name expression) or (define (name parameter ...) expression ...)";
    check("(define)", define, "`define` with 0 operands");
    let number = "`define` with 2 operands\n  hint: a name does not begin like a number: +0, 1+ and .5x are none";
    check("(define 1 2)", define, number);
    check("(define () 2)", define, "`define` with 2 operands");
}

#[test]
fn bodies() {
    check_errors("(lambda (x))", "syntax at 1:1 `(lambda (x))`: the body of this `lambda` has no expression");
    check_errors("(define (f))", "syntax at 1:1 `(define (f))`: the body of this `define` has no expression");
    check_errors("(let ((x 1)))", "syntax at 1:1 `(let ((x 1)))`: the body of this `let` has no expression");
    check_errors("(let* ((x 1)))", "syntax at 1:1 `(let* ((x 1)))`: the body of this `let*` has no expression");
    check_errors(
        "(lambda () (define x 1))",
        "syntax at 1:1 `(lambda () (define x 1))`: the body of this `lambda` has no expression",
    );
    check_errors("(lambda () 1 (define x 2) x)", &misplaced_definition("1:14 `(define x 2)`"));
    check_errors("(if (define x 1) 2)", &misplaced_definition("1:5 `(define x 1)`"));
}

#[test]
fn bindings() {
    check_errors("(let 5 1)", "syntax at 1:6 `5`: expected bindings: ((name expression) ...)");
    check_errors("(let* x x)", "syntax at 1:7 `x`: expected bindings: ((name expression) ...)");
    check_errors("(let ((x)) x)", "syntax at 1:7 `(x)`: expected a binding: (name expression)");
    check_errors("(let ((x 1 2)) x)", "syntax at 1:7 `(x 1 2)`: expected a binding: (name expression)");
    check_errors("(let* (x (y 1)) (x y))", "syntax at 1:8 `x`: expected a binding: (name expression)");
    check_errors("(let (()) 1)", "syntax at 1:7 `()`: expected a binding: (name expression)");
    check_errors(
        "(letrec (((cons a b) (lambda () 1))) 2)",
        "syntax at 1:11 `(cons a b)`: `letrec` binds names, not patterns",
    );
    check_errors(
        "(letrec ((f 1)) (f))",
        "syntax at 1:13 `1`: the right-hand side of a `letrec` is written as a lambda",
    );
}

#[test]
fn clauses() {
    let clause = "expected a clause (test expression ...) or (else expression ...) of `cond`";
    check_errors("(cond 1)", &format!("syntax at 1:7 `1`: {clause}"));
    check_errors("(cond () (else 1))", &format!("syntax at 1:7 `()`: {clause}"));
    check_errors("(cond (else 1) (#t 2))", "syntax at 1:16 `(#t 2)`: no clause follows the `else` of a `cond`");
    check_errors("(cond (else))", "syntax at 1:7 `(else)`: an expression is missing after `else`");
    check_errors("(cond (1 => sin))", "syntax at 1:10 `=>`: `=>` is not part of this language: use `let` and `if`");
    check_errors(
        "(else 1)",
        "syntax at 1:1 `(else 1)`: `else` stands only at the beginning of the last clause of a `cond`",
    );
}

#[test]
fn quotations() {
    let hint =
        "\n  hint: a number can stand for a symbol, as after (define red 0); a list of values is (list expression ...)";
    check_errors(
        "'x",
        &format!("syntax at 1:2 `x`: `x` within a quotation would be a symbol, and there are no symbols{hint}"),
    );
    check_errors(
        "'(1 if)",
        &format!("syntax at 1:5 `if`: `if` within a quotation would be a symbol, and there are no symbols{hint}"),
    );
    let hint = "\n  hint: quoted data are numbers, booleans, the empty list, and pairs, lists and vectors of them";
    check_errors(
        "'(1 '2)",
        &format!(
            "syntax at 1:5 `'2`: a quotation within a quotation would be a symbol, and there are no symbols{hint}"
        ),
    );
    check_errors(
        "'\"a\"",
        &format!("syntax at 1:2 `\"a\"`: there are no strings among the values of the language{hint}"),
    );
}

#[test]
fn vector_literals() {
    let hint = "\n  hint: #(...) holds data, as a quotation does; a vector of values is (vector expression ...)";
    let symbol = format!("`a` within a quotation would be a symbol, and there are no symbols{hint}");
    check_errors("#(a)", &format!("syntax at 1:3 `a`: {symbol}"));
    check_errors("'#(1 (2 a))", &format!("syntax at 1:9 `a`: {symbol}"));
    check_errors("(car '(1 #(#(2) a)))", &format!("syntax at 1:17 `a`: {symbol}"));
    let quotation = format!("a quotation within a quotation would be a symbol, and there are no symbols{hint}");
    check_errors("'#(1 'a)", &format!("syntax at 1:6 `'a`: {quotation}"));
    check_errors("#('1)", &format!("syntax at 1:3 `'1`: {quotation}"));
    check_errors(
        "#(\"a\")",
        &format!("syntax at 1:3 `\"a\"`: there are no strings among the values of the language{hint}"),
    );
    check_errors(
        "(vector . 1)",
        "syntax at 1:1 `(vector . 1)`: a dot stands only within quoted data\n  \
         hint: a pair is made by (cons a b), and constant ones are written '(1 . 2)",
    );
}

#[test]
fn vectors_stand_where_expressions_stand() {
    let hint = "\n  hint: bind the vector to a name; its elements are (get name 0), (get name 1), ...";
    check_errors("(lambda (#(x y)) (x y))", &format!("syntax at 1:10 `#(x y)`: a vector is no pattern{hint}"));
    check_errors("(lambda #(x) x)", &format!("syntax at 1:9 `#(x)`: a vector is no pattern{hint}"));
    check_errors("(lambda ('#(1)) 1)", &format!("syntax at 1:11 `#(1)`: a vector is no pattern{hint}"));
    check_errors("(lambda ('(1 #(2))) 1)", &format!("syntax at 1:14 `#(2)`: a vector is no pattern{hint}"));
    check_errors("(let (((vector x y) 1)) x)", &format!("syntax at 1:8 `(vector x y)`: a vector is no pattern{hint}"));
    check_errors("(define (f (list #(1))) 1)", &format!("syntax at 1:18 `#(1)`: a vector is no pattern{hint}"));
    check_errors("(let #((x 1)) x)", "syntax at 1:6 `#((x 1))`: expected bindings: ((name expression) ...)");
    check_errors("(let (#(x 1)) x)", "syntax at 1:7 `#(x 1)`: expected a binding: (name expression)");
    check_errors(
        "(cond #(1 2))",
        "syntax at 1:7 `#(1 2)`: expected a clause (test expression ...) or (else expression ...) of `cond`",
    );
    let define = "expected (define name expression) or (define (name parameter ...) expression ...)";
    check_errors(
        "(define #(f) 1)",
        &format!("syntax at 1:1 `(define #(f) 1)`: {define}, found `define` with 2 operands"),
    );
    check_errors("(include #(1))", "syntax at 1:1 `(include #(1))`: expected (include \"file\")");
}

#[test]
fn what_stands_in_no_expression() {
    check_errors(
        "(sin \"a\")",
        "syntax at 1:6 `\"a\"`: a string stands only in (include \"file\") at top level, and among the operands of `write` \
         and `error`\n  hint: there are no strings among the values of the language: a number can stand for one",
    );
    check_errors(
        "(sin . 1)",
        "syntax at 1:1 `(sin . 1)`: a dot stands only within quoted data\n  \
         hint: a pair is made by (cons a b), and constant ones are written '(1 . 2)",
    );
    check_errors("(sin (include \"a\"))", "syntax at 1:6 `(include \"a\")`: `include` stands only at top level");
}

#[test]
fn keywords_have_no_value() {
    check_errors(
        "(sin list)",
        "syntax at 1:6 `list`: `list` is a keyword and has no value\n  \
         hint: a procedure that does the same is (lambda (a b) (list a b))",
    );
    check_errors(
        "(sin and)",
        "syntax at 1:6 `and`: `and` is a keyword and has no value\n  \
         hint: a procedure that does the same is (lambda (a b) (and a b))",
    );
    check_errors(
        "if",
        "syntax at 1:1 `if`: `if` is a keyword and has no value\n  hint: a form with it stands in parentheses: (if ...)",
    );
    check_errors(
        "(sin else)",
        "syntax at 1:6 `else`: `else` is a keyword and has no value\n  hint: `else` begins the last clause of a `cond`",
    );
    check_errors(
        "vector",
        "syntax at 1:1 `vector`: `vector` is a keyword and has no value\n  \
         hint: a procedure that does the same is (lambda (a b) (vector a b))",
    );
}

#[test]
fn keywords_are_reserved() {
    for keyword in [
        "and", "begin", "cond", "define", "else", "if", "include", "lambda", "let", "let*", "letrec", "or", "quote",
        "vector",
    ] {
        let message = format!("`{keyword}` is a keyword and cannot be a name");
        check_errors(&format!("(define {keyword} 1)"), &format!("reserved at 1:9 `{keyword}`: {message}"));
        check_errors(&format!("(define ({keyword} x) 1)"), &format!("reserved at 1:10 `{keyword}`: {message}"));
        check_errors(&format!("(lambda {keyword} 1)"), &format!("reserved at 1:9 `{keyword}`: {message}"));
        check_errors(&format!("(let (({keyword} 1)) 1)"), &format!("reserved at 1:8 `{keyword}`: {message}"));
    }
    check_errors("(letrec ((if (lambda () 1))) 1)", "reserved at 1:11 `if`: `if` is a keyword and cannot be a name");
    check_errors("(let if () 1)", "reserved at 1:6 `if`: `if` is a keyword and cannot be a name");
    check_errors(
        "(lambda (cons a b) a)",
        "reserved at 1:10 `cons`: `cons` is a keyword and cannot be a name\n  \
         hint: a pattern has parentheses of its own: (lambda ((cons a b)) ...)",
    );
    check_errors(
        "(define list 1)",
        "reserved at 1:9 `list`: `list` is a keyword and cannot be a name\n  \
         hint: a pattern has parentheses of its own: (lambda ((list a b)) ...)",
    );
}

#[test]
fn patterns() {
    let hint = "\n  hint: patterns are names, constants, (cons p p), (cons* p ...), (list p ...) and ()";
    check_errors("(lambda ((f x)) x)", &format!("syntax at 1:10 `(f x)`: expected a name or a pattern{hint}"));
    check_errors("(lambda ((if x)) 1)", &format!("syntax at 1:10 `(if x)`: expected a name or a pattern{hint}"));
    check_errors("(lambda (\"a\") 1)", &format!("syntax at 1:10 `\"a\"`: expected a name or a pattern{hint}"));
    check_errors(
        "(lambda ((cons a)) a)",
        "syntax at 1:10 `(cons a)`: expected the pattern (cons p p), found `cons` with 1 operand",
    );
    check_errors(
        "(lambda ((quote)) 1)",
        "syntax at 1:10 `(quote)`: expected the pattern (quote datum), found `quote` with 0 operands",
    );
    check_errors(
        "(lambda (a . b) (a b))",
        "syntax at 1:9 `(a . b)`: a dot stands only within quoted data\n  \
         hint: the pattern of a pair is (cons p p), that of several parameters and a rest (cons* p p rest)",
    );
    check_errors(
        "(define (f . x) x)",
        "syntax at 1:9 `(f . x)`: a dot stands only within quoted data\n  \
         hint: a procedure of any number of operands is (define name (lambda operands ...))",
    );
}

#[test]
fn names_bound_twice() {
    check_errors("(lambda (x y x) y)", "duplicate at 1:14 `x`: `x` is bound twice\n  1:10: bound here first");
    check_errors(
        "(lambda ((cons x (list y x))) y)",
        "duplicate at 1:26 `x`: `x` is bound twice\n  1:16: bound here first",
    );
    check_errors(
        "(let ((x 1) ((cons y x) 2)) y)",
        "duplicate at 1:22 `x`: `x` is bound twice\n  1:8: bound here first",
    );
    check_errors(
        "(letrec ((f (lambda () 1)) (f (lambda (f) 2))) f)",
        "duplicate at 1:29 `f`: `f` is bound twice\n  1:11: bound here first",
    );
    check_errors(
        "(lambda () (define (f x) x) (define y 1) (define (f x) x) f)",
        "duplicate at 1:51 `f`: `f` is defined twice in one body\n  1:21: defined here first",
    );
    check_errors(
        "(define x 1)\n(define (x) 2)",
        "duplicate at 2:10 `x`: `x` is defined twice\n  1:9: defined here first",
    );
    // Nested patterns may share names, and so may the bindings of a let*.
    super::program("(lambda (x) (lambda (x) (let* ((x 1) (x 2)) x)))");
}

#[test]
fn unbound_names() {
    check_errors("(sin foo)", "unbound at 1:6 `foo`: `foo` is not defined");
    check_errors("(sni 1)", "unbound at 1:2 `sni`: `sni` is not defined\n  hint: did you mean `sin`?");
    check_errors(
        "(lambda (counter) (+ conter 1))",
        "unbound at 1:22 `conter`: `conter` is not defined\n  hint: did you mean `counter`?",
    );
    check_errors(
        "(define (total x) x) (totl 1)",
        "unbound at 1:23 `totl`: `totl` is not defined\n  hint: did you mean `total`?",
    );
    // Each name is reported once per item.
    check_errors(
        "(lambda () foo (foo foo) bar)\n(foo)",
        "unbound at 1:12 `foo`: `foo` is not defined\n\
         unbound at 1:26 `bar`: `bar` is not defined\n\
         unbound at 2:2 `foo`: `foo` is not defined",
    );
    // Out of scope.
    check_errors("(cons (let ((y 1)) y) y)", "unbound at 1:23 `y`: `y` is not defined");
    check_errors("(let ((x 1) (y x)) y)", "unbound at 1:16 `x`: `x` is not defined");
    // A name whose definition is refused is not reported as unbound.
    check_errors("(define (f) (g) (define (g) 1) (g))", &misplaced_definition("1:17 `(define (g) 1)`"));
}

/// Returns the hints of the errors of a text.
fn hints(program: &str) -> Vec<String> {
    let failure = super::try_load(program).err().unwrap();
    failure.diagnostics.iter().map(|diagnostic| diagnostic.hint.clone().unwrap_or_default()).collect()
}

#[test]
fn names_of_libraries_and_of_other_languages() {
    for (program, part) in [
        ("(vector-dot #(1) #(2))", "(include \"linear-algebra\")"),
        ("(matrix-solve 1 2)", "(include \"linear-algebra\")"),
        ("(matrix-sovle 1 2)", "`matrix-solve`, of (include \"linear-algebra\")"),
        ("(vector-ref #(1) 0)", "(get v i)"),
        ("(display 1)", "(write \"x = \" x) prints a line"),
        ("(quotient 7 2)", "(truncate (/ a b))"),
        ("(grad sin 1)", "(cdr (*j f x 1))"),
        ("(diff sin 1)", "(cdr (j* f x 1))"),
        ("(gradient sin 1)", "(include \"derivatives\")"),
        ("(call/cc sin)", "no first-class continuations"),
        ("(vector-set! #(1) 0 1)", "(vector-set v i x)"),
        ("(string-length 1)", "no strings"),
        ("(list->string '(1))", "no strings"),
        ("(symbol->string 1)", "no symbols"),
        ("(memq 1 '(1))", "(member? x l)"),
        ("(sort '(1) <)", "(include \"lists\")"),
        ("(apply + '(1))", "tuple"),
        ("pi", "(include \"special\")"),
        ("(cadddr '(1 2 3 4))", "write (car (cdr (cdr (cdr x)))), or (list-ref x 3)"),
        ("(cdadr '(1 (2)))", "write (cdr (car (cdr x)))"),
    ] {
        let hints = hints(program);
        assert!(hints.len() == 1 && hints[0].contains(part), "{program}: {hints:?}");
    }
    // A program may define such names, and a name close to one that it defines is taken for a misspelling.
    super::program("(define (display x) x) (display 1) (let ((fold +)) (fold 1 2))");
    assert_eq!(hints("(define (gradual x) x) (gradul 1)"), ["did you mean `gradual`?"]);
    assert_eq!(hints("(sorted '(1))"), [""]);
}

/// The text after a keyword of another language is no expression, so no further error is reported there.
#[test]
fn forms_of_other_languages() {
    for (program, part) in [
        ("(do ((i 0 (+ i 1))) ((= i 3)) (write i))", "(let loop"),
        ("(set! x 1)", "nothing is ever changed"),
        ("(let-values (((a b) (values 1 2))) a)", "no multiple values"),
        ("(define-syntax foo (syntax-rules () ((_ a) a)))", "no macros"),
        ("(define-syntax foo (syntax-rules () ((_ a) a))) (foo 1)", "no macros"),
        ("(defun f (x) (* x x)) (f 1)", "(define (name parameter ...) body)"),
        ("(define (f x) (when (< x 0) (negate x)))", "`if` or `cond`"),
    ] {
        let hints = hints(program);
        assert!(hints.len() == 1 && hints[0].contains(part), "{program}: {hints:?}");
    }
    // A program's own procedure of such a name takes operands.
    check_errors("(define (when x) x) (when y)", "unbound at 1:27 `y`: `y` is not defined");
}

#[test]
fn several_errors_in_the_order_of_the_text() {
    check_errors(
        "(if)\n(foo)\n(lambda (x x) 1)",
        "syntax at 1:1 `(if)`: expected (if test consequent alternative) or (if test consequent), found `if` with 0 operands\n\
         unbound at 2:2 `foo`: `foo` is not defined\n\
         duplicate at 3:12 `x`: `x` is bound twice\n  3:10: bound here first",
    );
}

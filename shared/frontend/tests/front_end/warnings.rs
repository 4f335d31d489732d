//! Warnings about calls with operands that their procedures do not take, and calls without a warning.

use super::text;
use vlad_core::diagnostic::Severity;
use vlad_frontend::load::{self, Options};

/// Returns the warnings as text: the text of the span, and the message.
fn warnings(program: &str) -> Vec<String> {
    let (loaded, warnings) = load::check(text(program), &Options::default()).unwrap();
    let describe = |warning: &vlad_core::diagnostic::Diagnostic| {
        assert_eq!(warning.kind.severity(), Severity::Warning);
        format!("{}: {}", loaded.sources.text(warning.span.unwrap()), warning.message)
    };
    warnings.iter().map(describe).collect()
}

fn check(program: &str, expected: &[&str]) {
    assert_eq!(warnings(program), expected, "{program}");
}

#[test]
fn too_many_operands() {
    let two = "(define (f x y) (+ x y))";
    check(&format!("{two} (f 1 2 3)"), &["(f 1 2 3): `f` takes 2 operands, found 3"]);
    check("(define f (lambda (x y) x)) (f 1 2 3 4)", &["(f 1 2 3 4): `f` takes 2 operands, found 4"]);
    check("(define (f) 1) (f 1)", &["(f 1): `f` takes no operands, found 1"]);
    check("(define (f) 1) (f car car)", &["(f car car): `f` takes no operands, found 2"]);
    check("(define (f x (list a b)) a) (f 1 2 3)", &["(f 1 2 3): `f` takes 2 operands, found 3"]);
    // A definition below, a use within, an alias, inner bindings, curried procedures.
    check(&format!("(define (g) (f 1 2 3)) {two}"), &["(f 1 2 3): `f` takes 2 operands, found 3"]);
    check(&format!("{two} (define g f) (g 1 2 3)"), &["(g 1 2 3): `f` takes 2 operands, found 3"]);
    check("(let ((g (lambda (x y) x))) (g 1 2 3))", &["(g 1 2 3): `g` takes 2 operands, found 3"]);
    check("(letrec ((g (lambda (x y) (g x y x)))) g)", &["(g x y x): `g` takes 2 operands, found 3"]);
    check("(let g ((x 1) (y 2)) (g x y x))", &["(g x y x): `g` takes 2 operands, found 3"]);
    check("(define (h) (define (g x y) x) (g 1 2 3))", &["(g 1 2 3): `g` takes 2 operands, found 3"]);
    check("((lambda (x y) x) 1 2 3)", &["((lambda (x y) x) 1 2 3): this procedure takes 2 operands, found 3"]);
    check("(define ((f a) x y) x) ((f 1) 1 2 3)", &["((f 1) 1 2 3): this procedure takes 2 operands, found 3"]);
    // A single name that must be a real.
    check("(define (f x) (* x x)) (f 1 2)", &["(f 1 2): `f` takes 1 operand, found 2"]);
    check("(define (f x) (sqrt x)) (f 1 2)", &["(f 1 2): `f` takes 1 operand, found 2"]);
    check("(sqr 1 2)", &["(sqr 1 2): `sqr` takes 1 operand, found 2"]);
    // The prelude and libraries.
    check("(map2 + '(1) '(2) '(3))", &["(map2 + '(1) '(2) '(3)): `map2` takes 3 operands, found 4"]);
    check("(build 3 sqr 4)", &["(build 3 sqr 4): `build` takes 2 operands, found 3"]);
    check(
        "(include \"linear-algebra\") (vector-dot #(1) #(2) #(3))",
        &["(vector-dot #(1) #(2) #(3)): `vector-dot` takes 2 operands, found 3"],
    );
}

#[test]
fn too_few_operands() {
    let two = "(define (f x y) (+ x y))";
    check(&format!("{two} (f)"), &["(f): `f` takes 2 operands, found none"]);
    for one in ["1", "'()", "#t", "#(1 2)", "car", "(lambda (x) x)", "(+ 1 2)", "(if #t 1 2)", "(let ((a 1)) (sin a))"]
    {
        check(&format!("{two} (f {one})"), &[&format!("(f {one}): `f` takes 2 operands, found 1")]);
    }
    check("(define (f x y z) x) (f 1 2)", &["(f 1 2): `f` takes 3 operands, found 2"]);
    check("(define (f x) (* x 2)) (f)", &["(f): `f` takes 1 operand, found none"]);
    check("(map car)", &["(map car): `map` takes 2 operands, found 1"]);
}

#[test]
fn operands_of_another_shape() {
    check(
        "(define (f (list a b)) a) (f (list 1 2 3))",
        &["(f (list 1 2 3)): the operands cannot match the parameters of `f`"],
    );
    check("(define (f (cons a b)) a) (f 5)", &["(f 5): the operands cannot match the parameters of `f`"]);
    check("(define (f (list a)) a) (f 5)", &["(f 5): the operands cannot match the parameters of `f`"]);
}

#[test]
fn operands_of_primitives() {
    for (call, takes, found) in [
        ("(sin)", "`sin` takes 1 operand", "none"),
        ("(sin 1 2)", "`sin` takes 1 operand", "2"),
        ("(atan 1 2 3)", "`atan` takes 1 or 2 operands", "3"),
        ("(expt 2)", "`expt` takes 2 operands", "1"),
        ("(modulo 1 2 3)", "`modulo` takes 2 operands", "3"),
        ("(-)", "`-` takes at least 1 operand", "none"),
        ("(<)", "`<` takes at least 1 operand", "none"),
        ("(car)", "`car` takes at least 1 operand", "none"),
        ("(equal? 1 2 3)", "`equal?` takes 2 operands", "3"),
        ("(get #(1) 0 1)", "`get` takes 2 operands", "3"),
        ("(vector-set #(1) 0)", "`vector-set` takes 3 operands", "2"),
        ("(j* sin 0)", "`j*` takes 1 or 3 operands", "2"),
        ("(*j)", "`*j` takes 1 or 3 operands", "none"),
        ("(checkpoint-*j sin 1 1 2)", "`checkpoint-*j` takes 3, 5 or 6 operands", "4"),
        ("(read-real 5)", "`read-real` takes no operands", "1"),
    ] {
        check(call, &[&format!("{call}: {takes}, found {found}")]);
    }
}

#[test]
fn a_list_for_operands() {
    let found = "takes 2 operands, found a list";
    check("(append (list 1))", &[&format!("(append (list 1)): `append` {found}")]);
    check("(append '(1 2))", &[&format!("(append '(1 2)): `append` {found}")]);
    check("(define (f x y) x) (f (list 1 2))", &[&format!("(f (list 1 2)): `f` {found}")]);
    check("((lambda (x y) x) (list 1))", &[&format!("((lambda (x y) x) (list 1)): this procedure {found}")]);
    for call in ["(+ '())", "(* (list 1 2))", "(max '())", "(< '(1 2))"] {
        let name = &call[1..2];
        let name = if name == "m" { "max" } else { name };
        check(call, &[&format!("{call}: `{name}` takes reals as its operands, found a list")]);
    }
}

#[test]
fn several_operands_for_one_that_is_no_tuple() {
    for call in ["(reverse '(1 2) '(3))", "(length '(1) '(2))", "(iota 5 1)", "(sum 1 2)", "(list? 1 2)"] {
        let name = call[1..].split(' ').next().unwrap();
        check(call, &[&format!("{call}: `{name}` takes 1 operand, found 2")]);
    }
    check("(length)", &["(length): `length` takes 1 operand, found none"]);
    check(
        "(include \"linear-algebra\") (vector-reverse 1 2)",
        &["(vector-reverse 1 2): `vector-reverse` takes 1 operand, found 2"],
    );
}

#[test]
fn words_that_run_together() {
    check(
        "(error \"bad\" 3)",
        &["(error \"bad\" 3): `error` prints the text `bad` and the value next to it as one word"],
    );
    check(
        "(write 3 \"seconds\")",
        &["(write 3 \"seconds\"): `write` prints the text `seconds` and the value next to it as one word"],
    );
}

/// Sensible uses of tuples, and calls of unknown procedures, cause no warning.
#[test]
fn no_false_alarms() {
    for program in [
        "(define (f x y) (+ x y)) (f 1 2) (f (cons 1 2)) (f 1 (cons 2 3)) (f (cons* 1 2 3)) (f '(1 . 2))",
        "(define (f x y) (+ x y)) (define (g p) (f p)) (g 1 2)",
        "(define (f x y) x) (define p (cons 1 2)) (f p) (f (car (list p))) (f (get #((1 . 2)) 0)) (f (if #t p 1))",
        "(define (f x) x) (f) (f 1 2) (f 1 2 3)",
        "(define (f x) (car x)) (f 1 2) (define (g x) (+ x)) (g 1 2) (define (h x) (max 0 x)) (h 1 2)",
        "(define (f x) (if (pair? x) (car x) (* x x))) (f 1 2) (f)",
        "(define (f x) (if (null? x) 0 (* x x))) (f)",
        "(define f (lambda all all)) (f) (f 1 2 3)",
        "(define (f (cons a b)) a) (f 1 2) (f (list 1 2)) (f 1 2 3)",
        "(define (f (list a b)) a) (f (list 1 2)) (f '(1 2)) (f 1 2 '())",
        "(define (f x (list a b)) a) (f 1 (list 2 3)) (f 1 2 3 '())",
        "(define (f x (cons a b)) a) (f 1 (cons 2 3)) (f 1 2 3)",
        "(define (f) 1) (f) (f '()) (define e '()) (f e)",
        "(define (f 0) 1) (f 0) (f 1) (define (g #t) 1) (g #f)",
        "(define (f x y) x) (let ((f (lambda all all))) (f 1 2 3))",
        "(define (f x y) x) (lambda (f) (f 1 2 3))",
        "(define (sin x y) x) (sin 1 2) (define (map a b c) a) (map 1 2 3)",
        "(define (f g) (g 1 2 3)) (f (lambda (x y) x)) (if #t (lambda (x y) x) car)",
        "(+) (+ 1 2 3) (*) (- 1) (max 1 2 3) (< 1 2 3) (atan 1) (atan 1 2) (car 1 2) (pair? 1 2) (null?) (write 1 2)",
        "(j* sin) (j* sin 0 1) (*j sin) (primops + 1 2 3) (zero 1 2) (expt (cons 1 2)) (cons 1 2)",
        "(let (((cons a b) (cons 1 2))) a) (let ((a 1) (b 2)) a) (let () 1) ((lambda () 1))",
        "(let loop ((i 0) (j 1)) (if (< i 3) (loop (+ i 1) j) j))",
        "(checkpoint-*j sin 1 1) (checkpoint-*j sin 1 1 2 3) (checkpoint-*j sin 1 1 1 1 1)",
        "(define ((f a) b) b) ((f 1) 2 3) (f 1 2)",
        "(include \"linear-algebra\") (vector-map sqr #(1 2))",
        "(identity 1 2) (include \"derivatives\") (tree-norm 1 2) (include \"statistics\") (include \"special\")",
        "(include \"optimize\") (include \"ode\") (include \"random\")",
        "(write \"x = \" 1) (write \"x\" 1 \" = \" 2) (error \"bad: \" 1 \"; \") (write 1 \"s\") (write \"bad\")",
        "(append (cons '(1) '(2))) (define (f (cons a b)) a) (f (list 1 2)) (- (car (list 1 2)))",
        "",
    ] {
        check(program, &[]);
    }
}

/// Checking for warnings takes time proportional to the size of the program.
#[test]
fn large_programs() {
    let mut program = "(define (f x y) x)".to_owned();
    for depth in [20_000, 40_000] {
        let nested = format!("{}1{}", "((lambda (x) (* x (f ".repeat(depth), " 1))) 2)".repeat(depth));
        assert_eq!(warnings(&format!("(define (f x y) x) {nested}")), [""; 0]);
        let curried = format!("{}f{}", "(".repeat(depth), " 1)".repeat(depth));
        assert_eq!(warnings(&format!("(define (f x) f) {curried}")), [""; 0]);
        let operands = " 1".repeat(depth);
        assert_eq!(warnings(&format!("(define (f x y) x) (f{operands})")).len(), 1);
        program += &" (f 1 2 3)".repeat(depth);
    }
    assert_eq!(warnings(&program).len(), 60_000);
}

/// A procedure of one parameter is called with the tuple of several operands, which primitives on reals take for theirs.
#[test]
fn procedures_that_are_passed() {
    let message = |name: &str| format!("`{name}` calls this procedure with 2 operands, and it has one parameter");
    let ode = "(include \"ode\") (define (dec y) (* -2 y))";
    for (call, operand, name) in [
        ("(rk4 dec 0 1 1 10)", "dec", "rk4"),
        ("(ode-solve (lambda (y) (- y)) 0 1 1 1e-6)", "(lambda (y) (- y))", "ode-solve"),
        ("(ode-stiff (lambda (y) (sqrt y)) 0 1 1 1e-6)", "(lambda (y) (sqrt y))", "ode-stiff"),
        ("(map (lambda (x) (- x)) '(5 6) '(1 2))", "(lambda (x) (- x))", "map"),
        ("(fold-right (lambda (x) (/ x)) 1 '(1 2))", "(lambda (x) (/ x))", "fold-right"),
        ("(define (twice f) (f 1 2)) (define (g h) (twice h)) (g dec)", "dec", "g"),
    ] {
        check(&format!("{ode} {call}"), &[&format!("{operand}: {}", message(name))]);
    }
    for call in [
        "(rk4 (lambda (t y) (- y)) 0 1 1 10)",
        "(map (lambda (x) (- x)) '(5 6))",
        "(reduce + 0 '(1 2))",
        "(reduce (lambda all (car all)) 0 '(1 2))",
        "(define (either f) (+ (f 1) (f 1 2))) (either dec)",
        "(define (curried f) (lambda (a b) (f (list a b)))) ((curried dec) 1 2)",
    ] {
        check(&format!("{ode} {call}"), &[]);
    }
}

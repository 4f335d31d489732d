//! Every form becomes the core that the language defines for it.

use super::{check, core, program};
use vlad_core::{Expression, Item};

#[test]
fn constants() {
    check("1 #t #f ()", "1 #t #f ()");
    check("'() '5 '#t (quote 7)", "() 5 #t 7");
    check("'(1 (2 #f) ())", "'(1 (2 #f) ())");
    check("'(1 . 2) '(1 2 . 3) '((1 . 2) . (3))", "'(1 . 2) '(1 2 . 3) '((1 . 2) 3)");
}

#[test]
fn applications_take_tuples() {
    check("(sin 1)", "(sin 1)");
    check("(+ 1 2 3)", "(+ (cons 1 (cons 2 3)))");
    check("(+)", "(+ ())");
    check("((sin 1) 2)", "((sin 1) 2)");
}

#[test]
fn applications_to_several_lists() {
    check("(append 1 2 3 4)", "(append@g0 (cons 1 (append@g0 (cons 2 (append@g0 (cons 3 4))))))");
    check("(map sin 1 2)", "(map2@g1 (cons sin (cons 1 2)))");
    check("(map + 1 2 3)", "(map2@g1 (cons + (cons 1 (map2@g1 (cons cons (cons 2 3))))))");
    check("(for-each + 1 2)", "(for-each@g1 (cons + (map2@g0 (cons cons (cons 1 2)))))");
    // With two operands, with fewer, as a value, or as a name defined by the program, it is not rewritten.
    check("(append 1 2) (append 1) (sin append)", "(append@g0 (cons 1 2)) (append@g0 1) (sin append@g0)");
    check("(append 1 (cons 2 3))", "(append@g0 (cons 1 (cons 2 3)))");
    check("(lambda (append) (append 1 2 3))", "(lambda append@0 (append@0 (cons 1 (cons 2 3))))");
    check("(map 1 2 3) (define map 4)", "(map@g0 (cons 1 (cons 2 3))) (define map@g0 4)");
}

#[test]
fn pairs_and_lists() {
    check("(cons 1 2)", "(cons 1 2)");
    check("(cons* 1 2 3)", "(cons 1 (cons 2 3))");
    check("(cons* 1)", "1");
    check("(cons*)", "()");
    check("(list 1 2)", "(cons 1 (cons 2 ()))");
    check("(list)", "()");
    check("cons (sin cons)", "cons (sin cons)");
    check("(cons (list 1) (cons* 2 3))", "(cons (cons 1 ()) (cons 2 3))");
}

#[test]
fn vectors() {
    check("#(1 2) '#(1 (2 . 3) #(#t ()))", "#(1 2) #(1 (2 . 3) #(#t ()))");
    check("'(1 #(2)) #()", "'(1 #(2)) #()");
    check("(vector 1 2)", "(list->vector (cons 1 (cons 2 ())))");
    check("(vector)", "(list->vector ())");
    check("(vector (vector 1) #(2))", "(list->vector (cons (list->vector (cons 1 ())) (cons #(2) ())))");
    // It is the primitive, even if the program defines that name.
    check("(define (list->vector l) l) (vector)", "(define list->vector@g0 (lambda l@0 l@0)) (list->vector ())");
    check(
        "(lambda (list->vector) (vector list->vector))",
        "(lambda list->vector@0 (list->vector (cons list->vector@0 ())))",
    );
}

#[test]
fn lambdas_take_patterns() {
    check("(lambda (x) x)", "(lambda x@0 x@0)");
    check("(lambda x x)", "(lambda x@0 x@0)");
    check("(lambda () 1)", "(lambda () 1)");
    check("(lambda (x y z) y)", "(lambda (cons x@0 (cons y@1 z@2)) y@1)");
    check("(lambda ((cons a b) c) b)", "(lambda (cons (cons a@0 b@1) c@2) b@1)");
    check("(lambda ((cons* a b c)) c)", "(lambda (cons a@0 (cons b@1 c@2)) c@2)");
    check("(lambda ((cons* a)) a)", "(lambda a@0 a@0)");
    check("(lambda ((list a b)) b)", "(lambda (cons a@0 (cons b@1 ())) b@1)");
    check("(lambda ((list)) 1)", "(lambda () 1)");
    check("(lambda (()) 1)", "(lambda () 1)");
    check("(lambda ('()) 1)", "(lambda () 1)");
    check("(lambda '(1 2) 1)", "(lambda '(1 2) 1)");
    check("(lambda (1 #t '(2 . 3)) 1)", "(lambda (cons 1 (cons #t '(2 . 3))) 1)");
}

#[test]
fn let_is_an_applied_lambda() {
    check("(let ((x 1)) x)", "(let ((x@0 1)) x@0)");
    check("(let ((x 1) (y 2) (z 3)) y)", "(let (((cons x@0 (cons y@1 z@2)) (cons 1 (cons 2 3)))) y@1)");
    check("(let () 1)", "(let ((() ())) 1)");
    check("(let (((cons a b) '(1 . 2))) b)", "(let (((cons a@0 b@1) '(1 . 2))) b@1)");
    check(
        "(let (((list a b) (list 1 2)) (c 3)) b)",
        "(let (((cons (cons a@0 (cons b@1 ())) c@2) (cons (cons 1 (cons 2 ())) 3))) b@1)",
    );
    check("((lambda (x) x) 1)", "(let ((x@0 1)) x@0)");
    check("((lambda (x y) y) 1 2)", "(let (((cons x@0 y@1) (cons 1 2))) y@1)");
    check("[let ([x 1]) x]", "(let ((x@0 1)) x@0)");
}

#[test]
fn let_star_nests() {
    check("(let* ((x 1) (y x)) y)", "(let ((x@0 1)) (let ((y@1 x@0)) y@1))");
    check("(let* () 1)", "1");
    check("(let* (((cons a b) '(1 . 2)) (a b)) a)", "(let (((cons a@0 b@1) '(1 . 2))) (let ((a@2 b@1)) a@2))");
}

#[test]
fn named_let_is_an_applied_letrec() {
    check(
        "(let loop ((i 0) (j 1)) (loop j i))",
        "((letrec ((loop (lambda (cons i@0 j@1) (loop@m0 (cons j@1 i@0))))) loop@0) (cons 0 1))",
    );
    check("(let loop () (loop))", "((letrec ((loop (lambda () (loop@m0 ())))) loop@0) ())");
}

#[test]
fn letrec_binds_lambdas() {
    check(
        "(letrec ((f (lambda (x) (g x))) (g (lambda y (f 1 y)))) (f 2))",
        "(letrec ((f (lambda x@0 (g@m1 x@0))) (g (lambda y@0 (f@m0 (cons 1 y@0))))) (f@0 2))",
    );
}

#[test]
fn begin_nests_lets() {
    check("(begin 1)", "1");
    check("(begin 1 2 3)", "(let ((ignored@0 1)) (let ((ignored@1 2)) 3))");
    check("(lambda () 1 2)", "(lambda () (let ((ignored@0 1)) 2))");
    // The ignored variable hides no variable of the program.
    check("(let ((ignored 5)) 1 ignored)", "(let ((ignored@0 5)) (let ((ignored@1 1)) ignored@0))");
}

#[test]
fn conditionals() {
    check("(if #t 1 2)", "(if #t 1 2)");
    check("(if #t 1)", "(if #t 1 ())");
    check("(and) (and 1) (and 1 2 3)", "#t 1 (if 1 (if 2 3 #f) #f)");
    check("(or) (or 1)", "#f 1");
    check("(or 1 2 3)", "(let ((or@0 1)) (if or@0 or@0 (let ((or@1 2)) (if or@1 or@1 3))))");
    check(
        "(let ((or-value 7)) (or #f or-value))",
        "(let ((or-value@0 7)) (let ((or@1 #f)) (if or@1 or@1 or-value@0)))",
    );
    check("(cond (#t 1) (#f 2 3) (else 4 5))", "(if #t 1 (if #f (let ((ignored@0 2)) 3) (let ((ignored@0 4)) 5)))");
    check("(cond (#t 1))", "(if #t 1 ())");
    check("(cond)", "()");
    check("(cond (1) (else 2))", "(let ((or@0 1)) (if or@0 or@0 2))");
    check("(cond (1))", "(let ((or@0 1)) (if or@0 or@0 ()))");
    check("(cond (else 1))", "1");
}

#[test]
fn definitions_at_top_level() {
    check("(define x 1) x", "(define x@g0 1) x@g0");
    check("(define (f) 1)", "(define f@g0 (lambda () 1))");
    check("(define (f (cons a b)) b)", "(define f@g0 (lambda (cons a@0 b@1) b@1))");
    check("(define ((f a) b) (+ a b))", "(define f@g0 (lambda a@0 (lambda {a@0} b@0 (+ (cons a@s0 b@0)))))");
    check("(define (((f a) b) c) c)", "(define f@g0 (lambda a@0 (lambda b@0 (lambda c@0 c@0))))");
    check("(define x 1 #;2)", "(define x@g0 1)");
}

#[test]
fn definitions_in_bodies() {
    check("(lambda (x) (define y x) y)", "(lambda x@0 (let ((y@1 x@0)) y@1))");
    check(
        "(lambda (x) (define (f y) (g y)) (define g (lambda (y) (f x))) (g 1))",
        "(lambda x@0 (letrec {x@0} ((f (lambda y@0 (g@m1 y@0))) (g (lambda y@0 (f@m0 x@s0)))) (g@2 1)))",
    );
    check(
        "(let () (define a 1) (define (f) a) (define b (f)) b)",
        "(let ((() ())) (let ((a@0 1)) (letrec {a@0} ((f (lambda () a@s0))) (let ((b@2 (f@1 ()))) b@2))))",
    );
    check(
        "(lambda () (define ((f a) b) a) ((f 1) 2) 3)",
        "(lambda () (letrec ((f (lambda a@0 (lambda {a@0} b@0 a@s0)))) (let ((ignored@1 ((f@0 1) 2))) 3)))",
    );
}

#[test]
fn lambdas_know_their_names() {
    let names = |text: &str| -> Vec<Option<String>> {
        program(text).lambdas.iter().map(|lambda| lambda.name.clone()).collect()
    };
    let some = |name: &str| Some(name.to_string());
    assert_eq!(names("(define (f) 1)"), [some("f")]);
    assert_eq!(names("(define f (lambda () 1))"), [some("f")]);
    assert_eq!(names("(define ((f x) y) 1)"), [some("f"), None]);
    assert_eq!(names("(lambda x x)"), [None]);
    assert_eq!(names("(let ((g (lambda x x)) (y 1)) g)"), [None, some("g")]);
    assert_eq!(names("(let* ((g (lambda x x))) g)"), [None, some("g")]);
    assert_eq!(names("(let loop () 1)"), [some("loop")]);
    assert_eq!(names("(lambda () (define (h) 1) h)"), [None, some("h")]);
}

#[test]
fn spans_are_those_of_the_source() {
    let text = "(define (f x) (+ x 10 200))\n(let ((a 1) (b 2)) (f a))";
    let program = program(text);
    let spans: Vec<&str> = program.spans.iter().map(|span| program.sources.text(*span)).collect();
    assert_eq!(
        spans,
        [
            "(define (f x) (+ x 10 200))",
            "(+ x 10 200)",
            "+",
            "x 10 200",
            "x",
            "10 200",
            "10",
            "200",
            "(let ((a 1) (b 2)) (f a))",
            "(let ((a 1) (b 2)) (f a))",
            "(let ((a 1) (b 2)) (f a))",
            "(f a)",
            "f",
            "a",
            "1",
            "2",
        ]
    );
    let patterns: Vec<&str> = program.pattern_spans.iter().map(|span| program.sources.text(*span)).collect();
    assert_eq!(patterns, ["x", "a 1) (b", "a", "b"]);
    assert_eq!(program.sources.text(program.global(vlad_core::GlobalId(0)).span), "f");
    let Item::Expression(last) = program.items[1] else { panic!("an expression") };
    assert!(matches!(program.expression(last), Expression::Let { .. }));
}

#[test]
fn definitions_stand_for_their_lets() {
    let program = program("(lambda () (define x (sin 1)) (define (g) x) (g) x)");
    let text_of = |span| program.sources.text(span).to_string();
    let of = |wanted: fn(&Expression) -> bool| -> Vec<String> {
        let nodes = program.expressions.iter().zip(&program.spans);
        nodes.filter(|(expression, _)| wanted(expression)).map(|(_, span)| text_of(*span)).collect()
    };
    assert_eq!(of(|node| matches!(node, Expression::Let { .. })), ["(define x (sin 1))", "(g) x"]);
    assert_eq!(of(|node| matches!(node, Expression::Letrec { .. })), ["(define (g) x)"]);
}

#[test]
fn what_is_left_out_leaves_no_trace() {
    check("(+ 1 #;(2 3) 4) #;5 #;#;6 7 8", "(+ (cons 1 4)) 8");
    check("(+ #| 1 #| 2 |# 3 |# 4) ; 5", "(+ 4)");
    check("'#;1 2", "2");
    assert_eq!(core("; nothing\n"), "");
}

//! Resolution of names to locations.

use super::{check, program};
use vlad_core::{ExpressionId, GlobalId, Item, check as core_check};
use vlad_frontend::vlad::libraries::LIBRARIES;
use vlad_frontend::vlad::prelude;

#[test]
fn captures_stand_in_order_of_first_free_occurrence() {
    check(
        "(let ((x 1) (y 2)) (lambda (z) (lambda () (+ y x z))))",
        "(let (((cons x@0 y@1) (cons 1 2))) (lambda {y@1 x@0} z@0 (lambda {y@s0 x@s1 z@0} () (+ (cons y@s0 (cons x@s1 z@s2))))))",
    );
    // The captures of an inner procedure count at the place of the procedure.
    check(
        "(lambda (a b) (lambda (c) (cons (lambda () b) a)))",
        "(lambda (cons a@0 b@1) (lambda {b@1 a@0} c@0 (cons (lambda {b@s0} () b@s0) a@s1)))",
    );
    // The operator comes before the operand: of a let, the body before what is bound.
    check(
        "(lambda (a b) (lambda () (let ((c a)) b)))",
        "(lambda (cons a@0 b@1) (lambda {b@1 a@0} () (let ((c@0 a@s1)) b@s0)))",
    );
}

#[test]
fn groups_capture_together() {
    check(
        "(lambda (a b) (letrec ((f (lambda () b)) (g (lambda (x) (f) a b))) g))",
        "(lambda (cons a@0 b@1) (letrec {b@1 a@0} ((f (lambda () b@s0)) \
         (g (lambda x@0 (let ((ignored@1 (f@m0 ()))) (let ((ignored@2 a@s1)) b@s0))))) g@3))",
    );
}

#[test]
fn members_are_siblings_locals_or_captured() {
    check(
        "(lambda () (define (f) (lambda () (f))) (lambda () f))",
        "(lambda () (letrec ((f (lambda () (lambda {f@m0} () (f@s0 ()))))) (lambda {f@0} () f@s0)))",
    );
    // A group within a member of another captures the sibling.
    check(
        "(letrec ((f (lambda (n) (letrec ((g (lambda () (f n)))) g)))) f)",
        "(letrec ((f (lambda n@0 (letrec {f@m0 n@0} ((g (lambda () (f@s0 n@s1)))) g@1)))) f@0)",
    );
}

#[test]
fn bindings_hide_outer_ones() {
    check("(lambda (x) (let ((x (car x))) x))", "(lambda x@0 (let ((x@1 (car x@0))) x@1))");
    check("(lambda (sin) (sin sin))", "(lambda sin@0 (sin@0 sin@0))");
    check("(define (f f) f)", "(define f@g0 (lambda f@0 f@0))");
    // Two branches may use one number for two names.
    check(
        "(lambda (x) (if x (let ((y 1)) y) (let ((z 2)) z)))",
        "(lambda x@0 (if x@0 (let ((y@1 1)) y@1) (let ((z@1 2)) z@1)))",
    );
    check("(lambda (x) (cons (let ((y 1)) y) x))", "(lambda x@0 (cons (let ((y@1 1)) y@1) x@0))");
}

#[test]
fn definitions_are_seen_everywhere() {
    check(
        "(define (f) (g)) (define (g) (f))",
        "(define f@g0 (lambda () (g@g1 ()))) (define g@g1 (lambda () (f@g0 ())))",
    );
    check("y (define y 1)", "y@g0 (define y@g0 1)");
}

#[test]
fn a_program_replaces_primitives() {
    check("(sin 1) (define (sin x) 2) (sin 1)", "(sin@g0 1) (define sin@g0 (lambda x@0 2)) (sin@g0 1)");
}

#[test]
fn of_the_prelude_a_program_gets_what_it_uses() {
    assert!(program("1").prelude.is_empty());
    assert_eq!(program("1").prelude_nodes, 0);
    let loaded = program("(define x (cadr '(1 2)))");
    assert_eq!(loaded.prelude.len(), 1);
    assert_eq!(loaded.globals[0].name, "cadr");
    assert_eq!(loaded.globals[1].name, "x");
    assert!(loaded.prelude_nodes > 0);
    assert!(loaded.prelude_nodes < loaded.expressions.len() as u32);
    let place = loaded.lambda(loaded.prelude[0].1).span;
    assert_eq!(loaded.sources.get(place.file).unwrap().name, "<prelude>");
    // A local of the same name is no use of the prelude's definition.
    assert!(program("(lambda (cadr) (cadr 1))").prelude.is_empty());
}

#[test]
fn the_prelude_keeps_its_own_meanings() {
    // The prelude's procedures use the primitive car and the prelude's cadr, not the program's definitions.
    let plain = program("(list? '())");
    let replaced = program("(define (car x) 1) (define (pair? x) 2) (list? '())");
    assert_eq!(plain.prelude.len(), replaced.prelude.len());
    assert_eq!(
        plain.expressions[..plain.prelude_nodes as usize],
        replaced.expressions[..replaced.prelude_nodes as usize]
    );
    let replaced = program("(define (list? x) 1) (list? '())");
    assert!(replaced.prelude.is_empty());
}

#[test]
fn the_whole_prelude_is_sound() {
    let text: String = vlad_frontend::vlad::prelude::TEXT
        .lines()
        .filter_map(|line| line.strip_prefix("(define "))
        .map(|rest| rest.trim_start_matches('(').split([' ', ')']).next().unwrap().to_string() + "\n")
        .collect();
    let loaded = program(&text);
    assert_eq!(loaded.prelude.len(), loaded.globals.len());
    assert_eq!(loaded.items.len(), loaded.prelude.len());
    core_check::check(&loaded).unwrap();
}

#[test]
fn what_libraries_do_comes_before_what_the_program_does() {
    let text = "(define (f v) (vector-sum v)) (include \"linear-algebra\") (f #(1))";
    let loaded = program(text);
    core_check::check(&loaded).unwrap();
    assert!(loaded.prelude_nodes < loaded.shipped_nodes);
    for number in 0..loaded.expressions.len() as u32 {
        let node = ExpressionId(number);
        let name = &loaded.sources.get(loaded.span(node).file).unwrap().name;
        assert_eq!(loaded.is_shipped(node), *name == "<prelude>" || *name == "<linear-algebra>");
    }
    // The order of the items is that of the text, and a library only defines procedures.
    assert_eq!(loaded.global(GlobalId(loaded.prelude.len() as u32)).name, "f");
    let computed = loaded.items.iter().filter(|item| match item {
        Item::Define(_, node) => loaded.procedure_at(*node).is_none(),
        Item::Expression(_) => true,
    });
    assert_eq!(computed.count(), 1);
}

#[test]
fn procedures_over_elements_are_defined() {
    let defined = |text: &str, name: &str| text.contains(&format!("\n(define ({name} "));
    for name in prelude::RECURSIVE {
        assert!(defined(prelude::TEXT, name), "{name}");
    }
    for library in &LIBRARIES {
        for name in library.elementwise {
            assert!(defined(library.text, name), "{name}");
        }
    }
}

#[test]
fn nodes_have_smaller_numbers_than_their_parts() {
    use vlad_core::{Expression, ExpressionId};
    let loaded = program("(define (f x) (if x (let ((y (car x))) (lambda (z) (list x y z))) (list? (f 1))))");
    for (number, expression) in loaded.expressions.iter().enumerate() {
        let operator = match *expression {
            Expression::Let { operator, .. } => Some(operator),
            _ => None,
        };
        let mut parts = loaded.parts_and_bodies(ExpressionId(number as u32)).chain(operator);
        assert!(parts.all(|part| part.0 as usize > number));
    }
}

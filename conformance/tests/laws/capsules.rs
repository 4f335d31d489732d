//! The laws of capsules, for random procedures and operands, at every number of steps: a resumed computation gives the
//! value of the whole, to the bit, and takes the remaining steps; and derivatives through a capsule are those of the
//! whole.

use crate::runs::{RunBehaviour, loaded, see, see_one};
use vlad_conformance::random::GeneratorOptions;
use vlad_conformance::random::expressions::generate::{Generator, InputUse};
use vlad_conformance::random::trees::print::text;
use vlad_conformance::random::trees::tree::{Definition, Item, Node, Tree};
use vlad_conformance::random::trees::types::Type;
use vlad_engines::Engine;
use vlad_shared::runtime::run::Limits;

/// Definitions of a procedure `f` and an operand `x`, with their own definitions; without effects, which would be
/// repeated.
fn computation(seed: u64, make: impl FnOnce(&mut Generator) -> (Node, Node)) -> String {
    let mut generator = Generator::new(seed, GeneratorOptions::default(), InputUse::None);
    let mut items = Vec::new();
    for _ in 0..2 {
        let (definition, right, binding) = generator.definition(16);
        items.push(Item::Define(definition, right));
        generator.scope.push(binding);
    }
    let (f, x) = make(&mut generator);
    for (name, node) in [("f", f), ("x", x)] {
        items.push(Item::Define(Definition { name: name.to_owned(), parameters: Vec::new() }, node));
    }
    for item in &mut items {
        for effect in ["write", "write-real", "write-row"] {
            item.node_mut().substitute(effect, &Node::name("identity", Type::Real));
        }
    }
    text(&Tree::of(items))
}

/// The texts of some computations that end without an error, after at least one step and at most `most`.
fn computations(count: usize, most: u64, text_of: impl Fn(u64) -> String) -> Vec<String> {
    let suits = |text: &String| {
        let program = loaded(&format!("{text}(primops f x)"));
        let limits = Limits { steps: Some(100 * most), ..Limits::default() };
        let seen = see_one(Engine::ALL[0], &program, "", limits);
        let steps = seen.output.last().and_then(|line| line.split('[').next()?.parse::<u64>().ok());
        seen.error.is_none() && steps.is_some_and(|steps| (1..=most).contains(&steps))
    };
    (1..).map(text_of).filter(suits).take(count).collect()
}

/// Runs an expression after each computation on all engines; checks the law on the first and the agreement of the
/// others.
fn check(texts: &[String], expression: &str, law: impl Fn(&RunBehaviour, &str)) {
    let texts: Vec<String> = texts.iter().map(|text| format!("{text}{expression}")).collect();
    let programs: Vec<_> = texts.iter().map(|text| loaded(text)).collect();
    let tasks: Vec<_> = programs.iter().map(|program| (program, "")).collect();
    let see = |engine| see(engine, &tasks, &[Limits::default()]).remove(0);
    let [specification, others @ ..] = Engine::ALL;
    let specified = see(specification);
    for (seen, text) in specified.iter().zip(&texts) {
        law(seen, &format!("{specification}:\n{text}\n{seen:?}"));
    }
    for engine in others {
        for ((seen, expected), text) in see(engine).iter().zip(&specified).zip(&texts) {
            assert_eq!(seen, expected, "{engine}:\n{text}");
        }
    }
}

/// The value and the steps of the whole; then for each number of steps the value of the rest, and the steps of both
/// parts.
const EVERY_CUT: &str = "
(define steps (primops f x))
(f x)
steps
(let loop ((l 0))
  (if (< l steps)
      (let ((z (interrupt f x l)))
        (begin (write (resume z)) (write (+ l (primops resume z))) (loop (+ l 1))))
      #t))";

#[test]
fn the_rest_gives_what_the_whole_gives() {
    let random = |seed| {
        computation(seed, |generator| {
            let result = generator.some_type();
            generator.application(&result, 30)
        })
    };
    check(&computations(80, 250, random), EVERY_CUT, |seen, text| {
        let [whole @ .., end] = seen.output.as_slice() else { panic!("{text}") };
        let (value_and_steps, cuts) = whole.split_at(2);
        assert_eq!((seen.error, end.as_str()), (None, "#t"), "{text}");
        assert!(!cuts.is_empty(), "{text}");
        assert!(cuts.chunks(2).all(|cut| cut == value_and_steps), "{text}");
    });
}

/// Tests that suspending after l steps, resuming, and suspending again equals a single suspension at the second point,
/// for all such pairs. A capsule that contains a NaN is not equal to itself.
const EVERY_TWO_CUTS: &str = "
(define steps (primops f x))
(define (same? a b) (or (equal? a b) (not (equal? b b))))
(let loop ((l 0) (m 0))
  (cond ((= l steps) #t)
        ((= m steps) (loop (+ l 1) (+ l 1)))
        ((same? (interrupt resume (interrupt f x l) (- m l)) (interrupt f x m)) (loop l (+ m 1)))
        (else (list l m))))";

#[test]
fn two_cuts_lead_to_the_same_place() {
    let random = |seed| computation(seed, |generator| generator.application(&Type::Real, 10));
    check(&computations(60, 60, random), EVERY_TWO_CUTS, |seen, text| assert_eq!(seen.output, ["#t"], "{text}"));
}

/// Both derivatives of the whole; then for each number of steps those in two parts.
const EVERY_CUT_DIFFERENTIATED: &str = "
(define steps (primops f x))
(define ((begun l) x) (interrupt f x l))
(j* f x 1)
(*j f x 1)
(let loop ((l 0))
  (if (< l steps)
      (let* (((cons u u-tangent) (j* (begun l) x 1)) ((cons y u-cotangent) (*j resume u 1)))
        (begin
          (write (j* resume u u-tangent))
          (write (cons y (cdr (*j (begun l) x u-cotangent))))
          (loop (+ l 1))))
      #t))";

#[test]
fn derivatives_go_through_capsules() {
    let random = |seed| {
        computation(seed, |generator| {
            let f = generator.lambda(&[Type::Real], &Type::Real, 20);
            (f, Node::real(generator.constant()))
        })
    };
    check(&computations(60, 250, random), EVERY_CUT_DIFFERENTIATED, |seen, text| {
        let [whole @ .., end] = seen.output.as_slice() else { panic!("{text}") };
        let (derivatives, cuts) = whole.split_at(2);
        assert_eq!((seen.error, end.as_str()), (None, "#t"), "{text}");
        assert!(cuts.chunks(2).all(|cut| cut == derivatives), "{text}");
    });
}

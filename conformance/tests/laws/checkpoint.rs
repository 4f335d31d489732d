//! The law of `checkpoint-*j`, for random programs: it can replace `*j` anywhere, under all checkpoint options of the
//! run, without any change in the bits of the output and the number of steps.

use crate::runs::{RunBehaviour, loaded, see, see_one};
use vlad_conformance::random::program::generate;
use vlad_conformance::random::trees::tree::{Item, Node};
use vlad_conformance::random::trees::types::Type;
use vlad_conformance::random::{Case, GeneratorOptions, Source};
use vlad_engines::Engine;
use vlad_shared::ad::checkpointing::Strategy;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::runtime::run::Limits;

/// Checkpoint options that are possible for any number of steps.
const STRATEGIES: [Strategy; 9] = [
    bisection(None, None),
    bisection(None, Some(1)),
    bisection(None, Some(7)),
    bisection(Some(1), None),
    bisection(Some(4), None),
    bisection(Some(3), Some(5)),
    binomial(Some(4), None, Some(3)),
    binomial(None, Some(2), Some(2)),
    binomial(Some(2), Some(2), None),
];

const fn bisection(depth: Option<u64>, base_case: Option<u64>) -> Strategy {
    Strategy::Bisection { depth, base_case }
}

const fn binomial(snapshots: Option<u64>, passes: Option<u64>, base_case: Option<u64>) -> Strategy {
    Strategy::Binomial { snapshots, passes, base_case }
}

/// The case with every `*j` replaced by `checkpoint-*j`; none if it has no `*j`, or one that means the transformation.
fn divided(case: &Case) -> Option<Case> {
    let mut case = case.clone();
    let reverse = Node::name("checkpoint-*j", Type::procedure([], Type::Real));
    let Source::Tree(tree) = &mut case.source else { return None };
    let transforms = tree.items.iter().any(|item| item.node().transforms());
    let count: usize = tree.items.iter().map(|item| item.node().count("*j")).sum();
    tree.items.iter_mut().map(Item::node_mut).for_each(|node| node.substitute("*j", &reverse));
    (count > 0 && !transforms).then_some(case)
}

/// A case and its version with checkpoints.
struct Pair {
    whole: Program,
    divided: Program,
    input: String,
    text: String,
}

fn pair(case: Case) -> Option<Pair> {
    let divided = divided(&case).filter(|_| case.limit.is_ample())?;
    let program = |case: &Case| {
        use vlad_shared::frontend::load::{Input, Options, load};
        let input = Input::Text { name: "program".to_owned(), bytes: case.text().into_bytes(), folder: None };
        load(input, &Options::default()).ok()
    };
    let (whole, input, text) = (program(&case)?, case.input_text(), divided.text());
    Some(Pair { whole, divided: program(&divided)?, input, text })
}

fn limits(strategy: Strategy) -> Limits {
    Limits { steps: Some(20_000), strategy, ..Limits::default() }
}

/// Pairs from seeds, with the behaviour of the first engine on the original.
fn pairs(first_seed: u64, count: usize) -> Vec<(Pair, RunBehaviour)> {
    let seen = |pair: Pair| {
        let seen = see_one(Engine::ALL[0], &pair.whole, &pair.input, limits(Strategy::default()));
        // Programs that a step limit stops are left out: they do not test this law.
        (seen.error != Some(Kind::Steps)).then_some((pair, seen))
    };
    (first_seed..)
        .map(|seed| generate(seed, GeneratorOptions::default()))
        .filter_map(pair)
        .filter_map(seen)
        .take(count)
        .collect()
}

fn check(pairs: &[(Pair, RunBehaviour)]) {
    for engine in Engine::ALL {
        let programs: Vec<_> = pairs.iter().map(|(pair, _)| (&pair.divided, pair.input.as_str())).collect();
        for (seen, strategy) in see(engine, &programs, &STRATEGIES.map(limits)).iter().zip(STRATEGIES) {
            for (seen, (pair, expected)) in seen.iter().zip(pairs) {
                assert_eq!(seen, expected, "{engine}, {strategy:?}, in:\n{}", pair.text);
            }
        }
    }
}

#[test]
fn checkpoints_change_nothing() {
    check(&pairs(1, 60));
}

#[test]
#[ignore = "takes minutes"]
fn checkpoints_change_nothing_in_many_programs() {
    for round in 0..40 {
        check(&pairs(1_000_000 * (round + 1), 60));
    }
}

/// Two and three nested operators, in every combination, on a procedure whose sums depend on their order.
#[test]
fn checkpoints_nest() {
    const DEFINITIONS: &str = "
(define (terms x) (+ (* 1e16 x) (+ (* -1e16 (* x x)) (* (sin x) (exp (* 0.1 x))))))
(define (chain n x) (if (= n 0) (terms x) (* 1.01 (chain (- n 1) (+ x (* 0.001 x))))))
(define (second-order outer inner) (outer (lambda (x) (+ (chain 2 x) (* x (inner (lambda (y) (chain 1 (* x y))) x)))) 0.7))";
    let modes = ["(cdr (j* f x 1))", "(cdr (*j f x 1))", "(cdr (checkpoint-*j f x 1))"];
    let mut texts = Vec::new();
    for outer in modes {
        for inner in modes {
            let define = |name, mode| format!("(define ({name} f x) {mode})\n");
            texts.push(format!(
                "{DEFINITIONS}\n{}{}(second-order outer inner)\n\
                 (second-order (lambda (f x) (outer (lambda (x) (inner f x)) x)) inner)",
                define("outer", outer),
                define("inner", inner)
            ));
        }
    }
    let pairs: Vec<(Pair, RunBehaviour)> = texts
        .into_iter()
        .map(|text| {
            let whole = loaded(&text.replace("checkpoint-*j", "*j"));
            let seen = see_one(Engine::ALL[0], &whole, "", Limits::default());
            assert_eq!(seen.error, None, "{text}");
            (Pair { whole, divided: loaded(&text), input: String::new(), text }, seen)
        })
        .collect();
    check(&pairs);
}

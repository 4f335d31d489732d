//! Laws of the number of steps, on random programs, as exact equalities derived from the definition: a step is the
//! entry of one expression node, the limit is tested before it counts, and patterns, returns and the work of primitives
//! cost nothing.
//!
//! A place that is rewritten also gets a mark, which is written each time it is reached: `(begin (write m) e)`. The
//! numbers that are written show how many times each place was reached, under any operators, loops and replayed
//! executions, and each contains the cost of its place. So the steps of the rewritten program are those of the program,
//! and the cost of each mark that is written. A mark itself takes 5 steps, since it is `((lambda (ignored) e) (write
//! m))`: two applications, a lambda, a variable, a constant. The costs of the rewrites without their marks follow from
//! the desugaring of each form into its nodes:
//!
//! - `e` to `e`: 0.
//! - `e` to `(car (cons e '()))`: 4, which are application, variable, cons, constant.
//! - `f`, called with n operands, to `(lambda (x ...) (f x ...))`: 2 n + 1 a call, which are application, f, n
//!   variables, and n - 1 times cons; the lambda itself replaces a variable.
//! - `(let ((f (lambda ...))) e)` to e with the lambda for f: -3, which are application and both lambdas; in e a lambda
//!   replaces a variable.
//! - `(f (let ((x e)) y))` to `(let ((x e)) (f y))`: 0, since these are the same nodes in another order.
//! - `(if t a b)` to `((if t (lambda () a) (lambda () b)))`: 3, which are application, lambda, the empty list.

use crate::rewrites::{beta, counts_steps, eta, float, in_many_programs, rewrite_all, thunk, without_names};
use crate::runs::{RunBehaviour, loaded, see};
use std::collections::HashSet;
use vlad_conformance::random::program::generate;
use vlad_conformance::random::trees::names::NameOccurrences;
use vlad_conformance::random::trees::tree::{Form, Item, Node, Parameters, Tree};
use vlad_conformance::random::trees::types::Type;
use vlad_conformance::random::{Case, GeneratorOptions, Source};
use vlad_derivatives::numbers::Numbers;
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::runtime::run::Limits;

/// The cost of a mark itself.
const MARK: i64 = 5;

/// The number written for a place that costs nothing; no random program writes one near it.
const BASE: i64 = 7_000_000;

/// The most steps of a program.
const MOST_STEPS: u64 = 20_000;

/// The rewrite of a law.
#[derive(Clone, Copy, Debug)]
enum Law {
    Marks,
    Halves,
    Eta,
    Beta,
    Floating,
    Thunks,
}

const LAWS: [Law; 6] = [Law::Marks, Law::Halves, Law::Eta, Law::Beta, Law::Floating, Law::Thunks];

/// Marks a place whose cost increases by so many steps.
fn mark(node: &mut Node, cost: i64) {
    let gives = node.gives.clone();
    let written = Node::call("write", Type::Real, [Node::real((BASE + MARK + cost) as f64)]);
    let marked = std::mem::replace(node, Node::real(0.0));
    *node = Node::new(Form::Begin, gives, [written, marked]);
}

/// Rewrites and marks a place; returns false if the law does not apply to it.
fn change(law: Law, node: &mut Node, fresh: &mut usize) -> bool {
    match law {
        Law::Marks => mark(node, 0),
        Law::Halves => {
            let nothing = Node::new(Form::Nil, Type::reals(), []);
            *node = Node::call("car", node.gives.clone(), [Node::cons(node.clone(), nothing)]);
            mark(node, 4);
        }
        Law::Eta => {
            let is_cons = matches!(node.children.get(1), Some(Node { form: Form::Name(name), .. }) if name == "cons");
            if !eta(node, fresh) {
                return false;
            }
            let [_, Node { form: Form::Lambda(Parameters::Each(names)), children, .. }, ..] =
                node.children.as_mut_slice()
            else {
                panic!("eta makes a lambda of the first operand")
            };
            // `cons` with two operands beside it is a pair, and no application.
            let cost = 2 * names.len() as i64 + if is_cons { -1 } else { 1 };
            children.iter_mut().for_each(|body| mark(body, cost));
        }
        Law::Beta => {
            if !beta(node) {
                return false;
            }
            mark(node, -3);
        }
        Law::Floating => {
            if !float(node) {
                return false;
            }
            mark(node, 0);
        }
        Law::Thunks => {
            let (Form::If, [test, first, second]) = (&node.form, node.children.as_slice()) else { return false };
            let chosen = [test.clone(), thunk(first.clone()), thunk(second.clone())];
            let choice = Node::new(Form::If, Type::procedure([], node.gives.clone()), chosen);
            *node = Node::new(Form::Call, node.gives.clone(), [choice]);
            mark(node, 3);
        }
    }
    true
}

/// Returns true if the law applies to every place, of which only some are then taken.
fn is_everywhere(law: Law) -> bool {
    match law {
        Law::Marks | Law::Halves => true,
        Law::Eta | Law::Beta | Law::Floating | Law::Thunks => false,
    }
}

/// Returns true if a place is taken. The choice depends on the text alone, so that two places with the same text both
/// are: tangents must have the code of their primals.
fn is_taken(node: &Node) -> bool {
    let letters = format!("{node:?}")
        .bytes()
        .filter(|byte| !byte.is_ascii_digit())
        .fold(0, |hash: u64, byte| Numbers::at(hash, u64::from(byte)));
    letters.is_multiple_of(6)
}

/// Rewrites some places in a node and its descendants; returns true if there is one. Constants of quoted lists are no
/// places, and neither are operators, some of which mean something else as values.
fn change_some(law: Law, node: &mut Node) -> bool {
    let is_taken = is_taken(node);
    let first = match node.form {
        Form::Quoted => return false,
        Form::Call if node.children.first().is_some_and(|operator| matches!(operator.form, Form::Name(_))) => 1,
        _ => 0,
    };
    let mut changed = false;
    for child in node.children.iter_mut().skip(first) {
        changed |= change_some(law, child);
    }
    let here = is_taken && change(law, node, &mut 0);
    changed || here
}

fn rewritten(law: Law, case: &Case) -> Option<Case> {
    let mut tree = case.tree()?.clone();
    let (mut fresh, mut changed) = (0, false);
    for item in &mut tree.items {
        changed |= if is_everywhere(law) {
            change_some(law, item.node_mut())
        } else {
            rewrite_all(item.node_mut(), &mut |node| change(law, node, &mut fresh))
        };
    }
    changed.then(|| Case { source: Source::Tree(tree), ..case.clone() })
}

/// The output without marks and names of procedures, the cost of the marks, and their number.
fn without_marks(output: &[String]) -> (Vec<String>, i64, usize) {
    let cost_of = |line: &str| {
        let number = line.split('[').next()?.parse::<i64>().ok()?;
        (number - BASE).abs().le(&1000).then_some(number - BASE)
    };
    let costs: Vec<i64> = output.iter().filter_map(|line| cost_of(line)).collect();
    let lines = output.iter().filter(|line| cost_of(line).is_none()).map(|line| without_names(line)).collect();
    (lines, costs.iter().sum(), costs.len())
}

fn limited() -> [Limits; 1] {
    [Limits { steps: Some(MOST_STEPS), ..Limits::default() }]
}

/// The behaviour of an engine on some cases.
fn observe(engine: Engine, cases: &[&Case]) -> Vec<RunBehaviour> {
    let inputs: Vec<String> = cases.iter().map(|case| case.input_text()).collect();
    let programs: Vec<_> = cases.iter().map(|case| loaded(&case.text())).collect();
    let programs: Vec<_> = programs.iter().zip(inputs.iter().map(String::as_str)).collect();
    see(engine, &programs, &limited()).remove(0)
}

/// Checks a law on programs from seeds; returns the number of marks that were written.
fn check(law: Law, first_seed: u64, count: usize, engines: &[Engine]) -> usize {
    let pairs: Vec<(Case, Case)> = (first_seed..)
        .map(|seed| generate(seed, GeneratorOptions::default()))
        .filter(|case| case.limit.is_ample() && !counts_steps(case))
        .filter_map(|case| rewritten(law, &case).map(|other| (case, other)))
        .take(count)
        .collect();
    let cases: Vec<&Case> = pairs.iter().flat_map(|(case, other)| [case, other]).collect();
    let mut marks = 0;
    for engine in engines {
        let mut compared = 0;
        for (seen, (case, other)) in observe(*engine, &cases).chunks(2).zip(&pairs) {
            let [before, after] = seen else { panic!("two of each") };
            // If a program fails at a place, some of its nodes are not entered any more.
            if before.error.is_some() || after.error == Some(Kind::Steps) {
                continue;
            }
            compared += 1;
            let (lines, cost, written) = without_marks(&after.output);
            marks += written;
            let texts = || format!("{law:?} on {engine}:\n{}\n{}", case.text(), other.text());
            assert_eq!((lines, after.error), (without_marks(&before.output).0, None), "{}", texts());
            assert_eq!(after.steps as i64 - before.steps as i64, cost, "{written} marks, {}", texts());
        }
        assert!(compared * 2 > count, "{law:?}: {compared} of {count} programs end");
    }
    marks
}

#[test]
fn rewritten_places_cost_what_their_nodes_cost() {
    for law in LAWS {
        let marks = check(law, 40_000, 20, &[Engine::Interp, Engine::Hybrid]);
        assert!(marks > 20, "{law:?}: {marks} marks are written");
    }
    // Compiling takes most of the time; the long run compiles programs of every law.
    for law in [Law::Marks, Law::Eta] {
        check(law, 50_000, 3, &[Engine::Native]);
    }
}

#[test]
#[ignore = "takes minutes"]
fn rewritten_places_of_many_programs_cost_what_their_nodes_cost() {
    in_many_programs(|first_seed, count, engines| {
        for law in LAWS {
            check(law, first_seed, count, engines);
        }
    });
}

/// The items of two programs one after the other, with the names of the second changed.
fn joined(first: &Case, second: &Case, language: &HashSet<&str>) -> Case {
    let (Some(first_tree), Some(mut tree)) = (first.tree(), second.tree().cloned()) else { panic!("both are trees") };
    let mut rename = |name: &mut String| {
        if !language.contains(name.as_str()) {
            name.push_str("-too");
        }
    };
    for item in &mut tree.items {
        if let Item::Define(definition, _) = item {
            definition.rename(&mut rename);
        }
        item.node_mut().change_all(&mut |node| node.form.rename(&mut rename));
    }
    let items = [first_tree.items.clone(), tree.items].concat();
    Case { source: Source::Tree(Tree::of(items)), ..first.clone() }
}

/// Checks that programs without common names are independent: one after the other, they print the output of both and
/// take the sum of the steps.
#[test]
fn independent_programs_add_up() {
    let language: HashSet<&str> = NameOccurrences::names().collect();
    let replaces =
        |item: &Item| matches!(item, Item::Define(definition, _) if language.contains(definition.name.as_str()));
    let suits = |case: &Case| {
        case.limit.is_ample()
            && case.tree().is_some_and(|tree| {
                let is_out = |item: &Item| replaces(item) || item.node().mentions("read-real");
                // The names of a library are not those of the program.
                tree.includes.is_empty() && !tree.items.iter().any(is_out)
            })
    };
    for (first_seed, count, engines) in
        [(60_000, 80, &[Engine::Interp, Engine::Hybrid][..]), (61_000, 8, &[Engine::Native][..])]
    {
        let cases: Vec<Case> =
            (first_seed..).map(|seed| generate(seed, GeneratorOptions::default())).filter(suits).take(count).collect();
        let both: Vec<Case> = cases.chunks_exact(2).map(|pair| joined(&pair[0], &pair[1], &language)).collect();
        for engine in engines {
            let alone = observe(*engine, &cases.iter().collect::<Vec<_>>());
            let together = observe(*engine, &both.iter().collect::<Vec<_>>());
            let mut compared = 0;
            for ((alone, together), both) in alone.chunks_exact(2).zip(&together).zip(&both) {
                if alone.iter().any(|seen| seen.error.is_some()) || together.error == Some(Kind::Steps) {
                    continue;
                }
                compared += 1;
                let lines: Vec<String> = alone.iter().flat_map(|seen| seen.output.clone()).collect();
                let named = |output: &[String]| output.iter().map(|line| without_names(line)).collect::<Vec<_>>();
                assert_eq!(
                    (named(&together.output), together.error),
                    (named(&lines), None),
                    "{engine}:\n{}",
                    both.text()
                );
                let steps: u64 = alone.iter().map(|seen| seen.steps).sum();
                assert_eq!(together.steps, steps, "{engine}:\n{}", both.text());
            }
            assert!(compared * 4 > count, "{compared} of {} pairs end", count / 2);
        }
    }
}

/// Checks that a program of n steps behaves the same under the limit n and without one, and that under each smaller
/// limit it stops after exactly that many steps, with a prefix of the output.
#[test]
fn limits_cut_random_programs_at_their_step() {
    let cases: Vec<Case> = (70_000..)
        .map(|seed| generate(seed, GeneratorOptions::default()))
        .filter(|case| case.limit.is_ample())
        .take(12)
        .collect();
    for engine in Engine::ALL {
        // An engine that compiles makes one object of many programs, and runs them under each other's limits as well.
        let (some, at_once) = if engine == Engine::Native { (3, 3) } else { (cases.len(), 1) };
        cases.iter().take(some).collect::<Vec<_>>().chunks(at_once).for_each(|cases| check_limits(engine, cases));
    }
}

fn check_limits(engine: Engine, cases: &[&Case]) {
    let inputs: Vec<String> = cases.iter().map(|case| case.input_text()).collect();
    let programs: Vec<_> = cases.iter().map(|case| loaded(&case.text())).collect();
    let programs: Vec<_> = programs.iter().zip(inputs.iter().map(String::as_str)).collect();
    let whole = see(engine, &programs, &limited()).remove(0);
    let ends = |seen: &RunBehaviour| seen.error != Some(Kind::Steps);
    let mut limits: Vec<u64> = whole
        .iter()
        .filter(|seen| ends(seen))
        .map(|seen| seen.steps)
        .flat_map(|total| [0, 1, total / 7, total / 2, total * 9 / 10, total.saturating_sub(1), total, total + 1])
        .collect();
    limits.sort_unstable();
    limits.dedup();
    let all: Vec<Limits> = limits.iter().map(|steps| Limits { steps: Some(*steps), ..Limits::default() }).collect();
    for (seen, limit) in see(engine, &programs, &all).iter().zip(&limits) {
        for ((seen, whole), case) in seen.iter().zip(&whole).zip(cases).filter(|((_, whole), _)| ends(whole)) {
            let told = format!("{engine}, {limit} of {} steps:\n{}", whole.steps, case.text());
            if *limit >= whole.steps {
                assert_eq!(seen, whole, "{told}");
            } else {
                assert_eq!((seen.error, seen.steps), (Some(Kind::Steps), *limit), "{told}");
                assert!(whole.output.starts_with(&seen.output), "{told}");
            }
        }
    }
    let open = see(engine, &programs, &[Limits::default()]).remove(0);
    for ((open, whole), case) in open.iter().zip(&whole).zip(cases).filter(|((_, whole), _)| ends(whole)) {
        assert_eq!(open, whole, "{engine}, no limit:\n{}", case.text());
    }
}

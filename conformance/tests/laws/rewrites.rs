//! Metamorphic relations ("laws") of random programs: a program that is rewritten, with the same operations in the same
//! order, gives the same bits, in primals and derivatives, under any operators.
//!
//! The rewrites are eta (a procedure that is only called becomes a lambda that calls it; names of operators of
//! differentiation are exempt in operator position), beta (a lambda replaces the name that is bound to it), floating (a
//! `let` is moved out of an operand), and a change in the order of definitions of procedures. Programs that count steps
//! are left out, and the printed form of procedures is not compared.

use crate::check_all;
use crate::runs::{loaded, see};
use vlad_conformance::random::program::generate;
use vlad_conformance::random::trees::tree::{Form, Item, Node, Order, Parameters, Pattern, Tree};
use vlad_conformance::random::trees::types::Type;
use vlad_conformance::random::{Case, GeneratorOptions, Source};
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::runtime::run::Limits;

/// A rewrite of programs.
#[derive(Clone, Copy, Debug)]
enum Law {
    Eta,
    Beta,
    Floating,
    Order,
}

const LAWS: [Law; 4] = [Law::Eta, Law::Beta, Law::Floating, Law::Order];

/// Procedures that only call their first operand.
const CALLERS: [&str; 13] = [
    "map",
    "map2",
    "map-n",
    "reduce",
    "fold-right",
    "every",
    "any",
    "filter",
    "for-each",
    "ifold",
    "j*",
    "*j",
    "checkpoint-*j",
];

/// The names that mean something else as values than as operators.
const EXEMPT: [&str; 3] = ["j*", "*j", "checkpoint-*j"];

/// Changes a node's children and then the node itself; returns true if anything changed.
pub fn rewrite_all(node: &mut Node, change: &mut dyn FnMut(&mut Node) -> bool) -> bool {
    let mut changed = false;
    for child in &mut node.children {
        changed |= rewrite_all(child, change);
    }
    changed | change(node)
}

/// Rewrites `f` to `(lambda (x ...) (f x ...))` as the first operand of a procedure that only calls it.
pub fn eta(node: &mut Node, fresh: &mut usize) -> bool {
    let [operator, procedure, _, ..] = node.children.as_mut_slice() else { return false };
    let (Form::Name(caller), Form::Name(name)) = (&operator.form, &procedure.form) else { return false };
    let Type::Procedure(operands, result) = &procedure.gives else { return false };
    if node.form != Form::Call || !CALLERS.contains(&caller.as_str()) || EXEMPT.contains(&name.as_str()) {
        return false;
    }
    if operands.is_empty() {
        return false;
    }
    *fresh += 1;
    let names: Vec<String> = (0..operands.len()).map(|number| format!("eta{fresh}-{number}")).collect();
    let values = names.iter().zip(operands).map(|(name, gives)| Node::name(name, gives.clone()));
    let body = Node::new(
        Form::Call,
        Type::clone(result),
        std::iter::once(procedure.clone()).chain(values).collect::<Vec<_>>(),
    );
    let patterns = names.into_iter().map(Pattern::Name).collect();
    *procedure = Node::new(Form::Lambda(Parameters::Each(patterns)), procedure.gives.clone(), [body]);
    true
}

/// Rewrites `(let ((f (lambda ...))) e)` to e with the lambda in place of f.
pub fn beta(node: &mut Node) -> bool {
    let Form::Let(Order::Together, patterns) = &node.form else { return false };
    let ([Pattern::Name(name)], [value, body]) = (patterns.as_slice(), node.children.as_slice()) else { return false };
    if !matches!(value.form, Form::Lambda(_)) || value.size() > 60 {
        return false;
    }
    let mut body = body.clone();
    body.substitute(name, value);
    *node = body;
    true
}

/// Rewrites `(f (let ((x e)) y))` to `(let ((x e)) (f y))`.
pub fn float(node: &mut Node) -> bool {
    let [operator, operand] = node.children.as_mut_slice() else { return false };
    if node.form != Form::Call || !matches!(operator.form, Form::Name(_)) || !matches!(operand.form, Form::Let(..)) {
        return false;
    }
    let mut floated = operand.clone();
    let Some(body) = floated.children.pop() else { return false };
    floated.children.push(Node::new(Form::Call, node.gives.clone(), [operator.clone(), body]));
    *node = Node { gives: node.gives.clone(), ..floated };
    true
}

/// Returns true if an item defines a procedure; the order of such definitions has no effect.
fn defines_procedure(item: &Item) -> bool {
    matches!(item, Item::Define(definition, _) if !definition.parameters.is_empty())
}

fn reorder(tree: &mut Tree) -> bool {
    let runs = tree.items.chunk_by_mut(|a, b| defines_procedure(a) && defines_procedure(b));
    runs.filter(|run| run.len() > 1).map(<[Item]>::reverse).count() > 0
}

/// The case rewritten by a law; none if the law does not apply.
fn rewritten(law: Law, case: &Case) -> Option<Case> {
    let mut tree = case.tree()?.clone();
    let mut fresh = 0;
    let mut everywhere = |change: &mut dyn FnMut(&mut Node) -> bool| {
        tree.items.iter_mut().map(|item| rewrite_all(item.node_mut(), change)).filter(|changed| *changed).count() > 0
    };
    let changed = match law {
        Law::Eta => everywhere(&mut |node| eta(node, &mut fresh)),
        Law::Beta => everywhere(&mut beta),
        Law::Floating => everywhere(&mut float),
        Law::Order => reorder(&mut tree),
    };
    changed.then(|| Case { source: Source::Tree(tree), ..case.clone() })
}

/// Returns true if a program counts steps, or suspends computations.
pub fn counts_steps(case: &Case) -> bool {
    let counting = ["primops", "interrupt", "resume"];
    case.tree().is_none_or(|tree| tree.items.iter().any(|item| counting.iter().any(|name| item.node().mentions(name))))
}

/// A line without the names of procedures.
pub fn without_names(line: &str) -> String {
    let mut parts = line.split("#<procedure");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("#<procedure>");
        text.push_str(part.split_once('>').map_or(part, |(_, rest)| rest));
    }
    text
}

fn check_law(law: Law, first_seed: u64, count: usize, engines: &[Engine]) {
    let pairs: Vec<(Case, Case)> = (first_seed..)
        .map(|seed| generate(seed, GeneratorOptions::default()))
        .filter(|case| case.limit.is_ample() && !counts_steps(case))
        .filter_map(|case| rewritten(law, &case).map(|other| (case, other)))
        .take(count)
        .collect();
    check_pairs(&format!("{law:?}"), "", &pairs, engines);
}

/// Checks that programs and their rewritten versions, which need some definitions, print the same.
pub fn check_pairs(law: &str, definitions: &str, pairs: &[(Case, Case)], engines: &[Engine]) {
    let count = pairs.len();
    let programs: Vec<_> = pairs.iter().flat_map(|(case, other)| [case, other]).collect();
    let inputs: Vec<String> = programs.iter().map(|case| case.input_text()).collect();
    let programs: Vec<_> = programs.iter().map(|case| loaded(&format!("{definitions}{}", case.text()))).collect();
    let programs: Vec<_> = programs.iter().zip(inputs.iter().map(String::as_str)).collect();
    for engine in engines {
        let seen = see(*engine, &programs, &[Limits { steps: Some(60_000), ..Limits::default() }]).remove(0);
        let mut compared = 0;
        for (seen, (case, other)) in seen.chunks(2).zip(pairs) {
            let [before, after] = seen else { panic!("two of each") };
            // Errors name procedures, and a program may exceed its limit in one form only.
            if before.error.is_some() || after.error == Some(Kind::Steps) {
                continue;
            }
            compared += 1;
            let lines = |output: &[String]| output.iter().map(|line| without_names(line)).collect::<Vec<_>>();
            assert_eq!(after.error, None, "{law} on {engine}:\n{}\n{}", case.text(), other.text());
            assert_eq!(
                lines(&after.output),
                lines(&before.output),
                "{law} on {engine}:\n{}\n{}",
                case.text(),
                other.text()
            );
        }
        assert!(compared * 2 > count, "{law}: {compared} of {count} programs end");
    }
}

/// A procedure without operands.
pub fn thunk(body: Node) -> Node {
    Node::new(Form::Lambda(Parameters::Each(Vec::new())), Type::procedure([], body.gives.clone()), [body])
}

/// Runs a check on many programs, in rounds with different first seeds.
pub fn in_many_programs(check: impl Fn(u64, usize, &[Engine])) {
    for round in 1..=20 {
        check(1_000_000 * round, 500, &[Engine::Interp, Engine::Hybrid]);
        check(1_000_000 * round, 50, &[Engine::Native]);
    }
}

#[test]
fn programs_written_in_another_way_give_the_same_bits() {
    for law in LAWS {
        check_law(law, 1, 200, &[Engine::Interp, Engine::Hybrid]);
        check_law(law, 5000, 12, &[Engine::Native]);
    }
}

#[test]
#[ignore = "takes minutes"]
fn many_programs_written_in_another_way_give_the_same_bits() {
    in_many_programs(|first_seed, count, engines| {
        LAWS.into_iter().for_each(|law| check_law(law, first_seed, count, engines));
    });
}

/// Tests pairs and lists as procedures: the operations on reals are the same, in the same order.
#[test]
fn data_as_procedures_have_the_same_derivatives() {
    let definitions = "
        (define (pair-of a b) (lambda (s) (s a b)))
        (define (one p) (p (lambda (a b) a)))
        (define (other p) (p (lambda (a b) b)))
        (define (none) (lambda (step end) end))
        (define (more x rest) (lambda (step end) (step x (rest step end))))
        (define (encoded l) (if (null? l) (none) (more (car l) (encoded (cdr l)))))
        (define (f p) (let ((q (cons (* (car p) 3) (sin (cdr p))))) (- (* (car q) (cdr q)) (/ (cdr q) (car q)))))
        (define (f-encoded p)
          (let ((q (pair-of (* (car p) 3) (sin (cdr p))))) (- (* (one q) (other q)) (/ (other q) (one q)))))
        (define (g l) (fold-right (lambda (x sum) (+ (* x (exp (* x 0.1))) (* 0.5 sum))) 1 l))
        (define (g-encoded l) ((encoded l) (lambda (x sum) (+ (* x (exp (* x 0.1))) (* 0.5 sum))) 1))
        (define (gradient h) (lambda (x) (cdr (*j h x 1))))
        (define (along h d) (lambda (x) (cdr (j* h x d))))";
    let same = |expression: &str| (expression.to_owned(), "#t".to_owned());
    let mut expectations = Vec::new();
    for point in ["(cons 2 0.7)", "(cons -1.3 5)"] {
        for operator in [
            "(gradient _)",
            "(along _ (cons 1 -2))",
            "(gradient (along _ (cons 0.3 1)))",
            "(along (gradient _) (cons 0.3 1))",
        ] {
            let [plain, encoded] = ["f", "f-encoded"].map(|name| operator.replace('_', name));
            expectations.push(same(&format!("(equal? ({plain} {point}) ({encoded} {point}))")));
        }
    }
    for point in ["(list 1 2 3)", "(list -0.5 0.25 7 1e-3)"] {
        for operator in ["(gradient _)", "(along _ x)", "(along (gradient _) x)", "(gradient (along _ x))"] {
            let [plain, encoded] = ["g", "g-encoded"].map(|name| operator.replace('_', name));
            expectations.push(same(&format!("(let ((x {point})) (equal? ({plain} x) ({encoded} x)))")));
        }
    }
    check_all(definitions, &expectations);
}

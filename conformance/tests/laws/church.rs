//! The law of Church encodings: data can be replaced by procedures that do what is done with the data. Moving a value
//! makes no tape node (rule 5a), so the operations on reals stay the same, in the same order: random programs print the
//! same bits, in primals, forward tangents and reverse gradients.
//!
//! Three kinds of data are encoded: pairs all uses of which are known (they are destructured at once, or bound by a
//! `let` whose body only takes their halves), the tests of all `if`s with the connectives in them, and lists that are
//! folded at once.

use crate::rewrites::{check_pairs, counts_steps, in_many_programs, rewrite_all, thunk};
use vlad_conformance::random::program::generate;
use vlad_conformance::random::trees::tree::{Form, Item, Node, Parameters, Pattern};
use vlad_conformance::random::trees::types::Type;
use vlad_conformance::random::{Case, GeneratorOptions, Source};
use vlad_engines::Engine;

/// The encodings: a pair calls a procedure with its halves, a boolean chooses among two procedures and calls it, a list
/// is its right fold.
const ENCODINGS: &str = "
(define (church-pair x y) (lambda (select) (select x y)))
(define (church-of-pair (cons x y)) (church-pair x y))
(define (church-first x y) x)
(define (church-second x y) y)
(define (church-true yes no) (yes))
(define (church-false yes no) (no))
(define (church-not choose) (lambda (yes no) (choose no yes)))
(define (church-none step end) end)
(define (church-more x rest) (lambda (step end) (step x (rest step end))))
(define (church-of-list l) (if (null? l) church-none (church-more (car l) (church-of-list (cdr l)))))
(define (church-fold-right f x l) (l f x))
(define (church-reduce f x l)
  ((l (lambda (y rest) (lambda (so-far) (rest (f so-far y)))) (lambda (so-far) so-far)) x))
";

/// The kind of data that is encoded.
#[derive(Clone, Copy, Debug)]
enum EncodedData {
    Pairs,
    Booleans,
    Lists,
}

/// A call of one of the encodings. The type has no effect, since types only guide the generation of programs.
fn call(name: &str, operands: impl IntoIterator<Item = Node>) -> Node {
    Node::call(name, Type::Real, operands)
}

fn selector(name: &str) -> Option<Node> {
    let name = match name {
        "car" => "church-first",
        "cdr" => "church-second",
        _ => return None,
    };
    Some(Node::name(name, Type::Real))
}

fn encoded_pair(pair: Node) -> Node {
    match pair.form {
        Form::Cons => call("church-pair", pair.children),
        _ => call("church-of-pair", [pair]),
    }
}

/// Returns true for `(car e)` and `(cdr e)` of a pair without a name.
fn is_half(node: &Node) -> bool {
    let [operator, pair] = node.children.as_slice() else { return false };
    node.form == Form::Call && (operator.is_named("car") || operator.is_named("cdr")) && pair.form == Form::Cons
}

/// The number of times that a node takes a half of the value of a name.
fn halves_of(name: &str, node: &Node) -> usize {
    let here = match node.children.as_slice() {
        [operator, pair] => {
            node.form == Form::Call && (operator.is_named("car") || operator.is_named("cdr")) && pair.is_named(name)
        }
        _ => false,
    };
    usize::from(here) + node.children.iter().map(|child| halves_of(name, child)).sum::<usize>()
}

/// Replaces `car` and `cdr` of a name by calls of its encoding.
fn ask_for_halves(name: &str, node: &mut Node) {
    if let [operator, pair] = node.children.as_mut_slice()
        && let Form::Name(half) = &operator.form
        && let Some(selector) = selector(half)
        && pair.is_named(name)
    {
        *operator = pair.clone();
        *pair = selector;
        return;
    }
    node.children.iter_mut().for_each(|child| ask_for_halves(name, child));
}

fn swap_pairs(node: &mut Node) -> bool {
    if is_half(node) {
        let [operator, pair] = node.children.as_mut_slice() else { return false };
        let Form::Name(half) = &operator.form else { return false };
        let Some(selector) = selector(half) else { return false };
        *operator = encoded_pair(pair.clone());
        *pair = selector;
        return true;
    }
    let Form::Let(_, patterns) = &node.form else { return false };
    // A pair that the pattern destructures.
    if let ([Pattern::Pair(first, second)], [value, body]) = (patterns.as_slice(), node.children.as_slice())
        && value.form == Form::Cons
    {
        let halves = vec![Pattern::clone(first), Pattern::clone(second)];
        let taken = Node::new(Form::Lambda(Parameters::Each(halves)), Type::Real, [body.clone()]);
        *node = Node::new(Form::Call, node.gives.clone(), [encoded_pair(value.clone()), taken]);
        return true;
    }
    // Pairs with a name, each of whose uses takes a half.
    let names: Vec<(usize, String)> = patterns
        .iter()
        .enumerate()
        .filter_map(|(place, pattern)| match pattern {
            Pattern::Name(name) => Some((place, name.clone())),
            _ => None,
        })
        .filter(|(place, name)| {
            let is_pair = matches!(node.children[*place].gives, Type::Pair(..));
            let uses: usize = node.children.iter().map(|child| child.count(name)).sum();
            let halves: usize = node.children.iter().map(|child| halves_of(name, child)).sum();
            is_pair && uses > 0 && uses == halves
        })
        .collect();
    for (place, name) in &names {
        node.children.iter_mut().for_each(|child| ask_for_halves(name, child));
        node.children[*place] = encoded_pair(node.children[*place].clone());
    }
    !names.is_empty()
}

/// The encoding of a test; only its truth is kept.
fn encoded_test(test: Node) -> Node {
    let truth = |name: &str| Node::name(name, Type::Boolean);
    match (test.form, test.children.as_slice()) {
        (Form::Boolean(constant), _) => truth(if constant { "church-true" } else { "church-false" }),
        (Form::And, [first, second]) => Node::new(
            Form::Call,
            Type::Boolean,
            [encoded_test(first.clone()), thunk(encoded_test(second.clone())), thunk(truth("church-false"))],
        ),
        (Form::Or, [first, second]) => Node::new(
            Form::Call,
            Type::Boolean,
            [encoded_test(first.clone()), thunk(truth("church-true")), thunk(encoded_test(second.clone()))],
        ),
        (Form::Call, [operator, operand]) if operator.is_named("not") => {
            call("church-not", [encoded_test(operand.clone())])
        }
        (form, children) => {
            let test = Node::new(form, test.gives, children);
            Node::new(Form::If, Type::Boolean, [test, truth("church-true"), truth("church-false")])
        }
    }
}

fn swap_booleans(node: &mut Node) -> bool {
    let (Form::If, [test, first, second]) = (&node.form, node.children.as_slice()) else { return false };
    let children = [encoded_test(test.clone()), thunk(first.clone()), thunk(second.clone())];
    *node = Node::new(Form::Call, node.gives.clone(), children);
    true
}

fn encoded_list(list: Node) -> Node {
    let none = || Node::name("church-none", Type::Real);
    let more = |rest: Node, first: Node| call("church-more", [first, rest]);
    match list.form {
        Form::Nil => none(),
        Form::List => list.children.into_iter().rev().fold(none(), more),
        Form::Cons | Form::ConsStar => {
            let mut children = list.children;
            let rest = children.pop().map_or_else(none, encoded_list);
            children.into_iter().rev().fold(rest, more)
        }
        _ => call("church-of-list", [list]),
    }
}

fn swap_lists(node: &mut Node) -> bool {
    let (Form::Call, Some((operator, operands))) = (&node.form, node.children.split_first()) else { return false };
    let Form::Name(name) = &operator.form else { return false };
    let fold = |operation: &str, start: f64, list: &Node| {
        call("church-reduce", [Node::name(operation, Type::Real), Node::real(start), encoded_list(list.clone())])
    };
    let swapped = match (name.as_str(), operands) {
        ("sum", [list]) => fold("+", 0.0, list),
        ("product", [list]) => fold("*", 1.0, list),
        ("reduce" | "fold-right", [f, x, list]) => {
            call(&format!("church-{name}"), [f.clone(), x.clone(), encoded_list(list.clone())])
        }
        _ => return false,
    };
    *node = Node { gives: node.gives.clone(), ..swapped };
    true
}

/// The case with data replaced by encodings; none if there is no such data.
fn swapped(sort: EncodedData, case: &Case) -> Option<Case> {
    let mut tree = case.tree()?.clone();
    let mut is_changed = false;
    let mut change = |node: &mut Node| {
        let changed = match sort {
            EncodedData::Pairs => swap_pairs(node),
            EncodedData::Booleans => swap_booleans(node),
            EncodedData::Lists => swap_lists(node),
        };
        is_changed |= changed;
        changed
    };
    for item in &mut tree.items {
        rewrite_all(item.node_mut(), &mut change);
    }
    is_changed.then(|| Case { source: Source::Tree(tree), ..case.clone() })
}

fn differentiates(case: &Case) -> bool {
    let operators = ["j*", "*j", "checkpoint-*j", "j*-transform", "*j-transform"];
    let mentions = |item: &Item| operators.iter().any(|name| item.node().mentions(name));
    case.tree().is_some_and(|tree| tree.items.iter().any(mentions))
}

fn check(sort: EncodedData, first_seed: u64, count: usize, engines: &[Engine]) {
    // `swapped` returns none for cases without a place to encode.
    let pairs: Vec<(Case, Case)> = (first_seed..)
        .map(|seed| generate(seed, GeneratorOptions::default()))
        .filter(|case| case.limit.is_ample() && !counts_steps(case) && differentiates(case))
        .filter_map(|case| swapped(sort, &case).map(|other| (case, other)))
        .take(count)
        .collect();
    check_pairs(&format!("{sort:?}"), ENCODINGS, &pairs, engines);
}

#[test]
fn data_swapped_for_procedures_give_the_same_bits() {
    for sort in [EncodedData::Pairs, EncodedData::Booleans, EncodedData::Lists] {
        check(sort, 20_000, 30, &[Engine::Interp, Engine::Hybrid]);
        check(sort, 30_000, 4, &[Engine::Native]);
    }
}

#[test]
#[ignore = "takes minutes"]
fn data_swapped_for_procedures_give_the_same_bits_in_many_programs() {
    in_many_programs(|first_seed, count, engines| {
        [EncodedData::Pairs, EncodedData::Booleans, EncodedData::Lists]
            .into_iter()
            .for_each(|sort| check(sort, first_seed, count, engines));
    });
}

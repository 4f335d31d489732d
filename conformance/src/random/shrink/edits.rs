//! Edits that make a case smaller or simpler, one at a time.
//!
//! Nodes are numbered as in [`Tree::at`]. An edit need not keep a program well-formed. An edit that removes a binding
//! replaces its references by constants of their types, so that a range of bindings can go although others use it.

use crate::random::case::{Case, Limit, Source};
use crate::random::trees::names::{NameOccurrences, Style, operator_style};
use crate::random::trees::tree::{BoundMut, Definition, Form, Item, Node, Order, Parameters, Pattern, Tree};
use crate::random::trees::types::Type;
use std::collections::BTreeSet;
use std::ops::Range;

/// A sequence in a program, any element of which may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// The definitions and expressions of the program.
    Items,
    /// The parameters of the procedure that an item defines, and the operands of its calls.
    Parameters(usize),
    /// The bindings of a node, with their values.
    Bindings(usize),
    /// The operands of a node.
    Operands(usize),
}

/// An edit of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Removes a range from a list.
    Drop(List, Range<usize>),
    /// Replaces the node by another one.
    Replace(usize, Node),
    /// Replaces the node by its descendant so many nodes later, with constants for the names that are bound in between.
    Part(usize, usize),
    /// Removes the binding and replaces its name by its value.
    Inline(usize, usize),
    /// Replaces the point of the operator of differentiation in the node by 1.
    PlainPoint(usize),
    /// Turns the definition into an expression, with constants for the parameters.
    Open(usize),
    /// Cuts the input after so many numbers.
    CutInput(usize),
    /// Removes the limit.
    NoLimit,
    /// Removes the suspension.
    NoSuspension,
    /// Removes the libraries.
    NoLibrary,
}

/// The length of a list of a tree.
pub fn length(tree: &Tree, list: List) -> usize {
    match list {
        List::Items => tree.items.len(),
        List::Parameters(item) => match tree.items.get(item) {
            Some(Item::Define(Definition { parameters, .. }, _)) => match parameters.as_slice() {
                [patterns] => patterns.len(),
                _ => 0,
            },
            Some(Item::Expression(_)) | None => 0,
        },
        List::Bindings(number) => tree.at(number).map_or(0, bindings),
        List::Operands(number) => tree.at(number).map_or(0, |node| operands(node).len()),
    }
}

/// The number of bindings of a node that can be left out.
pub fn bindings(node: &Node) -> usize {
    // A lambda that is called at once is treated like a `let`.
    let operator = node.children.first().filter(|_| node.form == Form::Call);
    let bound = match operator {
        Some(Node { form: form @ Form::Lambda(Parameters::Each(_)), .. }) => form.bound(),
        Some(_) => return 0,
        None if matches!(node.form, Form::Lambda(_)) => return 0,
        None => node.form.bound(),
    };
    let is_whole = operator.is_none() || bound.patterns.len() + 1 == node.children.len();
    if is_whole { bound.patterns.len() + bound.definitions.len() } else { 0 }
}

/// The children of a node any of which may be left out; for a `cond` its tests, each of which goes with its consequent.
pub fn operands(node: &Node) -> Range<usize> {
    let count = node.children.len();
    match &node.form {
        Form::Call => 1..count.max(1),
        Form::And | Form::Or | Form::List | Form::Quoted => 0..count,
        Form::Begin | Form::ConsStar if count > 1 => 0..count,
        Form::Cond => 0..count / 2,
        Form::Real(_)
        | Form::Boolean(_)
        | Form::Nil
        | Form::Name(_)
        | Form::Lambda(_)
        | Form::Let(..)
        | Form::Loop(..)
        | Form::Letrec(_)
        | Form::Block(_)
        | Form::If
        | Form::Begin
        | Form::Cons
        | Form::ConsStar
        | Form::Template(_) => 0..0,
    }
}

/// The smallest expressions that can replace a node and are plainer than it.
pub fn plainer(node: &Node) -> Vec<Node> {
    let is_name = matches!(node.form, Form::Name(_));
    let is_large = !node.children.is_empty();
    let with_type = |plain: Node| Node { gives: node.gives.clone(), ..plain };
    match (&node.gives, &node.form) {
        (Type::Real | Type::Count, Form::Real(real)) => {
            simpler_reals(*real).into_iter().map(Node::real).map(with_type).collect()
        }
        (Type::List(_), Form::Nil) | (Type::Pair(..), Form::Real(_)) => Vec::new(),
        // The constant is of another type: an operator that takes a tuple may look at no part of it.
        (Type::Pair(..), Form::Cons) => vec![with_type(Node::real(1.0))],
        (Type::Real | Type::Count | Type::List(_) | Type::Pair(..), _) => constants(&node.gives),
        (Type::Boolean, _) if is_large || is_name => constants(&node.gives),
        (Type::Procedure(..) | Type::Capsule(_) | Type::Vector(_) | Type::Marked(..), _) if is_large => {
            let size = node.size();
            constants(&node.gives).into_iter().filter(|plain| plain.size() < size).collect()
        }
        (Type::Boolean | Type::Procedure(..) | Type::Capsule(_) | Type::Vector(_) | Type::Marked(..), _) => Vec::new(),
    }
}

/// Constants of a type, the most revealing first: 1 as a factor hides nothing, and its square root is no edge case.
fn constants(gives: &Type) -> Vec<Node> {
    let of = |form: Form, children: Vec<Node>| Node::new(form, gives.clone(), children);
    match gives {
        Type::Real | Type::Count => [1.0, 0.0, 2.0].map(|real| of(Form::Real(real), Vec::new())).to_vec(),
        Type::Boolean => [false, true].map(|truth| of(Form::Boolean(truth), Vec::new())).to_vec(),
        Type::List(_) => vec![of(Form::Nil, Vec::new())],
        Type::Pair(first, second) => {
            let halves = constant(first).zip(constant(second));
            halves.map(|(first, second)| of(Form::Cons, vec![first, second])).into_iter().collect()
        }
        Type::Procedure(operands, result) => {
            let constant =
                constant(result).map(|body| of(Form::Lambda(Parameters::Whole("ignored".to_owned())), vec![body]));
            let identity =
                (operands.as_slice() == [Type::clone(result)]).then(|| Node::name("identity", gives.clone()));
            identity.into_iter().chain(constant).collect()
        }
        Type::Capsule(result) => {
            let procedure = constant(&Type::procedure([Type::reals()], Type::clone(result)));
            let nothing = Node::new(Form::Nil, Type::reals(), []);
            let stopped = procedure
                .map(|procedure| Node::call("interrupt", gives.clone(), [procedure, nothing, Node::real(0.0)]));
            stopped.into_iter().collect()
        }
        Type::Vector(element) => vec![Node::vector(element, Vec::new())],
        Type::Marked(mark, inside) => constant(inside).map(|inside| Node::marked(*mark, inside)).into_iter().collect(),
    }
}

fn constant(gives: &Type) -> Option<Node> {
    constants(gives).into_iter().next()
}

/// Reals that are plainer than this one; none for the plainest.
fn simpler_reals(real: f64) -> Vec<f64> {
    let rank = |real: f64| {
        let text = vlad_shared::table::number::format(real);
        (text.len(), text.starts_with('-'), real.abs().to_bits())
    };
    let candidates = [0.0, 1.0, 2.0, -1.0, real.trunc(), -real, 0.5, f64::INFINITY];
    candidates.into_iter().filter(|other| rank(*other) < rank(real)).collect()
}

/// Applies an edit to a case, if it is applicable.
pub fn apply(case: &mut Case, edit: &Edit) {
    match edit {
        Edit::CutInput(length) => return case.input.truncate(*length),
        Edit::NoLimit => {
            case.limit = Limit::Whole;
            return;
        }
        Edit::NoSuspension => {
            case.suspension = None;
            return;
        }
        Edit::Drop(..)
        | Edit::Replace(..)
        | Edit::Part(..)
        | Edit::Inline(..)
        | Edit::PlainPoint(_)
        | Edit::Open(_)
        | Edit::NoLibrary => {}
    }
    let Source::Tree(tree) = &mut case.source else { return };
    match edit {
        Edit::Drop(List::Items, range) => drop_items(tree, range.clone()),
        Edit::Drop(List::Parameters(item), range) => drop_parameters(tree, *item, range.clone()),
        Edit::Drop(List::Bindings(number), range) => {
            tree.at_mut(*number).into_iter().for_each(|node| drop_bindings(node, range.clone()));
        }
        Edit::Drop(List::Operands(number), range) => {
            tree.at_mut(*number).into_iter().for_each(|node| drop_operands(node, range.clone()));
        }
        Edit::Replace(number, other) => {
            tree.at_mut(*number).into_iter().for_each(|node| *node = other.clone());
        }
        Edit::Part(number, after) => {
            tree.at_mut(*number).into_iter().for_each(|node| become_part(node, *after));
        }
        Edit::Inline(number, binding) => {
            tree.at_mut(*number).into_iter().for_each(|node| inline(node, *binding));
        }
        Edit::PlainPoint(number) => tree.at_mut(*number).into_iter().for_each(plain_point),
        Edit::Open(item) => open(tree, *item),
        Edit::NoLibrary => tree.includes.clear(),
        Edit::CutInput(_) | Edit::NoLimit | Edit::NoSuspension => {}
    }
}

/// Replaces names by constants.
fn replace_names(node: &mut Node, names: &BTreeSet<String>) {
    node.change_all(&mut |node| {
        if let Form::Name(name) = &node.form
            && names.contains(name)
            && let Some(constant) = constant(&node.gives)
        {
            *node = constant;
        }
    });
}

fn owned(names: Vec<&str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// Removes a range from a vector, as far as it exists.
fn take_out<T>(things: &mut Vec<T>, range: Range<usize>) -> Vec<T> {
    let end = range.end.min(things.len());
    things.drain(range.start.min(end)..end).collect()
}

/// Removes patterns and returns their names.
fn take_patterns_out(patterns: &mut Vec<Pattern>, range: Range<usize>) -> BTreeSet<String> {
    let taken = take_out(patterns, range);
    let mut names = Vec::new();
    taken.iter().for_each(|pattern| pattern.names(&mut names));
    owned(names)
}

fn drop_items(tree: &mut Tree, range: Range<usize>) {
    if range.len() >= tree.items.len() {
        return;
    }
    let mut names = BTreeSet::new();
    for item in tree.items.iter().take(range.end).skip(range.start) {
        match item {
            // If a definition replaces a procedure of the prelude, its removal makes the name refer to that procedure
            // again.
            Item::Define(definition, _) if NameOccurrences::names().any(|name| name == definition.name) => {}
            Item::Define(definition, _) => drop(names.insert(definition.name.clone())),
            Item::Expression(_) => {}
        }
    }
    take_out(&mut tree.items, range);
    if !names.is_empty() {
        tree.items.iter_mut().for_each(|item| replace_names(item.node_mut(), &names));
    }
}

/// Removes operands from all calls of a procedure that have so many operands.
fn drop_from_calls(node: &mut Node, procedure: &str, count: usize, range: &Range<usize>) {
    node.change_all(&mut |node| {
        let is_call = node.form == Form::Call && node.children.len() == count + 1;
        if is_call && node.children.first().is_some_and(|operator| operator.is_named(procedure)) {
            take_out(&mut node.children, range.start + 1..range.end + 1);
        }
    });
}

fn drop_parameters(tree: &mut Tree, item: usize, range: Range<usize>) {
    let count = length(tree, List::Parameters(item));
    let Some(Item::Define(definition, body)) = tree.items.get_mut(item) else { return };
    let [patterns] = definition.parameters.as_mut_slice() else { return };
    let names = take_patterns_out(patterns, range.clone());
    let name = definition.name.clone();
    replace_names(body, &names);
    tree.items.iter_mut().for_each(|item| drop_from_calls(item.node_mut(), &name, count, &range));
}

/// Removes bindings with their values; a node without remaining bindings becomes its body.
fn drop_bindings(node: &mut Node, range: Range<usize>) {
    if node.form == Form::Call {
        call_to_let(node);
    }
    let count = bindings(node);
    if count == 0 {
        return;
    }
    let BoundMut { name, patterns, definitions } = node.form.bound_mut();
    let procedure = name.cloned();
    let mut names = patterns.map(|patterns| take_patterns_out(patterns, range.clone())).unwrap_or_default();
    let taken = definitions.into_iter().flat_map(|definitions| take_out(definitions, range.clone()));
    names.extend(taken.map(|definition| definition.name));
    take_out(&mut node.children, range.start.min(count)..range.end.min(count));
    node.children.iter_mut().for_each(|child| replace_names(child, &names));
    if let (Some(procedure), Some(body)) = (&procedure, node.children.last_mut()) {
        drop_from_calls(body, procedure, count, &range);
    } else if bindings(node) == 0
        && let Some(body) = node.children.pop()
    {
        *node = body;
    }
}

fn drop_operands(node: &mut Node, range: Range<usize>) {
    let possible = operands(node);
    let (start, end) = (possible.start + range.start, (possible.start + range.end).min(possible.end));
    let each = if node.form == Form::Cond { 2 } else { 1 };
    let has_to_have_one = matches!(node.form, Form::Begin | Form::ConsStar);
    if start < end && !(has_to_have_one && end - start >= possible.len()) {
        take_out(&mut node.children, start * each..end * each);
    }
}

/// Replaces a node by its descendant so many nodes later.
fn become_part(node: &mut Node, after: usize) {
    let Some(part) = node.nodes().nth(after) else { return };
    let (mut around, mut inside) = (Vec::new(), Vec::new());
    node.nodes().for_each(|node| node.form.names(&mut around));
    part.nodes().for_each(|node| node.form.names(&mut inside));
    let (around, inside) = (owned(around), owned(inside));
    let mut part = part.clone();
    replace_names(&mut part, &around.difference(&inside).cloned().collect());
    *node = part;
}

/// Replaces the name of a binding by its value.
fn inline(node: &mut Node, binding: usize) {
    if node.form == Form::Call {
        call_to_let(node);
    }
    if !matches!(node.form, Form::Let(..) | Form::Block(_)) {
        return;
    }
    let bound = node.form.bound();
    let name = match (bound.patterns.get(binding), bound.definitions.get(binding)) {
        (Some(Pattern::Name(name)), _) => name.clone(),
        (None, Some(definition)) if definition.parameters.is_empty() => definition.name.clone(),
        (Some(_), _) | (None, _) => return,
    };
    let Some(value) = node.children.get(binding).cloned() else { return };
    let uses: usize = node.children.iter().map(|child| child.count(&name)).sum();
    if uses > 1 && value.size() > 1 {
        return;
    }
    node.children.iter_mut().skip(binding + 1).for_each(|child| child.substitute(&name, &value));
    drop_bindings(node, binding..binding + 1);
}

/// Replaces point and tangent by 1; both at once, since they must have the same shape.
fn plain_point(node: &mut Node) {
    let last = match operator_style(node) {
        Some(Style::Forward) => 3,
        Some(Style::Reverse | Style::Checkpoint) => 2,
        Some(Style::Reflective) | None => return,
    };
    node.children.iter_mut().take(last + 1).skip(2).for_each(|operand| *operand = Node::real(1.0));
}

fn open(tree: &mut Tree, item: usize) {
    let Some(item) = tree.items.get_mut(item) else { return };
    let Item::Define(definition, body) = item else { return };
    let mut names = Vec::new();
    definition.names(&mut names);
    let mut body = body.clone();
    replace_names(&mut body, &owned(names));
    *item = Item::Expression(body);
}

/// Turns a call of a lambda into a `let`.
fn call_to_let(node: &mut Node) {
    let Some(Node { form: Form::Lambda(Parameters::Each(patterns)), .. }) = node.children.first() else { return };
    let form = Form::Let(Order::Together, patterns.clone());
    let mut operator = node.children.remove(0);
    if let Some(body) = operator.children.pop() {
        node.form = form;
        node.children.push(body);
    }
}

//! Shrinking a case: the same failure from a smaller program.
//!
//! Each step is an [`Edit`] that makes the case smaller or simpler: less of the program, an expression replaced by a part
//! of it or by a constant of its type, a name replaced by its value, a plainer constant. Edits need not keep a program
//! well-formed: what does not load is the same on every engine and so no failure. The search ends when no edit keeps the
//! failure. What has no tree is shrunk as a text: [`shrink_text`].

use super::shrink_text;
use super::tree::{Form, Item, Node, Order, Parameters, Pattern};
use super::types::Type;
use super::vectors::vector_of;
use super::{Case, Limit, Source};

/// The most edits that a search tries.
const MOST_TRIALS: usize = 20_000;

/// The most descendants that a node is replaced by in turn.
const MOST_PARTS: usize = 12;

/// One way to make a case smaller. Nodes are counted as in [`super::tree::Tree::at`].
#[derive(Clone, Debug, PartialEq)]
enum Edit {
    /// Without the item.
    DropItem(usize),
    /// The node becomes another node.
    Replace(usize, Node),
    /// Without the child.
    DropChild(usize, usize),
    /// Without the binding.
    DropBinding(usize, usize),
    /// Without the binding, and its value in the place of its name.
    Inline(usize, usize),
    /// Without the input from some number on.
    CutInput(usize),
    /// Without the limit.
    NoLimit,
}

/// A search for a smaller case that still fails.
#[derive(Clone, Debug)]
struct Shrinker {
    /// The smallest case known to fail.
    good: Case,
    /// The case under trial.
    trial: Case,
    edits: Vec<Edit>,
    /// The next edit to try.
    next: usize,
    /// Whether an edit was kept since the list was last begun.
    progress: bool,
    trials: usize,
}

impl Shrinker {
    /// The search that begins with a case that fails.
    fn new(case: Case) -> Shrinker {
        Shrinker { edits: edits(&case), trial: case.clone(), good: case, next: 0, progress: false, trials: 0 }
    }

    /// The case to look at: whether it fails decides between [`Shrinker::simplify`] and [`Shrinker::complicate`].
    fn current(&self) -> &Case {
        &self.trial
    }

    /// The current case fails: keeps it and tries a smaller one. False if there is none.
    fn simplify(&mut self) -> bool {
        if looks(&self.trial) != looks(&self.good) {
            self.good = self.trial.clone();
            self.edits = edits(&self.good);
            self.progress = true;
        }
        self.advance()
    }

    /// The current case does not fail: goes back to the last that does and tries another one. False if there is none.
    fn complicate(&mut self) -> bool {
        self.trial = self.good.clone();
        self.advance()
    }

    fn advance(&mut self) -> bool {
        while self.trials < MOST_TRIALS {
            let Some(edit) = self.edits.get(self.next) else {
                if !self.progress {
                    break;
                }
                // What could not go before may go now.
                (self.next, self.progress) = (0, false);
                continue;
            };
            self.next += 1;
            let mut trial = self.good.clone();
            apply(&mut trial, edit);
            if looks(&trial) != looks(&self.good) {
                self.trials += 1;
                self.trial = trial;
                return true;
            }
        }
        self.trial = self.good.clone();
        false
    }
}

/// All of a case that matters, as a text: equality of reals would take NaN for a change and -0 for none.
fn looks(case: &Case) -> String {
    format!("{}{}{:?}", case.text(), case.input_text(), case.limit)
}

/// The smallest case that still fails, which `fails` tells; the given one does.
pub fn shrink(case: Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    if let Source::Text(bytes) = &case.source.clone() {
        return shrink_text::shrink(case, bytes, &mut fails);
    }
    let mut search = Shrinker::new(case);
    let mut more = search.simplify();
    while more {
        more = if fails(search.current()) { search.simplify() } else { search.complicate() };
    }
    search.current().clone()
}

/// The edits of a case, those that take most away first.
fn edits(case: &Case) -> Vec<Edit> {
    let Source::Tree(tree) = &case.source else { return Vec::new() };
    let mut edits: Vec<Edit> = (0..tree.items.len()).rev().map(Edit::DropItem).collect();
    edits.push(Edit::NoLimit);
    edits.extend([0, case.input.len() / 2, case.input.len().saturating_sub(1)].map(Edit::CutInput));
    for number in 0..tree.size() {
        let Some(node) = tree.at(number) else { continue };
        let is_expression =
            tree.items.iter().any(|item| matches!(item, Item::Expression(root) if std::ptr::eq(root, node)));
        if is_expression {
            edits.extend(parts(node, true).into_iter().map(|part| Edit::Replace(number, part)));
        }
        edits.extend(parts(node, false).into_iter().map(|part| Edit::Replace(number, part)));
        edits.extend(leaves(node).into_iter().map(|leaf| Edit::Replace(number, leaf)));
        for child in 0..node.children.len() {
            if can_drop(node, child) {
                edits.push(Edit::DropChild(number, child));
            }
        }
        for binding in 0..bindings(node) {
            edits.extend([Edit::DropBinding(number, binding), Edit::Inline(number, binding)]);
        }
    }
    edits
}

/// The expressions within a node that can stand for it, the smallest first: those of the same type, or of any type where it
/// is an expression of the program.
fn parts(node: &Node, is_expression: bool) -> Vec<Node> {
    let within = (1..node.size()).filter_map(|number| node.at(number));
    let mut found: Vec<Node> = Vec::new();
    for part in within.filter(|part| is_expression || part.gives.serves_as(&node.gives)) {
        if !found.contains(part) {
            found.push(part.clone());
        }
    }
    found.sort_by_key(Node::size);
    found.truncate(MOST_PARTS);
    found
}

/// The smallest expressions of the type of a node.
fn leaves(node: &Node) -> Vec<Node> {
    let simple = |real: f64| Node { gives: node.gives.clone(), ..Node::real(real) };
    let smaller = node.size() > 1;
    match &node.gives {
        Type::Real | Type::Count => match &node.form {
            Form::Real(real) => simpler_reals(*real).into_iter().map(simple).collect(),
            _ => vec![simple(0.0), simple(1.0), simple(2.0)],
        },
        Type::Boolean if smaller || matches!(node.form, Form::Name(_)) => {
            [false, true].map(|truth| Node::new(Form::Boolean(truth), Type::Boolean, [])).to_vec()
        }
        Type::List(_) if node.form != Form::Nil => vec![Node::new(Form::Nil, node.gives.clone(), [])],
        Type::Pair(first, second) if node.form != Form::Cons => {
            let half = |gives: &Type| {
                let other = Node::new(Form::And, gives.clone(), []);
                leaves(&other).first().cloned()
            };
            match (half(first), half(second)) {
                (Some(first), Some(second)) => vec![Node::cons(first, second)],
                _ => Vec::new(),
            }
        }
        Type::Procedure(operands, result) if smaller => match operands.as_slice() {
            [operand] if operand == &**result => vec![Node::name("identity", node.gives.clone())],
            _ => Vec::new(),
        },
        Type::Vector(element) if smaller => vec![vector_of(element, Vec::new())],
        Type::Boolean
        | Type::List(_)
        | Type::Pair(..)
        | Type::Procedure(..)
        | Type::Capsule(_)
        | Type::Vector(_)
        | Type::Marked(..) => Vec::new(),
    }
}

/// Plainer reals than one, none for the plainest.
fn simpler_reals(real: f64) -> Vec<f64> {
    let rank = |real: f64| {
        let text = vlad_shared::number::format(real);
        (text.len(), text.starts_with('-'), real.abs().to_bits())
    };
    let candidates = [0.0, 1.0, 2.0, -1.0, real.trunc(), -real, 0.5, f64::INFINITY];
    candidates.into_iter().filter(|other| rank(*other) < rank(real)).collect()
}

/// Whether a node can do without one of its children.
fn can_drop(node: &Node, child: usize) -> bool {
    match &node.form {
        Form::Call => child > 0,
        Form::And | Form::Or | Form::List | Form::Quoted => true,
        Form::Begin | Form::ConsStar => node.children.len() > 1,
        // With a condition goes its consequent.
        Form::Cond => child.is_multiple_of(2) && child + 1 < node.children.len(),
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
        | Form::Cons => false,
    }
}

/// How many bindings a node has that it can do without.
fn bindings(node: &Node) -> usize {
    match &node.form {
        Form::Let(_, patterns) => patterns.len(),
        Form::Letrec(definitions) | Form::Block(definitions) => definitions.len(),
        // A lambda that is called at once, as if it were a `let`.
        Form::Call => match node.children.first().map(|operator| &operator.form) {
            Some(Form::Lambda(Parameters::Each(patterns))) if patterns.len() + 1 == node.children.len() => {
                patterns.len()
            }
            _ => 0,
        },
        Form::Real(_)
        | Form::Boolean(_)
        | Form::Nil
        | Form::Quoted
        | Form::Name(_)
        | Form::Lambda(_)
        | Form::Loop(..)
        | Form::If
        | Form::Cond
        | Form::And
        | Form::Or
        | Form::Begin
        | Form::Cons
        | Form::ConsStar
        | Form::List => 0,
    }
}

fn apply(case: &mut Case, edit: &Edit) {
    let Source::Tree(tree) = &mut case.source else { return };
    match edit {
        Edit::DropItem(item) => {
            if tree.items.len() > 1 {
                tree.items.remove(*item);
            }
        }
        Edit::Replace(number, other) => {
            if let Some(node) = tree.at_mut(*number) {
                *node = other.clone();
            }
        }
        Edit::DropChild(number, child) => {
            if let Some(node) = tree.at_mut(*number) {
                node.children.remove(*child);
                if node.form == Form::Cond {
                    node.children.remove(*child);
                }
            }
        }
        Edit::DropBinding(number, binding) => {
            if let Some(node) = tree.at_mut(*number) {
                drop_binding(node, *binding);
            }
        }
        Edit::Inline(number, binding) => {
            if let Some(node) = tree.at_mut(*number) {
                inline(node, *binding);
            }
        }
        Edit::CutInput(length) => case.input.truncate(*length),
        Edit::NoLimit => case.limit = Limit::Whole,
    }
}

/// Takes a binding away, with its value; what has no bindings left becomes its body.
fn drop_binding(node: &mut Node, binding: usize) {
    if node.form == Form::Call {
        call_to_let(node);
    }
    if binding + 1 >= node.children.len() {
        return;
    }
    node.children.remove(binding);
    let left = match &mut node.form {
        Form::Let(_, patterns) => {
            patterns.remove(binding);
            patterns.len()
        }
        Form::Letrec(definitions) | Form::Block(definitions) => {
            definitions.remove(binding);
            definitions.len()
        }
        _ => return,
    };
    if left == 0
        && let Some(body) = node.children.pop()
    {
        *node = body;
    }
}

/// Puts the value of a binding in the place of its name.
fn inline(node: &mut Node, binding: usize) {
    if node.form == Form::Call {
        call_to_let(node);
    }
    let name = match &node.form {
        Form::Let(_, patterns) => match patterns.get(binding) {
            Some(Pattern::Name(name)) => name.clone(),
            _ => return,
        },
        Form::Block(definitions) => match definitions.get(binding) {
            Some(definition) if definition.parameters.is_empty() => definition.name.clone(),
            _ => return,
        },
        _ => return,
    };
    let Some(value) = node.children.get(binding).cloned() else { return };
    let uses: usize = node.children.iter().map(|child| child.count(&name)).sum();
    if uses > 1 && value.size() > 1 {
        return;
    }
    node.children.iter_mut().skip(binding + 1).for_each(|child| child.substitute(&name, &value));
    drop_binding(node, binding);
}

/// Makes a `let` of a call of a lambda.
fn call_to_let(node: &mut Node) {
    let Some(Node { form: Form::Lambda(Parameters::Each(patterns)), .. }) = node.children.first() else { return };
    let form = Form::Let(Order::Together, patterns.clone());
    let mut operator = node.children.remove(0);
    if let Some(body) = operator.children.pop() {
        node.form = form;
        node.children.push(body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dials;
    use crate::random::program::generate;
    use crate::random::tree::Tree;

    #[test]
    fn what_does_not_matter_goes() {
        // In an expression: a definition stays one.
        let roots = |case: &Case| {
            let expressions = case.tree().unwrap().items.iter().filter(|item| matches!(item, Item::Expression(_)));
            let tree = Tree::of(expressions.cloned().collect());
            Case { source: Source::Tree(tree), ..case.clone() }.text().contains("(sqrt ")
        };
        let case = (1..200).map(|seed| generate(seed, Dials::default())).find(roots).unwrap();
        let small = shrink(case, roots);
        assert_eq!(small.text(), "(sqrt 0)\n");
        assert_eq!(small.limit, Limit::Whole);
        assert!(small.input.is_empty());
    }

    #[test]
    fn what_is_not_equal_to_itself_is_no_change() {
        let node = Node::call("+", Type::Real, [Node::real(f64::NAN), Node::real(f64::NAN)]);
        let tree = Tree::of(vec![Item::Expression(node)]);
        let case =
            Case { seed: 0, source: Source::Tree(tree), input: Vec::new(), limit: Limit::Whole, suspension: None };
        let mut trials = 0;
        let small = shrink(case, |case| {
            trials += 1;
            case.text().contains("+nan.0")
        });
        assert_eq!(small.text(), "+nan.0\n");
        assert!(trials < 50);
    }
}

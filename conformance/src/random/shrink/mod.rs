//! Shrinking of a case: the same failure from a smaller program.
//!
//! Each step is an [`Edit`]. As in delta debugging the largest reductions come first: whole ranges of definitions,
//! bindings and operands, then halves of them, quarters and so on, and constants in place of whole expressions; then
//! single nodes. Edits need not keep a program well-formed: a program that does not load behaves the same on every
//! engine, and so is no failure. The search ends when no edit keeps the failure, or when the time is over. A case
//! without a tree is shrunk as text: [`text`].

mod edits;
pub mod text;

use super::case::{Case, Source};
use super::trees::names::operator_style;
use super::trees::tree::{Form, Item, Node, Tree};
use edits::{Edit, List};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

/// The time limit for shrinking a finding, without the last trial.
pub const MOST_SHRINKING: Duration = Duration::from_secs(60);

/// The most cases that a search tries.
const MOST_TRIALS: usize = 20_000;

/// The numbers of descendants that a node is replaced by in turn: of the smallest ones, and of the largest ones.
const MOST_PARTS: (usize, usize) = (8, 8);

/// The least size of an expression that is replaced by a constant before single nodes are tried.
const LARGE: usize = 4;

/// The least number of operands for which ranges are dropped.
const MANY: usize = 4;

/// Returns the smallest case found that still fails, as reported by `fails`. The given case fails. No trial begins
/// after `time`.
pub fn shrink(case: Case, time: Duration, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let begun = Instant::now();
    if let Source::Text(bytes) = &case.source.clone() {
        return text::shrink(case, bytes, &mut |case| begun.elapsed() < time && fails(case));
    }
    let mut search =
        Search { looks: looks(&case), best: case, fails: &mut fails, begun, time, tried: HashSet::new(), kept: 0 };
    loop {
        let before = search.kept;
        search.try_settings();
        search.large_things();
        search.single_nodes();
        // An edit that failed before may succeed now.
        if search.kept == before || search.is_over() {
            return search.best;
        }
    }
}

/// A search for a smaller case that still fails.
struct Search<'fails> {
    /// The smallest case known to fail.
    best: Case,
    looks: u64,
    fails: &'fails mut dyn FnMut(&Case) -> bool,
    begun: Instant,
    time: Duration,
    /// The hashes of the cases that were tried.
    tried: HashSet<u64>,
    /// The number of edits that were kept.
    kept: usize,
}

/// A hash of everything in a case that matters, as text: equality of reals would report NaN as changed and -0 as
/// unchanged.
fn looks(case: &Case) -> u64 {
    let mut hasher = DefaultHasher::new();
    (case.text(), case.input_text(), format!("{:?} {:?}", case.limit, case.suspension)).hash(&mut hasher);
    hasher.finish()
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.tried.len() >= MOST_TRIALS || self.begun.elapsed() >= self.time
    }

    /// Tries an edit, and keeps its result if that fails, too.
    fn attempt(&mut self, edit: &Edit) -> bool {
        if self.is_over() {
            return false;
        }
        let mut trial = self.best.clone();
        edits::apply(&mut trial, edit);
        let looks = looks(&trial);
        if looks == self.looks || !self.tried.insert(looks) || !(self.fails)(&trial) {
            return false;
        }
        (self.best, self.looks) = (trial, looks);
        self.kept += 1;
        true
    }

    /// Applies a function to the tree of the smallest program so far.
    fn look<T>(&self, look: impl FnOnce(&Tree) -> T) -> Option<T> {
        self.best.tree().map(look)
    }

    fn length(&self, list: List) -> usize {
        self.look(|tree| edits::length(tree, list)).unwrap_or(0)
    }

    /// Tries the edits of the limit, the suspension, the libraries and the input.
    fn try_settings(&mut self) {
        let length = self.best.input.len();
        for edit in [Edit::NoLimit, Edit::NoSuspension, Edit::NoLibrary] {
            self.attempt(&edit);
        }
        for length in [0, length / 2, length.saturating_sub(1)] {
            self.attempt(&Edit::CutInput(length));
        }
    }

    /// Drops ranges of a list: all of it, halves, quarters, and so on, the last first, because later elements use
    /// earlier ones.
    fn thin(&mut self, list: List) -> bool {
        let before = self.kept;
        let mut width = self.length(list);
        while width > 0 && !self.is_over() {
            let mut end = self.length(list);
            while end > 0 {
                let start = end.saturating_sub(width);
                self.attempt(&Edit::Drop(list, start..end));
                end = start;
            }
            width /= 2;
        }
        self.kept > before
    }

    /// Tries ranges of lists, and whole expressions, from the outermost to the innermost.
    fn large_things(&mut self) {
        self.thin(List::Items);
        for item in (0..self.length(List::Items)).rev() {
            self.attempt(&Edit::Open(item));
            self.thin(List::Parameters(item));
        }
        let mut sketches = self.look(sketches).unwrap_or_default();
        let mut number = 0;
        while let Some(sketch) = sketches.get(number) {
            let mut kept = false;
            if sketch.size >= LARGE
                && let Some(plain) =
                    self.look(|tree| tree.at(number).and_then(|node| edits::plainer(node).into_iter().next())).flatten()
            {
                kept = self.attempt(&Edit::Replace(number, plain));
            }
            if !kept && sketch.bindings > 1 {
                kept |= self.thin(List::Bindings(number));
            }
            if !kept && sketch.operands >= MANY {
                kept |= self.thin(List::Operands(number));
            }
            if kept {
                sketches = self.look(self::sketches).unwrap_or_default();
            }
            number += 1;
        }
    }

    /// Tries all edits of single nodes.
    fn single_nodes(&mut self) {
        let mut number = 0;
        while let Some(mut edits) = self.edits_of(number) {
            let mut place = 0;
            while let Some(edit) = edits.get(place) {
                if self.attempt(edit) {
                    edits = self.edits_of(number).unwrap_or_default();
                } else {
                    place += 1;
                }
            }
            if self.is_over() {
                return;
            }
            number += 1;
        }
    }

    fn edits_of(&self, number: usize) -> Option<Vec<Edit>> {
        self.look(|tree| edits_of(tree, number)).flatten()
    }
}

/// The counts of the parts of a node.
struct NodeCounts {
    /// The number of nodes, itself included.
    size: usize,
    bindings: usize,
    operands: usize,
}

/// The sketches of all nodes of a tree, by their numbers.
fn sketches(tree: &Tree) -> Vec<NodeCounts> {
    let mut all = Vec::new();
    for item in &tree.items {
        sketch(item.node(), &mut all);
    }
    all
}

/// Appends the sketches of a node and its descendants; returns the size of the node.
fn sketch(node: &Node, all: &mut Vec<NodeCounts>) -> usize {
    let place = all.len();
    all.push(NodeCounts { size: 1, bindings: edits::bindings(node), operands: edits::operands(node).len() });
    let size = 1 + node.children.iter().map(|child| sketch(child, all)).sum::<usize>();
    all.iter_mut().skip(place).take(1).for_each(|sketch| sketch.size = size);
    size
}

/// The edits of the node of a number, the largest reductions first.
fn edits_of(tree: &Tree, number: usize) -> Option<Vec<Edit>> {
    let node = tree.at(number)?;
    let is_expression =
        tree.items.iter().any(|item| matches!(item, Item::Expression(root) if std::ptr::eq(root, node)));
    let plainer = edits::plainer(node).into_iter().map(|plain| Edit::Replace(number, plain));
    let parts = parts(node, is_expression).into_iter().map(|after| Edit::Part(number, after));
    let operands = (0..edits::operands(node).len()).map(|at| Edit::Drop(List::Operands(number), at..at + 1));
    let bindings = (0..edits::bindings(node)).flat_map(|at| {
        let dropped = Edit::Drop(List::Bindings(number), at..at + 1);
        let inlined = (!matches!(node.form, Form::Loop(..))).then_some(Edit::Inline(number, at));
        std::iter::once(dropped).chain(inlined)
    });
    let point = operator_style(node).map(|_| Edit::PlainPoint(number));
    Some(plainer.chain(parts).chain(point).chain(operands).chain(bindings).collect())
}

/// The preorder positions of descendants that can replace a node: those of the same type, or of any type if the node is
/// an expression of the program.
fn parts(node: &Node, is_expression: bool) -> Vec<usize> {
    let mut all = Vec::new();
    sketch(node, &mut all);
    let nodes = node.nodes().zip(&all).enumerate().skip(1);
    let mut found: Vec<(usize, usize)> = nodes
        .filter(|(_, (part, _))| is_expression || part.gives.is_subtype_of(&node.gives))
        .map(|(after, (_, sketch))| (sketch.size, after))
        .collect();
    found.sort_unstable();
    let (smallest, largest) = MOST_PARTS;
    let rest = found.split_off(smallest.min(found.len()));
    found.into_iter().chain(rest.into_iter().rev().take(largest)).map(|(_, after)| after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::campaign::compare::compare;
    use crate::random::generator_options::ProgramShape;
    use crate::random::program::generate;
    use crate::random::trees::types::Type;
    use crate::random::{GeneratorOptions, Limit};
    use vlad_engines::{Engine, Settings};

    /// A time far longer than the duration of a search that runs no programs.
    const TIME: Duration = Duration::from_secs(600);

    #[test]
    fn what_does_not_matter_goes() {
        // Only occurrences in expressions count, so that the smallest program is an expression.
        let roots = |case: &Case| {
            let expressions = case.tree().unwrap().items.iter().filter(|item| matches!(item, Item::Expression(_)));
            let tree = Tree::of(expressions.cloned().collect());
            Case { source: Source::Tree(tree), ..case.clone() }.text().contains("(sqrt ")
        };
        let case = (1..200).map(|seed| generate(seed, GeneratorOptions::default())).find(roots).unwrap();
        let small = shrink(case, TIME, roots);
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
        let small = shrink(case, TIME, |case| {
            trials += 1;
            case.text().contains("+nan.0")
        });
        assert_eq!(small.text(), "+nan.0\n");
        assert!(trials < 50);
    }

    /// The case with `sqrt x` defined as x + 1, which differs from the root nearly everywhere.
    fn with_wrong_roots(case: &Case) -> Case {
        let text = format!("(define (sqrt x) (+ x 1))\n{}", case.text());
        Case { source: Source::Text(text.into_bytes()), ..case.clone() }
    }

    /// Returns true if wrong roots change the output of a case that ends without errors in both versions.
    fn shows_wrong_roots(case: &Case) -> bool {
        let pair = [case.clone(), with_wrong_roots(case)];
        let compared = compare(&[Engine::Interp], &Settings::default(), &pair);
        let [right, wrong] = compared.as_slice() else { panic!("an answer a case") };
        let ends = right.first.errors.is_empty() && wrong.first.errors.is_empty();
        ends && right.first.output != wrong.first.output
    }

    #[test]
    fn long_programs_are_made_small_in_few_trials() {
        let generator_options = GeneratorOptions { shape: 100, interruption: 0, ..GeneratorOptions::default() };
        for wanted in [ProgramShape::LongBody, ProgramShape::Wide, ProgramShape::LargeGroup] {
            let cases = (0..)
                .filter(|seed| generator_options.shape_of(*seed) == Some(wanted))
                .map(|seed| generate(seed, generator_options));
            for case in cases.filter(shows_wrong_roots).take(4) {
                let before = case.tree().map_or(0, Tree::size);
                assert!(before > 300, "{before} nodes");
                let mut trials = 0;
                let small = shrink(case, TIME, |case| {
                    trials += 1;
                    shows_wrong_roots(case)
                });
                let after = small.tree().map_or(0, Tree::size);
                assert!(
                    after <= 20 && trials <= 1000,
                    "{wanted:?}: {after} nodes after {trials} trials\n{}",
                    small.text()
                );
            }
        }
    }
}

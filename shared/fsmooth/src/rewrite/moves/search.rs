//! The search for moves in a *root*, the body of a definition in normal form: each kind of moves ([`super`]) is tried at its terms.
//!
//! [`super::next`] asks the kinds one after another. The caller applies the move that is found and judges its cost, and answers by
//! [`Search::accept`] or [`Search::refuse`]. A kind is known by its place in this order: so the order is the same each time, and
//! each kind makes one visit when it is asked.
//!
//! Most moves turn out not to pay after they are made. Such a move is refused, and the search goes on in the same root where it stood:
//! refused moves, and terms without a move, are not looked at again. Kinds that compare a term with earlier ones look at these again. A
//! move that is kept makes a new root. There the search goes on at the term that has been moved; if all kinds are done, they are tried
//! anew, since one move may let another one pay that comes before it. So what does not pay is tried once for each of few passes, and
//! not once for each move that is kept.

use crate::rewrite::cost::work::is_movable;
use crate::rewrite::derivation::Step;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Program};
use rustc_hash::FxHashSet;

/// A place from the root to an expression: each expression on the way, and the number of the part that leads on.
pub type Path = Vec<(ExpressionId, usize)>;

impl Step {
    /// The application of a rule to the term that a path leads to.
    pub fn at(path: &Path, (rule, class): (&'static str, Class), before: ExpressionId, after: ExpressionId) -> Step {
        Step { rule, class, place: place_at(path, path.len()), before, after }
    }
}

/// The place of the expression at a depth of a path.
pub fn place_at(path: &Path, depth: usize) -> Vec<u32> {
    path.iter().take(depth).map(|(_, part)| *part as u32).collect()
}

/// The way in which a kind of moves looks at terms.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// Each term tells its move by itself.
    AtEach,
    /// The move of a term depends on the terms before it.
    InOrder,
}

/// The terms that a kind of moves looks at.
pub type Visited = (fn(&Program, ExpressionId) -> bool, Looks);

/// The terms that take much work, each by itself.
pub const MOVABLE: Visited = (is_movable, Looks::AtEach);

/// The terms that take much work, each with those before it.
pub const MOVABLE_IN_ORDER: Visited = (is_movable, Looks::InOrder);

/// The terms that make arrays.
pub const BUILDS: Visited = (|program, id| matches!(program.expression(id), Expression::Build { .. }), Looks::AtEach);

/// A search for moves in a root. All kinds are asked for each move, in one order.
pub struct Search {
    root: ExpressionId,
    /// The keys of the moves that have been refused, in whatever root, and that of the move that was found last.
    refused: FxHashSet<u64>,
    found: u64,
    /// The number of kinds of which the root has no more moves, and that of the kinds asked since the last move.
    exhausted: usize,
    asked: usize,
    /// Of the next kind, the number of the term at which the search goes on, and those of the terms whose moves were
    /// refused.
    next: usize,
    passed: FxHashSet<usize>,
    /// True if a move has been kept since all kinds were tried anew.
    is_changed: bool,
}

impl Search {
    /// A search in a root.
    pub fn new(root: ExpressionId) -> Search {
        let (refused, passed) = (FxHashSet::default(), FxHashSet::default());
        Search { root, refused, found: 0, exhausted: 0, asked: 0, next: 0, passed, is_changed: false }
    }

    /// The root.
    pub fn root(&self) -> ExpressionId {
        self.root
    }

    /// Begins to ask all kinds for the next move.
    pub fn begin(&mut self) {
        self.asked = 0;
    }

    /// Refuses the move that was found last.
    pub fn refuse(&mut self) {
        self.refused.insert(self.found);
    }

    /// Goes on in another root, which the move that was found last has made.
    pub fn accept(&mut self, root: ExpressionId) {
        (self.root, self.is_changed) = (root, true);
        // The term in the place of the one that was moved has not been looked at.
        self.passed.remove(&self.next);
    }

    /// Begins to try all kinds anew; returns false if no move has been kept since that was done last.
    pub fn begin_anew(&mut self) -> bool {
        (self.exhausted, self.asked) = (0, 0);
        std::mem::take(&mut self.is_changed)
    }

    fn restart(&mut self) {
        self.next = 0;
        self.passed.clear();
    }

    /// Visits some terms, outer ones first, until a move is found that has not been refused.
    pub fn visit(
        &mut self,
        program: &mut Program,
        (is_visited, looks): Visited,
        mut found: impl FnMut(&mut Program, &Path, ExpressionId) -> Option<Step>,
    ) -> Option<Step> {
        self.asked += 1;
        if self.asked <= self.exhausted {
            return None;
        }
        let mut path: Path = vec![];
        let mut pending = vec![(0, self.root, 0)];
        let mut term = 0;
        while let Some((depth, id, number)) = pending.pop() {
            path.truncate(depth);
            if let Some(last) = path.last_mut() {
                last.1 = number;
            }
            let is_passed = looks == Looks::AtEach && term < self.next || self.passed.contains(&term);
            if !is_passed
                && is_visited(program, id)
                && let Some(found) = found(program, &path, id)
            {
                self.passed.insert(term);
                self.found = key(program, &found);
                if !self.refused.contains(&self.found) {
                    self.next = term;
                    return Some(found);
                }
            }
            term += 1;
            path.push((id, 0));
            let parts = program.parts(id).into_iter().enumerate().rev();
            pending.extend(parts.map(|(number, part)| (depth + 1, part, number)));
        }
        self.exhausted += 1;
        self.restart();
        None
    }
}

/// The key of a move: equal moves have equal keys.
fn key(program: &Program, of: &Step) -> u64 {
    terms::hash(program, of.before).rotate_left(1) ^ terms::hash(program, of.after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::Types;
    use vlad_core::source::{FileId, Span};

    const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

    /// Two arrays of arrays, as a pair.
    fn program() -> (Program, ExpressionId) {
        let mut program = Program::new();
        let array = |program: &mut Program, element| {
            let parameter = program.add_local("i", Types::INDEX, NOWHERE);
            let size = program.add(Expression::Number(2.0), Types::INDEX, NOWHERE);
            let function = program.add(Expression::Lambda { parameter, body: element }, Types::DOUBLE, NOWHERE);
            program.add(Expression::Build { size, function }, Types::DOUBLE, NOWHERE)
        };
        let [first, second] = [1.0, 2.0].map(|number| {
            let number = program.add(Expression::Number(number), Types::DOUBLE, NOWHERE);
            let inner = array(&mut program, number);
            array(&mut program, inner)
        });
        let pair = program.add(Expression::Pair(first, second), Types::DOUBLE, NOWHERE);
        (program, pair)
    }

    /// Looks for the next array; returns it and the number of arrays that were looked at.
    fn next(program: &mut Program, search: &mut Search, is_wanted: impl Fn(usize) -> bool) -> (Option<Step>, usize) {
        let mut seen = 0;
        search.begin();
        let found = search.visit(program, BUILDS, |program, path, id| {
            seen += 1;
            let after = program.add(Expression::Number(path.len() as f64), Types::DOUBLE, NOWHERE);
            is_wanted(path.len()).then(|| Step::at(path, ("a number", Class::Exact), id, after))
        });
        (found, seen)
    }

    #[test]
    fn what_was_looked_at_is_not_looked_at_again() {
        let (mut program, root) = program();
        let mut search = Search::new(root);
        let is_inner = |depth| depth > 1;
        // Two outer arrays, with an inner one each.
        for seen in [2, 2] {
            let (found, looked_at) = next(&mut program, &mut search, is_inner);
            assert!(found.is_some() && looked_at == seen);
            search.refuse();
        }
        assert!(matches!(next(&mut program, &mut search, is_inner), (None, 0)));
        assert!(matches!(next(&mut program, &mut search, is_inner), (None, 0)));
    }

    #[test]
    fn all_kinds_are_tried_anew_once_after_a_move_that_is_kept() {
        let (mut program, root) = program();
        let mut search = Search::new(root);
        let is_outer = |depth| depth == 1;
        assert!(next(&mut program, &mut search, is_outer).0.is_some());
        search.refuse();
        let (found, _) = next(&mut program, &mut search, is_outer);
        search.accept(root);
        // The search goes on at the second outer array, in whose place the same one is.
        let (second, looked_at) = next(&mut program, &mut search, is_outer);
        assert_eq!((found.map(|step| step.place), looked_at), (second.map(|step| step.place), 1));
        search.refuse();
        assert!(next(&mut program, &mut search, is_outer).0.is_none());
        assert!(search.begin_anew());
        assert!(matches!(next(&mut program, &mut search, is_outer), (None, 4)));
        assert!(!search.begin_anew());
    }

    #[test]
    fn refused_moves_stay_refused_in_another_root() {
        let (mut program, root) = program();
        let mut search = Search::new(root);
        assert!(next(&mut program, &mut search, |_| true).0.is_some());
        search.refuse();
        let copy = program.copy(root);
        search.accept(copy);
        let (found, looked_at) = next(&mut program, &mut search, |_| true);
        assert_eq!((found.unwrap().place.len(), looked_at), (3, 2));
    }
}

//! Operations on reals at any levels: rules 5a (nodes) and 5b (zeros go by value) of the report, part 9.
//!
//! An operation acts at the newest level among its operands. There it works on the operands' primals, which are reals of
//! older levels, so the same function serves again: recursion descends one level at a time and is bounded by
//! [`MOST_LEVELS`].

use super::tape::{Progress, Tape};
use crate::diagnostic::Kind;
use crate::internal_bug;
use crate::run::{Trouble, Watch};
use crate::table::operations::OPERATIONS;
use crate::table::{Evaluation, Operation, Term, Test};
use crate::value::{Level, Lifted, Number, Part};
use std::borrow::Cow;
use std::rc::Rc;

/// The most differentiations that may be under way inside one another.
pub const MOST_LEVELS: usize = 512;

/// The differentiations under way, oldest first: the level of each is its place.
///
/// One operation on reals of many levels can take as long as it likes - its work doubles with each level - so it looks at
/// the watch as it goes. Once a limit has been passed operations give zeros at once, and [`Levels::check`] tells.
#[derive(Debug)]
pub struct Levels {
    modes: Vec<Mode>,
    /// How many of them are reverse.
    reverse: usize,
    watch: Watch,
    trouble: Option<Trouble>,
}

/// The numbers of the nodes that levels hand out next, at some point of an execution.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    next: Box<[u64]>,
}

impl Marks {
    /// That of the newest level.
    pub(super) fn newest(&self) -> u64 {
        match self.next.last() {
            Some(next) => *next,
            None => internal_bug!("marks are those of a level at least"),
        }
    }
}

/// Where the reverse levels around a re-execution were before it.
#[derive(Debug)]
pub(super) struct Frontier {
    progress: Vec<Progress>,
}

/// What a level does with an operation.
#[derive(Debug)]
enum Mode {
    /// It pushes tangents forward.
    Forward,
    /// It records nodes.
    Reverse(Tape),
}

impl Levels {
    /// No levels, for a run under that watch.
    pub fn new(watch: Watch) -> Levels {
        Levels { modes: Vec::new(), reverse: 0, watch, trouble: None }
    }

    /// Whether operations have gone on without passing a limit; to be asked before a result is used.
    ///
    /// # Errors
    /// The limit that was passed.
    #[inline]
    pub fn check(&self) -> Result<(), Trouble> {
        match &self.trouble {
            None => Ok(()),
            Some(trouble) => Err(trouble.clone()),
        }
    }

    /// Notes an operation at some level; false once a limit has been passed.
    #[inline]
    fn may_go_on(&mut self) -> bool {
        if let Err(trouble) = self.watch.work() {
            self.trouble = Some(trouble);
        }
        self.trouble.is_none()
    }

    /// Begins a forward level.
    ///
    /// # Errors
    /// Differentiations are nested too deep.
    pub fn begin_forward(&mut self) -> Result<Level, Trouble> {
        self.begin(Mode::Forward)
    }

    /// Begins a reverse level.
    ///
    /// # Errors
    /// Differentiations are nested too deep.
    pub fn begin_reverse(&mut self) -> Result<Level, Trouble> {
        self.begin_with(Tape::default())
    }

    fn begin_with(&mut self, tape: Tape) -> Result<Level, Trouble> {
        let level = self.begin(Mode::Reverse(tape))?;
        self.reverse += 1;
        Ok(level)
    }

    fn begin(&mut self, mode: Mode) -> Result<Level, Trouble> {
        if self.modes.len() >= MOST_LEVELS {
            return Err(too_many_levels());
        }
        self.modes.push(mode);
        Ok(self.modes.len() as Level - 1)
    }

    /// Begins a reverse level that only counts its nodes.
    ///
    /// # Errors
    /// Differentiations are nested too deep.
    pub fn begin_counting(&mut self) -> Result<Level, Trouble> {
        self.begin_with(Tape::counting())
    }

    /// Ends the newest level, which is a forward one.
    pub fn end_forward(&mut self) {
        match self.modes.pop() {
            Some(Mode::Forward) => {}
            Some(Mode::Reverse(_)) | None => internal_bug!("a forward level ends where it began"),
        }
    }

    /// Ends the newest level, which is a reverse one, and gives its tape.
    pub fn end_reverse(&mut self) -> Tape {
        match self.modes.pop() {
            Some(Mode::Reverse(tape)) => {
                self.reverse -= 1;
                tape
            }
            Some(Mode::Forward) | None => internal_bug!("a reverse level ends where it began"),
        }
    }

    /// What every level has handed out, the newest one last; forward levels hand nothing out.
    pub(super) fn marks(&self) -> Marks {
        let next = |mode: &Mode| match mode {
            Mode::Reverse(tape) => tape.next(),
            Mode::Forward => 0,
        };
        Marks { next: self.modes.iter().map(next).collect() }
    }

    /// Makes all levels but the newest go back to marks and replay; gives what [`Levels::settle`] brings back.
    pub(super) fn rewind(&mut self, marks: &Marks) -> Frontier {
        let mut frontier = Vec::with_capacity(self.modes.len());
        for (mode, next) in self.modes.iter_mut().rev().skip(1).rev().zip(&marks.next) {
            if let Mode::Reverse(tape) = mode {
                frontier.push(tape.progress());
                tape.replay_from(*next);
            }
        }
        Frontier { progress: frontier }
    }

    /// Brings all levels but the newest back to where they were.
    pub(super) fn settle(&mut self, frontier: Frontier) {
        let mut progress = frontier.progress.into_iter();
        for mode in self.modes.iter_mut().rev().skip(1).rev() {
            if let Mode::Reverse(tape) = mode
                && let Some(progress) = progress.next()
            {
                tape.set_progress(progress);
            }
        }
    }

    /// Does something as if the newest level, which is a reverse one, had ended: its sweep.
    pub(super) fn without_newest<T>(&mut self, act: impl FnOnce(&mut Levels) -> T) -> T {
        self.reverse -= 1;
        let result = act(self);
        self.reverse += 1;
        result
    }

    /// The newest level's tape.
    pub(super) fn newest_tape(&mut self) -> &mut Tape {
        match self.modes.last_mut() {
            Some(Mode::Reverse(tape)) => tape,
            Some(Mode::Forward) | None => internal_bug!("the newest level is a reverse one"),
        }
    }

    fn tape(&mut self, level: Level) -> &mut Tape {
        match self.modes.get_mut(level as usize) {
            Some(Mode::Reverse(tape)) => tape,
            Some(Mode::Forward) | None => internal_bug!("a node's level is a live reverse one"),
        }
    }

    /// Records an operation at a reverse level and gives its node.
    fn record(&mut self, level: Level, operation: Operation, nodes: [Option<u64>; 2], operands: &Operands<'_>) -> u64 {
        let tape = self.tape(level);
        if tape.is_full() {
            self.trouble = Some(tape_is_full());
            return 0;
        }
        tape.record(operation, nodes, operands)
    }

    /// Whether copies of reals make a difference: they do to the order of sums of cotangents, and to nothing else.
    pub fn copies_show(&self) -> bool {
        self.reverse > 0
    }

    /// An operation on one real.
    pub fn unary(&mut self, operation: Operation, operand: &Number) -> Number {
        match operand {
            Number::Real(x) => Number::Real(evaluate_unary(operation, *x)),
            Number::Lifted(_) if !self.may_go_on() => Number::Real(0.0),
            Number::Lifted(x) => {
                let result = self.unary(operation, &x.primal);
                let part = match &x.part {
                    Part::Tangent(tangent) => {
                        let coefficient = coefficient(operation, 0);
                        let operands = Operands { first: &x.primal, second: &x.primal, result: &result };
                        Part::Tangent(self.product(coefficient, &operands, tangent))
                    }
                    Part::Node(node) => {
                        let saved = Operands { first: &x.primal, second: &x.primal, result: &result };
                        Part::Node(self.record(x.level, operation, [Some(*node), None], &saved))
                    }
                };
                Number::Lifted(Rc::new(Lifted { level: x.level, primal: result, part }))
            }
        }
    }

    /// An operation on two reals.
    pub fn binary(&mut self, operation: Operation, first: &Number, second: &Number) -> Number {
        let level = match (first, second) {
            (Number::Real(a), Number::Real(b)) => return Number::Real(evaluate_binary(operation, *a, *b)),
            (Number::Lifted(a), Number::Real(_)) => a.level,
            (Number::Real(_), Number::Lifted(b)) => b.level,
            (Number::Lifted(a), Number::Lifted(b)) => a.level.max(b.level),
        };
        if !self.may_go_on() {
            return Number::Real(0.0);
        }
        let (first, first_part) = at_level(first, level);
        let (second, second_part) = at_level(second, level);
        let result = self.binary(operation, first, second);
        let operands = Operands { first, second, result: &result };
        let part = match (first_part, second_part) {
            (Some(Part::Tangent(tangent)), None) => {
                Part::Tangent(self.product(coefficient(operation, 0), &operands, tangent))
            }
            (None, Some(Part::Tangent(tangent))) => {
                Part::Tangent(self.product(coefficient(operation, 1), &operands, tangent))
            }
            (Some(Part::Tangent(first_tangent)), Some(Part::Tangent(second_tangent))) => {
                let left = self.product(coefficient(operation, 0), &operands, first_tangent);
                let right = self.product(coefficient(operation, 1), &operands, second_tangent);
                Part::Tangent(self.binary(Operation::Add, &left, &right))
            }
            (first_part, second_part) => {
                Part::Node(self.record(level, operation, [node_of(first_part), node_of(second_part)], &operands))
            }
        };
        Number::Lifted(Rc::new(Lifted { level, primal: result, part }))
    }

    /// The guarded product of a coefficient and a tangent or cotangent.
    ///
    /// A coefficient of 1 is left out where no reverse level could see its node: the value is the same but for the sign
    /// of a zero, which rule 5b makes invisible.
    pub(super) fn product(&mut self, coefficient: &Term, operands: &Operands<'_>, part: &Number) -> Number {
        if self.reverse == 0 && matches!(coefficient, Term::Constant(1.0)) {
            return part.clone();
        }
        let coefficient = self.term(coefficient, operands);
        self.binary(Operation::GuardedMultiply, &coefficient, part)
    }

    /// The value of a term, at the levels of the operands.
    fn term<'operands>(&mut self, term: &Term, operands: &Operands<'operands>) -> Cow<'operands, Number> {
        match term {
            Term::First => Cow::Borrowed(operands.first),
            Term::Second => Cow::Borrowed(operands.second),
            Term::Result => Cow::Borrowed(operands.result),
            Term::Constant(constant) => Cow::Owned(Number::Real(*constant)),
            Term::Unary(operation, inner) => {
                let inner = self.term(inner, operands);
                Cow::Owned(self.unary(*operation, &inner))
            }
            Term::Binary(operation, left, right) => {
                let left = self.term(left, operands);
                let right = self.term(right, operands);
                Cow::Owned(self.binary(*operation, &left, &right))
            }
            Term::Select(test, yes, no) => {
                let taken = if self.test(test, operands) { yes } else { no };
                self.term(taken, operands)
            }
        }
    }

    /// Whether a test holds of the plain reals under the operands. Tests are made of operands and constants alone, so
    /// that no operation is executed only to decide.
    fn test(&mut self, test: &Test, operands: &Operands<'_>) -> bool {
        match test {
            Test::Zero(term) => self.term(term, operands).base() == 0.0,
            Test::Less(left, right) => self.term(left, operands).base() < self.term(right, operands).base(),
            Test::Both(left, right) => self.test(left, operands) && self.test(right, operands),
        }
    }
}

/// The trouble with a level more than may be under way.
pub fn too_many_levels() -> Trouble {
    Trouble::new(Kind::Limit, format!("derivatives are nested more than {MOST_LEVELS} deep"))
}

/// The trouble with a tape of more nodes than can be told apart.
pub fn tape_is_full() -> Trouble {
    Trouble::new(Kind::Limit, "a reverse derivative of more than 2^32 operations and positions")
}

/// What a coefficient is an expression of.
#[derive(Debug)]
pub(super) struct Operands<'operands> {
    pub(super) first: &'operands Number,
    /// The same as `first` for an operation on one real.
    pub(super) second: &'operands Number,
    pub(super) result: &'operands Number,
}

/// The coefficient of an operand of an operation.
#[inline]
pub(super) fn coefficient(operation: Operation, operand: usize) -> &'static Term {
    match OPERATIONS.get(operation as usize).and_then(|row| row.coefficients.get(operand)) {
        Some(term) => term,
        None => internal_bug!("every operand of an operation has a coefficient"),
    }
}

/// A number as seen from a level at or above its own: its primal there, and what the level adds if it is of the level.
#[inline]
fn at_level(number: &Number, level: Level) -> (&Number, Option<&Part>) {
    match number {
        Number::Lifted(lifted) if lifted.level == level => (&lifted.primal, Some(&lifted.part)),
        Number::Lifted(_) | Number::Real(_) => (number, None),
    }
}

fn node_of(part: Option<&Part>) -> Option<u64> {
    match part {
        Some(Part::Node(node)) => Some(*node),
        Some(Part::Tangent(_)) => internal_bug!("a level is either forward or reverse"),
        None => None,
    }
}

/// An operation on one plain real.
#[inline]
pub fn evaluate_unary(operation: Operation, x: f64) -> f64 {
    match operation.row().evaluation {
        Evaluation::Unary(evaluate) => evaluate(x),
        Evaluation::Binary(_) => internal_bug!("`{}` is applied to two reals", operation.row().name),
    }
}

/// An operation on two plain reals.
#[inline]
pub fn evaluate_binary(operation: Operation, a: f64, b: f64) -> f64 {
    match operation.row().evaluation {
        Evaluation::Binary(evaluate) => evaluate(a, b),
        Evaluation::Unary(_) => internal_bug!("`{}` is applied to one real", operation.row().name),
    }
}

/// A tangent or cotangent as it is given back: a zero as +0, whatever its sign was (rule 5b). No node is made.
pub(super) fn given_back(number: &Number) -> Number {
    let base = number.base();
    if base == 0.0 && base.is_sign_negative() { with_base(number, 0.0) } else { number.clone() }
}

/// The same number with another plain real under it.
fn with_base(number: &Number, base: f64) -> Number {
    match number {
        Number::Real(_) => Number::Real(base),
        Number::Lifted(lifted) => Number::Lifted(Rc::new(Lifted {
            level: lifted.level,
            primal: with_base(&lifted.primal, base),
            part: lifted.part.clone(),
        })),
    }
}

//! Operations on reals at any levels (report, part 9): rule 5a fixes the tape nodes and the order of operations; by
//! rule 5b a product is guarded, that is +0 if either factor is zero, and zero tangents and cotangents leave operators
//! as +0.
//!
//! An operation acts at the newest level among its operands. At that level it works on the operands' primals, which are
//! reals of older levels, so the same function applies again: the recursion descends one level at a time and is bounded
//! by [`MOST_LEVELS`].

#[cfg(test)]
mod tests;

use crate::log::{OperationLog, Place};
use crate::plain::{evaluate_binary, evaluate_unary};
use crate::tape::{Operands, Progress, Tape};
use crate::traps::{self, Purpose, Traps};
use std::borrow::Cow;
use std::mem;
use std::rc::Rc;
use vlad_core::ExpressionId;
use vlad_core::diagnostic::Kind;
use vlad_table::operations::{MOST_LEVELS, OPERATIONS};
use vlad_table::{Operation, Term, Test, internal_bug};
use vlad_values::fault::RuntimeError;
use vlad_values::watch::LimitCheck;
use vlad_values::{Level, LevelPart, Lifted, Number};

/// The differentiations in progress, oldest first: the level of each is its index.
///
/// The work of one operation doubles with each level of its operands, so one operation on reals of many levels can take
/// arbitrarily long. Operations therefore check clock and cancellation as they go. Once a limit has been passed, they
/// return zeros at once, and [`Levels::check`] reports the limit.
#[derive(Debug)]
pub struct Levels {
    modes: Vec<Mode>,
    /// The number of reverse levels among them.
    reverse: usize,
    watch: LimitCheck,
    trouble: Option<RuntimeError>,
    traps: Traps,
    /// The part of the execution that is under way, for the messages of traps.
    purpose: Purpose,
    /// The log of the operations at the outermost level, if they are logged.
    log: Option<Box<OperationLog>>,
}

/// The number of the next tape node of every level, at some point of an execution.
#[derive(Clone, Debug)]
pub struct NodeNumbers {
    next: Box<[u64]>,
}

impl NodeNumbers {
    /// The next node of the newest level.
    pub fn newest(&self) -> u64 {
        match self.next.last() {
            Some(next) => *next,
            None => internal_bug!("marks are those of a level at least"),
        }
    }
}

/// The progress of the enclosing reverse levels before a re-execution.
#[derive(Debug)]
pub struct SavedProgress {
    progress: Vec<Progress>,
}

/// The mode of a level.
#[derive(Debug)]
enum Mode {
    /// Forward mode: operations propagate tangents.
    Forward,
    /// Reverse mode: operations are recorded on the tape.
    Reverse(Tape),
}

impl Levels {
    /// No levels, for a run under the given limit check.
    pub fn new(watch: LimitCheck) -> Levels {
        Levels {
            modes: Vec::new(),
            reverse: 0,
            watch,
            trouble: None,
            traps: Traps::Off,
            purpose: Purpose::Values,
            log: None,
        }
    }

    /// Returns the levels with a reaction to operations that make a NaN or an infinity.
    pub fn trapping(self, traps: Traps) -> Levels {
        Levels { traps, ..self }
    }

    /// The reaction to operations that make a NaN or an infinity.
    #[inline]
    pub fn traps(&self) -> Traps {
        self.traps
    }

    /// Executes an operation on a plain real.
    #[inline]
    pub fn plain_unary(&mut self, operation: Operation, x: f64) -> f64 {
        let result = evaluate_unary(operation, x);
        if self.traps == Traps::NonFinite {
            self.trap(operation, [x, x], result);
        }
        result
    }

    /// Executes an operation on two plain reals.
    #[inline]
    pub fn plain_binary(&mut self, operation: Operation, a: f64, b: f64) -> f64 {
        let result = evaluate_binary(operation, a, b);
        if self.traps == Traps::NonFinite {
            self.trap(operation, [a, b], result);
        }
        result
    }

    /// Records the fault of an operation that traps, unless one is recorded.
    #[cold]
    fn trap(&mut self, operation: Operation, operands: [f64; 2], result: f64) {
        if self.trouble.is_none() {
            self.trouble = traps::trapped(operation, operands, result, self.purpose);
        }
    }

    /// Checks that no operation has passed a limit; called before a result is used.
    ///
    /// # Errors
    /// Returns the error of the limit that was passed.
    #[inline]
    pub fn check(&self) -> Result<(), RuntimeError> {
        match &self.trouble {
            None => Ok(()),
            Some(trouble) => Err(trouble.clone()),
        }
    }

    /// Counts an operation at some level; false once a limit has been passed.
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
    /// Returns an error if differentiations are nested too deep.
    pub fn begin_forward(&mut self) -> Result<Level, RuntimeError> {
        self.begin(Mode::Forward)
    }

    /// Begins a reverse level.
    ///
    /// # Errors
    /// Returns an error if differentiations are nested too deep.
    pub fn begin_reverse(&mut self) -> Result<Level, RuntimeError> {
        self.begin_with(Tape::default())
    }

    /// Begins to log the operations at the outermost level, which is still to begin.
    pub fn begin_log(&mut self, log: OperationLog) {
        self.log = Some(Box::new(log));
    }

    /// Ends the log, and returns it.
    pub fn end_log(&mut self) -> Option<Box<OperationLog>> {
        self.log.take()
    }

    /// The log, if operations at a level are logged.
    pub(crate) fn log_of(&mut self, level: Level) -> Option<&mut OperationLog> {
        if level == 0 { self.log.as_deref_mut() } else { None }
    }

    /// Notes the application that executes the operations that follow.
    #[inline]
    pub fn at(&mut self, node: ExpressionId, site: ExpressionId) {
        if let Some(log) = &mut self.log {
            log.at(Place { node, site });
        }
    }

    fn begin_with(&mut self, mut tape: Tape) -> Result<Level, RuntimeError> {
        tape.is_logged = self.modes.is_empty() && self.log.is_some();
        let level = self.begin(Mode::Reverse(tape))?;
        self.reverse += 1;
        Ok(level)
    }

    fn begin(&mut self, mode: Mode) -> Result<Level, RuntimeError> {
        if self.modes.len() >= MOST_LEVELS {
            return Err(too_many_levels());
        }
        self.modes.push(mode);
        Ok(self.modes.len() as Level - 1)
    }

    /// Begins a reverse level that only counts its tape nodes.
    ///
    /// # Errors
    /// Returns an error if differentiations are nested too deep.
    pub fn begin_counting(&mut self) -> Result<Level, RuntimeError> {
        self.begin_with(Tape::counting())
    }

    /// Ends the newest level, which is a forward one.
    pub fn end_forward(&mut self) {
        match self.modes.pop() {
            Some(Mode::Forward) => {}
            Some(Mode::Reverse(_)) | None => internal_bug!("a forward level ends where it began"),
        }
    }

    /// Ends the newest level, which is a reverse one, and returns its tape.
    pub fn end_reverse(&mut self) -> Tape {
        match self.modes.pop() {
            Some(Mode::Reverse(tape)) => {
                self.reverse -= 1;
                tape
            }
            Some(Mode::Forward) | None => internal_bug!("a reverse level ends where it began"),
        }
    }

    /// The next node numbers of all levels, the newest one last; forward levels, which number no nodes, have 0.
    pub fn marks(&self) -> NodeNumbers {
        let next = |mode: &Mode| match mode {
            Mode::Reverse(tape) => tape.next(),
            Mode::Forward => 0,
        };
        NodeNumbers { next: self.modes.iter().map(next).collect() }
    }

    /// Sets all levels but the newest back to earlier node numbers and makes them replay; returns the progress that
    /// [`Levels::settle`] restores.
    pub fn rewind(&mut self, marks: &NodeNumbers) -> SavedProgress {
        let mut frontier = Vec::with_capacity(self.modes.len());
        for (mode, next) in self.modes.iter_mut().rev().skip(1).rev().zip(&marks.next) {
            if let Mode::Reverse(tape) = mode {
                frontier.push(tape.progress());
                tape.replay_from(*next);
            }
        }
        SavedProgress { progress: frontier }
    }

    /// Restores the progress of all levels but the newest.
    pub fn settle(&mut self, frontier: SavedProgress) {
        let mut progress = frontier.progress.into_iter();
        for mode in self.modes.iter_mut().rev().skip(1).rev() {
            if let Mode::Reverse(tape) = mode
                && let Some(progress) = progress.next()
            {
                tape.set_progress(progress);
            }
        }
    }

    /// Runs an action, the reverse sweep of the newest level, as if that level, a reverse one, had ended.
    pub fn without_newest<T>(&mut self, act: impl FnOnce(&mut Levels) -> T) -> T {
        self.reverse -= 1;
        let result = act(self);
        self.reverse += 1;
        result
    }

    /// The newest level's tape.
    pub fn newest_tape(&mut self) -> &mut Tape {
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

    /// Records an operation at a reverse level and returns its tape node.
    fn record(&mut self, level: Level, operation: Operation, nodes: [Option<u64>; 2], operands: &Operands<'_>) -> u64 {
        let tape = self.tape(level);
        if tape.is_full() {
            self.trouble = Some(tape_is_full());
            return 0;
        }
        tape.record(operation, nodes, operands)
    }

    /// Executes an operation on one real.
    pub fn unary(&mut self, operation: Operation, operand: &Number) -> Number {
        match operand {
            Number::Real(x) => Number::Real(self.plain_unary(operation, *x)),
            Number::Lifted(_) if !self.may_go_on() => Number::Real(0.0),
            Number::Lifted(x) => {
                let result = self.unary(operation, &x.primal);
                let part = match &x.part {
                    LevelPart::Tangent(tangent) => {
                        let coefficient = coefficient(operation, 0);
                        let operands = Operands { first: &x.primal, second: &x.primal, result: &result };
                        LevelPart::Tangent(self.product(coefficient, &operands, tangent))
                    }
                    LevelPart::Node(node) => {
                        let saved = Operands { first: &x.primal, second: &x.primal, result: &result };
                        LevelPart::Node(self.record(x.level, operation, [Some(*node), None], &saved))
                    }
                };
                let lifted = Rc::new(Lifted { level: x.level, primal: result, part });
                if let Some(log) = self.log_of(x.level) {
                    log.operation(operation, [Some(operand), None], &lifted);
                }
                Number::Lifted(lifted)
            }
        }
    }

    /// Executes an operation on two reals.
    pub fn binary(&mut self, operation: Operation, first: &Number, second: &Number) -> Number {
        let level = match (first, second) {
            (Number::Real(a), Number::Real(b)) => return Number::Real(self.plain_binary(operation, *a, *b)),
            (Number::Lifted(a), Number::Real(_)) => a.level,
            (Number::Real(_), Number::Lifted(b)) => b.level,
            (Number::Lifted(a), Number::Lifted(b)) => a.level.max(b.level),
        };
        if !self.may_go_on() {
            return Number::Real(0.0);
        }
        let whole = [first, second];
        let (first, first_part) = at_level(first, level);
        let (second, second_part) = at_level(second, level);
        let result = self.binary(operation, first, second);
        let operands = Operands { first, second, result: &result };
        let part = match (first_part, second_part) {
            (Some(LevelPart::Tangent(tangent)), None) => {
                LevelPart::Tangent(self.product(coefficient(operation, 0), &operands, tangent))
            }
            (None, Some(LevelPart::Tangent(tangent))) => {
                LevelPart::Tangent(self.product(coefficient(operation, 1), &operands, tangent))
            }
            (Some(LevelPart::Tangent(first_tangent)), Some(LevelPart::Tangent(second_tangent))) => {
                let left = self.product(coefficient(operation, 0), &operands, first_tangent);
                let right = self.product(coefficient(operation, 1), &operands, second_tangent);
                LevelPart::Tangent(self.sum(&left, &right))
            }
            (first_part, second_part) => {
                LevelPart::Node(self.record(level, operation, [node_of(first_part), node_of(second_part)], &operands))
            }
        };
        let lifted = Rc::new(Lifted { level, primal: result, part });
        if let Some(log) = self.log_of(level) {
            log.operation(operation, whole.map(Some), &lifted);
        }
        Number::Lifted(lifted)
    }

    /// The guarded product of a coefficient and a tangent or cotangent, by the fast path where that is the same.
    pub fn product(&mut self, coefficient: &Term, operands: &Operands<'_>, part: &Number) -> Number {
        if self.is_neutral(coefficient) {
            return part.clone();
        }
        let purpose = mem::replace(&mut self.purpose, Purpose::Derivatives);
        let product = self.guarded_product(coefficient, operands, part);
        self.purpose = purpose;
        product
    }

    /// The sum of two contributions to a tangent or to an accumulator.
    pub fn sum(&mut self, first: &Number, second: &Number) -> Number {
        let purpose = mem::replace(&mut self.purpose, Purpose::Derivatives);
        let sum = self.binary(Operation::Add, first, second);
        self.purpose = purpose;
        sum
    }

    /// The guarded product: +0 if either factor is zero (rule 5b).
    fn guarded_product(&mut self, coefficient: &Term, operands: &Operands<'_>, part: &Number) -> Number {
        let coefficient = self.term(coefficient, operands);
        self.binary(Operation::GuardedMultiply, &coefficient, part)
    }

    /// Fast path: returns true if a product with the coefficient is the other factor. A coefficient of 1 is left out if
    /// no reverse level could record the product: the value is the same except for the sign of a zero, which rule 5b
    /// makes invisible.
    fn is_neutral(&self, coefficient: &Term) -> bool {
        self.reverse == 0 && matches!(coefficient, Term::Constant(1.0))
    }

    /// Evaluates a term of the coefficient table, at the levels of the operands.
    fn term<'operands>(&mut self, term: &Term, operands: &Operands<'operands>) -> Cow<'operands, Number> {
        match term {
            Term::First => Cow::Borrowed(operands.first),
            Term::Second => Cow::Borrowed(operands.second),
            Term::Result => Cow::Borrowed(operands.result),
            Term::Constant(constant) => {
                if self.traps == Traps::NonFinite && self.trouble.is_none() {
                    self.trouble = traps::trapped_constant(*constant);
                }
                Cow::Owned(Number::Real(*constant))
            }
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

    /// Returns true if a test holds for the plain reals under the operands. Tests consist of operands and constants
    /// alone, so no operation is executed only to decide.
    fn test(&mut self, test: &Test, operands: &Operands<'_>) -> bool {
        match test {
            Test::Zero(term) => self.term(term, operands).base() == 0.0,
            Test::Less(left, right) => self.term(left, operands).base() < self.term(right, operands).base(),
            Test::Nearer(left, right) => {
                self.term(left, operands).base().abs() < self.term(right, operands).base().abs()
            }
            Test::Both(left, right) => self.test(left, operands) && self.test(right, operands),
        }
    }
}

/// The fault of nesting more levels than [`MOST_LEVELS`].
pub fn too_many_levels() -> RuntimeError {
    RuntimeError::new(Kind::Limit, format!("derivatives are nested more than {MOST_LEVELS} deep"))
}

/// The fault of a tape with more nodes than 32-bit indices distinguish.
pub fn tape_is_full() -> RuntimeError {
    RuntimeError::new(Kind::Limit, "a reverse derivative of more than 2^32 operations and positions")
}

/// Returns the coefficient of an operand of an operation.
#[inline]
pub fn coefficient(operation: Operation, operand: usize) -> &'static Term {
    match OPERATIONS.get(operation as usize).and_then(|row| row.coefficients.get(operand)) {
        Some(term) => term,
        None => internal_bug!("every operand of an operation has a coefficient"),
    }
}

/// Splits a number at a level not below its own: its primal there, and the tangent or node that the level adds if the
/// number is of that level.
#[inline]
fn at_level(number: &Number, level: Level) -> (&Number, Option<&LevelPart>) {
    match number {
        Number::Lifted(lifted) if lifted.level == level => (&lifted.primal, Some(&lifted.part)),
        Number::Lifted(_) | Number::Real(_) => (number, None),
    }
}

fn node_of(part: Option<&LevelPart>) -> Option<u64> {
    match part {
        Some(LevelPart::Node(node)) => Some(*node),
        Some(LevelPart::Tangent(_)) => internal_bug!("a level is either forward or reverse"),
        None => None,
    }
}

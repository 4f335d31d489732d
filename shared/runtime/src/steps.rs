//! The step count: n and l of the equations, for nested computations (report, part 5), and the depth of nested calls.
//!
//! One counter, the *ticks*, is incremented at each step that an engine takes, whatever the step is for. The n of the
//! equations is the number of ticks since the computation began, without those of computations inside it; the total of
//! the run is the number of ticks without those of re-executions. So beginning and ending a computation only adjusts
//! stored tick counts, and a step costs one comparison.
//!
//! The depth is the number of calls for whose values continuations wait, those of all computations together. A call in tail
//! position has the continuation of the call around it, and is no deeper.

use vlad_core::diagnostic::Kind;
use vlad_values::fault::RuntimeError;

/// The number of ticks between two checks of the clock and the memory.
const BETWEEN_LOOKS: u64 = 1 << 13;

/// The fault of exceeding the step limit of a run.
pub fn too_many_steps(limit: u64) -> RuntimeError {
    RuntimeError::new(Kind::Steps, format!("the limit of {limit} steps is reached"))
}

/// The depth of nested calls that a run may have, unless another one is given: so deep the interpreter comes within two
/// seconds, with less than half a gigabyte of continuations.
pub const MOST_DEPTH: u64 = 4_000_000;

/// The fault of exceeding the limit on the depth of nested calls.
pub fn too_deep(limit: u64) -> RuntimeError {
    RuntimeError::new(Kind::Depth, format!("the limit of {limit} nested calls is reached"))
        .with_hint("a recursion without end? `--max-depth N` sets another limit")
}

/// The reason for which a step is not taken at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The computation has reached its own limit: it is interrupted.
    OwnLimit,
    /// The run has reached its step limit.
    TotalLimit,
    /// A check of the clock and the memory is due; after it the step is taken.
    Look,
}

/// The kind of execution, which decides if steps count for the total of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// The first execution of these steps, as far as the operator knows: they count.
    First,
    /// A re-execution: the steps were counted before.
    Again,
}

/// The counts of a run.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The ticks; engines increment them.
    pub ticks: u64,
    /// The ticks at which a step must do more than count, and must call [`Steps::halt`].
    pub next_halt: u64,
    /// The ticks at which the computation would have begun if nothing had run inside it.
    begun: u64,
    /// The ticks at which the computation is interrupted.
    own_limit: u64,
    /// The step limit of the run.
    total_limit: u64,
    /// The number of steps of the run after which it is suspended.
    suspension: u64,
    /// The ticks of all re-executions that have ended.
    again: u64,
    /// The number of nested re-executions in progress, and the ticks at which the outermost began.
    depth: u64,
    depth_begun: u64,
    next_look: u64,
    /// The number of ticks between two checks.
    between_looks: u64,
    /// The depth of nested calls, that at which the computation began, and the limit.
    nested: u64,
    nested_begun: u64,
    most_nested: u64,
}

/// The counts of a computation that waits for a nested one.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    at: u64,
    begun: u64,
    own_limit: u64,
    nested: u64,
    nested_begun: u64,
}

impl Steps {
    /// The counts of a new run, with its limits on steps and on the depth of nested calls.
    pub fn new(total_limit: Option<u64>, most_nested: Option<u64>) -> Steps {
        let mut steps = Steps {
            ticks: 0,
            next_halt: 0,
            begun: 0,
            own_limit: u64::MAX,
            total_limit: total_limit.unwrap_or(u64::MAX),
            suspension: u64::MAX,
            again: 0,
            depth: 0,
            depth_begun: 0,
            next_look: BETWEEN_LOOKS,
            between_looks: BETWEEN_LOOKS,
            nested: 0,
            nested_begun: 0,
            most_nested: most_nested.unwrap_or(MOST_DEPTH),
        };
        steps.set_halt();
        steps
    }

    /// The counts of a run that continues after `taken` steps.
    pub fn going_on(total_limit: Option<u64>, most_nested: Option<u64>, taken: u64) -> Steps {
        // A limit that was passed before is reached at once.
        let mut steps = Steps::new(total_limit.map(|limit| limit.max(taken)), most_nested);
        (steps.ticks, steps.begun, steps.next_look) = (taken, taken, taken + BETWEEN_LOOKS);
        steps.set_halt();
        steps
    }

    /// Has each step preceded by a [`Halt::Look`].
    pub fn look_at_each_step(&mut self) {
        (self.between_looks, self.next_look) = (1, self.ticks);
        self.set_halt();
    }

    /// Requests the suspension of the run after `total` steps, see [`Steps::apply_suspension`].
    pub fn suspend_after(&mut self, total: u64) {
        self.suspension = total;
    }

    /// Limits the computation, which is that of a top-level item, so that it is interrupted at the point where the run
    /// is to be suspended, or before the next step if that point has been passed. Called when an item begins, or
    /// continues after an operator.
    pub fn apply_suspension(&mut self) {
        if self.suspension != u64::MAX {
            self.own_limit = self.ticks.saturating_add(self.suspension.saturating_sub(self.total()));
            self.set_halt();
        }
    }

    /// The number of steps of the run so far.
    pub fn total(&self) -> u64 {
        let again = if self.depth > 0 { self.ticks - self.depth_begun } else { 0 };
        self.ticks - self.again - again
    }

    /// The step limit of the run.
    pub fn total_limit(&self) -> u64 {
        self.total_limit
    }

    /// Counts a call whose value a continuation waits for.
    ///
    /// # Errors
    /// The depth would exceed its limit.
    #[inline]
    pub fn nest(&mut self) -> Result<(), RuntimeError> {
        if self.nested >= self.most_nested {
            return Err(too_deep(self.most_nested));
        }
        self.nested += 1;
        Ok(())
    }

    /// Ends a call that [`Steps::nest`] counted.
    #[inline]
    pub fn unnest(&mut self) {
        self.nested -= 1;
    }

    /// The calls that the continuation of the running computation waits for, without those of the computations around it.
    pub fn own_nested(&self) -> u64 {
        self.nested - self.nested_begun
    }

    /// Tests whether a continuation may be resumed that waits for so many calls.
    ///
    /// # Errors
    /// The depth would exceed its limit.
    pub fn nests(&self, calls: u64) -> Result<(), RuntimeError> {
        match self.nested.saturating_add(calls) > self.most_nested {
            true => Err(too_deep(self.most_nested)),
            false => Ok(()),
        }
    }

    /// Counts the calls that a resumed continuation waits for.
    pub fn nest_again(&mut self, calls: u64) {
        self.nested += calls;
    }

    /// n: the number of steps of the computation so far.
    pub fn own(&self) -> u64 {
        self.ticks - self.begun
    }

    /// The counts to restore when the computation continues after a nested one, which [`Steps::run`] begins.
    pub fn wait(&self) -> Waiting {
        Waiting {
            at: self.ticks,
            begun: self.begun,
            own_limit: self.own_limit,
            nested: self.nested,
            nested_begun: self.nested_begun,
        }
    }

    /// Begins a computation, or an execution of a part of one, with an optional limit.
    pub fn run(&mut self, limit: Option<u64>, execution: Execution) {
        self.begun = self.ticks;
        self.nested_begun = self.nested;
        self.own_limit = limit.map_or(u64::MAX, |limit| self.ticks.saturating_add(limit));
        if execution == Execution::Again {
            if self.depth == 0 {
                self.depth_begun = self.ticks;
            }
            self.depth += 1;
        }
        self.set_halt();
    }

    /// Ends the execution that [`Steps::run`] began.
    pub fn end_run(&mut self, execution: Execution) {
        if execution == Execution::Again {
            self.depth -= 1;
            if self.depth == 0 {
                self.again += self.ticks - self.depth_begun;
            }
        }
        self.nested = self.nested_begun;
        self.own_limit = u64::MAX;
        self.set_halt();
    }

    /// Continues a computation that waited: the ticks of the nested one do not count for it.
    pub fn go_on(&mut self, waiting: Waiting) {
        let inside = self.ticks - waiting.at;
        self.begun = waiting.begun + inside;
        self.own_limit = waiting.own_limit.saturating_add(inside);
        (self.nested, self.nested_begun) = (waiting.nested, waiting.nested_begun);
        self.set_halt();
    }

    /// The action that is due before the next step; called when the ticks have reached `next_halt`. After
    /// [`Halt::Look`], which is returned once, the step may be taken.
    pub fn halt(&mut self) -> Halt {
        if self.ticks == self.own_limit {
            return Halt::OwnLimit;
        }
        if self.depth == 0 && self.total() == self.total_limit {
            return Halt::TotalLimit;
        }
        self.next_look = self.ticks + self.between_looks;
        self.set_halt();
        Halt::Look
    }

    fn set_halt(&mut self) {
        let total_limit = if self.depth > 0 { u64::MAX } else { self.total_limit.saturating_add(self.again) };
        self.next_halt = self.own_limit.min(total_limit).min(self.next_look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes steps until a limit is reached.
    fn step_to_halt(steps: &mut Steps) -> Halt {
        loop {
            if steps.ticks == steps.next_halt {
                match steps.halt() {
                    Halt::Look => {}
                    halt @ (Halt::OwnLimit | Halt::TotalLimit) => return halt,
                }
            }
            steps.ticks += 1;
        }
    }

    #[test]
    fn computations_count_by_themselves() {
        let mut steps = Steps::new(Some(30_000), None);
        steps.run(Some(20_000), Execution::First);
        steps.ticks += 100;
        let outer = steps.wait();
        steps.run(Some(7000), Execution::First);
        assert_eq!(step_to_halt(&mut steps), Halt::OwnLimit);
        assert_eq!((steps.own(), steps.total()), (7000, 7100));
        steps.end_run(Execution::First);
        steps.run(Some(50_000), Execution::Again);
        assert_eq!(step_to_halt(&mut steps), Halt::OwnLimit);
        assert_eq!((steps.own(), steps.total()), (50_000, 7100));
        steps.end_run(Execution::Again);
        steps.go_on(outer);
        assert_eq!((steps.own(), steps.total()), (100, 7100));
        assert_eq!(step_to_halt(&mut steps), Halt::OwnLimit);
        assert_eq!((steps.own(), steps.total()), (20_000, 27_000));
        steps.end_run(Execution::First);
        assert_eq!(step_to_halt(&mut steps), Halt::TotalLimit);
        assert_eq!(steps.total(), 30_000);
    }

    #[test]
    fn calls_nest_in_all_computations_together() {
        let mut steps = Steps::new(None, Some(5));
        assert!(steps.nest().is_ok() && steps.nest().is_ok());
        let outer = steps.wait();
        steps.run(None, Execution::First);
        assert!(steps.nest().is_ok() && steps.nest().is_ok() && steps.nest().is_ok());
        assert_eq!((steps.own_nested(), steps.nest().map_err(|fault| fault.kind)), (3, Err(Kind::Depth)));
        steps.end_run(Execution::First);
        steps.run(None, Execution::Again);
        steps.nest_again(3);
        steps.unnest();
        assert!(steps.nest().is_ok() && steps.nest().is_err());
        steps.end_run(Execution::Again);
        steps.go_on(outer);
        assert_eq!(steps.own_nested(), 2);
    }

    #[test]
    fn the_own_limit_comes_before_the_total_one() {
        let mut steps = Steps::new(Some(10), None);
        steps.run(Some(10), Execution::First);
        assert_eq!(step_to_halt(&mut steps), Halt::OwnLimit);
        steps.end_run(Execution::First);
        assert_eq!(step_to_halt(&mut steps), Halt::TotalLimit);
    }

    #[test]
    fn re_executions_inside_re_executions_count_once() {
        let mut steps = Steps::new(None, None);
        steps.ticks += 5;
        let outer = steps.wait();
        steps.run(None, Execution::Again);
        steps.ticks += 10;
        let inner = steps.wait();
        steps.run(None, Execution::First);
        steps.ticks += 10;
        steps.end_run(Execution::First);
        steps.run(None, Execution::Again);
        steps.ticks += 10;
        steps.end_run(Execution::Again);
        steps.go_on(inner);
        assert_eq!((steps.own(), steps.total()), (10, 5));
        steps.end_run(Execution::Again);
        steps.go_on(outer);
        assert_eq!((steps.own(), steps.total()), (5, 5));
    }
}

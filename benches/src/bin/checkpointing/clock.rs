//! A host that measures the time of operators, and the steps of their re-executions.

use std::io;
use std::time::Instant;
use vlad_benches::fault;
use vlad_engines::{Engine, Ready, Settings, Task};
use vlad_shared::core::Program;
use vlad_shared::runtime::event::Event;
use vlad_shared::runtime::run::{Host, InputFault, Limits, Origin, Outcome};
use vlad_shared::values::Value;

/// An application of an operator outside any other operator.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// The steps of its procedure.
    pub steps: u64,
    /// The steps of its re-executions.
    pub executed: u64,
    /// The seconds from begin to end.
    pub seconds: f64,
}

/// Records the applications of a run, in order; output is discarded.
#[derive(Default)]
struct Clock {
    done: Vec<Application>,
    depth: usize,
    begun: Option<Instant>,
    measured: Option<u64>,
    executed: u64,
}

impl Host for Clock {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        Err(InputFault::End)
    }

    fn write(&mut self, _: &Program, _: &Value, _: Origin) -> io::Result<()> {
        Ok(())
    }

    fn observes(&self) -> bool {
        true
    }

    fn observe(&mut self, event: Event) {
        match event {
            Event::Begun { .. } => {
                self.depth += 1;
                if self.depth == 1 {
                    (self.begun, self.measured, self.executed) = (Some(Instant::now()), None, 0);
                }
            }
            Event::Measured { steps } if self.depth == 1 => self.measured = Some(steps),
            Event::Executed { steps } if self.depth == 1 => self.executed += steps,
            Event::Measured { .. } | Event::Executed { .. } | Event::Action { .. } | Event::Restarted => {}
            Event::Ended { steps } => {
                self.depth -= 1;
                if let (0, Some(begun)) = (self.depth, self.begun) {
                    let (seconds, steps) = (begun.elapsed().as_secs_f64(), self.measured.unwrap_or(steps));
                    self.done.push(Application { steps, executed: self.executed, seconds });
                }
            }
        }
    }
}

/// Prepares a program on an engine.
///
/// # Errors
/// Returns an error if there is no working C compiler.
pub fn ready(engine: Engine, task: Task<'_>) -> io::Result<Ready> {
    let ready = engine.make_ready(&[task], &Settings::default()).map_err(|error| fault(error.description()))?;
    ready.into_iter().next().ok_or_else(|| fault("nothing was made ready"))
}

/// Runs a program once, and returns its applications of operators.
///
/// # Errors
/// Returns an error if the run fails.
pub fn run(ready: &Ready, program: &Program, limits: &Limits) -> io::Result<Vec<Application>> {
    let mut clock = Clock::default();
    match ready.run(Task { program, limits }, &mut clock).outcome {
        Outcome::Finished => Ok(clock.done),
        Outcome::Failed(diagnostic) => Err(fault(diagnostic.message)),
        Outcome::OutputClosed | Outcome::Stopped => Err(fault("the run ended early")),
    }
}

//! A host that notes how long operators take, and what they execute again.

use std::io;
use std::time::Instant;
use vlad_benches::fault;
use vlad_conformance::engine::{Engine, Ready, Settings, Task};
use vlad_shared::core::Program;
use vlad_shared::effects::Event;
use vlad_shared::run::{Host, InputFault, Limits, Origin, Outcome};
use vlad_shared::value::Value;

/// An application of an operator that is in no other.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// The steps of its procedure.
    pub steps: u64,
    /// The steps of what was executed again.
    pub executed: u64,
    /// The seconds from beginning to end.
    pub seconds: f64,
}

/// Notes the applications of a run, in order; what is printed goes nowhere.
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

/// Makes a program ready on an engine.
///
/// # Errors
/// There is no C compiler that works.
pub fn ready(engine: Engine, task: Task<'_>) -> io::Result<Ready> {
    let ready = engine.make_ready(&[task], &Settings::default()).map_err(|error| fault(error.description()))?;
    ready.into_iter().next().ok_or_else(|| fault("nothing was made ready"))
}

/// Runs a program once: its applications of operators.
///
/// # Errors
/// It fails.
pub fn run(ready: &Ready, program: &Program, limits: &Limits) -> io::Result<Vec<Application>> {
    let mut clock = Clock::default();
    match ready.run(Task { program, limits }, &mut clock).outcome {
        Outcome::Finished => Ok(clock.done),
        Outcome::Failed(diagnostic) => Err(fault(diagnostic.message)),
        Outcome::OutputClosed => Err(fault("the output closed")),
    }
}

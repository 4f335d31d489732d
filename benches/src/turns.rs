//! Measurement of one program on the engines, turn by turn.
//!
//! In a turn the C reference program runs, if there is one, and then every engine; each ratio is of two times of the
//! same turn. The time to compile native code, without the cache, is measured in every turn as well.

use crate::fault;
use std::io;
use std::time::{Duration, Instant};
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_engines::{Engine, Ready, Settings, Task};
use vlad_shared::ad::checkpointing::Strategy;
use vlad_shared::ad::traps::Traps;
use vlad_shared::core::Program;
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The minimal time of one measurement: a faster program is run repeatedly.
const LEAST: Duration = Duration::from_millis(20);

/// The time after which an engine has no more turns with a program: a slow program has few turns.
const BUDGET: Duration = Duration::from_secs(15);

/// The limits of a run of the command without options: a memory limit, which is never reached here. Checking it costs
/// time, which is part of actual use.
pub const COMMAND_LIMITS: Limits = Limits { memory: Some(u64::MAX), ..UNLIMITED };

/// No limits, so that an engine has nothing to check.
pub const UNLIMITED: Limits = Limits {
    steps: None,
    depth: None,
    memory: None,
    time: None,
    strategy: BISECTION,
    traps: Traps::Off,
    begun: None,
    abandonment: None,
};

/// The default checkpoint options of the command for `checkpoint-*j`.
const BISECTION: Strategy = Strategy::Bisection { depth: None, base_case: None };

/// A program prepared by an engine.
#[derive(Debug)]
pub struct Subject<'program> {
    task: Task<'program>,
    ready: Ready,
    /// The time of the preparation; for the native engine, of compiling and loading.
    pub made_ready_in: Duration,
}

/// The observable result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// The number of steps taken.
    pub steps: u64,
    /// The output.
    pub output: Vec<u8>,
}

impl<'program> Subject<'program> {
    /// Prepares a program, without the cache.
    ///
    /// # Errors
    /// Returns an error if there is no working C compiler.
    pub fn new(engine: Engine, program: &'program Program, limits: &'program Limits) -> io::Result<Subject<'program>> {
        let task = Task { program, limits };
        let settings = Settings { cache: CachePolicy::Bypass, ..Settings::default() };
        let start = Instant::now();
        let ready = engine.make_ready(&[task], &settings).map_err(|error| fault(error.description()))?;
        let made_ready_in = start.elapsed();
        let ready = ready.into_iter().next().ok_or_else(|| fault("nothing was made ready"))?;
        Ok(Subject { task, ready, made_ready_in })
    }

    /// Runs the program once, without input: its time and its result.
    ///
    /// # Errors
    /// Returns an error if the run fails.
    pub fn run(&self) -> io::Result<(Duration, Behaviour)> {
        self.run_on("")
    }

    /// Runs the program once with an input: its time and its result.
    ///
    /// # Errors
    /// Returns an error if the run fails.
    pub fn run_on(&self, input: &str) -> io::Result<(Duration, Behaviour)> {
        let mut host = StreamHost::new(input.as_bytes(), Vec::new(), Notation::Shortest);
        let start = Instant::now();
        let report = self.ready.run(self.task, &mut host);
        let time = start.elapsed();
        match report.outcome {
            Outcome::Finished => Ok((time, Behaviour { steps: report.steps, output: host.into_output() })),
            Outcome::Failed(diagnostic) => Err(fault(diagnostic.message)),
            Outcome::OutputClosed | Outcome::Stopped => Err(fault("the run ended early")),
        }
    }

    /// Runs the program, repeatedly if it is short: the mean time, and the result of the last run.
    fn run_long_enough(&self) -> io::Result<(Duration, Behaviour)> {
        let (mut total, mut conduct) = self.run()?;
        let mut runs = 1;
        while total < LEAST {
            let (time, again) = self.run()?;
            (total, conduct, runs) = (total + time, again, runs + 1);
        }
        Ok((total / runs, conduct))
    }
}

/// The figures of an engine with a program, one a turn.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The engine.
    pub engine: Engine,
    /// The steps of a run.
    pub steps: u64,
    /// Seconds until the program was ready to run.
    pub ready: Vec<f64>,
    /// Seconds of a run.
    pub times: Vec<f64>,
    /// The times of the reference in the same turns; empty if there is no reference.
    pub references: Vec<f64>,
}

impl Measured {
    /// The ratios of the engine's times to those of the reference.
    #[must_use]
    pub fn ratios(&self) -> Vec<f64> {
        self.times.iter().zip(&self.references).map(|(time, reference)| time / reference).collect()
    }
}

/// Runs a program on every engine in turns, at most `turns`. With a reference, which returns its time in seconds, each
/// turn begins with it.
///
/// # Errors
/// Returns an error if an engine does not work here, a run fails, or two runs differ in their output or in their
/// steps.
pub fn take_turns(
    program: &Program,
    limits: &Limits,
    turns: usize,
    reference: Option<&dyn Fn() -> io::Result<f64>>,
) -> io::Result<Vec<Measured>> {
    let mut all = Engine::ALL.map(|engine| Measured {
        engine,
        steps: 0,
        ready: Vec::new(),
        times: Vec::new(),
        references: Vec::new(),
    });
    let mut spent = Engine::ALL.map(|_| Duration::ZERO);
    let mut first: Option<Behaviour> = None;
    for _ in 0..turns {
        let reference = reference.map(|reference| reference()).transpose()?;
        for (measured, spent) in all.iter_mut().zip(&mut spent) {
            if *spent > BUDGET {
                continue;
            }
            let subject = Subject::new(measured.engine, program, limits)?;
            let (time, conduct) = subject.run_long_enough()?;
            let first = first.get_or_insert_with(|| conduct.clone());
            if conduct != *first {
                return Err(fault(format!("what {} does differs from an earlier run", measured.engine)));
            }
            *spent += time;
            measured.steps = conduct.steps;
            measured.ready.push(subject.made_ready_in.as_secs_f64());
            measured.times.push(time.as_secs_f64());
            measured.references.extend(reference);
        }
    }
    Ok(all.into())
}

//! Random programs of Farfel: the front end and the engines against the evaluator of [`vlad_farfel_oracle`].
//!
//! - [`verdict`]: the comparison of an engine's behaviour with the evaluator's;
//! - [`damage`]: texts that are damaged in one place, of which is asked that all errors have places, and that engines agree;

//!
//! Programs without blocks of differentiation agree to the last bit. In others, derivatives are computed in another order
//! of operations, and numbers agree within [`verdict::TOLERANCE`].

pub mod damage;
pub mod verdict;

use crate::observe::{Observation, RunConditions, observe_all};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;
use verdict::{Verdict, verdict};
use vlad_engines::{Engine, Settings};
use vlad_farfel_oracle::evaluate::{Behaviour, LIMITS, evaluate};
use vlad_farfel_oracle::generate::{Options, program};
use vlad_farfel_oracle::print::text;
use vlad_farfel_oracle::tree::Program;
use vlad_shared::frontend::load::Input;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::format;

/// A program with its behaviour.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub tree: Program,
    /// Its text.
    pub text: String,
    /// Its behaviour by the evaluator.
    pub behaviour: Behaviour,
}

impl Case {
    /// The program of a seed, in a spelling of that seed.
    pub fn of(seed: u64, options: Options) -> Case {
        Case::of_tree(program(seed, options), seed)
    }

    /// A program in the spelling of a seed.
    pub fn of_tree(tree: Program, spelling: u64) -> Case {
        let (text, behaviour) = (text(&tree, spelling), evaluate(&tree, LIMITS));
        Case { tree, text, behaviour }
    }

    fn conditions(&self, settings: &Settings) -> RunConditions {
        let input: Vec<String> = self.tree.input.iter().map(|number| format(*number)).collect();
        conditions(input.join(" "), settings)
    }
}

/// The limits of runs of random programs: engines take longer than the evaluator, but not without bounds.
pub fn conditions(input: String, settings: &Settings) -> RunConditions {
    let limits = Limits { time: Some(Duration::from_secs(20)), memory: Some(3 << 30), ..Limits::default() };
    RunConditions { input, limits, compilation: settings.clone(), ..RunConditions::default() }
}

/// A text of Farfel as a program's own file.
pub fn input(text: &str) -> Input {
    Input::Read { path: PathBuf::from("program.f"), bytes: text.as_bytes().to_vec() }
}

/// The differences between an engine and the evaluator on programs, which are made ready together: none for each that
/// agrees, or of which nothing can be said.
pub fn differences(cases: &[Case], engine: Engine, settings: &Settings) -> Vec<Option<String>> {
    let observations = observed(cases, engine, settings);
    cases.iter().zip(observations).map(|(case, observation)| difference(case, observation)).collect()
}

/// The difference between an engine and the evaluator on a program, if there is one.
pub fn difference_alone(case: &Case, engine: Engine, settings: &Settings) -> Option<String> {
    difference(case, alone(case, engine, settings))
}

fn difference(case: &Case, observation: Result<Observation, String>) -> Option<String> {
    match observation.map_or_else(Verdict::Differs, |observation| verdict(&case.behaviour, &observation)) {
        Verdict::Agrees | Verdict::Open(_) => None,
        Verdict::Differs(difference) => Some(difference),
    }
}

/// The behaviour of an engine on programs, or the reason why there is none.
fn observed(cases: &[Case], engine: Engine, settings: &Settings) -> Vec<Result<Observation, String>> {
    let of = |case: &Case| (input(&case.text), case.conditions(settings));
    let all = catch_unwind(AssertUnwindSafe(|| observe_all(engine, cases.iter().map(of).collect(), settings)));
    match all {
        Ok(observations) => observations.into_iter().map(Ok).collect(),
        // Each by itself, to tell which one breaks down.
        Err(_) => cases.iter().map(|case| alone(case, engine, settings)).collect(),
    }
}

/// Runs a program by itself.
///
/// # Errors
/// Returns a message if the engine or the front end breaks down.
fn alone(case: &Case, engine: Engine, settings: &Settings) -> Result<Observation, String> {
    catch_unwind(AssertUnwindSafe(|| {
        observe_all(engine, vec![(input(&case.text), case.conditions(settings))], settings).pop()
    }))
    .map_err(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("it breaks down\n{}", message.unwrap_or_default())
    })
    .and_then(|observation| observation.ok_or_else(|| "there is no observation".to_owned()))
}

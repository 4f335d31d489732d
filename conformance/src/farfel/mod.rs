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
use std::collections::BTreeMap;
use std::ops::Range;
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

/// The result of the programs of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of programs that were compared on an engine, over all engines.
    pub compared: u64,
    /// The number of those that have blocks of differentiation which were executed.
    pub differentiated: u64,
    /// The number of runs that say nothing, by their reasons.
    pub open: BTreeMap<String, u64>,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// A difference between an engine and the evaluator.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The seed of the program.
    pub seed: u64,
    /// The engine.
    pub engine: Engine,
    /// The difference; its first line tells the sort.
    pub difference: String,
    /// The text of the program.
    pub text: String,
}

impl Tally {
    /// Adds the result of other programs.
    pub fn merge(&mut self, other: Tally) {
        self.compared += other.compared;
        self.differentiated += other.differentiated;
        for (reason, count) in other.open {
            *self.open.entry(reason).or_default() += count;
        }
        self.findings.extend(other.findings);
    }
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

/// Compares the programs of some seeds on an engine, which makes them ready together.
pub fn check(seeds: Range<u64>, options: Options, engine: Engine, settings: &Settings) -> Tally {
    let mut tally = Tally::default();
    let cases: Vec<(u64, Case)> = seeds.map(|seed| (seed, Case::of(seed, options))).collect();
    let observations = observed(&cases, engine, settings);
    for ((seed, case), observation) in cases.iter().zip(observations) {
        tally.differentiated += u64::from(case.behaviour.differentiates);
        match observation.map_or_else(Verdict::Differs, |observation| verdict(&case.behaviour, &observation)) {
            Verdict::Agrees => tally.compared += 1,
            Verdict::Open(reason) => *tally.open.entry(reason).or_default() += 1,
            Verdict::Differs(difference) => {
                tally.findings.push(Finding { seed: *seed, engine, difference, text: case.text.clone() });
            }
        }
    }
    tally
}

/// The behaviour of an engine on programs, or the reason why there is none.
fn observed(cases: &[(u64, Case)], engine: Engine, settings: &Settings) -> Vec<Result<Observation, String>> {
    let of = |case: &Case| (input(&case.text), case.conditions(settings));
    let all = catch_unwind(AssertUnwindSafe(|| {
        observe_all(engine, cases.iter().map(|(_, case)| of(case)).collect(), settings)
    }));
    match all {
        Ok(observations) => observations.into_iter().map(Ok).collect(),
        // Each by itself, to tell which one breaks down.
        Err(_) => cases.iter().map(|(_, case)| alone(case, engine, settings)).collect(),
    }
}

/// Runs a program by itself.
///
/// # Errors
/// Returns a message if the engine or the front end breaks down.
pub fn alone(case: &Case, engine: Engine, settings: &Settings) -> Result<Observation, String> {
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

//! Programs in F-smooth in campaigns: well-typed ones, some with forms of differentiation and some with reverse mode, and
//! damaged ones.
//!
//! Of each is asked:
//!
//! - an engine does the same as the interpreter, as the program is written and as it is rewritten;
//! - a program that is well-typed by construction is not refused, and rewriting changes no output but signs of zeros of
//!   derivatives and of products by `guarded`, and turns no error into none or none into one;
//! - rewriting makes no program take more steps, but for some that depend on which branches are taken;
//! - a form of differentiation has the bits of `jvp`, as it is written;
//! - an error of a damaged program has a place, and nothing breaks down.

use super::derivatives::{by_reverse, forms};
use super::{change, well_typed};
use crate::observe::{Observation, RunConditions, observe_all};
use crate::random::case::{Case, Limit, Source};
use crate::random::shrink::text::shrink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use vlad_engines::{Engine, Settings};
use vlad_shared::core::diagnostic::Diagnostic;
use vlad_shared::frontend::load::Input;
use vlad_shared::fsmooth::FSMOOTH;
use vlad_shared::language::{Language, Rewriting};
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::Notation;

/// The step limit: damaged programs may count far.
const MOST_STEPS: u64 = 2_000_000;

/// The engine that others are compared with.
const FIRST: Engine = Engine::Interp;

/// A program of a campaign.
#[derive(Clone, Debug)]
pub struct FsCase {
    /// Its text.
    pub text: String,
    /// Its sort.
    pub sort: Sort,
}

/// The sort of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Without derivatives.
    Plain,
    /// With forms of differentiation, each beside the same by `jvp`: it ends with so many pairs of lines.
    Forms {
        /// The number of pairs.
        pairs: usize,
    },
    /// With reverse mode, where sums may be in another order when a function is rewritten.
    Reverse,
    /// Damaged.
    Damaged,
}

impl FsCase {
    /// The program of a seed.
    pub fn of(seed: u64) -> FsCase {
        let (text, sort) = match seed % 8 {
            0 | 1 => (well_typed(seed), Sort::Plain),
            2 | 3 => (change(well_typed(seed), seed), Sort::Damaged),
            4 => (change(forms(seed).text, seed), Sort::Damaged),
            5 | 6 => {
                let forms = forms(seed);
                (forms.text, Sort::Forms { pairs: forms.pairs })
            }
            _ => (by_reverse(seed), Sort::Reverse),
        };
        FsCase { text, sort }
    }
}

/// The case of a seed, as other kinds of cases are.
pub fn generate(seed: u64) -> Case {
    let source = Source::Text(FsCase::of(seed).text.into_bytes());
    Case { seed, source, input: vec![], limit: Limit::Open, suspension: None }
}

/// The differences on an engine of the programs of some numbers, each with its seed.
pub fn check(chosen: &[(u64, u64)], engine: Engine, settings: &Settings) -> Vec<(u64, String)> {
    let cases: Vec<FsCase> = chosen.iter().map(|(_, seed)| FsCase::of(*seed)).collect();
    let found = differences(&cases, engine, settings);
    chosen.iter().zip(found).filter_map(|((number, _), difference)| Some((*number, difference?))).collect()
}

/// The difference on an engine of each of some programs, if there is one.
pub fn differences(cases: &[FsCase], engine: Engine, settings: &Settings) -> Vec<Option<String>> {
    let [written, rewritten] = [Rewriting::Off, Rewriting::On].map(|rewriting| run(cases, FIRST, settings, rewriting));
    let mut found: Vec<Option<String>> = if engine == FIRST {
        let runs = written.iter().zip(&rewritten);
        cases.iter().zip(runs).map(|(case, (written, rewritten))| broken(case, written, rewritten)).collect()
    } else {
        vec![None; cases.len()]
    };
    if engine != FIRST {
        for (rewriting, first) in [(Rewriting::Off, &written), (Rewriting::On, &rewritten)] {
            let runs = run(cases, engine, settings, rewriting);
            for ((found, first), other) in found.iter_mut().zip(first).zip(&runs) {
                if found.is_none() {
                    *found = unequal(first, other);
                }
            }
        }
    }
    found
}

/// A run, or the message of a panic.
type Run = Result<Observation, String>;

/// Runs programs; each by itself, if one of them panics.
fn run(cases: &[FsCase], engine: Engine, settings: &Settings, rewriting: Rewriting) -> Vec<Run> {
    let language: Option<&'static dyn Language> = FSMOOTH.rewriting(rewriting);
    let program = |case: &FsCase| {
        let input = Input::Text { name: "program".to_owned(), bytes: case.text.clone().into_bytes(), folder: None };
        let conditions = RunConditions {
            language,
            limits: Limits { steps: Some(MOST_STEPS), ..Limits::default() },
            notation: Notation::WithBits,
            compilation: settings.clone(),
            ..RunConditions::default()
        };
        (input, conditions)
    };
    let guarded = |cases: &[FsCase]| {
        catch_unwind(AssertUnwindSafe(|| observe_all(engine, cases.iter().map(program).collect(), settings)))
    };
    match guarded(cases) {
        Ok(runs) => runs.into_iter().map(Ok).collect(),
        Err(_) => {
            let alone = |case: &FsCase| match guarded(std::slice::from_ref(case)) {
                Ok(runs) => runs.into_iter().next().ok_or_else(|| "no run".to_owned()),
                Err(panic) => Err(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".to_owned())),
            };
            cases.iter().map(alone).collect()
        }
    }
}

/// Returns the difference of two engines on a program.
fn unequal(first: &Run, other: &Run) -> Option<String> {
    let (first, other) = match (first, other) {
        (Ok(first), Ok(other)) => (first, other),
        (_, Err(message)) => return Some(format!("it breaks down: {message}")),
        (Err(_), Ok(_)) => return None,
    };
    let is_same = first.output == other.output && first.steps == other.steps && first.rendered() == other.rendered();
    (!is_same).then(|| format!("engines differ\n{}\n{}", told(first), told(other)))
}

/// Returns the error of one engine on a program, as it is written and as it is rewritten.
fn broken(case: &FsCase, written: &Run, rewritten: &Run) -> Option<String> {
    let (written, rewritten) = match (written, rewritten) {
        (Ok(written), Ok(rewritten)) => (written, rewritten),
        (Err(message), _) | (_, Err(message)) => return Some(format!("it breaks down: {message}")),
    };
    let is_loaded = written.steps.is_some();
    let lost = |error: &&Diagnostic| error.span.is_none_or(|span| span.file.0 != 0);
    if let Some(error) = written.diagnostics.iter().find(lost).filter(|_| !is_loaded) {
        return Some(format!("an error has no place: {}", error.message));
    }
    match case.sort {
        Sort::Damaged => {}
        Sort::Plain | Sort::Forms { .. } | Sort::Reverse if !is_loaded => {
            return Some(format!("it is refused\n{}", written.rendered()));
        }
        Sort::Plain | Sort::Reverse => {}
        Sort::Forms { pairs } => {
            let lines = written.output.get(written.output.len().saturating_sub(2 * pairs)..).unwrap_or_default();
            let is_whole = written.diagnostics.is_empty();
            let unequal = lines.chunks_exact(2).find(|pair| pair.first() != pair.last()).filter(|_| is_whole);
            if let Some([form, by_jvp]) = unequal {
                return Some(format!("a derivative is not that of jvp\n{form}\n{by_jvp}"));
            }
        }
    }
    let is_limited = [written, rewritten].iter().any(|run| run.steps.is_some_and(|steps| steps >= MOST_STEPS));
    if is_limited {
        return None;
    }
    // Products of rules of differentiation lose the signs of zeros (report, 20.5: class Z).
    let keeps_signs = !case.text.contains("guarded");
    let is_same = written.diagnostics.len() == rewritten.diagnostics.len()
        && match case.sort {
            Sort::Plain if keeps_signs => written.output == rewritten.output,
            Sort::Plain | Sort::Forms { .. } | Sort::Damaged => {
                unsigned(&written.output) == unsigned(&rewritten.output)
            }
            Sort::Reverse => written.output.len() == rewritten.output.len(),
        };
    if !is_same {
        return Some(format!("rewriting differs\n{}\n{}", told(written), told(rewritten)));
    }
    // Estimates of steps cannot know which branches are taken.
    let most = written.steps.map(|steps| steps + steps / 2 + 64);
    let is_dearer = written.diagnostics.is_empty() && most < rewritten.steps;
    is_dearer.then(|| format!("rewriting takes more steps\n{}\n{}", told(written), told(rewritten)))
}

/// Lines without the signs of zeros.
fn unsigned(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| line.replace("-0[8000000000000000]", "0[0000000000000000]")).collect()
}

fn told(run: &Observation) -> String {
    let steps = run.steps.map_or("none".to_owned(), |steps| steps.to_string());
    format!("output: {}\nsteps: {steps}\n{}", run.output.join(" | "), run.rendered())
}

/// The signature of a difference: its first line without numbers.
pub fn look(engine: Engine, difference: &str) -> String {
    let line = difference.lines().next().unwrap_or_default();
    let words: String = line.chars().filter(|letter| !letter.is_ascii_digit()).take(80).collect();
    format!("{}: {words}", engine.name())
}

/// A small program with the same signature as that of a seed, and its difference.
pub fn smallest(seed: u64, engine: Engine, settings: &Settings, sought: &str) -> String {
    let case = FsCase::of(seed);
    let difference = |text: String, sort| {
        let case = FsCase { text, sort };
        differences(&[case], engine, settings).pop().flatten().filter(|difference| look(engine, difference) == sought)
    };
    // A text that is cut anywhere may be refused, which is the finding only if it is damaged; and its pairs may be lost.
    let is_cut = !matches!(case.sort, Sort::Forms { .. }) && !sought.contains("refused");
    let mut text = case.text.clone();
    if is_cut {
        let small = shrink(generate(seed), text.as_bytes(), &mut |small| difference(small.text(), case.sort).is_some());
        text = small.text();
    }
    let difference = difference(text.clone(), case.sort).unwrap_or_default();
    format!("{text}\n// {}\n", difference.replace('\n', "\n// "))
}

/// The signature of the difference of a text, if there is one; what is not loaded has errors with places.
pub fn signature_of(case: &Case, engines: &[Engine], settings: &Settings) -> Option<String> {
    let case = FsCase { text: case.text(), sort: Sort::Damaged };
    engines.iter().find_map(|engine| {
        let difference = differences(std::slice::from_ref(&case), *engine, settings).pop().flatten()?;
        Some(look(*engine, &difference))
    })
}

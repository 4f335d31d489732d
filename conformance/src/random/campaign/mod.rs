//! Campaigns: many cases, batch after batch, are generated, compared on engines and counted; findings are shrunk.
//!
//! Invariant: the case of a number is a function of the plan's seed, mixture and parameters alone, so a case can be run
//! again without those before it.

pub mod compare;

pub mod counts;
pub mod gradients;
pub mod shapes;
pub mod tally;

pub mod report;

use super::case::Case;
use super::case_kind::{CaseKind, generate};
use super::farfel;
use super::fsmooth::campaign as fsmooth;
use super::generator_options::GeneratorOptions;
use super::shrink::{MOST_SHRINKING, shrink};
use super::trees::coverage::Coverage;
use compare::{Compared, Disagreement, compare};
use report::report;
use std::ops::Range;
use tally::{Finding, Tally, look};
use vlad_compiler::toolchain::Optimisation;
use vlad_derivatives::numbers::Numbers;
use vlad_engines::{Engine, Settings};

/// The number of programs that are compared at a time: an engine that compiles makes one object of them.
const BATCH: u64 = 100;

/// The same under full optimisation, where the C compiler takes half a second or more for each: a batch takes less than
/// minutes.
const SLOW_BATCH: u64 = 10;

/// The kinds of cases in a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixture {
    /// Good ones.
    Good,
    /// Bad ones.
    Bad,
    /// Both in turn.
    Both,
    /// Procedures with a point, whose derivatives are checked ([`gradients`]).
    Gradients,
    /// Programs of which most are specialised.
    Scalar,
    /// Programs of Farfel, which are compared with an evaluator of their own ([`super::farfel`]).
    Farfel,
    /// Programs in F-smooth, as they are written and rewritten ([`super::fsmooth::campaign`]).
    FSmooth,
}

/// The plan of a campaign: its cases and engines.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engines; the others are compared with the first.
    pub engines: Vec<Engine>,
    /// The settings of compilation.
    pub settings: Settings,
    /// One case in so many is compiled; besides, each case that reaches an operation in a nesting that no earlier case
    /// of the campaign reached. 1 compiles all.
    pub compiled_one_in: u64,
    /// The seed of all cases.
    pub seed: u64,
    /// The kinds of its cases.
    pub mixture: Mixture,
    /// The parameters of its programs.
    pub generator_options: GeneratorOptions,
}

/// Makes the finding of a seed on an engine small, keeping its signature.
type Smallest = fn(u64, Engine, &Settings, &str) -> String;

/// A case with its number in a campaign.
type Numbered = (u64, CaseKind, Case);

impl Plan {
    /// The number of programs that are compared at a time.
    pub fn batch(&self) -> u64 {
        let is_slow = self.engines.iter().any(|engine| engine.compiles())
            && self.settings.optimisation == Some(Optimisation::Full);
        if is_slow { SLOW_BATCH } else { BATCH }
    }

    /// Returns true if the case of a number is compiled independently of its coverage: one in so many of each kind.
    fn is_compiled(&self, number: u64) -> bool {
        let of_its_sort = if self.mixture == Mixture::Both { number / 2 } else { number };
        of_its_sort.is_multiple_of(self.compiled_one_in.max(1))
    }

    /// The case of a number.
    pub fn case(&self, number: u64) -> (CaseKind, Case) {
        let sort = match self.mixture {
            Mixture::Good => CaseKind::Good,
            Mixture::Bad => CaseKind::Bad,
            Mixture::Both if number.is_multiple_of(2) => CaseKind::Good,
            Mixture::Both => CaseKind::Bad,
            Mixture::Gradients => CaseKind::Smooth,
            Mixture::Scalar => CaseKind::Scalar,
            Mixture::Farfel => CaseKind::Farfel,
            Mixture::FSmooth => CaseKind::FSmooth,
        };
        (sort, generate(sort, Numbers::at(self.seed, number), self.generator_options))
    }

    /// Runs the cases of at most [`Plan::batch`] numbers; `reached` is the coverage of the cases before.
    pub fn run_batch(&self, numbers: Range<u64>, reached: &Coverage) -> Tally {
        match self.mixture {
            Mixture::Gradients => return self.check_gradients(numbers),
            Mixture::Farfel | Mixture::FSmooth => return self.check_language(numbers),
            Mixture::Good | Mixture::Bad | Mixture::Both | Mixture::Scalar => {}
        }
        let cases: Vec<Numbered> = numbers
            .map(|number| {
                let (sort, case) = self.case(number);
                (number, sort, case)
            })
            .collect();
        let mut tally = Tally::default();
        let all = self.compare(&cases, reached, &mut tally);
        for ((number, sort, case), compared) in cases.iter().zip(&all) {
            tally.add((*number, *sort, case), compared, &mut |disagreement| self.shrunk(case, compared, disagreement));
        }
        tally
    }

    /// Checks the derivatives of some procedures on each engine. The counts are those of the first engine, which is
    /// given all of the procedures.
    fn check_gradients(&self, numbers: Range<u64>) -> Tally {
        let mut tally = Tally::default();
        for number in numbers {
            let (_, case) = self.case(number);
            tally.cases += 1;
            for (place, engine) in self.engines.iter().enumerate() {
                if place > 0 && engine.compiles() && !self.is_compiled(number) {
                    continue;
                }
                self.count_runs(&[*engine], 1, &mut tally);
                let outcome = gradients::check(*engine, &self.settings, &case);
                if place == 0 {
                    tally.gradients.add(&outcome);
                    case.tree().into_iter().for_each(|tree| tally.written.add(tree));
                }
                if let Some(look) = outcome.look(*engine).filter(|look| tally.note(look)) {
                    let text = gradients::smallest(*engine, &self.settings, case.clone(), &look).into_bytes();
                    tally.findings.push(Finding { number, look, text });
                }
            }
        }
        tally
    }

    /// Checks programs of another language on each engine.
    fn check_language(&self, numbers: Range<u64>) -> Tally {
        let mut tally = Tally { cases: numbers.end.saturating_sub(numbers.start), ..Tally::default() };
        tally.good = tally.cases;
        let is_farfel = self.mixture == Mixture::Farfel;
        for engine in &self.engines {
            let chosen = numbers.clone().filter(|number| !engine.compiles() || self.is_compiled(*number));
            let chosen: Vec<(u64, u64)> = chosen.map(|number| (number, Numbers::at(self.seed, number))).collect();
            self.count_runs(&[*engine], chosen.len(), &mut tally);
            let check = if is_farfel { farfel::check } else { fsmooth::check };
            let (look, smallest) = match is_farfel {
                true => (farfel::look as fn(Engine, &str) -> String, farfel::smallest as Smallest),
                false => (fsmooth::look as fn(Engine, &str) -> String, fsmooth::smallest as Smallest),
            };
            for (number, difference) in check(&chosen, *engine, &self.settings) {
                let look = look(*engine, &difference);
                if tally.note(&look) {
                    let seed = Numbers::at(self.seed, number);
                    let text = smallest(seed, *engine, &self.settings, &look).into_bytes();
                    tally.findings.push(Finding { number, look, text });
                }
            }
        }
        tally
    }

    /// Runs a case as the campaign does, without shrinking; returns the signature of its finding, if it is one.
    pub fn signature_of(&self, case: &Case) -> Option<String> {
        if self.mixture == Mixture::Gradients {
            let look = |engine: &Engine| gradients::check(*engine, &self.settings, case).look(*engine);
            return self.engines.iter().find_map(look);
        }
        if self.mixture == Mixture::Farfel {
            return farfel::signature_of(case, &self.engines, &self.settings);
        }
        if self.mixture == Mixture::FSmooth {
            return fsmooth::signature_of(case, &self.engines, &self.settings);
        }
        let compared = compare(&self.engines, &self.settings, std::slice::from_ref(case)).pop()?;
        compared.disagreement.as_ref().map(look)
    }

    /// Runs all cases of some numbers.
    pub fn run(&self, numbers: Range<u64>) -> Tally {
        let mut tally = Tally::default();
        let mut begin = numbers.start;
        while begin < numbers.end {
            let end = numbers.end.min(begin + self.batch());
            let batch = self.run_batch(begin..end, &tally.coverage);
            tally.merge(batch);
            begin = end;
        }
        tally
    }

    /// Compares cases: all of them on the engines that do not compile, the chosen ones on those that do, since the C
    /// compiler takes most of the time.
    fn compare(&self, cases: &[Numbered], reached: &Coverage, tally: &mut Tally) -> Vec<Compared> {
        let batch: Vec<Case> = cases.iter().map(|(_, _, case)| case.clone()).collect();
        let first = self.engines.first().copied();
        let (plain, compiling): (Vec<Engine>, Vec<Engine>) =
            self.engines.iter().partition(|engine| self.compiled_one_in <= 1 || !engine.compiles());
        self.count_runs(&plain, batch.len(), tally);
        let mut compared = compare(&plain, &self.settings, &batch);
        if compiling.is_empty() {
            return compared;
        }
        let mut reached = reached.clone();
        let chosen: Vec<usize> = (0..batch.len())
            .filter(|at| {
                let cells = reached.cells();
                let finished = compared.get(*at).is_some_and(|compared| compared.first.errors.is_empty());
                if let Some((.., case)) = cases.get(*at).filter(|(_, sort, _)| finished && sort.is_good()) {
                    case.tree().into_iter().for_each(|tree| reached.add(tree));
                }
                cases.get(*at).is_some_and(|(number, ..)| self.is_compiled(*number)) || reached.cells() > cells
            })
            .collect();
        let again: Vec<Case> = chosen.iter().filter_map(|at| batch.get(*at).cloned()).collect();
        self.count_runs(&compiling, again.len(), tally);
        let engines: Vec<Engine> = first.into_iter().chain(compiling).collect();
        for (at, again) in chosen.into_iter().zip(compare(&engines, &self.settings, &again)) {
            if let Some(compared) = compared.get_mut(at) {
                compared.disagreement = compared.disagreement.take().or(again.disagreement);
                compared.is_suspended |= again.is_suspended;
            }
        }
        compared
    }

    fn count_runs(&self, engines: &[Engine], cases: usize, tally: &mut Tally) {
        for engine in engines {
            *tally.runs.entry(engine.name().to_owned()).or_default() += cases as u64;
        }
    }

    /// The report of the smallest case with the same signature.
    fn shrunk(&self, case: &Case, compared: &Compared, disagreement: &Disagreement) -> Vec<u8> {
        let first = self.engines.first().copied().unwrap_or(disagreement.engine);
        let engines = [first, disagreement.engine];
        let mut smallest = (case.clone(), compared.clone(), disagreement.clone());
        shrink(case.clone(), MOST_SHRINKING, |case| {
            let Some(compared) = compare(&engines, &self.settings, std::slice::from_ref(case)).pop() else {
                return false;
            };
            match compared.disagreement.clone().filter(|other| look(other) == look(disagreement)) {
                Some(other) => {
                    smallest = (case.clone(), compared, other);
                    true
                }
                None => false,
            }
        });
        report(&smallest.0, &smallest.1, &smallest.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast_build::fast_build_settings;

    fn plan(mixture: Mixture) -> Plan {
        Plan {
            engines: vec![Engine::Interp, Engine::Hybrid],
            settings: Settings::default(),
            compiled_one_in: 1,
            seed: 3,
            mixture,
            generator_options: GeneratorOptions::default(),
        }
    }

    #[test]
    fn parts_of_a_campaign_are_its_whole() {
        let plan = plan(Mixture::Both);
        let mut parts = plan.run(0..30);
        parts.merge(plan.run(30..150));
        let whole = plan.run(0..150);
        assert_eq!(parts.summary(), whole.summary());
        assert_eq!((whole.cases, whole.good, whole.found()), (150, 75, 0));
        assert_eq!(whole.runs, [("hybrid".to_owned(), 150), ("interp".to_owned(), 150)].into());
    }

    #[test]
    fn of_each_sort_some_are_compiled() {
        let plan = |mixture, compiled_one_in| Plan { compiled_one_in, ..plan(mixture) };
        let compiled = |plan: Plan| (0..600).filter(|number| plan.is_compiled(*number)).collect::<Vec<_>>();
        assert_eq!(compiled(plan(Mixture::Bad, 150)), [0, 150, 300, 450]);
        assert_eq!(compiled(plan(Mixture::Both, 150)), [0, 1, 300, 301]);
        assert_eq!(compiled(plan(Mixture::Both, 1)).len(), 600);
        // The number of compiled cases is the expected one: no invalid case is compiled for its coverage.
        let engines = vec![Engine::Interp, Engine::Native];
        let tally = Plan { engines, settings: fast_build_settings(), ..plan(Mixture::Bad, 150) }.run(0..400);
        assert_eq!(tally.runs, [("interp".to_owned(), 400), ("native".to_owned(), 3)].into());
    }

    #[test]
    fn batches_take_no_minutes() {
        let optimised = |engine, optimisation| {
            let settings = Settings { optimisation: Some(optimisation), ..Settings::default() };
            Plan { engines: vec![Engine::Interp, engine], settings, ..plan(Mixture::Both) }.batch()
        };
        assert_eq!(optimised(Engine::Native, Optimisation::Full), 10);
        assert_eq!(optimised(Engine::Native, Optimisation::Least), 100);
        assert_eq!(optimised(Engine::Hybrid, Optimisation::Full), 100);
    }

    #[test]
    fn sorts_alternate() {
        let plan = plan(Mixture::Both);
        assert_eq!(
            (0..4).map(|number| plan.case(number).0).collect::<Vec<_>>(),
            [CaseKind::Good, CaseKind::Bad, CaseKind::Good, CaseKind::Bad]
        );
        assert_ne!(plan.case(0).1.text(), plan.case(2).1.text());
    }
}

//! Derivatives of random procedures, each checked in four ways ([`crate::gradcheck`]): what is counted, and what is a finding.
//!
//! A derivative that is 0 compares little, and one that has nothing to be compared with compares nothing: both are counted, so
//! that a check that checks nothing shows.

use super::Case;
use super::compare::caught;
use super::shrink::shrink;
use super::smooth::{FUNCTION, POINT};
use super::tally::add_counts;
use crate::engine::{Engine, Settings};
use crate::gradcheck::{self, Answer, Difference, Question, Trouble};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;
use vlad_shared::load::Options;
use vlad_shared::number;

/// The relative error above which a derivative is wrong.
pub const TOLERANCE: f64 = 1e-9;

/// The time that each run, and the differences, may take.
const MOST_TIME: Duration = Duration::from_secs(5);

/// The memory that an engine may take.
const MOST_MEMORY: u64 = 3 << 30;

/// The counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Gradients {
    /// How many procedures there were.
    pub procedures: u64,
    /// How many of them have a derivative that is not 0 and was compared.
    pub checked: u64,
    /// How many derivatives were compared and are not 0.
    pub compared: u64,
    /// How many were compared and are 0.
    pub zeros: u64,
    /// How many do not exist, since there is a kink.
    pub kinks: u64,
    /// How many are no finite numbers.
    pub not_finite: u64,
    /// How many are farther off than is allowed, and not farther than rounding explains.
    pub ill_conditioned: u64,
    /// How many procedures could not be checked, by why.
    pub unchecked: BTreeMap<String, u64>,
}

impl Gradients {
    /// Counts a procedure.
    pub fn add(&mut self, outcome: &Outcome) {
        self.procedures += 1;
        let answer = match outcome {
            Outcome::Answered(answer) => answer,
            Outcome::Unchecked(why) => return *self.unchecked.entry(why.clone()).or_default() += 1,
            Outcome::Broken(_) => return,
        };
        let before = self.compared;
        for entry in &answer.entries {
            let count = match entry.difference {
                Difference::Kink => &mut self.kinks,
                Difference::NotFinite => &mut self.not_finite,
                Difference::Derivative { .. } if entry.is_ill_conditioned(TOLERANCE) => &mut self.ill_conditioned,
                Difference::Derivative { derivative: 0.0, .. } => &mut self.zeros,
                Difference::Derivative { .. } => &mut self.compared,
            };
            *count += 1;
        }
        self.checked += u64::from(self.compared > before);
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: Gradients) {
        self.procedures += other.procedures;
        self.checked += other.checked;
        self.compared += other.compared;
        self.zeros += other.zeros;
        self.kinks += other.kinks;
        self.not_finite += other.not_finite;
        self.ill_conditioned += other.ill_conditioned;
        add_counts(&mut self.unchecked, other.unchecked);
    }

    /// The counts in a few lines.
    pub fn summary(&self) -> String {
        let mut text = format!(
            "{} procedures, {} with a derivative that was compared and is not 0\n\
             derivatives: {} compared, {} compared that are 0, {} kinks, {} not finite, {} ill-conditioned\n",
            self.procedures, self.checked, self.compared, self.zeros, self.kinks, self.not_finite, self.ill_conditioned
        );
        for (why, count) in &self.unchecked {
            let _ = writeln!(text, "{count} not checked: {why}");
        }
        text
    }
}

/// What came of a procedure.
pub enum Outcome {
    /// Its derivatives.
    Answered(Answer),
    /// Why there are none to compare.
    Unchecked(String),
    /// How the engine breaks down, or its operators alone do.
    Broken(String),
}

impl Outcome {
    /// What is wrong, if something is.
    pub fn look(&self, engine: Engine) -> Option<String> {
        let wrong = match self {
            Outcome::Answered(answer) if answer.wrong(TOLERANCE) > 0 => "a derivative is wrong",
            Outcome::Broken(how) => how,
            Outcome::Answered(_) | Outcome::Unchecked(_) => return None,
        };
        Some(format!("{engine}: {wrong}"))
    }
}

/// Checks the derivatives of a case's procedure at its point.
pub fn check(engine: Engine, settings: &Settings, case: &Case) -> Outcome {
    let question = Question {
        name: "program".to_owned(),
        bytes: case.bytes(),
        folder: None,
        options: Options::default(),
        function: FUNCTION.to_owned(),
        point: POINT.to_owned(),
        time: MOST_TIME,
        memory: Some(MOST_MEMORY),
    };
    match caught(|| gradcheck::check(engine, settings, &question)) {
        Ok(Ok(answer)) => Outcome::Answered(answer),
        Ok(Err(Trouble::Program(errors, _))) => {
            Outcome::Unchecked(errors.first().map_or("", |error| error.kind.name()).to_owned())
        }
        Ok(Err(Trouble::Refused(refusal))) => Outcome::Unchecked(refusal.to_string()),
        Ok(Err(Trouble::Other(message))) => Outcome::Unchecked(message),
        Ok(Err(Trouble::Operators(errors, _))) => {
            Outcome::Broken(format!("operators fail: {}", errors.first().map_or("", |error| error.kind.name())))
        }
        Ok(Err(Trouble::Compiler(error))) => Outcome::Broken(error.to_string()),
        Err(message) => Outcome::Broken(message.lines().next().unwrap_or_default().to_owned()),
    }
}

/// The text of the smallest case found of which the same is wrong.
pub fn smallest(engine: Engine, settings: &Settings, case: Case, look: &str) -> String {
    let case = shrink(case, |case| check(engine, settings, case).look(engine).as_deref() == Some(look));
    let mut text = case.text();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = writeln!(text, "; Seed {}: {look}.", case.seed);
    let _ = writeln!(text, "; vlad gradcheck FILE --function {FUNCTION} --at {POINT} --engine {engine}");
    if let Outcome::Answered(answer) = check(engine, settings, &case) {
        let _ = writeln!(text, "; at {}: {}", answer.point, answer.value);
        for entry in answer.entries.iter().filter(|entry| entry.is_wrong(TOLERANCE)) {
            let [forward, reverse, checkpointed] =
                [entry.forward, entry.reverse, entry.checkpointed].map(number::format);
            let _ = writeln!(
                text,
                "; of {} by {}: forward {forward}, reverse {reverse}, checkpointed {checkpointed}; {:?}",
                entry.output, entry.input, entry.difference
            );
        }
    }
    text
}

//! Random procedures whose derivatives are checked in four ways ([`vlad_derivatives::gradcheck`]): counts and findings.
//!
//! A derivative that is 0 tests little, and one without a difference quotient tests nothing: both are counted, so that
//! a check without effect is noticed.
//!
//! A derivative that is wrong because of a real that is no finite double ([`Verdict::WrongBeyondRange`]) is wrong for
//! the author of the procedure, but has the bits that the language defines: the engines are correct. It is counted
//! separately, and is no finding.

use super::compare::caught;
use super::counts::add_counts;
use crate::random::case::Case;
use crate::random::shrink::{MOST_SHRINKING, shrink};
use crate::random::smooth::{FUNCTION, POINT};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;
use vlad_derivatives::appended::point::{NoDatum, Point};
use vlad_derivatives::gradcheck::{
    self, Answer, Derivative, Difference, Entry, NoAnswer, Question, Reason, Tolerance, Verdict,
};
use vlad_engines::{Engine, Settings};
use vlad_shared::frontend::load::{Input, Options};
use vlad_shared::table::number;

/// The relative error above which a derivative is wrong.
pub const TOLERANCE: Tolerance = Tolerance::relative(1e-9);

/// The time limit of each run, and of the difference quotients.
const MOST_TIME: Duration = Duration::from_secs(5);

/// The memory limit of an engine.
const MOST_MEMORY: u64 = 3 << 30;

/// Counts of the checked derivatives.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Gradients {
    /// The number of procedures.
    pub procedures: u64,
    /// The number of procedures with a derivative that was compared and is not 0.
    pub checked: u64,
    /// The number of derivatives that were compared and are not 0.
    pub compared: u64,
    /// The number of derivatives that were compared and are 0.
    pub zeros: u64,
    /// The number of derivatives that do not exist because of a kink.
    pub kinks: u64,
    /// The number of derivatives with a quotient that is no finite number.
    pub not_finite: u64,
    /// The number of derivatives for which 96 digits are too few.
    pub imprecise: u64,
    /// The number of derivatives that are wrong because of a real that is no finite double.
    pub beyond_range: u64,
    /// The number of derivatives over the tolerance by no more than rounding explains.
    pub ill_conditioned: u64,
    /// The numbers of procedures that could not be checked, by reason.
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
            *self.count_of(entry) += 1;
        }
        self.checked += u64::from(self.compared > before);
    }

    /// The count that a derivative belongs to; a finding belongs to the count that it would belong to if it were right.
    fn count_of(&mut self, entry: &Entry) -> &mut u64 {
        match (entry.verdict(TOLERANCE), entry.difference) {
            (Verdict::NotCompared(Reason::Kink), _) => &mut self.kinks,
            (Verdict::NotCompared(Reason::Imprecise), _) => &mut self.imprecise,
            (Verdict::NotCompared(Reason::NotFinite), _) => &mut self.not_finite,
            (Verdict::IllConditioned, _) => &mut self.ill_conditioned,
            (Verdict::WrongBeyondRange, _) => &mut self.beyond_range,
            (
                Verdict::Right | Verdict::Wrong,
                Difference::Derivative(Derivative { derivative: 0.0, .. }) | Difference::Missing(_),
            ) => &mut self.zeros,
            (Verdict::Right | Verdict::Wrong, Difference::Derivative(_)) => &mut self.compared,
        }
    }

    /// Adds the counts of another campaign.
    pub fn merge(&mut self, other: Gradients) {
        self.procedures += other.procedures;
        self.checked += other.checked;
        self.compared += other.compared;
        self.zeros += other.zeros;
        self.kinks += other.kinks;
        self.not_finite += other.not_finite;
        self.imprecise += other.imprecise;
        self.beyond_range += other.beyond_range;
        self.ill_conditioned += other.ill_conditioned;
        add_counts(&mut self.unchecked, other.unchecked);
    }

    /// The counts in a few lines.
    pub fn summary(&self) -> String {
        let mut text = format!(
            "{} procedures, {} with a derivative that was compared and is not 0\n\
             derivatives: {} compared, {} compared that are 0, {} kinks, {} not finite, {} imprecise, {} ill-conditioned, \
             {} next to a real that is no finite double\n",
            self.procedures,
            self.checked,
            self.compared,
            self.zeros,
            self.kinks,
            self.not_finite,
            self.imprecise,
            self.ill_conditioned,
            self.beyond_range
        );
        for (why, count) in &self.unchecked {
            let _ = writeln!(text, "{count} not checked: {why}");
        }
        text
    }
}

/// The result of checking a procedure.
pub enum Outcome {
    /// Its derivatives.
    Answered(Answer),
    /// The reason why there are none to compare.
    Unchecked(String),
    /// The panic of the engine, or the error of its operators where the procedure itself has none.
    Broken(String),
}

impl Outcome {
    /// The signature of the finding, if it is one.
    pub fn look(&self, engine: Engine) -> Option<String> {
        let wrong = match self {
            Outcome::Answered(answer) if answer.entries.iter().any(is_finding) => "a derivative is wrong",
            Outcome::Broken(how) => how,
            Outcome::Answered(_) | Outcome::Unchecked(_) => return None,
        };
        Some(format!("{engine}: {wrong}"))
    }
}

fn is_finding(entry: &Entry) -> bool {
    entry.verdict(TOLERANCE) == Verdict::Wrong
}

/// Checks the derivatives of a case's procedure at its point.
pub fn check(engine: Engine, settings: &Settings, case: &Case) -> Outcome {
    let question = Question {
        program: Input::Text { name: "program".to_owned(), bytes: case.bytes(), folder: None },
        options: Options::default(),
        function: FUNCTION.to_owned(),
        point: Point::Expression(POINT.to_owned()),
        typed: None,
        time: MOST_TIME,
        memory: Some(MOST_MEMORY),
    };
    match caught(|| gradcheck::check(engine, settings, &question)) {
        Ok(Ok(answer)) => Outcome::Answered(answer),
        Ok(Err(NoAnswer::Program(errors, _))) => {
            Outcome::Unchecked(errors.first().map_or("", |error| error.kind.name()).to_owned())
        }
        Ok(Err(NoAnswer::Refused(refusal))) => Outcome::Unchecked(refusal.to_string()),
        Ok(Err(NoAnswer::Other(message) | NoAnswer::Claims(message) | NoAnswer::Point(NoDatum { message, .. }))) => {
            Outcome::Unchecked(message)
        }
        Ok(Err(NoAnswer::Operators(errors, _))) => {
            Outcome::Broken(format!("operators fail: {}", errors.first().map_or("", |error| error.kind.name())))
        }
        Ok(Err(NoAnswer::Compiler(error))) => Outcome::Broken(error.to_string()),
        Err(message) => Outcome::Broken(message.lines().next().unwrap_or_default().to_owned()),
    }
}

/// The text of the smallest case found with the same signature.
pub fn smallest(engine: Engine, settings: &Settings, case: Case, look: &str) -> String {
    let case = shrink(case, MOST_SHRINKING, |case| check(engine, settings, case).look(engine).as_deref() == Some(look));
    let mut text = case.text();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = writeln!(text, "; Seed {}: {look}.", case.seed);
    let _ = writeln!(text, "; vlad gradcheck FILE --function {FUNCTION} --at {POINT} --engine {engine}");
    if let Outcome::Answered(answer) = check(engine, settings, &case) {
        let _ = writeln!(text, "; at {}: {}", answer.point, answer.value);
        for entry in answer.entries.iter().filter(|entry| is_finding(entry)) {
            let [forward, reverse, checkpointed] =
                [entry.forward, entry.reverse, entry.checkpointed].map(number::format);
            let _ = writeln!(
                text,
                "; of {} by {}: forward {forward}, reverse {reverse}, checkpointed {checkpointed}, differences {}",
                entry.output,
                entry.input,
                entry.difference.text()
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::generate;
    use crate::random::trees::tree::{Item, Node};
    use crate::random::trees::types::Type;
    use crate::random::{CaseKind, GeneratorOptions, Source};

    /// A sine whose derivative, as engines compute it, is a thousandth too large: the added term is a thousandth of an
    /// angle that grows with x, but has a period far smaller than the step of a quotient, and no value above that
    /// period.
    const WRONG_SINE: &str = "(define (wrong-sine x)
        (let ((y (* x 1e40))) (+ (sin x) (* 1e-3 (/ (atan (sin y) (cos y)) 1e40)))))\n";

    fn with(definitions: &str, case: &Case) -> Case {
        Case { source: Source::Text(format!("{definitions}{}", case.text()).into_bytes()), ..case.clone() }
    }

    fn look(case: &Case) -> Option<String> {
        check(Engine::Hybrid, &Settings::default(), case).look(Engine::Hybrid)
    }

    /// The cases that mention a name, in the order of their seeds.
    fn mentioning(name: &'static str) -> impl Iterator<Item = Case> {
        let mentions =
            move |case: &Case| case.tree().is_some_and(|tree| tree.items.iter().any(|item| item.node().mentions(name)));
        (0..).map(|seed| generate(CaseKind::Smooth, seed, GeneratorOptions::default())).filter(mentions)
    }

    #[test]
    fn a_wrong_rule_is_found() {
        let (mut found, count) = (0, 40);
        for case in mentioning("sin").take(count) {
            assert_eq!(look(&case), None, "{}", case.text());
            let mut wrong = case.clone();
            let Source::Tree(tree) = &mut wrong.source else { panic!("it is a tree") };
            let sine = Node::name("wrong-sine", Type::procedure([Type::Real], Type::Real));
            tree.items.iter_mut().map(Item::node_mut).for_each(|node| node.substitute("sin", &sine));
            found += usize::from(look(&with(WRONG_SINE, &wrong)).is_some());
        }
        // In the other cases the sine is of a constant, is multiplied by 0, or is not reached.
        assert!(found * 5 > count, "{found} of {count}");
    }

    #[test]
    fn an_operator_that_is_wrong_is_found() {
        let wrong = "(define (*j f x y) (checkpoint-*j f x (plus y y)))\n";
        let found = (0..30)
            .map(|seed| generate(CaseKind::Smooth, seed, GeneratorOptions::default()))
            .filter(|case| look(&with(wrong, case)).as_deref() == Some("hybrid: a derivative is wrong"))
            .count();
        assert!(found > 15, "{found}");
    }

    #[test]
    fn what_is_wrong_is_made_small() {
        let text = "(define (checked x) (+ (wrong-sine x) (* 2 x)))\n(define point 0.3)\n";
        let case = Case {
            source: Source::Text(format!("{WRONG_SINE}{text}").into_bytes()),
            ..generate(CaseKind::Smooth, 1, GeneratorOptions::default())
        };
        let look = look(&case);
        assert_eq!(look.as_deref(), Some("hybrid: a derivative is wrong"));
        let told = smallest(Engine::Hybrid, &Settings::default(), case, &look.unwrap_or_default());
        assert!(told.contains("; vlad gradcheck FILE --function checked --at point --engine hybrid\n"), "{told}");
        assert!(told.contains("; of 0 by 0: forward "), "{told}");
    }
}

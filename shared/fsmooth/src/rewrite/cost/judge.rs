//! The verdict about two forms of a definition, by estimates of steps and work at several sizes of its parameters.
//!
//! A form is taken only if it takes no more steps and no more work at any of the sizes, and less at the largest ones. So a program is never
//! dearer for being rewritten, be its arrays short or long.

use super::Guards;
use super::estimate::{self, Branches, Estimate, Sizes};
use crate::typed::{ExpressionId, LocalId, Program, Type};
use rustc_hash::FxHashMap;

/// The sizes of all parameters, from the smallest; the largest decides.
const UNIFORM: [f64; 4] = [1.0, 2.0, 12.0, LARGE];

/// The size of a parameter that is much larger than others.
const LARGE: f64 = 1000.0;

/// The size of the others.
const SMALL: f64 = 3.0;

/// The number of parameters of which sizes of their own are tried.
const MOST_PARAMETERS: usize = 4;

/// The greatest size at which a single move may be dearer: what leaves a loop is bound by a `let`.
const SHORT: f64 = 2.0;

/// The steps of a `let` and of the variable that it binds.
const BINDING: f64 = 3.0;

/// The `let`s that take as long as the test of a length before a form by reverse mode.
const OF_FORM: usize = 4;

/// The price after a move that makes a form much cheaper, as a share of that before it.
const MUCH_CHEAPER: f64 = 0.7;

/// The price at other sizes after such a move at most.
const SOMEWHAT_DEARER: f64 = 1.2;

/// The share of the greater one of two numbers above which the other one is about the same.
const ABOUT: f64 = 0.9;

/// The steps that count as much as a unit of work: a step of compiled code is next to nothing.
const STEPS_OF_WORK: f64 = 4.0;

/// The sizes at which the forms of a definition are measured.
#[derive(Debug)]
pub struct Judge {
    sizes: Vec<Sizes>,
    has_parameters: bool,
}

/// The estimates of a form for all sizes.
#[derive(Clone, Debug)]
pub struct Measure {
    estimates: Vec<Estimate>,
}

impl Judge {
    /// The judge of a definition with some parameters.
    pub fn new(program: &Program, parameters: &[LocalId]) -> Judge {
        let is_sized = |local: &&LocalId| {
            matches!(program.types.get(program.local(**local).type_id), Type::Array(_) | Type::Index)
        };
        let sized: Vec<LocalId> = parameters.iter().filter(is_sized).take(MOST_PARAMETERS).copied().collect();
        let mut sizes = vec![];
        if sized.len() > 1 {
            for one in &sized {
                let parameters = FxHashMap::from_iter([(*one, LARGE)]);
                sizes.push(Sizes { parameters, ..Sizes::uniform(SMALL) });
                let parameters = FxHashMap::from_iter([(*one, SMALL)]);
                sizes.push(Sizes { parameters, ..Sizes::uniform(LARGE) });
            }
        }
        let cheaper = |size| Sizes { branches: Branches::Cheaper, ..Sizes::uniform(size) };
        sizes.extend([SMALL, LARGE].map(cheaper));
        sizes.extend(UNIFORM.map(Sizes::uniform));
        Judge { sizes, has_parameters: !parameters.is_empty() }
    }

    /// Measures a form.
    pub fn measure(&self, program: &Program, guards: &Guards, term: ExpressionId) -> Measure {
        Measure { estimates: self.sizes.iter().map(|sizes| estimate::estimate(program, guards, sizes, term)).collect() }
    }

    /// Returns true if a condition of a definition without parameters is false by what is known of sizes.
    pub fn refutes(&self, program: &Program, guards: &Guards, condition: ExpressionId) -> bool {
        !self.has_parameters
            && self.sizes.first().is_some_and(|sizes| estimate::is_refuted(program, guards, sizes, condition))
    }

    /// Returns true if no size at which a test may hold takes more steps or more work for one form than for another one. So many terms have
    /// left loops: they are bound by a `let`, or stand behind a comparison, which saves nothing where a loop has one turn, and no work
    /// where its turns take steps alone. So many gradients have a form by reverse mode, behind a test of the length.
    pub fn is_within(
        &self,
        program: &Program,
        guards: &Guards,
        (test, [moved, reversed]): (Option<ExpressionId>, [usize; 2]),
        forms: (&Measure, &Measure),
    ) -> bool {
        let (one, other) = forms;
        let is_refuted = |sizes: &Sizes| test.is_some_and(|test| estimate::is_refuted(program, guards, sizes, test));
        let refuted: Vec<bool> = self.sizes.iter().map(is_refuted).collect();
        // At a size at which the test fails the form is not executed; if it fails at all of them, they have to do.
        let counts = |place: usize| refuted.get(place) == Some(&false) || !refuted.contains(&false);
        let mut pairs = one.estimates.iter().zip(&other.estimates).enumerate().filter(|(place, _)| counts(*place));
        let is_short = |place: usize| {
            self.sizes.get(place).is_some_and(|sizes| sizes.parameters.is_empty() && sizes.common <= SHORT)
        };
        pairs.all(|(place, (one, other))| {
            let moved = if is_short(place) || one.steps < other.steps { moved } else { 0 };
            let allowed = (OF_FORM * reversed + moved) as f64;
            one.steps <= other.steps + BINDING * allowed && one.work <= other.work + allowed
        })
    }

    /// Returns true if a move pays: where all arrays are of one size, it makes a form cheaper for large ones, and not dearer
    /// but for the shortest ones; a move that makes it much cheaper for large ones may be somewhat dearer for others.
    pub fn pays(&self, before: &Measure, after: &Measure) -> bool {
        let is_compared =
            |sizes: &Sizes| sizes.parameters.is_empty() && sizes.common > SHORT && sizes.branches == Branches::Dearer;
        let prices = || {
            let pairs = self.sizes.iter().zip(before.estimates.iter().zip(&after.estimates));
            let compared = pairs.filter(move |(sizes, _)| is_compared(sizes));
            compared.map(|(_, (before, after))| (price(before), price(after)))
        };
        let is_much = prices().next_back().is_some_and(|(before, after)| after < MUCH_CHEAPER * before);
        let most = if is_much { SOMEWHAT_DEARER } else { 1.0 };
        prices().all(|(before, after)| after <= most * before) && prices().any(|(before, after)| after < before)
    }
}

fn price(estimate: &Estimate) -> f64 {
    STEPS_OF_WORK * estimate.work + estimate.steps
}

impl Measure {
    /// The measure of two terms that are evaluated both.
    #[must_use]
    pub fn plus(&self, other: &Measure) -> Measure {
        let pairs = self.estimates.iter().zip(&other.estimates);
        let sum = |(one, other): (&Estimate, &Estimate)| Estimate {
            steps: one.steps + other.steps,
            work: one.work + other.work,
        };
        Measure { estimates: pairs.map(sum).collect() }
    }

    /// The measure of a branch to a term, of which the measure is this one with that of its condition.
    #[must_use]
    pub fn with_branch(&self) -> Measure {
        let of = |one: &Estimate| Estimate { steps: one.steps + 1.0, work: one.work + 1.0 };
        Measure { estimates: self.estimates.iter().map(of).collect() }
    }

    /// Returns true if no size takes more steps than another form does.
    pub fn has_no_more_steps(&self, other: &Measure) -> bool {
        self.estimates.iter().zip(&other.estimates).all(|(one, other)| one.steps <= other.steps)
    }

    /// Returns true if a form is the cheaper one of two for the largest sizes: it takes less work, which is what counts for
    /// compiled code, or about the same and has the smaller price. This orders two forms, and not three.
    pub fn is_cheaper_than(&self, other: &Measure) -> bool {
        let work = |measure: &Measure| measure.estimates.last().map_or(0.0, |largest| largest.work);
        let (one, two) = (work(self), work(other));
        let is_about = one.min(two) >= ABOUT * one.max(two);
        if is_about { self.cost() < other.cost() } else { one < two }
    }

    /// The cost for the largest sizes.
    pub fn cost(&self) -> f64 {
        self.estimates.last().map_or(0.0, price)
    }
}

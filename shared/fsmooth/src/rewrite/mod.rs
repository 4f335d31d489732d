//! Rewriting of F-smooth on typed trees, before lowering (Shaikhha et al. 2018, section 4).
//!
//! ```text
//! typed tree --differentiate--> typed tree --rewrite--> typed tree --lower--> named core
//! ```
//!
//! Each definition and each printed expression is rewritten by itself ([`items`]), in these steps:
//!
//! 1. *Normal form* ([`normal`]) by the [`rules`] of class X: they keep every bit. Calls of known functions are inlined. A rule
//!    drops or moves total terms only; [`facts`] proves that they are, or assumes it of sizes.
//! 2. The normal form by the rules of class Z as well, which change the signs of zeros in tangents. If algebra is asked for, those of
//!    class R follow, which round otherwise, and equality saturation ([`saturation`]).
//! 3. *Moves* ([`moves`]): one at a time, a term leaves a loop, a loop is divided or a table is made. The normal form follows
//!    again, and the move is kept if it pays by the cost model ([`cost`]).
//! 4. If loops over pairs were taken apart, steps 1 to 3 are done with pairs together as well, and the cheaper result counts.
//! 5. A definition whose gradients are still much dearer than by reverse mode is rewritten with these ([`reverse_forms`]).
//! 6. The result is taken if it is cheaper at all sizes of the parameters ([`cost::judge`]): `fun p ... -> if the assumptions hold
//!    then the result else the body as it was`. So a program whose sizes do not agree fails as it was written, at the same place,
//!    and none takes more steps.
//!
//! Output stays as it is written: of an item that may write, only the parts that cannot are rewritten ([`output`]).
//!
//! Every application of a rule is a step of a [`derivation`], which can be printed and replayed. Bounds on applications and on the
//! number of expressions make rewriting terminate, and depend on nothing but the program.

pub mod cost;
pub mod derivation;
pub mod facts;
pub mod globals;
mod items;
pub mod moves;
pub mod normal;
pub mod output;
pub mod reverse_forms;
pub mod rules;
pub mod saturation;
pub mod terms;
#[cfg(test)]
mod tests;

use crate::typed::{Expression, ExpressionId, GlobalId, Item, LocalId, Program};
use cost::Guards;
use cost::allowance::Allowances;
use cost::judge::{Judge, Measure};
use derivation::{Derivation, Step};
use facts::guard;
use facts::totality::{Assuming, Context};
use moves::motion;
use moves::search::Search;
use normal::{Budget, Normalising};
use output::{LARGEST, Output};
use rules::fission::{self, Pairs};
use rules::{Class, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

/// The size of a result at most, unless the definition itself is larger: C compilers take seconds for more.
const LARGEST_RESULT: usize = 12_000;

/// The number of applications in a definition at most.
const MOST_STEPS: usize = 20_000;

/// The number of expressions that inlining adds to a definition at most.
const MOST_INLINED: usize = 12_000;

/// The number of terms that are moved in a definition at most.
const MOST_MOVES: usize = 120;

/// The number of expressions that an attempt adds while it moves terms, from which on it moves no more.
const MOST_MOVED: usize = 50_000;

/// The cost from which on terms are moved in an item that is evaluated once: less is a moment of compiled code, and the search for
/// moves takes many times as long.
const MOVED_ONCE: f64 = 1e6;

/// The rewriting of an item.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The item.
    pub item: Item,
    /// The derivation, of the body within the parameters of a definition.
    pub derivation: Derivation,
    /// The test of its assumptions.
    pub test: Option<ExpressionId>,
    /// The verdict.
    pub verdict: Verdict,
}

/// The verdict about the result of a rewriting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It costs less by the cost model, and is taken.
    Taken,
    /// It costs as much: the definition stays as it was.
    AsExpensive,
    /// A bound was reached before the rules were done, so nothing is known of the result: the definition stays as it was.
    NotFinished,
}

/// The number of times that a definition has to become cheaper by reverse mode: a power of the size, and no constant factor.
const MUCH_CHEAPER: f64 = 5.0;

/// Rewrites a program with the rules up to a class, and returns the derivations.
pub fn rewrite(program: &mut Program, class: Class) -> Vec<Rewritten> {
    let mut rewriting = Rewriting {
        rules: rules::rules(),
        class,
        functions: FxHashMap::default(),
        lifted: FxHashMap::default(),
        guards: Guards::default(),
        allowances: Allowances::of(program.items.len()),
        output: Output::of(program),
    };
    let items = program.items.clone();
    let rewritten = items.into_iter().flat_map(|item| rewriting.item(program, item)).collect();
    globals::drop_unused(program);
    rewritten
}

/// The moves that an attempt makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// Those that pay: they may take steps where they save more work.
    Paying,
    /// Those that take no more steps.
    WithoutSteps,
}

/// A term that a body becomes, with its derivation, the assumptions of it, and its measure with their test.
struct Attempt {
    term: ExpressionId,
    steps: Vec<Step>,
    test: Option<ExpressionId>,
    measure: Measure,
    verdict: Verdict,
}

impl Attempt {
    fn is_better_than(&self, other: &Attempt) -> bool {
        let rank = |verdict| match verdict {
            Verdict::Taken => 0,
            Verdict::AsExpensive => 1,
            Verdict::NotFinished => 2,
        };
        let (one, two) = (rank(self.verdict), rank(other.verdict));
        one < two || one == two && self.measure.is_cheaper_than(&other.measure)
    }
}

/// A form of a body with which its rewriting begins, and the steps that lead to it.
struct Start {
    term: ExpressionId,
    steps: Vec<Step>,
}

/// A definition that is rewritten.
struct Definition {
    body: ExpressionId,
    parameters: Vec<LocalId>,
    judge: Judge,
    /// The measure of the body as it is written.
    written: Measure,
    /// The size of the result at most.
    most: usize,
    /// True if terms are moved in it.
    is_moved: bool,
}

struct Rewriting {
    rules: Vec<Rule>,
    class: Class,
    /// The functions that may be inlined, as they were written.
    functions: FxHashMap<GlobalId, ExpressionId>,
    /// The data with zero tangents that differentiation has made.
    lifted: FxHashMap<GlobalId, ExpressionId>,
    guards: Guards,
    allowances: Allowances,
    output: Output,
}

impl Rewriting {
    fn value(&mut self, program: &mut Program, item: Item, value: ExpressionId) -> Option<Rewritten> {
        let (parameters, body) = normal::parameters(program, value);
        let size = terms::size(program, value, LARGEST);
        self.allowances.begin(size);
        if size >= LARGEST {
            let derivation = Derivation { from: body, steps: vec![], to: body };
            return Some(Rewritten { item, derivation, test: None, verdict: Verdict::NotFinished });
        }
        spread_spans(program, body);
        let judge = Judge::new(program, &parameters);
        let (written, most) = (judge.measure(program, &self.guards, body), LARGEST_RESULT.max(size));
        let is_moved = !parameters.is_empty() || written.cost() >= MOVED_ONCE;
        let definition = Definition { body, parameters, judge, written, most, is_moved };
        let forward = self.best(program, &definition, &Start { term: body, steps: vec![] });
        let reverse = self.by_reverse_mode(program, &definition, forward.as_ref());
        let chosen = reverse.or(forward)?;
        let derivation = Derivation { from: body, steps: chosen.steps, to: chosen.term };
        Some(Rewritten { item, derivation, test: chosen.test, verdict: chosen.verdict })
    }

    /// Rewrites the body of a definition with its gradients by reverse mode; none if the result is not much cheaper than that without.
    fn by_reverse_mode(
        &mut self,
        program: &mut Program,
        definition: &Definition,
        forward: Option<&Attempt>,
    ) -> Option<Attempt> {
        let (term, steps) = reverse_forms::put(program, definition.body)?;
        spread_spans(program, term);
        let most = forward.map_or(definition.written.cost(), |forward| forward.measure.cost());
        if definition.judge.measure(program, &self.guards, term).cost() >= most {
            return None;
        }
        let reverse = self.best(program, definition, &Start { term, steps })?;
        (reverse.verdict == Verdict::Taken && MUCH_CHEAPER * reverse.measure.cost() < most).then_some(reverse)
    }

    /// Rewrites a form of the body of a definition, with pairs apart or together; none if no rule applies to it.
    fn best(&mut self, program: &mut Program, definition: &Definition, start: &Start) -> Option<Attempt> {
        let mut chosen = self.attempt(program, definition, start, Pairs::Apart)?;
        let is_repeated = chosen.steps.iter().any(|step| fission::repeats_work(step.rule));
        if (is_repeated || chosen.verdict == Verdict::NotFinished)
            && let Some(other) = self.attempt(program, definition, start, Pairs::Together)
            && other.is_better_than(&chosen)
        {
            chosen = other;
        }
        Some(chosen)
    }

    fn attempt(
        &mut self,
        program: &mut Program,
        definition: &Definition,
        start: &Start,
        pairs: Pairs,
    ) -> Option<Attempt> {
        let context = Context::new(Assuming::Sizes, definition.parameters.clone());
        let before = program.count();
        let Allowances { expressions, own } = &self.allowances;
        let (expressions, own) = (before + expressions.room(), own.room());
        let budget = Budget { steps: MOST_STEPS, expressions, inlined: MOST_INLINED, own };
        let mut run = Normalising {
            program,
            rules: &self.rules,
            functions: &self.functions,
            lifted: &self.lifted,
            class: Class::Exact,
            pairs,
            context,
            normal: FxHashSet::default(),
            steps: start.steps.clone(),
            budget,
        };
        let attempt = self.attempted(&mut run, definition, start.term);
        self.allowances.own.take(own - run.budget.own);
        self.allowances.expressions.take(run.program.count() - before);
        attempt
    }

    fn attempted(&self, run: &mut Normalising<'_>, definition: &Definition, start: ExpressionId) -> Option<Attempt> {
        let mut term = run.run(start);
        for class in [Class::ZeroSigns, Class::Algebra] {
            if class <= self.class {
                run.set_class(class);
                term = run.run(term);
            }
        }
        if self.class == Class::Algebra
            && let Some((cheaper, steps)) = saturation::saturated(run.program, &mut run.context, term)
        {
            run.steps.extend(steps);
            term = run.run(cheaper);
        }
        let (steps, context) = (run.steps.clone(), run.context.clone());
        let paying = self.finish(run, definition, (term, Moves::Paying))?;
        if paying.verdict != Verdict::AsExpensive || !definition.is_moved {
            return Some(paying);
        }
        (run.steps, run.context) = (steps, context);
        let other = self.finish(run, definition, (term, Moves::WithoutSteps))?;
        Some(if other.is_better_than(&paying) { other } else { paying })
    }

    /// Moves terms and judges the result; none if no rule has been applied.
    fn finish(
        &self,
        run: &mut Normalising<'_>,
        definition: &Definition,
        (term, moves): (ExpressionId, Moves),
    ) -> Option<Attempt> {
        let term = if definition.is_moved { self.moved(run, &definition.judge, term, moves) } else { term };
        run.context.prune(run.program);
        let is_within_bounds = run.budget.steps > 0 && run.program.count() <= run.budget.expressions;
        let is_finished = is_within_bounds && terms::size(run.program, term, definition.most + 1) <= definition.most;
        let steps = std::mem::take(&mut run.steps);
        if steps.is_empty() {
            return None;
        }
        let span = run.program.span(definition.body);
        let test = guard::test(run.program, &run.context.facts.assumptions, span);
        let mut measure = definition.judge.measure(run.program, &self.guards, term);
        if let Some(test) = test {
            measure = measure.plus(&definition.judge.measure(run.program, &self.guards, test)).with_branch();
        }
        let count = |rules: &[&str]| steps.iter().filter(|step| rules.contains(&step.rule)).count();
        let allowed = [count(&[motion::HOISTING, rules::CONSTANT_STEP]), count(&[reverse_forms::NAME])];
        // The code as it was written would be executed.
        let is_refuted = test.is_some_and(|test| definition.judge.refutes(run.program, &self.guards, test));
        let is_cheaper = !is_refuted
            && measure.cost() < definition.written.cost()
            && definition.judge.is_within(run.program, &self.guards, (test, allowed), (&measure, &definition.written));
        let verdict = match (is_finished, is_cheaper) {
            (false, _) => Verdict::NotFinished,
            (true, true) => Verdict::Taken,
            (true, false) => Verdict::AsExpensive,
        };
        Some(Attempt { term, steps, test, measure, verdict })
    }

    /// Moves terms as long as this pays.
    fn moved(&self, run: &mut Normalising<'_>, judge: &Judge, term: ExpressionId, moves: Moves) -> ExpressionId {
        let mut term = term;
        let mut measure = judge.measure(run.program, &self.guards, term);
        let mut search = Search::new(term);
        let most = run.program.count() + MOST_MOVED;
        for _ in 0..MOST_MOVES {
            if run.program.count() > most {
                break;
            }
            let (steps, assumptions) = (run.steps.len(), run.context.facts.assumptions.clone());
            let Some(moved) = run.moved(&mut search) else { break };
            let moved = run.run(moved);
            let after = judge.measure(run.program, &self.guards, moved);
            let is_wanted = moves == Moves::Paying || after.has_no_more_steps(&measure);
            if is_wanted && judge.pays(&measure, &after) {
                (term, measure) = (moved, after);
                search.accept(term);
            } else {
                search.refuse();
                run.steps.truncate(steps);
                run.context.facts.assumptions = assumptions;
                // Both have locals in common, of which the facts are those in the refused one now.
                run.context.facts.enter_all(run.program, term);
            }
        }
        term
    }
}

impl Normalising<'_> {
    /// Moves one term out of a loop, or shares it, or the like, as a step.
    fn moved(&mut self, search: &mut Search) -> Option<ExpressionId> {
        if self.budget.steps == 0 || self.program.count() > self.budget.expressions {
            return None;
        }
        self.budget.steps -= 1;
        let room = self.budget.expressions.saturating_sub(self.program.count());
        let step = moves::next(self.program, &mut self.context, search, room)?;
        let new = derivation::put(self.program, search.root(), &step.place, step.after);
        self.steps.push(step);
        Some(new)
    }
}

/// Gives all applications of a call with several operands the span of the call: what is inlined in one has its place.
fn spread_spans(program: &mut Program, root: ExpressionId) {
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        if let Expression::Application { function, .. } = program.expression(id)
            && let Expression::Application { .. } = program.expression(function)
        {
            program.set_span(function, program.span(id));
        }
        pending.extend(program.parts(id));
    }
}

//! Counted loops: the one place that recognises them, for passes and for the printers of C.
//!
//! A *counter* begins with a whole number from 0 on, and each iteration of its loop increases it by 1; the index of a build is one, too.
//! A *counted loop* ends where the comparison of a counter, which begins with 0, with a bound says so, and nowhere else: so the counter
//! has the numbers below the bound, one in each iteration. Storage code takes loops whose counter begins later, and that other
//! comparisons end, as well ([`Counted`]).

use crate::{Block, End, Function, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::{Comparison, Operation};

/// An iteration of a build or of a counted loop.
#[derive(Debug)]
pub struct CountedIteration<B> {
    /// The counter, or the index.
    pub counter: Variable,
    /// Its bound: the length of what is built.
    pub bound: Operand,
    /// The code.
    pub block: B,
}

impl Statement {
    /// The iteration of a build or a counted loop.
    pub fn iteration(&self) -> Option<CountedIteration<&Block>> {
        match self {
            Statement::Build { length, index, body, .. } => {
                Some(CountedIteration { counter: *index, bound: *length, block: body })
            }
            Statement::Loop { state, initial, body, .. } => {
                let (counter, bound) = counted(state, initial, body)?;
                let [block, _] = body.end.blocks()?;
                Some(CountedIteration { counter, bound, block })
            }
            _ => None,
        }
    }

    /// The same, whose block may be changed.
    pub fn iteration_mut(&mut self) -> Option<CountedIteration<&mut Block>> {
        let CountedIteration { counter, bound, .. } = self.iteration()?;
        let is_build = matches!(self, Statement::Build { .. });
        let body = self.block_mut()?;
        let block = if is_build { Some(body) } else { body.end.blocks_mut().map(|[block, _]| block) };
        Some(CountedIteration { counter, bound, block: block? })
    }
}

/// The counter of a counted loop, and its bound.
pub fn counted(state: &[Variable], initial: &[Operand], body: &Block) -> Option<(Variable, Operand)> {
    let Ending { counter, bound, iteration, .. } =
        Ending::of(state, body).filter(|ending| ending.range == Range::BELOW)?;
    let place = state.iter().position(|variable| *variable == counter)?;
    let begins = matches!(initial.get(place), Some(Operand::Real(bits)) if bits.real() == 0.0);
    let increased: HashMap<Variable, Variable> = body.all_statements().filter_map(increment).collect();
    let repeats = |leaf: &Block| match &leaf.end {
        End::Repeat(next) => is_increased(next.get(place), counter, &increased),
        End::BailOut(_) => true,
        End::Yield(_) | End::Branch { .. } => false,
    };
    (begins && iteration.leaves().all(repeats)).then_some((counter, bound))
}

/// The numbers of a counter with which a loop goes on, given a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The last of them.
    pub last: Last,
    /// True if the comparison holds for them; else it fails, as any does with a bound that is no number.
    pub holds: bool,
}

/// The last number of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// The last one below the bound.
    Below,
    /// The last one that is not above the bound.
    Through,
    /// The one before the bound: there is none if the bound is no number that the counter reaches.
    Before,
}

impl Range {
    /// The numbers for which the comparison with the bound, which they are below, holds.
    pub const BELOW: Range = Range { last: Last::Below, holds: true };

    /// The number behind the last one of a counter that begins with a whole number, given a constant bound; none if the bound is not reached.
    pub fn end(self, from: f64, bound: f64) -> Option<f64> {
        match self.last {
            _ if bound.is_nan() => None,
            Last::Below => Some(bound),
            Last::Through => Some(bound.floor() + 1.0),
            Last::Before => Some(bound).filter(|bound| whole(*bound).is_some() && from <= *bound),
        }
    }

    /// The range of a loop that goes on if a comparison of its counter with a bound holds, or if it fails.
    fn of(comparison: Comparison, holds: bool) -> Option<Range> {
        let last = match (comparison, holds) {
            (Comparison::Less, true) | (Comparison::NotLess, false) => Last::Below,
            (Comparison::NotGreater, true) | (Comparison::Greater, false) => Last::Through,
            (Comparison::Equal, false) => Last::Before,
            (Comparison::Greater | Comparison::NotLess | Comparison::Equal, true)
            | (Comparison::Less | Comparison::NotGreater, false) => return None,
        };
        Some(Range { last, holds })
    }
}

/// The end of a loop by the comparison of a variable with a bound, and nothing else.
struct Ending<'unit> {
    counter: Variable,
    bound: Operand,
    range: Range,
    test: Variable,
    /// The steps that are counted with each comparison.
    steps: u64,
    iteration: &'unit Block,
    after: &'unit Block,
}

impl<'unit> Ending<'unit> {
    /// The end of a loop with a state and a body.
    fn of(state: &[Variable], body: &'unit Block) -> Option<Ending<'unit>> {
        let mut steps = 0;
        let mut others = body.statements.iter().filter(|statement| match statement {
            Statement::Count { steps: counted } => {
                steps += counted;
                false
            }
            _ => true,
        });
        let (Some(Statement::Compare { target, comparison, first, second }), None) = (others.next(), others.next())
        else {
            return None;
        };
        let End::Branch { test, consequent, alternative } = &body.end else { return None };
        let goes_on = |block: &Block| block.leaves().all(|leaf| matches!(leaf.end, End::Repeat(_) | End::BailOut(_)));
        let ends = |block: &Block| block.leaves().all(|leaf| matches!(leaf.end, End::Yield(_) | End::BailOut(_)));
        let (holds, iteration, after) = match goes_on(consequent) && ends(alternative) {
            true => (true, consequent, alternative),
            false if goes_on(alternative) && ends(consequent) => (false, alternative, consequent),
            false => return None,
        };
        if *test != Operand::Variable(*target) {
            return None;
        }
        let of_state = |operand: &Operand| operand.variable().filter(|variable| state.contains(variable));
        let (comparison, counter, bound) = match of_state(first) {
            Some(counter) => (*comparison, counter, *second),
            None => (mirrored(*comparison), of_state(second)?, *first),
        };
        Some(Ending { counter, bound, range: Range::of(comparison, holds)?, test: *target, steps, iteration, after })
    }
}

/// The comparison of the second operand with the first one.
fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Equal,
        Comparison::Less => Comparison::Greater,
        Comparison::Greater => Comparison::Less,
        Comparison::NotGreater => Comparison::NotLess,
        Comparison::NotLess => Comparison::NotGreater,
    }
}

/// The parts of a loop that ends where one of its counters reaches a bound that stays.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'unit> {
    /// The results of the loop.
    pub targets: &'unit [Variable],
    /// Its state.
    pub state: &'unit [Variable],
    /// The first values of the state.
    pub initial: &'unit [Operand],
    /// The counter, which is one of the state.
    pub counter: Variable,
    /// The bound.
    pub most: Operand,
    /// The numbers of the counter with which the loop goes on.
    pub range: Range,
    /// The result of the comparison.
    pub test: Variable,
    /// The steps that are counted with each comparison, in each iteration and after the last one.
    pub steps: u64,
    /// The block of an iteration.
    pub iteration: &'unit Block,
    /// The block after the last one.
    pub after: &'unit Block,
}

impl<'unit> Counted<'unit> {
    /// The parts of a statement, given the counters of its function.
    pub fn of(statement: &'unit Statement, counters: &HashSet<Variable>) -> Option<Counted<'unit>> {
        let Statement::Loop { targets, state, initial, body } = statement else { return None };
        let Ending { counter, bound: most, range, test, steps, iteration, after } = Ending::of(state, body)?;
        let is_assigned = |bound: Variable| {
            state.contains(&bound) || body.all_statements().any(|inner| inner.assigned().any(|other| other == bound))
        };
        let stays = !most.variable().is_some_and(is_assigned);
        (stays && counters.contains(&counter) && state.contains(&counter)).then_some(Counted {
            targets,
            state,
            initial,
            counter,
            most,
            range,
            test,
            steps,
            iteration,
            after,
        })
    }
}

/// The target of an addition of 1 to a variable, and the variable.
pub fn increment(statement: &Statement) -> Option<(Variable, Variable)> {
    match statement {
        Statement::Operation {
            target,
            operation: Operation::Add,
            first: Operand::Variable(from),
            second: Some(Operand::Real(one)),
        } if one.real() == 1.0 => Some((*target, *from)),
        _ => None,
    }
}

fn is_increased(next: Option<&Operand>, counter: Variable, increased: &HashMap<Variable, Variable>) -> bool {
    matches!(next, Some(Operand::Variable(next)) if increased.get(next) == Some(&counter))
}

/// The counters of a function, and the indices of its builds.
pub fn counters(function: &Function) -> HashSet<Variable> {
    let increased: HashMap<Variable, Variable> = function.body.all_statements().filter_map(increment).collect();
    let mut found = HashSet::new();
    for statement in function.body.all_statements() {
        if let Statement::Build { index, .. } = statement {
            found.insert(*index);
        }
        let Statement::Loop { state, initial, body, .. } = statement else { continue };
        for (place, (variable, initial)) in state.iter().zip(initial).enumerate() {
            let counts = |leaf: &Block| match &leaf.end {
                End::Repeat(values) => is_increased(values.get(place), *variable, &increased),
                End::Yield(_) | End::BailOut(_) | End::Branch { .. } => true,
            };
            if natural(*initial).is_some() && body.leaves().all(counts) {
                found.insert(*variable);
            }
        }
    }
    found
}

/// A real as a whole number that an index can be.
pub fn whole(real: f64) -> Option<u64> {
    (real >= 0.0 && real < (1_u64 << 53) as f64 && real.floor() == real).then_some(real as u64)
}

/// A constant that is a whole number from 0 on and has a positive sign: indices, sizes, and numbers that are computed of those
/// of iterations are never -0.
pub fn natural(operand: Operand) -> Option<f64> {
    match operand {
        Operand::Real(bits) if bits.real().is_sign_positive() => whole(bits.real()).map(|_| bits.real()),
        Operand::Real(_) | Operand::Variable(_) | Operand::Boolean(_) => None,
    }
}

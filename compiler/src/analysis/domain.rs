//! Abstract values: the concrete values that may reach a place, without unions (TR-ECE-08-01, section 5.4).
//!
//! An abstract value is a value with gaps: where the paper writes the sets R and B, it is [`Abstract::AnyReal`] and
//! [`Abstract::AnyBoolean`], the *leaves*; everything else is known. Abstract values are hash-consed: equal ones have
//! equal numbers, so instances are found by a lookup and comparisons take no time.
//!
//! A known real says whether it was *computed* by an operation or comes from the text of the program. Only computed
//! reals can be of unlimited number, so only they are widened ([`Domain::generalise`]) to make the analysis end.

use super::reason::Reason;
use crate::first_order::template::{Step, Template};
use crate::first_order::{Bits, Kind};
use std::collections::HashMap;
use vlad_core::{Constant, LambdaId, Program};
use vlad_table::{Primitive, internal_bug};

/// The greatest number of leaves of a value; aggregates with more belong in memory, not in variables.
pub const MOST_LEAVES: u32 = 2048;

/// The greatest depth of an abstract value along its first parts and slots. Chains of second parts are walked in loops.
pub const MOST_DEPTH: u32 = 200;

/// The number of an abstract value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbstractId(u32);

/// An abstract value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Abstract {
    /// The empty list.
    Nil,
    /// A known boolean.
    Boolean(bool),
    /// Any boolean: a leaf.
    AnyBoolean,
    /// A known real.
    Real {
        /// The number.
        bits: Bits,
        /// True if it is the result of an operation.
        is_computed: bool,
    },
    /// Any real: a leaf.
    AnyReal,
    /// A primitive.
    Primitive(Primitive),
    /// A pair.
    Pair(AbstractId, AbstractId),
    /// A procedure with its slots.
    Closure(LambdaId, Box<[AbstractId]>),
}

/// The facts about an abstract value that are kept with it.
#[derive(Clone, Copy, Debug)]
struct Facts {
    leaves: u32,
    depth: u32,
}

/// The abstract values of a program.
#[derive(Debug)]
pub struct Domain {
    values: Vec<(Abstract, Facts)>,
    numbers: HashMap<Abstract, AbstractId>,
    /// For each constant of the program its value; none for one with a vector in it.
    constants: Vec<Option<AbstractId>>,
}

/// The way in which two abstract values are brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Widening {
    /// To the least abstract value above both (the paper's union).
    Join,
    /// To a value whose computed reals are [`Abstract::AnyReal`] where the two differ. There is none if they differ
    /// elsewhere.
    ComputedOnly,
}

impl Domain {
    /// The domain for a program, with the values of its constants.
    pub fn new(program: &Program) -> Domain {
        let mut domain = Domain { values: Vec::new(), numbers: HashMap::new(), constants: Vec::new() };
        for constant in program.constants.iter() {
            let value = match constant {
                Constant::Nil => Some(domain.nil()),
                Constant::Boolean(truth) => Some(domain.boolean(*truth)),
                Constant::Real(real) => Some(domain.literal(*real)),
                Constant::Pair(first, second) => {
                    match (domain.constant(first.0 as usize), domain.constant(second.0 as usize)) {
                        (Some(first), Some(second)) => domain.pair(first, second).ok(),
                        _ => None,
                    }
                }
                Constant::Vector(_) => None,
            };
            domain.constants.push(value);
        }
        domain
    }

    /// The value of a constant; none if it is not an abstract value.
    pub fn constant(&self, number: usize) -> Option<AbstractId> {
        self.constants.get(number).copied().flatten()
    }

    /// The abstract value of a number.
    pub fn get(&self, id: AbstractId) -> &Abstract {
        &self.row(id).0
    }

    /// The number of leaves.
    pub fn leaves(&self, id: AbstractId) -> usize {
        self.row(id).1.leaves as usize
    }

    fn row(&self, id: AbstractId) -> &(Abstract, Facts) {
        match self.values.get(id.0 as usize) {
            Some(row) => row,
            None => internal_bug!("abstract value {} is in the domain", id.0),
        }
    }

    fn number(&mut self, value: Abstract, facts: Facts) -> AbstractId {
        if let Some(id) = self.numbers.get(&value) {
            return *id;
        }
        let id = AbstractId(self.values.len() as u32);
        self.values.push((value.clone(), facts));
        self.numbers.insert(value, id);
        id
    }

    fn known(&mut self, value: Abstract) -> AbstractId {
        self.number(value, Facts { leaves: 0, depth: 0 })
    }

    /// The empty list.
    pub fn nil(&mut self) -> AbstractId {
        self.known(Abstract::Nil)
    }

    /// A known boolean.
    pub fn boolean(&mut self, truth: bool) -> AbstractId {
        self.known(Abstract::Boolean(truth))
    }

    /// A real of the text of the program.
    pub fn literal(&mut self, real: f64) -> AbstractId {
        self.known(Abstract::Real { bits: Bits::of(real), is_computed: false })
    }

    /// A known result of an operation.
    pub fn computed(&mut self, real: f64) -> AbstractId {
        self.known(Abstract::Real { bits: Bits::of(real), is_computed: true })
    }

    /// A primitive.
    pub fn primitive(&mut self, primitive: Primitive) -> AbstractId {
        self.known(Abstract::Primitive(primitive))
    }

    /// Any real.
    pub fn any_real(&mut self) -> AbstractId {
        self.number(Abstract::AnyReal, Facts { leaves: 1, depth: 0 })
    }

    /// Any boolean.
    pub fn any_boolean(&mut self) -> AbstractId {
        self.number(Abstract::AnyBoolean, Facts { leaves: 1, depth: 0 })
    }

    /// A pair.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn pair(&mut self, first: AbstractId, second: AbstractId) -> Result<AbstractId, Reason> {
        let (first_facts, second_facts) = (self.row(first).1, self.row(second).1);
        let facts = Facts {
            leaves: first_facts.leaves + second_facts.leaves,
            depth: second_facts.depth.max(first_facts.depth + 1),
        };
        bounded(facts)?;
        Ok(self.number(Abstract::Pair(first, second), facts))
    }

    /// A procedure.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn closure(&mut self, lambda: LambdaId, slots: &[AbstractId]) -> Result<AbstractId, Reason> {
        let mut facts = Facts { leaves: 0, depth: 0 };
        for slot in slots {
            let of_slot = self.row(*slot).1;
            facts.leaves = facts.leaves.saturating_add(of_slot.leaves);
            facts.depth = facts.depth.max(of_slot.depth + 1);
        }
        bounded(facts)?;
        Ok(self.number(Abstract::Closure(lambda, slots.into()), facts))
    }

    /// The least abstract value above two; none if they differ in more than their reals and booleans.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn join(&mut self, a: AbstractId, b: AbstractId) -> Result<Option<AbstractId>, Reason> {
        self.widen(a, b, Widening::Join)
    }

    /// A value above two that differ in computed reals only; none if they differ elsewhere.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn generalise(&mut self, a: AbstractId, b: AbstractId) -> Result<Option<AbstractId>, Reason> {
        self.widen(a, b, Widening::ComputedOnly)
    }

    fn widen(&mut self, a: AbstractId, b: AbstractId, widening: Widening) -> Result<Option<AbstractId>, Reason> {
        // Chains of pairs are walked in a loop; the depth of the rest is bounded.
        let (mut firsts, mut a, mut b) = (Vec::new(), a, b);
        let mut joined = loop {
            if a == b {
                break a;
            }
            match (self.get(a), self.get(b)) {
                (&Abstract::Pair(first_a, second_a), &Abstract::Pair(first_b, second_b)) => {
                    let Some(first) = self.widen(first_a, first_b, widening)? else { return Ok(None) };
                    firsts.push(first);
                    (a, b) = (second_a, second_b);
                }
                (Abstract::Closure(code, slots), Abstract::Closure(other_code, other_slots)) if code == other_code => {
                    let (code, slots, other_slots) = (*code, slots.clone(), other_slots.clone());
                    let mut joined = Vec::with_capacity(slots.len());
                    for (slot, other) in slots.iter().zip(&other_slots) {
                        let Some(slot) = self.widen(*slot, *other, widening)? else { return Ok(None) };
                        joined.push(slot);
                    }
                    break self.closure(code, &joined)?;
                }
                (Abstract::Real { .. } | Abstract::AnyReal, Abstract::Real { .. } | Abstract::AnyReal) => {
                    if widening == Widening::ComputedOnly && !self.differ_by_computing(a, b) {
                        return Ok(None);
                    }
                    break self.same_number(a, b);
                }
                (Abstract::Boolean(_) | Abstract::AnyBoolean, Abstract::Boolean(_) | Abstract::AnyBoolean)
                    if widening == Widening::Join =>
                {
                    break self.any_boolean();
                }
                _ => return Ok(None),
            }
        };
        for first in firsts.into_iter().rev() {
            joined = self.pair(first, joined)?;
        }
        Ok(Some(joined))
    }

    /// Returns true if one of two different reals is computed, or unknown: then there may be ever more of them.
    fn differ_by_computing(&self, a: AbstractId, b: AbstractId) -> bool {
        let may_vary = |id| !matches!(self.get(id), Abstract::Real { is_computed: false, .. });
        may_vary(a) || may_vary(b)
    }

    /// The join of two different abstract reals: the number itself if both have the same bits.
    fn same_number(&mut self, a: AbstractId, b: AbstractId) -> AbstractId {
        match (self.get(a), self.get(b)) {
            (Abstract::Real { bits, .. }, Abstract::Real { bits: other, .. }) if bits == other => {
                let real = bits.real();
                self.computed(real)
            }
            _ => self.any_real(),
        }
    }

    /// An abstract value with another one in the place of each of its reals.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn with_reals(&mut self, id: AbstractId, real: AbstractId) -> Result<AbstractId, Reason> {
        let (mut firsts, mut rest) = (Vec::new(), id);
        let mut result = loop {
            match self.get(rest).clone() {
                Abstract::Pair(first, second) => {
                    firsts.push(self.with_reals(first, real)?);
                    rest = second;
                }
                Abstract::Closure(lambda, slots) => {
                    let slots: Result<Vec<_>, _> = slots.iter().map(|slot| self.with_reals(*slot, real)).collect();
                    break self.closure(lambda, &slots?)?;
                }
                Abstract::Real { .. } | Abstract::AnyReal => break real,
                Abstract::Nil | Abstract::Boolean(_) | Abstract::AnyBoolean | Abstract::Primitive(_) => break rest,
            }
        };
        for first in firsts.into_iter().rev() {
            result = self.pair(first, result)?;
        }
        Ok(result)
    }

    /// The kinds of the leaves, from left to right.
    pub fn kinds(&self, id: AbstractId) -> Vec<Kind> {
        let (mut kinds, mut pending) = (Vec::new(), vec![id]);
        while let Some(id) = pending.pop() {
            match self.get(id) {
                _ if self.leaves(id) == 0 => {}
                Abstract::AnyReal => kinds.push(Kind::Real),
                Abstract::AnyBoolean => kinds.push(Kind::Boolean),
                Abstract::Pair(first, second) => pending.extend([*second, *first]),
                Abstract::Closure(_, slots) => pending.extend(slots.iter().rev()),
                Abstract::Nil | Abstract::Boolean(_) | Abstract::Real { .. } | Abstract::Primitive(_) => {}
            }
        }
        kinds
    }

    /// The template of the concrete values of an abstract value.
    pub fn template(&self, id: AbstractId) -> Template {
        enum Task {
            Value(AbstractId),
            Step(Step),
        }
        let (mut steps, mut pending) = (Vec::new(), vec![Task::Value(id)]);
        while let Some(task) = pending.pop() {
            let step = match task {
                Task::Step(step) => step,
                Task::Value(id) => match self.get(id) {
                    Abstract::Nil => Step::Nil,
                    Abstract::Boolean(truth) => Step::Boolean(*truth),
                    Abstract::AnyBoolean => Step::BooleanLeaf,
                    Abstract::Real { bits, .. } => Step::Real(*bits),
                    Abstract::AnyReal => Step::RealLeaf,
                    Abstract::Primitive(primitive) => Step::Primitive(*primitive),
                    Abstract::Pair(first, second) => {
                        pending.extend([Task::Step(Step::Pair), Task::Value(*second), Task::Value(*first)]);
                        continue;
                    }
                    Abstract::Closure(lambda, slots) => {
                        pending.push(Task::Step(Step::Procedure(*lambda, slots.len() as u32)));
                        pending.extend(slots.iter().rev().map(|slot| Task::Value(*slot)));
                        continue;
                    }
                },
            };
            steps.push(step);
        }
        Template { steps }
    }
}

fn bounded(facts: Facts) -> Result<(), Reason> {
    if facts.leaves > MOST_LEAVES {
        return Err(Reason::new(format!("a value has more than {MOST_LEAVES} reals")));
    }
    if facts.depth > MOST_DEPTH {
        return Err(Reason::new(format!("a value is nested more than {MOST_DEPTH} deep")));
    }
    Ok(())
}

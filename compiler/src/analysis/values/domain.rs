//! Abstract values: the concrete values that may reach a place (TR-ECE-08-01, section 5.4).
//!
//! An abstract value is a value with gaps: where the paper writes the sets R and B, it is [`Abstract::AnyReal`] and
//! [`Abstract::AnyBoolean`], the *leaves*; everything else is known. Abstract values are hash-consed: equal ones have
//! equal numbers, so instances are found by a lookup and comparisons take no time.
//!
//! A known real says whether it was *computed* by an operation or comes from the text of the program. Only computed
//! reals can be of unlimited number, so only they are widened ([`Domain::generalise`]) to make the analysis end.

mod arrays;
mod cells;
mod join;
mod unions;

pub use unions::Sort;

use super::reason::{Cause, MOST_ALTERNATIVES, Misfit, Reason};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use vlad_core::{Constant, ConstantId, Constants, LambdaId};
use vlad_first_order::{Bits, Kind, Table};
use vlad_table::{Primitive, ValueTag, internal_bug};

/// The greatest number of leaves of a value; aggregates with more belong in memory, not in variables.
pub const MOST_LEAVES: u32 = 2048;

/// The greatest number of parts of a value, known ones included, as a tree.
pub const MOST_PARTS: u32 = 20_000;

/// The greatest depth of an abstract value along its first parts and slots. Chains of second parts are walked in loops.
pub const MOST_DEPTH: u32 = 200;

/// The joins of values that differ in more than their reals and booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unions {
    /// There are none.
    Refused,
    /// They are unions.
    Made,
    /// They are unions, and cells where a structure recurs in itself.
    Folded,
}

/// The arrays that an abstract value contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrays {
    /// There are none.
    None,
    /// Arrays of reals or booleans, and arrays of those.
    Plain,
    /// Some have elements of several parts.
    OfParts,
    /// Some are parts of alternatives.
    Alternatives,
}

vlad_core::numbers! {
    /// The number of an abstract value.
    AbstractId;
}

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
    /// A vector.
    Vector(Box<[AbstractId]>),
    /// A vector of any length, whose elements are all of one abstract value without known reals and booleans: for each
    /// leaf of that an array.
    Array(AbstractId),
    /// A bundle: a primal and its tangent (report, part 17).
    Bundle {
        /// The primal.
        primal: AbstractId,
        /// The tangent.
        tangent: AbstractId,
        /// True if the tangent is returned as a perturbation.
        is_tagged: bool,
    },
    /// A value with a tag.
    Tagged(ValueTag, AbstractId),
    /// The backpropagator of a procedure, the first part, and its operand.
    Backpropagator(AbstractId, AbstractId),
    /// One of some alternatives of different sorts ([`unions`]).
    Union(Box<[AbstractId]>),
    /// A structure of any size ([`cells`]): a union, whose parts [`Abstract::Back`] are such structures again.
    Cell(AbstractId),
    /// In the union of a cell: the cell.
    Back,
}

/// The sort of an abstract value, without its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A value without parts.
    Atom,
    /// A pair.
    Pair,
    /// A procedure.
    Closure(LambdaId),
    /// A vector, of any length.
    Vector,
    /// A bundle; true if its tangent is returned as a perturbation.
    Bundle(bool),
    /// A value with a tag.
    Tagged(ValueTag),
    /// A backpropagator.
    Backpropagator,
    /// A union; the parts are, for each alternative, the boolean that says if it is the one, and the alternative.
    Union,
}

/// The facts about an abstract value that are kept with it.
#[derive(Clone, Copy, Debug)]
struct Facts {
    leaves: u32,
    depth: u32,
    /// The number of parts, as a tree.
    size: u32,
    /// A hash of the value without its reals: only values with equal ones differ in their reals alone.
    skeleton: u64,
    /// True if it contains a backpropagator.
    has_backpropagators: bool,
    /// True if it contains a bundle, a tagged value or a backpropagator.
    has_marks: bool,
    /// The arrays in it.
    arrays: Arrays,
    /// True if it contains a cell.
    has_cells: bool,
    /// True if it contains [`Abstract::Back`], outside of cells.
    is_open: bool,
}

/// The abstract values of a program.
#[derive(Debug)]
pub struct Domain {
    values: Table<AbstractId, (Abstract, Facts)>,
    numbers: HashMap<Abstract, AbstractId>,
    /// The values of constants that were asked for; none for one that is too large.
    constants: HashMap<ConstantId, Option<AbstractId>>,
    /// The number of [`Abstract::AnyBoolean`].
    any_boolean: AbstractId,
    /// The cells that are taken to be cells of more general structures.
    general: HashMap<AbstractId, AbstractId>,
    /// The values that have to be joined with the union of the cell that is made.
    absorbed: Vec<AbstractId>,
    /// True while a cell is made.
    closes: bool,
    /// The parts of values that have been compared with one another, since this was taken.
    pub walked: u64,
}

impl Default for Domain {
    fn default() -> Domain {
        let mut domain = Domain {
            values: Table::default(),
            numbers: HashMap::new(),
            constants: HashMap::new(),
            any_boolean: AbstractId(0),
            general: HashMap::new(),
            absorbed: Vec::new(),
            closes: false,
            walked: 0,
        };
        domain.any_boolean = domain.atom(Abstract::AnyBoolean);
        domain
    }
}

impl Domain {
    /// The value of a constant; none if it is not an abstract value. Parts have smaller numbers than what they are parts of.
    pub fn constant(&mut self, all: &Constants, id: ConstantId) -> Option<AbstractId> {
        let (mut parts, mut pending) = (BTreeSet::new(), vec![id]);
        while let Some(next) = pending.pop() {
            if !self.constants.contains_key(&next) && parts.insert(next) {
                pending.extend(all.parts(next));
            }
            if parts.len() > MOST_PARTS as usize {
                self.constants.insert(id, None);
                break;
            }
        }
        if !self.constants.contains_key(&id) {
            for part in parts {
                let value = self.constant_of_parts(all.get(part));
                self.constants.insert(part, value);
            }
        }
        self.constants.get(&id).copied().flatten()
    }

    /// The value of a constant whose parts have values.
    fn constant_of_parts(&mut self, constant: &Constant) -> Option<AbstractId> {
        let known = |domain: &Domain, part: &ConstantId| domain.constants.get(part).copied().flatten();
        match constant {
            Constant::Nil => Some(self.nil()),
            Constant::Boolean(truth) => Some(self.boolean(*truth)),
            Constant::Real(real) => Some(self.literal(*real)),
            Constant::Pair(first, second) => {
                let (first, second) = (known(self, first)?, known(self, second)?);
                self.pair(first, second).ok()
            }
            Constant::Vector(elements) => {
                let elements: Option<Vec<AbstractId>> = elements.iter().map(|element| known(self, element)).collect();
                self.compose(Head::Vector, &elements?).ok()
            }
        }
    }

    /// The abstract value of a number.
    pub fn get(&self, id: AbstractId) -> &Abstract {
        &self.row(id).0
    }

    /// The number of leaves.
    pub fn leaves(&self, id: AbstractId) -> usize {
        self.row(id).1.leaves as usize
    }

    /// Returns true if the value contains a backpropagator.
    pub fn has_backpropagators(&self, id: AbstractId) -> bool {
        self.row(id).1.has_backpropagators
    }

    /// Returns true if the value contains a bundle, a tagged value or a backpropagator.
    pub fn has_marks(&self, id: AbstractId) -> bool {
        self.row(id).1.has_marks
    }

    /// Returns true if the value contains a cell.
    pub fn has_cells(&self, id: AbstractId) -> bool {
        self.row(id).1.has_cells
    }

    fn row(&self, id: AbstractId) -> &(Abstract, Facts) {
        &self.values[id]
    }

    fn number(&mut self, value: Abstract, facts: Facts) -> AbstractId {
        if let Some(id) = self.numbers.get(&value) {
            return *id;
        }
        let id = self.values.push((value.clone(), facts));
        self.numbers.insert(value, id);
        id
    }

    fn atom(&mut self, value: Abstract) -> AbstractId {
        let is_leaf = matches!(value, Abstract::AnyReal | Abstract::AnyBoolean | Abstract::Back);
        let skeleton = match value {
            Abstract::Real { .. } | Abstract::AnyReal => 1,
            _ => hash_of(&value),
        };
        let leaves = u32::from(is_leaf);
        let facts = Facts {
            leaves,
            depth: 0,
            size: 1,
            skeleton,
            has_backpropagators: false,
            has_marks: false,
            arrays: Arrays::None,
            has_cells: false,
            is_open: value == Abstract::Back,
        };
        self.number(value, facts)
    }

    /// The empty list.
    pub fn nil(&mut self) -> AbstractId {
        self.atom(Abstract::Nil)
    }

    /// A known boolean.
    pub fn boolean(&mut self, truth: bool) -> AbstractId {
        self.atom(Abstract::Boolean(truth))
    }

    /// A real of the text of the program.
    pub fn literal(&mut self, real: f64) -> AbstractId {
        self.atom(Abstract::Real { bits: Bits::of(real), is_computed: false })
    }

    /// A known result of an operation.
    pub fn computed(&mut self, real: f64) -> AbstractId {
        self.atom(Abstract::Real { bits: Bits::of(real), is_computed: true })
    }

    /// A primitive.
    pub fn primitive(&mut self, primitive: Primitive) -> AbstractId {
        self.atom(Abstract::Primitive(primitive))
    }

    /// Any real.
    pub fn any_real(&mut self) -> AbstractId {
        self.atom(Abstract::AnyReal)
    }

    /// Any boolean.
    pub fn any_boolean(&self) -> AbstractId {
        self.any_boolean
    }

    /// A pair.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn pair(&mut self, first: AbstractId, second: AbstractId) -> Result<AbstractId, Reason> {
        let (first_facts, second_facts) = (self.row(first).1, self.row(second).1);
        let facts = Facts {
            leaves: first_facts.leaves.saturating_add(second_facts.leaves),
            depth: second_facts.depth.max(first_facts.depth + 1),
            size: first_facts.size.saturating_add(second_facts.size),
            skeleton: hash_of(&(first_facts.skeleton, second_facts.skeleton)),
            has_backpropagators: first_facts.has_backpropagators || second_facts.has_backpropagators,
            has_marks: first_facts.has_marks || second_facts.has_marks,
            arrays: first_facts.arrays.max(second_facts.arrays),
            has_cells: first_facts.has_cells || second_facts.has_cells,
            is_open: first_facts.is_open || second_facts.is_open,
        };
        bounded(facts)?;
        Ok(self.number(Abstract::Pair(first, second), facts))
    }

    /// A procedure.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn closure(&mut self, lambda: LambdaId, slots: &[AbstractId]) -> Result<AbstractId, Reason> {
        self.compose(Head::Closure(lambda), slots)
    }

    /// The parts of an abstract value, from left to right, and what it is apart from them.
    pub fn decompose(&self, id: AbstractId) -> (Head, Vec<AbstractId>) {
        match self.get(id) {
            Abstract::Pair(first, second) => (Head::Pair, vec![*first, *second]),
            Abstract::Closure(lambda, slots) => (Head::Closure(*lambda), slots.to_vec()),
            Abstract::Vector(elements) => (Head::Vector, elements.to_vec()),
            Abstract::Bundle { primal, tangent, is_tagged } => (Head::Bundle(*is_tagged), vec![*primal, *tangent]),
            Abstract::Tagged(mark, content) => (Head::Tagged(*mark), vec![*content]),
            Abstract::Backpropagator(f, x) => (Head::Backpropagator, vec![*f, *x]),
            Abstract::Union(alternatives) => {
                let parts = alternatives.iter().flat_map(|alternative| [self.any_boolean, *alternative]);
                (Head::Union, parts.collect())
            }
            Abstract::Nil
            | Abstract::Boolean(_)
            | Abstract::AnyBoolean
            | Abstract::Real { .. }
            | Abstract::AnyReal
            | Abstract::Array(_)
            | Abstract::Cell(_)
            | Abstract::Back
            | Abstract::Primitive(_) => (Head::Atom, Vec::new()),
        }
    }

    /// The abstract value of some parts.
    ///
    /// # Errors
    /// Returns the reason if the value is too large.
    pub fn compose(&mut self, head: Head, parts: &[AbstractId]) -> Result<AbstractId, Reason> {
        let value = match (head, parts) {
            (Head::Pair, [first, second]) => return self.pair(*first, *second),
            (Head::Closure(lambda), slots) => Abstract::Closure(lambda, slots.into()),
            (Head::Vector, elements) => Abstract::Vector(elements.into()),
            (Head::Bundle(is_tagged), [primal, tangent]) => {
                Abstract::Bundle { primal: *primal, tangent: *tangent, is_tagged }
            }
            (Head::Tagged(mark), [content]) => Abstract::Tagged(mark, *content),
            (Head::Backpropagator, [f, x]) => Abstract::Backpropagator(*f, *x),
            (Head::Union, parts) => Abstract::Union(parts.iter().skip(1).step_by(2).copied().collect()),
            (Head::Atom | Head::Pair | Head::Bundle(_) | Head::Tagged(_) | Head::Backpropagator, _) => {
                internal_bug!("a value is composed of the parts that it has")
            }
        };
        let mut facts = Facts {
            leaves: 0,
            depth: 0,
            size: 1,
            skeleton: hash_of(&head),
            has_backpropagators: head == Head::Backpropagator,
            has_marks: matches!(head, Head::Bundle(_) | Head::Tagged(_) | Head::Backpropagator),
            arrays: Arrays::None,
            has_cells: false,
            is_open: false,
        };
        for part in parts {
            let of_part = self.row(*part).1;
            facts.skeleton = hash_of(&(facts.skeleton, of_part.skeleton));
            facts.has_backpropagators |= of_part.has_backpropagators;
            facts.has_marks |= of_part.has_marks;
            facts.arrays = facts.arrays.max(of_part.arrays);
            facts.has_cells |= of_part.has_cells;
            facts.is_open |= of_part.is_open;
            facts.leaves = facts.leaves.saturating_add(of_part.leaves);
            facts.size = facts.size.saturating_add(of_part.size);
            facts.depth = facts.depth.max(of_part.depth + 1);
        }
        if head == Head::Union && facts.arrays != Arrays::None {
            facts.arrays = Arrays::Alternatives;
        }
        bounded(facts)?;
        Ok(self.number(value, facts))
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
                Abstract::Real { .. } | Abstract::AnyReal => break real,
                _ => {
                    let (head, parts) = self.decompose(rest);
                    if head == Head::Atom {
                        break rest;
                    }
                    let parts: Result<Vec<_>, _> = parts.iter().map(|part| self.with_reals(*part, real)).collect();
                    break self.compose(head, &parts?)?;
                }
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
                Abstract::Cell(_) | Abstract::Back => kinds.push(Kind::Cell),
                Abstract::Array(element) => kinds.extend(self.kinds(*element).into_iter().filter_map(Kind::array)),
                _ => pending.extend(self.decompose(id).1.iter().rev()),
            }
        }
        kinds
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn bounded(facts: Facts) -> Result<(), Reason> {
    if facts.leaves > MOST_LEAVES {
        return Err(Reason::new(Cause::Leaves(MOST_LEAVES)));
    }
    if facts.size > MOST_PARTS {
        return Err(Reason::new(Cause::Parts(MOST_PARTS)));
    }
    if facts.depth > MOST_DEPTH {
        return Err(Reason::new(Cause::Depth(MOST_DEPTH)));
    }
    Ok(())
}

//! The values of variables under evaluation.

use crate::bits::{CellLeaf, Parts};
use crate::{Kind, Leaf, Relation};
use std::any::Any;
use std::cell::{Ref, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use vlad_ad::plain::given_back;
use vlad_table::internal_bug;
use vlad_values::{Level, LevelPart, Lifted, Number};

/// A leaf under evaluation.
#[derive(Clone, Debug)]
pub enum Value {
    Real(Number),
    Boolean(bool),
    /// An integer of storage code.
    Integer(u64),
    /// Accumulators change: they are one object, wherever they are moved.
    Array(Rc<RefCell<Vec<Value>>>),
    /// A reference to an accumulator: an element of an array.
    Place(Rc<RefCell<Vec<Value>>>, usize),
    Cell(Rc<CellParts>),
    /// An absent cell, or no reference.
    Absent,
}

/// The parts of a cell. Cells may be nested deep: they are dropped without nesting.
#[derive(Debug)]
pub struct CellParts(Vec<Value>);

impl Parts for CellParts {
    fn leaves(&self) -> Vec<Leaf> {
        self.0.iter().map(Value::leaf).collect()
    }

    fn into_any(self: Rc<Self>) -> Rc<dyn Any> {
        self
    }
}

impl Drop for CellParts {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.0);
        while let Some(part) = pending.pop() {
            if let Value::Cell(cell) = part
                && let Some(mut cell) = Rc::into_inner(cell)
            {
                pending.append(&mut cell.0);
            }
        }
    }
}

impl Value {
    pub fn of(leaf: &Leaf) -> Value {
        match leaf {
            Leaf::Real(real) => Value::Real(Number::Real(*real)),
            Leaf::Boolean(boolean) => Value::Boolean(*boolean),
            Leaf::Array(elements) => Value::array(elements.iter().map(Value::of).collect()),
            Leaf::Cell(None) => Value::Absent,
            Leaf::Cell(Some(CellLeaf(cell))) => match Rc::clone(cell).into_any().downcast() {
                Ok(cell) => Value::Cell(cell),
                Err(_) => internal_bug!("a cell is one of the evaluator"),
            },
        }
    }

    pub fn array(elements: Vec<Value>) -> Value {
        Value::Array(Rc::new(RefCell::new(elements)))
    }

    pub fn cell(parts: Vec<Value>) -> Value {
        if parts.is_empty() { Value::Absent } else { Value::Cell(Rc::new(CellParts(parts))) }
    }

    /// The first parts of a cell, which are of given kinds.
    pub fn parts(&self, kinds: &[Kind]) -> Vec<Value> {
        let of_absent = |kind: &Kind| match kind {
            Kind::Real => Value::Real(Number::Real(0.0)),
            Kind::Boolean => Value::Boolean(false),
            Kind::Array(_) => Value::array(Vec::new()),
            Kind::Integer => Value::Integer(0),
            Kind::Cell => Value::Absent,
        };
        match self {
            Value::Cell(cell) if cell.0.len() >= kinds.len() => cell.0.iter().take(kinds.len()).cloned().collect(),
            Value::Cell(cell) if cell.0.len() + 1 == kinds.len() && kinds.last() == Some(&Kind::Boolean) => {
                cell.0.iter().cloned().chain([Value::Boolean(false)]).collect()
            }
            Value::Absent => kinds.iter().map(of_absent).collect(),
            Value::Real(_)
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Array(_)
            | Value::Place(..)
            | Value::Cell(_) => {
                internal_bug!("a cell has the parts that are read")
            }
        }
    }

    /// A reference to a new accumulator.
    pub fn accumulator() -> Value {
        Value::array(vec![Value::Real(Number::Real(0.0))]).place(0)
    }

    /// A reference to an element of an array of accumulators.
    pub fn place(&self, index: usize) -> Value {
        let Value::Array(elements) = self else { internal_bug!("operands are of their kinds") };
        Value::Place(Rc::clone(elements), index)
    }

    /// The accumulator that a reference refers to.
    pub fn sum(&self) -> Number {
        match self {
            Value::Place(sums, index) => match sums.borrow().get(*index) {
                Some(sum) => sum.clone().number(),
                None => internal_bug!("an accumulator is at a valid index"),
            },
            Value::Absent => Number::Real(0.0),
            Value::Real(_) | Value::Boolean(_) | Value::Integer(_) | Value::Array(_) | Value::Cell(_) => {
                internal_bug!("operands are of their kinds")
            }
        }
    }

    /// Replaces the accumulator that a reference refers to, if it refers to one.
    pub fn set_sum(&self, sum: Number) {
        if let Value::Place(sums, index) = self
            && let Some(place) = sums.borrow_mut().get_mut(*index)
        {
            *place = Value::Real(sum);
        }
    }

    /// Gives the accumulators that another value leads to, which was made as this one was, the sums of this one's.
    pub fn hand_over(&self, to: &Value) {
        let (mut pending, mut seen) = (vec![(self.clone(), to.clone())], HashSet::new());
        while let Some((from, to)) = pending.pop() {
            match (&from, &to) {
                (Value::Cell(from), Value::Cell(to)) => {
                    if !Rc::ptr_eq(from, to) && seen.insert(Rc::as_ptr(from)) {
                        pending.extend(from.0.iter().cloned().zip(to.0.iter().cloned()));
                    }
                }
                (Value::Place(a, i), Value::Place(b, j)) if !(Rc::ptr_eq(a, b) && i == j) => to.set_sum(from.sum()),
                (Value::Absent | Value::Place(..) | Value::Real(_) | Value::Boolean(_) | Value::Integer(_), _) => {}
                (Value::Array(_) | Value::Cell(_), _) => internal_bug!("both values have the same parts"),
            }
        }
    }

    pub fn elements(&self) -> Ref<'_, Vec<Value>> {
        let Value::Array(elements) = self else { internal_bug!("operands are of their kinds") };
        elements.borrow()
    }

    /// An array with the lengths of this one, of +0.
    pub fn zeros(&self) -> Value {
        match self {
            Value::Array(elements) => Value::array(elements.borrow().iter().map(Value::zeros).collect()),
            Value::Real(_) | Value::Boolean(_) | Value::Integer(_) | Value::Absent => Value::Real(Number::Real(0.0)),
            Value::Place(..) | Value::Cell(_) => Value::Absent,
        }
    }

    /// The value with each of its reals changed, in order.
    pub fn with_reals(&self, change: &mut impl FnMut(&Number) -> Number) -> Value {
        match self {
            Value::Real(number) => Value::Real(change(number)),
            Value::Boolean(boolean) => Value::Boolean(*boolean),
            Value::Integer(integer) => Value::Integer(*integer),
            Value::Absent => Value::Absent,
            Value::Place(sums, index) => Value::Place(Rc::clone(sums), *index),
            // No real of a skeleton is read.
            Value::Cell(cell) => Value::Cell(Rc::clone(cell)),
            Value::Array(elements) => {
                Value::array(elements.borrow().iter().map(|element| element.with_reals(change)).collect())
            }
        }
    }

    /// Visits the reals, in order.
    pub fn each_real(&self, visit: &mut impl FnMut(&Number)) {
        match self {
            Value::Real(number) => visit(number),
            Value::Boolean(_) | Value::Integer(_) | Value::Absent | Value::Place(..) | Value::Cell(_) => {}
            Value::Array(elements) => elements.borrow().iter().for_each(|element| element.each_real(visit)),
        }
    }

    /// Returns true if two values have the same lengths, and the same scalars if those are compared.
    pub fn is_same(&self, other: &Value, relation: Relation) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => {
                let (a, b) = (a.borrow(), b.borrow());
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is_same(b, relation))
            }
            (Value::Real(a), Value::Real(b)) => relation == Relation::SameLengths || a.base() == b.base(),
            (Value::Boolean(a), Value::Boolean(b)) => relation == Relation::SameLengths || a == b,
            (Value::Cell(_) | Value::Place(..) | Value::Absent, _) | (_, Value::Absent) => {
                relation == Relation::SameLengths
            }
            (Value::Real(_) | Value::Boolean(_) | Value::Integer(_) | Value::Array(_), _) => {
                internal_bug!("operands are of their kinds")
            }
        }
    }

    pub fn leaf(&self) -> Leaf {
        match self {
            Value::Real(number) => Leaf::Real(number.base()),
            Value::Boolean(boolean) => Leaf::Boolean(*boolean),
            Value::Integer(_) => internal_bug!("no result is an integer"),
            Value::Absent | Value::Place(..) => Leaf::Cell(None),
            Value::Cell(cell) => Leaf::Cell(Some(CellLeaf(Rc::<CellParts>::clone(cell)))),
            Value::Array(elements) => Leaf::Array(elements.borrow().iter().map(Value::leaf).collect()),
        }
    }

    pub fn number(self) -> Number {
        let Value::Real(number) = self else { internal_bug!("operands are of their kinds") };
        number
    }

    /// The value at the levels around a level.
    pub fn primal(&self, level: Level) -> Value {
        self.with_reals(&mut |number| stripped(number, level).0)
    }

    /// The tangents that a level adds, without signs of zeros.
    pub fn tangent(&self, level: Level) -> Value {
        if matches!(self, Value::Place(..) | Value::Cell(_) | Value::Absent) {
            return Value::Absent;
        }
        self.with_reals(&mut |number| match stripped(number, level).1 {
            None => Number::Real(0.0),
            Some(LevelPart::Tangent(tangent)) => given_back(&tangent),
            Some(LevelPart::Node(_)) => internal_bug!("a forward level makes no nodes"),
        })
    }
}

/// A number at the levels around a level, and the part that the level adds.
pub fn stripped(number: &Number, level: Level) -> (Number, Option<LevelPart>) {
    match number {
        Number::Lifted(lifted) if lifted.level == level => (lifted.primal.clone(), Some(lifted.part.clone())),
        Number::Lifted(_) | Number::Real(_) => (number.clone(), None),
    }
}

/// A number with a part at a level.
pub fn lifted(level: Level, primal: &Number, part: LevelPart) -> Number {
    Number::Lifted(Rc::new(Lifted { level, primal: primal.clone(), part }))
}

//! Templates: the known part of a value that crosses between first-order code and the other engines' representation.
//!
//! A template is a postfix program for a stack of values, so neither its making nor its use needs host stack.

use super::bits::{Bits, Leaf};
use super::kind::{Elements, Kind};
use std::rc::Rc;
use vlad_ad::reflection::marked;
use vlad_core::LambdaId;
use vlad_table::{Primitive, ValueTag};
use vlad_values::{Backpropagator, Bundle, Slots, Tagged, Tagging, Tangent, Value};

/// The known part of a value, with gaps for its leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// The steps, which leave one value.
    pub steps: Vec<Step>,
}

/// A step of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Pushes the empty list.
    Nil,
    /// Pushes a known boolean.
    Boolean(bool),
    /// Pushes a known real.
    Real(Bits),
    /// Pushes a primitive.
    Primitive(Primitive),
    /// Pushes the next leaf, a real.
    RealLeaf,
    /// Pushes the next leaf, a boolean.
    BooleanLeaf,
    /// Pushes the vector whose elements the next leaf has, an array.
    ArrayLeaf(Elements),
    /// Replaces the two values on top by their pair; the second part is on top.
    Pair,
    /// Replaces as many values on top as the procedure has slots by the procedure; the last slot is on top.
    Procedure(LambdaId, u32),
    /// Replaces as many values on top by the vector of them; the last element is on top.
    Vector(u32),
    /// Replaces the two values on top by their bundle; the tangent is on top. True if the tangent is returned as a
    /// perturbation.
    Bundle(bool),
    /// Replaces the value on top by the value with that tag.
    Tagged(ValueTag),
    /// Replaces the two values on top by the backpropagator of the first, a procedure that has read nothing, and its
    /// operand. It executes the procedure again when it is called.
    Backpropagator,
    /// Replaces a boolean and two values by the first value if it is true, else by the second, which is on top. That is the
    /// value of as many steps before this one.
    Either(u32),
    /// Replaces a boolean and the value on top, the last one of those that it can be, by that value.
    Last,
}

impl Template {
    /// The value with these leaves; none if they are not as many as its gaps, or of other kinds.
    pub fn value(&self, leaves: &[Leaf]) -> Option<Value> {
        let mut leaves = leaves.iter();
        let mut stack: Vec<Value> = Vec::new();
        for step in &self.steps {
            let value = match *step {
                Step::Nil => Value::Nil,
                Step::Boolean(truth) => Value::Boolean(truth),
                Step::Real(bits) => Value::Real(bits.real()),
                Step::Primitive(primitive) => Value::Primitive(primitive),
                Step::RealLeaf => leaf_value(leaves.next()?, Kind::Real)?,
                Step::BooleanLeaf => leaf_value(leaves.next()?, Kind::Boolean)?,
                Step::ArrayLeaf(elements) => leaf_value(leaves.next()?, Kind::Array(elements))?,
                Step::Pair => {
                    let (second, first) = (stack.pop()?, stack.pop()?);
                    Value::pair(first, second)
                }
                Step::Procedure(code, count) => {
                    let slots = stack.split_off(stack.len().checked_sub(count as usize)?);
                    let slots = (!slots.is_empty()).then(|| Rc::new(Slots::new(slots)));
                    Value::Procedure { code, slots }
                }
                Step::Vector(count) => {
                    let elements = stack.split_off(stack.len().checked_sub(count as usize)?);
                    Value::vector(elements.into_iter().collect())
                }
                Step::Bundle(is_tagged) => {
                    let (tangent, primal) = (stack.pop()?, stack.pop()?);
                    let marking = if is_tagged { Tagging::Tagged } else { Tagging::Plain };
                    Value::tagged(Tagged::Bundle(Bundle { primal, tangent: Tangent::Given(tangent), marking }))
                }
                Step::Tagged(mark) => marked(mark, stack.pop()?),
                Step::Backpropagator => {
                    let (operand, operator) = (stack.pop()?, stack.pop()?);
                    let backpropagator = Backpropagator::new(operator, operand, Some(Rc::from([])));
                    Value::tagged(Tagged::Backpropagator(backpropagator))
                }
                Step::Either(_) => {
                    let (second, first, is_first) = (stack.pop()?, stack.pop()?, stack.pop()?);
                    if matches!(is_first, Value::Boolean(true)) { first } else { second }
                }
                Step::Last => {
                    let last = stack.pop()?;
                    stack.pop()?;
                    last
                }
            };
            stack.push(value);
        }
        stack.pop().filter(|_| stack.is_empty() && leaves.next().is_none())
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        let is_leaf = |step: &&Step| matches!(step, Step::RealLeaf | Step::BooleanLeaf | Step::ArrayLeaf(_));
        self.steps.iter().filter(is_leaf).count()
    }
}

/// The value of a leaf; none if that is of another kind. The rank of arrays bounds the recursion.
fn leaf_value(leaf: &Leaf, kind: Kind) -> Option<Value> {
    Some(match (leaf, kind) {
        (Leaf::Real(real), Kind::Real) => Value::Real(*real),
        (Leaf::Boolean(truth), Kind::Boolean) => Value::Boolean(*truth),
        (Leaf::Array(elements), kind) => {
            let element = kind.element()?;
            let elements: Option<Vec<Value>> = elements.iter().map(|leaf| leaf_value(leaf, element)).collect();
            Value::vector(elements?.into_iter().collect())
        }
        (Leaf::Real(_) | Leaf::Boolean(_), _) => return None,
    })
}

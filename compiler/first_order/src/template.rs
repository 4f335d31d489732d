//! Templates: the known part of a value that crosses between first-order code and the other engines' representation.
//!
//! A template is a postfix program for a stack of values, so neither its making nor its use needs host stack. The shapes of
//! the cells in it are programs of their own, which may refer to each other and to themselves.

use super::bits::{Bits, CellLeaf, Leaf};
use super::kind::{Elements, Kind};
use std::collections::HashMap;
use std::rc::Rc;
use vlad_ad::reflection::marked;
use vlad_core::LambdaId;
use vlad_table::{Primitive, ValueTag};
use vlad_values::print::Layout;
use vlad_values::{Backpropagator, Bundle, Slots, Tagged, Tagging, Tangent, Value};

/// The known part of a value, with gaps for its leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// The steps, which leave one value.
    pub steps: Vec<Step>,
    /// The steps for the union that a cell is, by the numbers of cells.
    pub cells: Vec<Vec<Step>>,
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
    /// Pushes the structure that the next leaf is, a cell of that number.
    CellLeaf(u32),
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

/// The form of a line that is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The layout of the value.
    pub layout: Layout,
    /// The shape of the value.
    pub template: Template,
}

impl Line {
    /// The line of a value that is written as it is.
    pub fn of(template: Template) -> Line {
        Line { layout: Layout::Datum, template }
    }
}

impl Template {
    /// A template without cells.
    pub fn of(steps: Vec<Step>) -> Template {
        Template { steps, cells: Vec::new() }
    }

    /// The value with these leaves; none if they are not as many as its gaps, or of other kinds. A cell that several others
    /// refer to is one object.
    pub fn value(&self, leaves: &[Leaf]) -> Option<Value> {
        let mut made: HashMap<*const (), Value> = HashMap::new();
        let mut all = vec![Making::new(&self.steps, leaves.to_vec(), None)];
        loop {
            let making = all.last_mut()?;
            let next = match making.steps.next() {
                Some(Step::CellLeaf(number)) => match making.leaves.next()?.cell()? {
                    None => Value::Nil,
                    Some(cell) => match made.get(&cell.address()) {
                        Some(value) => value.clone(),
                        None => {
                            let steps = self.cells.get(*number as usize)?;
                            all.push(Making::new(steps, cell.parts(), Some(cell)));
                            continue;
                        }
                    },
                },
                Some(step) => making.step(*step)?,
                None => {
                    let done = all.pop()?;
                    let value = done.finished()?;
                    let Some(waiting) = all.last_mut() else { return Some(value) };
                    if let Some(cell) = done.cell {
                        made.insert(cell.address(), value.clone());
                    }
                    waiting.stack.push(value);
                    continue;
                }
            };
            making.stack.push(next);
        }
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.steps.iter().filter(|step| step.is_leaf()).count()
    }
}

/// A value that is made of its leaves.
struct Making<'template> {
    steps: std::slice::Iter<'template, Step>,
    leaves: std::vec::IntoIter<Leaf>,
    stack: Vec<Value>,
    /// The cell that it is.
    cell: Option<CellLeaf>,
}

impl Making<'_> {
    fn new(steps: &[Step], leaves: Vec<Leaf>, cell: Option<CellLeaf>) -> Making<'_> {
        Making { steps: steps.iter(), leaves: leaves.into_iter(), stack: Vec::new(), cell }
    }

    fn finished(&self) -> Option<Value> {
        match self.stack.as_slice() {
            [value] if self.leaves.as_slice().is_empty() => Some(value.clone()),
            _ => None,
        }
    }

    /// The value that a step pushes.
    fn step(&mut self, step: Step) -> Option<Value> {
        let Making { leaves, stack, .. } = self;
        Some(match step {
            Step::Nil => Value::Nil,
            Step::Boolean(truth) => Value::Boolean(truth),
            Step::Real(bits) => Value::Real(bits.real()),
            Step::Primitive(primitive) => Value::Primitive(primitive),
            Step::RealLeaf | Step::BooleanLeaf | Step::ArrayLeaf(_) => leaf_value(&leaves.next()?, step.leaf()?)?,
            // It is made by steps of its own.
            Step::CellLeaf(_) => return None,
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
        })
    }
}

impl Step {
    /// The kind of the leaf that it takes, if it takes one.
    pub fn leaf(self) -> Option<Kind> {
        match self {
            Step::RealLeaf => Some(Kind::Real),
            Step::BooleanLeaf => Some(Kind::Boolean),
            Step::ArrayLeaf(elements) => Some(Kind::Array(elements)),
            Step::CellLeaf(_) => Some(Kind::Cell),
            Step::Nil | Step::Boolean(_) | Step::Real(_) | Step::Primitive(_) => None,
            Step::Pair | Step::Procedure(..) | Step::Vector(_) | Step::Bundle(_) | Step::Tagged(_) => None,
            Step::Backpropagator | Step::Last | Step::Either(_) => None,
        }
    }

    /// Returns true if it takes a leaf.
    pub fn is_leaf(self) -> bool {
        self.leaf().is_some()
    }

    /// The number of values that it takes from the stack.
    pub fn taken(self) -> usize {
        match self {
            Step::Nil | Step::Boolean(_) | Step::Real(_) | Step::Primitive(_) => 0,
            Step::RealLeaf | Step::BooleanLeaf | Step::ArrayLeaf(_) | Step::CellLeaf(_) => 0,
            Step::Tagged(_) => 1,
            Step::Pair | Step::Bundle(_) | Step::Backpropagator | Step::Last => 2,
            Step::Either(_) => 3,
            Step::Procedure(_, parts) | Step::Vector(parts) => parts as usize,
        }
    }
}

/// The value of a leaf; none if that is of another kind. The rank of arrays bounds the recursion.
fn leaf_value(leaf: &Leaf, kind: Kind) -> Option<Value> {
    Some(match (leaf, kind) {
        (Leaf::Real(real), Kind::Real) => Value::Real(*real),
        (Leaf::Boolean(truth), Kind::Boolean) => Value::Boolean(*truth),
        // Parts of what is no cell are 0 and false.
        (Leaf::Cell(None), Kind::Real) => Value::Real(0.0),
        (Leaf::Cell(None), Kind::Boolean) => Value::Boolean(false),
        (Leaf::Array(elements), kind) => {
            let element = kind.element()?;
            let elements: Option<Vec<Value>> = elements.iter().map(|leaf| leaf_value(leaf, element)).collect();
            Value::vector(elements?.into_iter().collect())
        }
        (Leaf::Real(_) | Leaf::Boolean(_) | Leaf::Cell(_), _) => return None,
    })
}

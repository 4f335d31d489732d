//! Templates of abstract values, for those that enter and leave the code of an item: inputs, the result, and values that are written.

use super::domain::{Abstract, AbstractId, Domain, Head};
use vlad_first_order::Kind;
use vlad_first_order::template::{Step, Template};
use vlad_table::internal_bug;

/// The cells of a template, in the order of their numbers.
type Cells = Vec<AbstractId>;

impl Domain {
    /// The template of the concrete values of an abstract value.
    pub fn template(&self, id: AbstractId) -> Template {
        let mut found = Cells::new();
        let mut template = Template::of(self.steps(id, None, &mut found));
        while let Some(cell) = found.get(template.cells.len()) {
            let Abstract::Cell(body) = *self.get(*cell) else {
                internal_bug!("the shape of a cell is that of its union")
            };
            let number = template.cells.len() as u32;
            template.cells.push(self.steps(body, Some(number), &mut found));
        }
        template
    }

    /// The steps for a value, which may be the union of a cell. The depth of alternatives bounds the recursion.
    fn steps(&self, id: AbstractId, within: Option<u32>, cells: &mut Cells) -> Vec<Step> {
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
                    Abstract::Cell(_) => Step::CellLeaf(number_of(id, cells)),
                    Abstract::Back => match within {
                        Some(cell) => Step::CellLeaf(cell),
                        None => internal_bug!("a back is in the union of a cell"),
                    },
                    Abstract::Array(_) => match self.kinds(id).as_slice() {
                        [Kind::Array(elements)] => Step::ArrayLeaf(*elements),
                        _ => internal_bug!("an array that crosses the border of an item has one leaf"),
                    },
                    Abstract::Pair(first, second) => {
                        pending.extend([Task::Step(Step::Pair), Task::Value(*second), Task::Value(*first)]);
                        continue;
                    }
                    Abstract::Union(alternatives) => {
                        steps.extend(self.either(alternatives, within, cells));
                        continue;
                    }
                    Abstract::Closure(..)
                    | Abstract::Vector(_)
                    | Abstract::Bundle { .. }
                    | Abstract::Tagged(..)
                    | Abstract::Backpropagator(..) => {
                        let (head, parts) = self.decompose(id);
                        pending.push(Task::Step(match head {
                            Head::Closure(lambda) => Step::Procedure(lambda, parts.len() as u32),
                            Head::Vector => Step::Vector(parts.len() as u32),
                            Head::Bundle(is_tagged) => Step::Bundle(is_tagged),
                            Head::Tagged(mark) => Step::Tagged(mark),
                            Head::Backpropagator => Step::Backpropagator,
                            Head::Atom | Head::Pair | Head::Union => {
                                internal_bug!("it has parts, and is no pair")
                            }
                        }));
                        pending.extend(parts.iter().rev().map(|part| Task::Value(*part)));
                        continue;
                    }
                },
            };
            steps.push(step);
        }
        steps
    }

    /// The steps for a union: for each alternative a boolean, and the steps of the alternative behind it.
    fn either(&self, alternatives: &[AbstractId], within: Option<u32>, cells: &mut Cells) -> Vec<Step> {
        let mut steps = Vec::new();
        for (place, alternative) in alternatives.iter().enumerate().rev() {
            let mut all = vec![Step::BooleanLeaf];
            all.extend(self.steps(*alternative, within, cells));
            let others = steps.len() as u32;
            all.append(&mut steps);
            all.push(if place + 1 == alternatives.len() { Step::Last } else { Step::Either(others) });
            steps = all;
        }
        steps
    }
}

/// The number of a cell.
fn number_of(cell: AbstractId, cells: &mut Cells) -> u32 {
    let place = cells.iter().position(|other| *other == cell).unwrap_or_else(|| {
        cells.push(cell);
        cells.len() - 1
    });
    place as u32
}

//! Templates of abstract values: for values that enter and leave residual code.

use super::domain::{Abstract, AbstractId, Domain, Head};
use crate::first_order::Kind;
use crate::first_order::template::{Step, Template};
use vlad_table::internal_bug;

impl Domain {
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
                    Abstract::Cell(_) | Abstract::Back => internal_bug!("no cell crosses the border of an item"),
                    Abstract::Array(_) => match self.kinds(id).as_slice() {
                        [Kind::Array(elements)] => Step::ArrayLeaf(*elements),
                        _ => internal_bug!("an array that crosses the border of an item has one leaf"),
                    },
                    Abstract::Pair(first, second) => {
                        pending.extend([Task::Step(Step::Pair), Task::Value(*second), Task::Value(*first)]);
                        continue;
                    }
                    Abstract::Union(alternatives) => {
                        steps.extend(self.either(alternatives));
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
        Template { steps }
    }

    /// The steps for one of some alternatives. The depth of the value bounds the recursion.
    fn either(&self, alternatives: &[AbstractId]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (place, alternative) in alternatives.iter().enumerate().rev() {
            let mut all = vec![Step::BooleanLeaf];
            all.extend(self.template(*alternative).steps);
            let others = steps.len() as u32;
            all.append(&mut steps);
            all.push(if place + 1 == alternatives.len() { Step::Last } else { Step::Either(others) });
            steps = all;
        }
        steps
    }
}

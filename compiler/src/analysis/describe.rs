//! Descriptions of instances for `vlad explain`: abstract values as text, and the values that have been widened.
//!
//! ```text
//! 3.5                                a known number
//! real, boolean                      any number, any boolean
//! (real real . real), #(real real)   pairs, lists and vectors, as the language prints them
//! #<procedure f with x = 3.5>        a procedure with its slots
//! (forward 1 (perturbation real))    a bundle
//! {() | (real . real)}               a union: one of several values
//! {() | (real . ...)}                a structure of any size: where the dots are it is such a structure again
//! ```

use super::specialiser::Specialiser;
use super::specialiser::instance::{InstanceId, Subject};
use super::values::domain::{Abstract, AbstractId};
use std::collections::HashMap;
use std::rc::Rc;
use vlad_core::{Expression, ExpressionId, LambdaId, Pattern, Program, Reference};
use vlad_table::{ValueTag, number};

/// The number of characters after which the text of a value is cut.
const MOST_TEXT: usize = 160;

/// The number of nodes that are searched for the names of slots.
const MOST_SEARCHED: usize = 20_000;

/// The number of values named that have been widened in one instance.
const MOST_WIDENED: usize = 12;

/// An instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The name of the procedure.
    pub name: String,
    /// Its code; none for the item itself and for primitives.
    pub procedure: Option<LambdaId>,
    /// The slots, each with its name and its value.
    pub slots: Vec<(String, String)>,
    /// The argument.
    pub argument: String,
    /// The result; none if it never returns.
    pub result: Option<String>,
    /// The number of unknown numbers and booleans among its slots and in its argument.
    pub leaves: usize,
    /// The number of calls of the same procedure around the call that it was made for, each with an instance of its own.
    pub unrolled: usize,
    /// The values that were known at first.
    pub widened: Vec<Widened>,
}

/// A value that was known at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widened {
    /// The variable that it belongs to.
    pub variable: String,
    /// The value before.
    pub value: String,
    /// The call that was analysed first.
    pub call: ExpressionId,
}

impl Specialiser<'_> {
    /// The instances of the item that is done.
    pub(super) fn described(&self) -> Vec<Described> {
        let mut names = HashMap::new();
        self.reached.iter().map(|id| self.instance_described(*id, &mut names)).collect()
    }

    fn instance_described(&self, id: InstanceId, names: &mut HashMap<LambdaId, Rc<[String]>>) -> Described {
        let row = self.row(id);
        let result = row.result.map(|result| self.text(result));
        let Subject::Application(operator, argument) = row.subject else {
            let (slots, widened, argument) = (Vec::new(), Vec::new(), String::new());
            let name = match row.subject {
                Subject::Item(_) | Subject::Application(..) => "item",
                Subject::Flat(..) | Subject::MadeAgain(_) => "a structure with other reals",
                Subject::Counted(_) => "the number of reals of a structure",
                Subject::Stored(..) => "the reals of a structure, in an array",
                Subject::Listed(..) => "a list of the elements of a vector",
                Subject::Filled(_) => "a vector of the elements of a list",
            };
            let name = name.to_owned();
            return Described { name, procedure: None, slots, argument, result, leaves: 0, unrolled: 0, widened };
        };
        let mut described = Described {
            name: self.text(operator),
            procedure: None,
            slots: Vec::new(),
            argument: self.text(argument),
            result,
            leaves: self.domain.leaves(operator) + self.domain.leaves(argument),
            unrolled: 0,
            widened: Vec::new(),
        };
        if let Abstract::Closure(lambda, slots) = self.domain.get(operator) {
            let names = names.entry(*lambda).or_insert_with(|| slot_names(self.program, *lambda, slots.len()));
            described.name = self.program.lambda(*lambda).name.clone().unwrap_or_else(|| "lambda".to_owned());
            described.procedure = Some(*lambda);
            described.slots = names.iter().cloned().zip(slots.iter().map(|slot| self.text(*slot))).collect();
            described.unrolled = self.calls_around(id, *lambda);
            if let Some(Subject::Application(old_operator, old_argument)) = row.widened_from {
                let (_, old_slots) = self.domain.decompose(old_operator);
                let mut pairs: Vec<(String, AbstractId, AbstractId)> = names
                    .iter()
                    .cloned()
                    .zip(old_slots)
                    .zip(slots)
                    .map(|((name, old), new)| (name, old, *new))
                    .collect();
                pairs.extend(self.parameters(*lambda, old_argument, argument));
                described.widened = pairs
                    .into_iter()
                    .flat_map(|(variable, old, new)| self.differences(&variable, old, new, row.node))
                    .take(MOST_WIDENED)
                    .collect();
            }
        }
        described
    }

    /// The number of callers with the same procedure that are instances of their own.
    fn calls_around(&self, id: InstanceId, lambda: LambdaId) -> usize {
        let (mut count, mut around) = (0, self.row(id).parent);
        while let Some(id) = around {
            let row = self.row(id);
            if row.replaced_by.is_none()
                && let Subject::Application(operator, _) = row.subject
                && matches!(self.domain.get(operator), Abstract::Closure(other, _) if *other == lambda)
            {
                count += 1;
            }
            around = row.parent;
        }
        count
    }

    /// The parts of two arguments that the variables of a procedure's pattern stand for, with the names of these.
    fn parameters(&self, lambda: LambdaId, old: AbstractId, new: AbstractId) -> Vec<(String, AbstractId, AbstractId)> {
        let mut found = Vec::new();
        let mut pending = vec![(self.program.lambda(lambda).pattern, old, new)];
        while let Some((pattern, old, new)) = pending.pop() {
            match (self.program.pattern(pattern), self.domain.get(old), self.domain.get(new)) {
                (Pattern::Pair(first, second), Abstract::Pair(a, b), Abstract::Pair(c, d)) => {
                    pending.extend([(second, *b, *d), (first, *a, *c)]);
                }
                (Pattern::Variable, ..) => {
                    found.push((self.program.pattern_name(pattern).to_owned(), old, new));
                }
                (Pattern::Constant(_) | Pattern::Pair(..), ..) => {}
            }
        }
        found
    }

    /// The places where a value is known and a more general one is not.
    fn differences(&self, variable: &str, old: AbstractId, new: AbstractId, call: ExpressionId) -> Vec<Widened> {
        let (mut found, mut pending) = (Vec::new(), vec![(old, new)]);
        while let Some((old, new)) = pending.pop() {
            if old == new || found.len() >= MOST_WIDENED {
                continue;
            }
            match (self.domain.get(old), self.domain.get(new)) {
                (Abstract::Real { .. }, Abstract::AnyReal) | (Abstract::Boolean(_), Abstract::AnyBoolean) => {
                    found.push(Widened { variable: variable.to_owned(), value: self.text(old), call });
                }
                _ => {
                    let (parts, others) = (self.domain.decompose(old).1, self.domain.decompose(new).1);
                    pending.extend(parts.into_iter().zip(others).rev());
                }
            }
        }
        found
    }

    /// The text of an abstract value, cut after [`MOST_TEXT`] characters.
    fn text(&self, of: AbstractId) -> String {
        enum Task {
            Value(AbstractId),
            /// The rest of a list.
            Rest(AbstractId),
            Text(&'static str),
        }
        let (mut text, mut pending) = (String::new(), vec![Task::Value(of)]);
        while let Some(task) = pending.pop() {
            if text.len() > MOST_TEXT {
                let cut = text.char_indices().map(|(place, _)| place).nth(MOST_TEXT).unwrap_or(text.len());
                text.truncate(cut);
                text.push_str("...");
                break;
            }
            let of = match task {
                Task::Text(part) => {
                    text.push_str(part);
                    continue;
                }
                Task::Rest(of) => match self.domain.get(of) {
                    Abstract::Nil => continue,
                    Abstract::Pair(first, second) => {
                        text.push(' ');
                        pending.extend([Task::Rest(*second), Task::Value(*first)]);
                        continue;
                    }
                    _ => {
                        text.push_str(" . ");
                        of
                    }
                },
                Task::Value(of) => of,
            };
            match self.domain.get(of) {
                Abstract::Nil => text.push_str("()"),
                Abstract::Boolean(truth) => text.push_str(if *truth { "#t" } else { "#f" }),
                Abstract::AnyBoolean => text.push_str("boolean"),
                Abstract::Real { bits, .. } => text.push_str(&number::format(bits.real())),
                Abstract::AnyReal => text.push_str("real"),
                Abstract::Primitive(primitive) => text.push_str(&format!("#<procedure {}>", primitive.name())),
                Abstract::Pair(first, second) => {
                    text.push('(');
                    pending.extend([Task::Text(")"), Task::Rest(*second), Task::Value(*first)]);
                }
                Abstract::Closure(lambda, slots) => {
                    text.push_str("#<procedure");
                    if let Some(name) = &self.program.lambda(*lambda).name {
                        text.push(' ');
                        text.push_str(name);
                    }
                    pending.push(Task::Text(">"));
                    for (place, slot) in slots.iter().enumerate().rev() {
                        pending.extend([Task::Value(*slot), Task::Text(if place == 0 { " with " } else { ", " })]);
                    }
                }
                Abstract::Vector(elements) => {
                    text.push_str("#(");
                    pending.push(Task::Text(")"));
                    for (place, element) in elements.iter().enumerate().rev() {
                        pending.extend([Task::Value(*element), Task::Text(if place == 0 { "" } else { " " })]);
                    }
                }
                Abstract::Array(element) => {
                    text.push_str("#(");
                    pending.extend([Task::Text(" ...)"), Task::Value(*element)]);
                }
                Abstract::Bundle { primal, tangent, .. } => {
                    text.push_str("(forward ");
                    pending.extend([Task::Text("))"), Task::Value(*tangent)]);
                    pending.extend([Task::Text(" (perturbation "), Task::Value(*primal)]);
                }
                Abstract::Cell(body) => pending.push(Task::Value(*body)),
                Abstract::Back => text.push_str("..."),
                Abstract::Union(alternatives) => {
                    text.push('{');
                    pending.push(Task::Text("}"));
                    for (place, alternative) in alternatives.iter().enumerate().rev() {
                        let between = if place == 0 { "" } else { " | " };
                        pending.extend([Task::Value(*alternative), Task::Text(between)]);
                    }
                }
                Abstract::Backpropagator(procedure, operand) => {
                    text.push_str("#<backpropagator of ");
                    pending.extend([
                        Task::Text(">"),
                        Task::Value(*operand),
                        Task::Text(" at "),
                        Task::Value(*procedure),
                    ]);
                }
                Abstract::Tagged(tag, content) => {
                    text.push_str(match tag {
                        ValueTag::Perturbation => "(perturbation ",
                        ValueTag::Sensitivity => "(sensitivity ",
                        ValueTag::Reverse => "(reverse ",
                    });
                    pending.extend([Task::Text(")"), Task::Value(*content)]);
                }
            }
        }
        text
    }
}

/// The names of a procedure's slots: the texts of the variables that refer to them, also in procedures inside.
fn slot_names(program: &Program, lambda: LambdaId, count: usize) -> Rc<[String]> {
    let mut names: Vec<Option<String>> = vec![None; count];
    // For each slot of the activation of an expression the slot of the procedure that it is a copy of.
    let own: Rc<[Option<usize>]> = (0..count).map(Some).collect();
    let mut pending = vec![(program.lambda(lambda).body, own)];
    for _ in 0..MOST_SEARCHED {
        let Some((node, slots)) = pending.pop() else { break };
        let of = |slot: u32| slots.get(slot as usize).copied().flatten();
        let inner = |captures: &[Reference]| -> Rc<[Option<usize>]> {
            let copied = |capture: &Reference| match capture {
                Reference::Slot(slot) => of(*slot),
                Reference::Local(_) | Reference::Sibling(_) | Reference::Global(_) | Reference::Primitive(_) => None,
            };
            captures.iter().map(copied).collect()
        };
        match program.expression(node) {
            Expression::Variable(Reference::Slot(slot)) => {
                let text = program.sources.text(program.span(node));
                let is_name = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "()'\"".contains(c));
                if let Some(name) = of(slot).and_then(|slot| names.get_mut(slot)).filter(|_| is_name) {
                    name.get_or_insert_with(|| text.to_owned());
                }
            }
            Expression::Variable(_) | Expression::Constant(_) => {}
            Expression::Lambda(lambda) => {
                let lambda = program.lambda(lambda);
                pending.push((lambda.body, inner(&lambda.captures)));
            }
            Expression::Letrec { group, body } => {
                let group = program.group(group);
                let members = inner(&group.captures);
                pending.extend(group.members.iter().map(|member| (program.lambda(*member).body, Rc::clone(&members))));
                pending.push((body, slots));
            }
            Expression::Let { lambda, operand, .. } => {
                pending.extend([(operand, Rc::clone(&slots)), (program.lambda(lambda).body, slots)]);
            }
            Expression::Application { operator: first, operand: second } | Expression::Cons { first, second } => {
                pending.extend([(first, Rc::clone(&slots)), (second, slots)]);
            }
            Expression::If { test, consequent, alternative } => {
                pending.extend([test, consequent, alternative].map(|node| (node, Rc::clone(&slots))));
            }
        }
    }
    names.into_iter().map(|name| name.unwrap_or_else(|| "?".to_owned())).collect()
}

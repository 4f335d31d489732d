//! The reverse phase of a block: statements in opposite order, each of which gives what it works on its sensitivities.
//!
//! The first sensitivity of a local is bound to its name; those that come later are added to it.

use super::blocks::{Block, Local, Operand, OperandId, Statement};
use super::reverse::{Owner, Printer};
use crate::syntax::layout::{Layout, Shape};
use std::collections::{HashMap, HashSet};

/// The reverse phase of a block.
pub struct Phase<'phase, 'code> {
    printer: &'phase Printer<'code>,
    /// The locals that have a sensitivity by now.
    given: HashSet<Local>,
    bindings: Layout,
    /// How many bindings these are.
    count: usize,
}

/// A pattern for sensitivities, and what is to be added when it has been matched.
#[derive(Default)]
struct Taken {
    pattern: Layout,
    sums: Vec<(Local, String)>,
    /// How often a local that had a sensitivity already stands in it.
    again: HashMap<Local, usize>,
    ignored: usize,
}

impl<'phase, 'code> Phase<'phase, 'code> {
    /// Nothing has a sensitivity yet.
    pub fn new(printer: &'phase Printer<'code>) -> Phase<'phase, 'code> {
        Phase { printer, given: HashSet::new(), bindings: Layout::default(), count: 0 }
    }

    /// Begins with the value of the block; gives the name of its sensitivity.
    pub fn begin(&mut self, result: OperandId) -> String {
        match self.printer.body.operand(result) {
            Operand::Local(local) if self.printer.body.has_sensitivity(local) => {
                self.given.insert(local);
                self.printer.sensitivity(local)
            }
            Operand::Local(_) | Operand::Constant(_) | Operand::Top(..) | Operand::Code(_) | Operand::Pair(..) => {
                "_".to_owned()
            }
        }
    }

    /// The bindings of the phase, and how many they are.
    pub fn into_bindings(self) -> (Layout, usize) {
        (self.bindings, self.count)
    }

    /// The reverse phase of a statement.
    pub fn statement(&mut self, statement: &Statement) {
        let printer = self.printer;
        match statement {
            Statement::Bind(local, operand) => {
                if self.given.contains(local) && printer.body.matters(*operand) {
                    let mut taken = Taken::default();
                    self.take(&mut taken, *operand);
                    self.bind(taken, |text| text.atom(printer.sensitivity(*local)));
                }
            }
            Statement::Call { into, operator, operand } => {
                if self.given.contains(into)
                    && (self.printer.body.matters(*operator) || self.printer.body.matters(*operand))
                {
                    let mut taken = Taken::default();
                    taken.pattern.open_as(Shape::Call);
                    taken.pattern.atom("cons");
                    self.take(&mut taken, *operator);
                    self.take(&mut taken, *operand);
                    taken.pattern.close();
                    self.bind(taken, |text| {
                        text.call([printer.backpropagator(*into).as_str(), &printer.sensitivity(*into)]);
                    });
                }
            }
            Statement::Split(first, second, whole) => {
                if self.given.contains(first) || self.given.contains(second) {
                    let parts = self.tuple(&[*first, *second]);
                    let mut taken = Taken::default();
                    self.take_local(&mut taken, *whole);
                    self.bind(taken, |text| text.append(parts));
                }
            }
            Statement::Check(..) => {}
            Statement::If { into, consequent, alternative, .. } => {
                let used = printer.body.used_by(*consequent, *alternative);
                if self.given.contains(into) && !used.is_empty() {
                    let taken = self.take_all(&used);
                    self.bind(taken, |text| {
                        text.call([printer.backpropagator(*into).as_str(), &printer.sensitivity(*into)]);
                    });
                }
            }
            Statement::Lambda(group) | Statement::Letrec(group) => {
                let group = printer.body.group(*group);
                let given: Vec<Local> =
                    group.members.iter().copied().filter(|member| self.given.contains(member)).collect();
                if group.captures.is_empty() || given.is_empty() {
                    return;
                }
                // What the procedures use was bound before them, and may have been given a sensitivity already.
                let zeros = self.zeros(&group.captures);
                let mut sum = Layout::default();
                for (index, member) in given.iter().enumerate() {
                    if index + 1 < given.len() {
                        sum.open_as(Shape::Call);
                        sum.atom(&printer.preamble.plus);
                    }
                    sum.atom(printer.sensitivity(*member));
                }
                (1..given.len()).for_each(|_| sum.close());
                let taken = self.take_all(&group.captures);
                self.bind(taken, |text| {
                    text.open_as(Shape::Call);
                    text.atom(&printer.preamble.or_zero);
                    text.append(sum);
                    text.append(zeros);
                    text.close();
                });
            }
        }
    }

    /// Adds `(pattern value)`, and the sums that are due then.
    fn bind(&mut self, taken: Taken, value: impl FnOnce(&mut Layout)) {
        let Taken { pattern, sums, .. } = taken;
        self.count += 1 + sums.len();
        self.bindings.open_as(Shape::List);
        self.bindings.append(pattern);
        value(&mut self.bindings);
        self.bindings.close();
        for (local, more) in sums {
            let sensitivity = self.printer.sensitivity(local);
            self.bindings.open_as(Shape::Call);
            self.bindings.atom(&sensitivity);
            self.bindings.call([self.printer.preamble.plus.as_str(), &sensitivity, &more]);
            self.bindings.close();
        }
    }

    /// Adds an operand to a pattern.
    fn take(&mut self, taken: &mut Taken, operand: OperandId) {
        let mut pending = vec![Some(operand)];
        while let Some(next) = pending.pop() {
            let Some(operand) = next else {
                taken.pattern.close();
                continue;
            };
            match self.printer.body.operand(operand) {
                Operand::Local(local) => self.take_local(taken, local),
                Operand::Pair(first, second)
                    if self.printer.body.matters(first) || self.printer.body.matters(second) =>
                {
                    taken.pattern.open_as(Shape::Call);
                    taken.pattern.atom("cons");
                    pending.extend([None, Some(second), Some(first)]);
                }
                Operand::Constant(_) | Operand::Top(..) | Operand::Code(_) | Operand::Pair(..) => taken.ignore(),
            }
        }
    }

    fn take_local(&mut self, taken: &mut Taken, local: Local) {
        if !self.printer.body.has_sensitivity(local) {
            taken.ignore();
        } else if self.given.insert(local) {
            taken.pattern.atom(self.printer.sensitivity(local));
        } else {
            let again = taken.again.entry(local).or_insert(0);
            *again += 1;
            let more = self.printer.spelling.numbered(&self.printer.sensitivity(local), *again + 1);
            taken.pattern.atom(&more);
            taken.sums.push((local, more));
        }
    }

    /// A pattern for a tuple of the sensitivities of locals.
    fn take_all(&mut self, locals: &[Local]) -> Taken {
        let mut taken = Taken::default();
        if locals.len() > 1 {
            taken.pattern.open_as(Shape::Call);
            taken.pattern.atom(tuple_keyword(locals.len()));
        }
        locals.iter().for_each(|local| self.take_local(&mut taken, *local));
        if locals.len() > 1 {
            taken.pattern.close();
        }
        taken
    }

    /// A tuple of the sensitivities of locals.
    fn tuple(&self, locals: &[Local]) -> Layout {
        self.tuple_of(locals, |phase, local, text| {
            if phase.given.contains(&local) {
                text.atom(phase.printer.sensitivity(local));
            } else {
                phase.zero(local, text);
            }
        })
    }

    /// A tuple of zero sensitivities of locals.
    fn zeros(&self, locals: &[Local]) -> Layout {
        self.tuple_of(locals, Phase::zero)
    }

    fn zero(&self, local: Local, text: &mut Layout) {
        text.call([self.printer.preamble.zero.as_str(), &self.printer.value(local)]);
    }

    fn tuple_of(&self, locals: &[Local], part: impl Fn(&Self, Local, &mut Layout)) -> Layout {
        let mut text = Layout::default();
        match locals {
            [] => text.atom("'()"),
            [local] => part(self, *local, &mut text),
            _ => {
                text.open_as(Shape::Call);
                text.atom(tuple_keyword(locals.len()));
                locals.iter().for_each(|local| part(self, *local, &mut text));
                text.close();
            }
        }
        text
    }

    /// What the backpropagator of a block gives.
    pub fn result(&self, block: &Block, owner: &Owner) -> Layout {
        let printer = self.printer;
        let environment = match owner {
            Owner::Branch(used) => return self.tuple(used),
            Owner::Top => self.tuple(&[]),
            Owner::Member(group) => {
                let group = printer.body.group(*group);
                // The procedures of a group use the same locals: the sensitivity of one is a tuple like that of this
                // one.
                let siblings: Vec<Local> =
                    group.members.iter().copied().filter(|member| self.given.contains(member)).collect();
                let mut sum = Layout::default();
                for sibling in &siblings {
                    sum.open_as(Shape::Call);
                    sum.atom(&printer.preamble.plus);
                    sum.atom(printer.sensitivity(*sibling));
                }
                sum.append(self.tuple(&group.captures));
                siblings.iter().for_each(|_| sum.close());
                sum
            }
        };
        let mut text = Layout::default();
        text.open_as(Shape::Call);
        text.atom("cons");
        text.append(environment);
        text.append(self.tuple(block.parameter.as_slice()));
        text.close();
        text
    }
}

impl Taken {
    /// Adds a part that nobody asks for.
    fn ignore(&mut self) {
        self.ignored += 1;
        self.pattern.atom(match self.ignored {
            1 => "_".to_owned(),
            number => format!("_{number}"),
        });
    }
}

/// The keyword of a tuple of so many parts, two or more.
fn tuple_keyword(parts: usize) -> &'static str {
    if parts == 2 { "cons" } else { "cons*" }
}

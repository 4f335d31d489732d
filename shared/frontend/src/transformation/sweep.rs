//! The reverse phase of a block: its statements in reverse order, each of which binds the sensitivities of its
//! operands.
//!
//! The first sensitivity of a local is bound to its name; later ones are added to it.

use crate::transformation::local_names::{LocalNames, Owner};
use crate::transformation::statements::{Block, Local, Operand, OperandId, Statement};
use std::collections::{HashMap, HashSet};
use vlad_core::print::layout::{Layout, LineBreaks};

/// The reverse phase of a block.
pub struct Phase<'phase, 'code> {
    names: &'phase LocalNames<'code>,
    /// The locals that have a sensitivity so far.
    given: HashSet<Local>,
    bindings: Layout,
    /// The number of bindings.
    count: usize,
}

/// A pattern of sensitivities, and the sums that are due after it has been matched.
#[derive(Default)]
struct SensitivityPattern {
    pattern: Layout,
    sums: Vec<(Local, String)>,
    /// The number of occurrences, in the pattern, of each local that had a sensitivity before.
    again: HashMap<Local, usize>,
    ignored: usize,
}

impl<'phase, 'code> Phase<'phase, 'code> {
    /// Makes a phase in which no local has a sensitivity.
    pub fn new(names: &'phase LocalNames<'code>) -> Phase<'phase, 'code> {
        Phase { names, given: HashSet::new(), bindings: Layout::default(), count: 0 }
    }

    /// Begins with the value of the block; returns the name of its sensitivity.
    pub fn begin(&mut self, result: OperandId) -> String {
        match self.names.body.operand(result) {
            Operand::Local(local) if self.names.body.has_sensitivity(local) => {
                self.given.insert(local);
                self.names.sensitivity(local)
            }
            Operand::Local(_) | Operand::Constant(_) | Operand::Top(..) | Operand::Code(_) | Operand::Pair(..) => {
                "_".to_owned()
            }
        }
    }

    /// Returns the bindings of the phase, and their number.
    pub fn into_bindings(self) -> (Layout, usize) {
        (self.bindings, self.count)
    }

    /// Adds the reverse phase of a statement.
    pub fn statement(&mut self, statement: &Statement) {
        let names = self.names;
        match statement {
            Statement::Bind(local, operand) => {
                if self.given.contains(local) && names.body.carries_sensitivity(*operand) {
                    let mut taken = SensitivityPattern::default();
                    self.take(&mut taken, *operand);
                    self.bind(taken, |text| text.atom(names.sensitivity(*local)));
                }
            }
            Statement::Call { into, operator, operand } => {
                if self.given.contains(into)
                    && (self.names.body.carries_sensitivity(*operator) || self.names.body.carries_sensitivity(*operand))
                {
                    let mut taken = SensitivityPattern::default();
                    taken.pattern.open_as(LineBreaks::Call);
                    taken.pattern.atom("cons");
                    self.take(&mut taken, *operator);
                    self.take(&mut taken, *operand);
                    taken.pattern.close();
                    self.bind(taken, |text| {
                        text.call([names.backpropagator(*into).as_str(), &names.sensitivity(*into)]);
                    });
                }
            }
            Statement::Split(first, second, whole) => {
                if self.given.contains(first) || self.given.contains(second) {
                    let parts = self.tuple(&[*first, *second]);
                    let mut taken = SensitivityPattern::default();
                    self.take_local(&mut taken, *whole);
                    self.bind(taken, |text| text.append(parts));
                }
            }
            Statement::Check(..) => {}
            Statement::If { into, consequent, alternative, .. } => {
                let used = names.body.used_by(*consequent, *alternative);
                if self.given.contains(into) && !used.is_empty() {
                    let taken = self.take_all(&used);
                    self.bind(taken, |text| {
                        text.call([names.backpropagator(*into).as_str(), &names.sensitivity(*into)]);
                    });
                }
            }
            Statement::Lambda(group) | Statement::Letrec(group) => {
                let group = names.body.group(*group);
                let given: Vec<Local> =
                    group.members.iter().copied().filter(|member| self.given.contains(member)).collect();
                if group.captures.is_empty() || given.is_empty() {
                    return;
                }
                // The captured locals are bound before the procedures, so they may have a sensitivity already, to which
                // these are added.
                let zeros = self.zeros(&group.captures);
                let mut sum = Layout::default();
                for (index, member) in given.iter().enumerate() {
                    if index + 1 < given.len() {
                        sum.open_as(LineBreaks::Call);
                        sum.atom(&names.preamble.plus);
                    }
                    sum.atom(names.sensitivity(*member));
                }
                (1..given.len()).for_each(|_| sum.close());
                let taken = self.take_all(&group.captures);
                self.bind(taken, |text| {
                    text.open_as(LineBreaks::Call);
                    text.atom(&names.preamble.or_zero);
                    text.append(sum);
                    text.append(zeros);
                    text.close();
                });
            }
        }
    }

    /// Adds the binding `(pattern value)`, and the sums that are due after it.
    fn bind(&mut self, taken: SensitivityPattern, value: impl FnOnce(&mut Layout)) {
        let SensitivityPattern { pattern, sums, .. } = taken;
        self.count += 1 + sums.len();
        self.bindings.open_as(LineBreaks::List);
        self.bindings.append(pattern);
        value(&mut self.bindings);
        self.bindings.close();
        for (local, more) in sums {
            let sensitivity = self.names.sensitivity(local);
            self.bindings.open_as(LineBreaks::Call);
            self.bindings.atom(&sensitivity);
            self.bindings.call([self.names.preamble.plus.as_str(), &sensitivity, &more]);
            self.bindings.close();
        }
    }

    /// Adds the sensitivity of an operand to a pattern.
    fn take(&mut self, taken: &mut SensitivityPattern, operand: OperandId) {
        let mut pending = vec![Some(operand)];
        while let Some(next) = pending.pop() {
            let Some(operand) = next else {
                taken.pattern.close();
                continue;
            };
            match self.names.body.operand(operand) {
                Operand::Local(local) => self.take_local(taken, local),
                Operand::Pair(first, second)
                    if self.names.body.carries_sensitivity(first) || self.names.body.carries_sensitivity(second) =>
                {
                    taken.pattern.open_as(LineBreaks::Call);
                    taken.pattern.atom("cons");
                    pending.extend([None, Some(second), Some(first)]);
                }
                Operand::Constant(_) | Operand::Top(..) | Operand::Code(_) | Operand::Pair(..) => taken.ignore(),
            }
        }
    }

    fn take_local(&mut self, taken: &mut SensitivityPattern, local: Local) {
        if !self.names.body.has_sensitivity(local) {
            taken.ignore();
        } else if self.given.insert(local) {
            taken.pattern.atom(self.names.sensitivity(local));
        } else {
            let again = taken.again.entry(local).or_insert(0);
            *again += 1;
            let more = self.names.spelling.numbered(&self.names.sensitivity(local), *again + 1);
            taken.pattern.atom(&more);
            taken.sums.push((local, more));
        }
    }

    /// Makes the pattern of a tuple of the sensitivities of locals.
    fn take_all(&mut self, locals: &[Local]) -> SensitivityPattern {
        let mut taken = SensitivityPattern::default();
        if locals.len() > 1 {
            taken.pattern.open_as(LineBreaks::Call);
            taken.pattern.atom(tuple_keyword(locals.len()));
        }
        locals.iter().for_each(|local| self.take_local(&mut taken, *local));
        if locals.len() > 1 {
            taken.pattern.close();
        }
        taken
    }

    /// Returns a tuple of the sensitivities of locals.
    fn tuple(&self, locals: &[Local]) -> Layout {
        self.tuple_of(locals, |phase, local, text| {
            if phase.given.contains(&local) {
                text.atom(phase.names.sensitivity(local));
            } else {
                phase.zero(local, text);
            }
        })
    }

    /// Returns a tuple of zero sensitivities of locals.
    fn zeros(&self, locals: &[Local]) -> Layout {
        self.tuple_of(locals, Phase::zero)
    }

    fn zero(&self, local: Local, text: &mut Layout) {
        text.call([self.names.preamble.zero.as_str(), &self.names.value(local)]);
    }

    fn tuple_of(&self, locals: &[Local], part: impl Fn(&Self, Local, &mut Layout)) -> Layout {
        let mut text = Layout::default();
        match locals {
            [] => text.atom("'()"),
            [local] => part(self, *local, &mut text),
            _ => {
                text.open_as(LineBreaks::Call);
                text.atom(tuple_keyword(locals.len()));
                locals.iter().for_each(|local| part(self, *local, &mut text));
                text.close();
            }
        }
        text
    }

    /// Returns the result of the backpropagator of a block.
    pub fn result(&self, block: &Block, owner: &Owner) -> Layout {
        let names = self.names;
        let environment = match owner {
            Owner::Branch(used) => return self.tuple(used),
            Owner::Top => self.tuple(&[]),
            Owner::Member(group) => {
                let group = names.body.group(*group);
                // The procedures of a group use the same locals, so the sensitivities of its members are tuples of the
                // same shape and can be added.
                let siblings: Vec<Local> =
                    group.members.iter().copied().filter(|member| self.given.contains(member)).collect();
                let mut sum = Layout::default();
                for sibling in &siblings {
                    sum.open_as(LineBreaks::Call);
                    sum.atom(&names.preamble.plus);
                    sum.atom(names.sensitivity(*sibling));
                }
                sum.append(self.tuple(&group.captures));
                siblings.iter().for_each(|_| sum.close());
                sum
            }
        };
        let mut text = Layout::default();
        text.open_as(LineBreaks::Call);
        text.atom("cons");
        text.append(environment);
        text.append(self.tuple(block.parameter.as_slice()));
        text.close();
        text
    }
}

impl SensitivityPattern {
    /// Adds a part that is never used.
    fn ignore(&mut self) {
        self.ignored += 1;
        self.pattern.atom(match self.ignored {
            1 => "_".to_owned(),
            number => format!("_{number}"),
        });
    }
}

/// Returns the keyword of a tuple of so many parts, two or more.
fn tuple_keyword(parts: usize) -> &'static str {
    if parts == 2 { "cons" } else { "cons*" }
}

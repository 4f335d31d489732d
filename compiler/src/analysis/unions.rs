//! Unions at run time: the alternative that a value is, and what tests say of it.
//!
//! The booleans of a union are tested where one of its alternatives is needed. Where one alternative alone permits an
//! operation, the value has to be that one, or the operation fails (bails out); where several do, each is evaluated in a branch
//! of its own, and the results are joined. In a branch, and after a test that leaves one way only, the variables of the
//! activation whose unions the test is about are narrowed.

use super::evaluate::Condition;
use super::specialiser::Specialiser;
use super::specialiser::frame::{Frame, Opened};
use super::values::domain::{Abstract, AbstractId, Head, Sort, Unions};
use super::values::reason::{Cause, Stop};
use super::values::value::Value;
use vlad_core::ExpressionId;
use vlad_first_order::{Operand, Statement};
use vlad_table::internal_bug;

/// The number of operands of a primitive, of known number, that are looked at in cells.
const MOST_OPENED: usize = 64;

/// An alternative of a union.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The boolean that is true if the value is this one.
    pub test: Operand,
    /// The value then.
    pub value: Value,
}

impl Alternative {
    /// A value that is the only one possible.
    pub fn only(value: &Value) -> Alternative {
        Alternative { test: Operand::Boolean(true), value: value.clone() }
    }
}

/// The values of an activation's variables.
pub struct Saved {
    locals: Vec<Value>,
    slots: Vec<Value>,
    opened: Opened,
}

/// An evaluation that is done for each alternative.
type Each<'a> = &'a dyn Fn(&mut Specialiser<'_>, &mut Frame, Value) -> Result<Value, Stop>;

impl Specialiser<'_> {
    /// A value; if it is a cell, or a union with a cell, the union of what it can be, with the parts of the cell read.
    pub fn opened(&mut self, frame: &mut Frame, value: &Value) -> Result<Value, Stop> {
        let is_cell = |of: AbstractId| matches!(self.domain.get(of), Abstract::Cell(_));
        if !self.domain.alternatives(value.of).into_iter().any(is_cell) {
            return Ok(value.clone());
        }
        let key = (value.of, value.leaves.as_slice().to_vec());
        if let Some(opened) = frame.opened.get(&key) {
            return Ok(opened.clone());
        }
        let opened = match self.alternatives(value) {
            None => self.read(frame, value)?,
            Some(alternatives) => {
                let mut all = Vec::new();
                for alternative in alternatives {
                    match self.domain.get(alternative.value.of) {
                        // A cell that is not the alternative is absent, and so are its alternatives.
                        Abstract::Cell(_) => {
                            let opened = self.read(frame, &alternative.value)?;
                            all.extend(self.alternatives(&opened).unwrap_or_default());
                        }
                        _ => all.push(alternative),
                    }
                }
                all.sort_by_key(|alternative| self.domain.sort(alternative.value.of));
                self.union(&all)?
            }
        };
        frame.opened.insert(key, opened.clone());
        Ok(opened)
    }

    /// A variable's value; if it is a cell that is known to be an alternative without parts, that.
    pub fn as_known(&self, frame: &Frame, value: Value) -> Value {
        if !self.domain.has_cells(value.of) {
            return value;
        }
        match frame.opened.get(&(value.of, value.leaves.as_slice().to_vec())) {
            Some(opened) if !self.domain.has_cells(opened.of) && self.alternatives(opened).is_none() => opened.clone(),
            Some(_) | None => value,
        }
    }

    /// The union that a cell is.
    fn read(&mut self, frame: &mut Frame, cell: &Value) -> Result<Value, Stop> {
        let of = self.domain.unfolded(cell.of)?;
        let targets = self.targets(frame, &self.kinds(of));
        frame.code.add(Statement::Parts { targets: targets.clone(), cell: cell.operand() });
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        Ok(Value { of, leaves: leaves.into() })
    }

    /// The alternatives of a value; none if it is no union.
    pub fn alternatives(&self, value: &Value) -> Option<Vec<Alternative>> {
        match self.decomposed(value) {
            (Head::Union, parts) => Some(alternatives_of(&parts)),
            _ => None,
        }
    }

    /// A value whose abstract value is known to be one that permits an operation. It fails where it is another one.
    pub fn only(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        node: ExpressionId,
        permits: impl Fn(&Abstract) -> bool,
    ) -> Result<Value, Stop> {
        let value = &self.opened(frame, value)?;
        let Some(mut alternatives) = self.alternatives(value) else {
            return if permits(self.domain.get(value.of)) { Ok(value.clone()) } else { Err(Stop::Never(node)) };
        };
        let count = alternatives.len();
        alternatives.retain(|alternative| permits(self.domain.get(alternative.value.of)));
        let Some((first, others)) = alternatives.split_first() else { return Err(Stop::Never(node)) };
        if others.len() + 1 < count {
            let any = others.iter().fold(first.test, |any, other| frame.code.or(any, other.test));
            self.require(frame, any, node);
        }
        if others.is_empty() { Ok(first.value.clone()) } else { self.union(&alternatives) }
    }

    /// Adds the test that a boolean is true, and narrows variables.
    fn require(&mut self, frame: &mut Frame, test: Operand, node: ExpressionId) {
        frame.code.require(test, node);
        self.learn(frame, test, true);
    }

    /// The union of some alternatives, at least two.
    pub(super) fn union(&mut self, alternatives: &[Alternative]) -> Result<Value, Stop> {
        let any = self.domain.any_boolean();
        let parts =
            alternatives.iter().flat_map(|Alternative { test, value }| [Value::leaf(any, *test), value.clone()]);
        self.composed(Head::Union, &parts.collect::<Vec<_>>())
    }

    /// Evaluates something for each alternative of a value; the result is the join.
    pub fn each(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        node: ExpressionId,
        evaluate: Each<'_>,
    ) -> Result<Value, Stop> {
        let value = self.opened(frame, value)?;
        match self.alternatives(&value) {
            Some(alternatives) => self.each_of(frame, &alternatives, node, evaluate),
            None => evaluate(self, frame, value),
        }
    }

    fn each_of(
        &mut self,
        frame: &mut Frame,
        alternatives: &[Alternative],
        node: ExpressionId,
        evaluate: Each<'_>,
    ) -> Result<Value, Stop> {
        match alternatives {
            [] => internal_bug!("a union has alternatives"),
            [last] => evaluate(self, frame, last.value.clone()),
            [first, others @ ..] => self.choice(
                frame,
                first.test,
                node,
                |this, frame| evaluate(this, frame, first.value.clone()),
                |this, frame| this.each_of(frame, others, node, evaluate),
            ),
        }
    }

    /// Evaluates something for each alternative of the end of a list.
    pub fn each_end(
        &mut self,
        frame: &mut Frame,
        list: &Value,
        node: ExpressionId,
        evaluate: Each<'_>,
    ) -> Result<Value, Stop> {
        let (mut firsts, mut rest) = (Vec::new(), list.clone());
        while let Some((first, others)) = self.parts(&rest) {
            firsts.push(first);
            rest = others;
        }
        let is_cell = self.domain.has_cells(rest.of) && self.parts(&rest).is_none();
        let opened = self.opened(frame, &rest)?;
        if self.alternatives(&opened).is_none() {
            return evaluate(self, frame, list.clone());
        }
        // A list of any length is no list of operands.
        if is_cell && !firsts.is_empty() || firsts.len() > MOST_OPENED {
            return self.give_up(Cause::GrownOperands, node);
        }
        self.each(frame, &rest, node, &|this, frame, rest| {
            let list = this.tuple(firsts.clone(), rest)?;
            this.each_end(frame, &list, node, evaluate)
        })
    }

    /// The condition that holds for some alternatives, given for each whether it does.
    pub fn holds_for(&mut self, frame: &mut Frame, alternatives: &[Alternative], holds: &[Condition]) -> Condition {
        let known = |truth: bool| holds.iter().all(|of| matches!(of, Condition::Known(known) if *known == truth));
        if known(true) || known(false) {
            return Condition::Known(known(true));
        }
        // The boolean of the alternative is the operand itself where one says all: variables are narrowed by it.
        for truth in [true, false] {
            if let Some(test) = alone(alternatives, holds, truth) {
                return Condition::Unknown(if truth { test } else { frame.code.not(test) });
            }
        }
        let mut any = Operand::Boolean(false);
        for (alternative, of) in alternatives.iter().zip(holds) {
            let of = match of {
                Condition::Known(truth) => Operand::Boolean(*truth),
                Condition::Unknown(test) => *test,
            };
            any = frame.code.choose_boolean(alternative.test, of, any);
        }
        Condition::Unknown(any)
    }

    /// The values of the variables, to be restored after a branch.
    pub fn saved(&self, frame: &Frame) -> Option<Saved> {
        match self.unions {
            Unions::Refused => None,
            Unions::Made | Unions::Folded => {
                Some(Saved { locals: frame.locals.clone(), slots: frame.slots.clone(), opened: frame.opened.clone() })
            }
        }
    }

    /// Restores variables.
    pub fn restore(&self, frame: &mut Frame, saved: Option<Saved>) {
        if let Some(Saved { locals, slots, opened }) = saved {
            frame.locals = locals;
            frame.slots = slots;
            frame.opened = opened;
        }
    }

    /// Narrows the variables of an activation, given the value of a boolean.
    pub fn learn(&mut self, frame: &mut Frame, test: Operand, truth: bool) {
        if self.unions == Unions::Refused {
            return;
        }
        let (test, truth) = match frame.code.negated(test) {
            Some(negated) => (negated, !truth),
            None => (test, truth),
        };
        for value in frame.locals.iter_mut().chain(&mut frame.slots).chain(frame.opened.values_mut()) {
            // A value that is narrowed has less parts, so it is not too large.
            if let Ok(narrowed) = self.narrowed(value, test, truth) {
                *value = narrowed;
            }
        }
    }

    /// A value, given the value of a boolean.
    fn narrowed(&mut self, value: &Value, test: Operand, truth: bool) -> Result<Value, Stop> {
        let has_test = |value: &Value| value.leaves.as_slice().contains(&test);
        if !has_test(value) || !matches!(test, Operand::Variable(_)) {
            return Ok(value.clone());
        }
        let (mut firsts, mut rest) = (Vec::new(), value.clone());
        while let Some((first, others)) = self.parts(&rest)
            && has_test(&rest)
        {
            firsts.push(self.narrowed(&first, test, truth)?);
            rest = others;
        }
        let rest = match self.decomposed(&rest) {
            (Head::Atom, _) => rest,
            (Head::Union, parts) => self.narrowed_union(alternatives_of(&parts), test, truth)?,
            _ if !has_test(&rest) => rest,
            (head, mut parts) => {
                for part in &mut parts {
                    *part = self.narrowed(part, test, truth)?;
                }
                self.composed(head, &parts)?
            }
        };
        self.tuple(firsts, rest)
    }

    fn narrowed_union(
        &mut self,
        mut alternatives: Vec<Alternative>,
        test: Operand,
        truth: bool,
    ) -> Result<Value, Stop> {
        match alternatives.iter().position(|alternative| alternative.test == test) {
            Some(place) if truth => alternatives = vec![alternatives.swap_remove(place)],
            Some(place) => drop(alternatives.remove(place)),
            None => {}
        }
        for alternative in &mut alternatives {
            alternative.value = self.narrowed(&alternative.value, test, truth)?;
        }
        match alternatives.as_slice() {
            [only] => Ok(only.value.clone()),
            alternatives => self.union(alternatives),
        }
    }

    /// Two values as the parts of one union: pairs of parts that have to conform.
    pub(super) fn aligned(&mut self, a: &Value, b: &Value, node: ExpressionId) -> Result<Vec<(Value, Value)>, Stop> {
        let (of_a, of_b) = (self.by_sort(a), self.by_sort(b));
        let mut sorts: Vec<Sort> = of_a.iter().chain(&of_b).filter_map(|alternative| alternative.sort).collect();
        sorts.sort_unstable();
        sorts.dedup();
        if of_a.iter().chain(&of_b).any(|alternative| alternative.sort.is_none()) {
            return Err(Stop::Never(node));
        }
        let mut pairs = Vec::new();
        for sort in sorts {
            let find = |all: &[Sorted]| all.iter().find(|alternative| alternative.sort == Some(sort)).cloned();
            let (in_a, in_b) = (find(&of_a), find(&of_b));
            let no = Value::known(self.domain.boolean(false));
            let [test_a, test_b] = [&in_a, &in_b].map(|of| of.as_ref().map_or(no.clone(), |of| of.test.clone()));
            pairs.push((test_a, test_b));
            match (in_a, in_b) {
                (Some(a), Some(b)) => pairs.push((a.value, b.value)),
                (Some(a), None) => {
                    let zero = self.with_zeros(&a.value)?;
                    pairs.push((a.value, zero));
                }
                (None, _) => {}
            }
        }
        Ok(pairs)
    }

    /// A value with zeros in the place of its reals.
    fn with_zeros(&mut self, value: &Value) -> Result<Value, Stop> {
        let zero = Value::known(self.domain.literal(0.0));
        self.rebuilt(value, &mut std::iter::repeat(zero))
    }

    fn by_sort(&mut self, value: &Value) -> Vec<Sorted> {
        match self.alternatives(value) {
            Some(alternatives) => {
                let any = self.domain.any_boolean();
                let sorted = alternatives.into_iter().map(|Alternative { test, value }| Sorted {
                    sort: self.domain.sort(value.of),
                    test: Value::leaf(any, test),
                    value,
                });
                sorted.collect()
            }
            None => {
                let test = Value::known(self.domain.boolean(true));
                vec![Sorted { sort: self.domain.sort(value.of), test, value: value.clone() }]
            }
        }
    }
}

/// An alternative of a value, or the value itself, with its sort.
#[derive(Clone, Debug)]
struct Sorted {
    sort: Option<Sort>,
    test: Value,
    value: Value,
}

/// The boolean of the only alternative for which a condition has a value, if the condition is known for all of them.
fn alone(alternatives: &[Alternative], holds: &[Condition], truth: bool) -> Option<Operand> {
    let mut found = None;
    for (alternative, of) in alternatives.iter().zip(holds) {
        match of {
            Condition::Known(known) if *known == truth && found.is_none() => found = Some(alternative.test),
            Condition::Known(known) if *known != truth => {}
            Condition::Known(_) | Condition::Unknown(_) => return None,
        }
    }
    found
}

fn alternatives_of(parts: &[Value]) -> Vec<Alternative> {
    let pairs = parts.iter().step_by(2).zip(parts.iter().skip(1).step_by(2));
    pairs.map(|(test, value)| Alternative { test: test.operand(), value: value.clone() }).collect()
}

//! Values seen as more general ones: what was known becomes constants, an alternative a union, and structures cells.

use super::specialiser::Specialiser;
use super::specialiser::frame::Frame;
use super::unions::Alternative;
use super::values::domain::{Abstract, AbstractId};
use super::values::reason::Stop;
use super::values::value::Value;
use vlad_first_order::{Kind, Operand, Statement};
use vlad_table::internal_bug;

/// A part of the operands of a value that is seen as a more general one.
#[derive(Clone, Debug)]
enum Coercion {
    /// A part, and what it is seen as.
    Value(Value, AbstractId),
    /// A cell of one of some alternatives.
    Alternatives(Vec<Alternative>, AbstractId),
    /// A constant.
    Constant(Operand),
    /// An array without elements.
    Empty(Kind),
    /// A cell of as many operands as there are before it.
    Cell(usize),
}

impl Specialiser<'_> {
    /// The operands of a value's leaves, seen as a more general abstract value. The code makes the cells that it has.
    pub fn coerced(&mut self, frame: &mut Frame, value: &Value, to: AbstractId) -> Result<Vec<Operand>, Stop> {
        let mut operands = Vec::with_capacity(self.domain.leaves(to));
        let mut pending = vec![Coercion::Value(value.clone(), to)];
        while let Some(task) = pending.pop() {
            match task {
                Coercion::Value(value, to) if value.of == to => operands.extend(value.leaves.as_slice()),
                Coercion::Value(value, to) => self.coerced_value(frame, &value, to, (&mut operands, &mut pending))?,
                Coercion::Alternatives(from, cell) => {
                    let body = self.domain.unfolded(cell)?;
                    let to = self.domain.alternatives(body);
                    pending.push(Coercion::Cell(self.domain.leaves(body)));
                    pending.extend(self.coerced_to_union(frame, &from, &to).into_iter().rev());
                }
                Coercion::Constant(operand) => operands.push(operand),
                Coercion::Empty(kind) => {
                    let target = frame.code.fresh(kind);
                    frame.code.add(Statement::Array { target, elements: Vec::new() });
                    operands.push(Operand::Variable(target));
                }
                Coercion::Cell(count) => {
                    let parts = operands.split_off(operands.len() - count.min(operands.len()));
                    let target = frame.code.fresh(Kind::Cell);
                    frame.code.add(Statement::Cell { target, parts });
                    operands.push(Operand::Variable(target));
                }
            }
        }
        Ok(operands)
    }

    /// Takes a step of the coercion of a value: adds operands, or what is left to be done.
    fn coerced_value(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        to: AbstractId,
        (operands, pending): (&mut Vec<Operand>, &mut Vec<Coercion>),
    ) -> Result<(), Stop> {
        match (self.domain.get(value.of), self.domain.get(to)) {
            (_, Abstract::Union(alternatives)) => {
                let to = alternatives.clone();
                let from = self.alternatives(value).unwrap_or_else(|| vec![Alternative::only(value)]);
                pending.extend(self.coerced_to_union(frame, &from, &to).into_iter().rev());
            }
            // The cells of one structure are not those of another one. While cells still grow, such code is replaced.
            (Abstract::Cell(_), _) => {
                let row = self.row_mut(frame.instance);
                row.mixed_cells = Some((value.of, to));
                return Err(Stop::Never(row.node));
            }
            (_, Abstract::Cell(_)) => {
                let from = self.alternatives(value).unwrap_or_else(|| vec![Alternative::only(value)]);
                pending.push(Coercion::Alternatives(from, to));
            }
            (Abstract::AnyReal | Abstract::AnyBoolean, _) => internal_bug!("a value is seen as a more general one"),
            (_, Abstract::Array(_)) => operands.push(self.packed(frame, value, to)),
            (Abstract::Real { bits, .. }, Abstract::AnyReal) => operands.push(Operand::Real(*bits)),
            (Abstract::Boolean(truth), Abstract::AnyBoolean) => operands.push(Operand::Boolean(*truth)),
            _ => {
                let (parts, to_parts) = (self.decomposed(value).1, self.domain.decompose(to).1);
                let parts = parts.into_iter().zip(to_parts);
                pending.extend(parts.map(|(part, to)| Coercion::Value(part, to)).rev());
            }
        }
        Ok(())
    }

    /// The tasks for a value that is one of some alternatives, seen as a union: for each alternative of that whether it
    /// is the one, and its leaves.
    fn coerced_to_union(&mut self, frame: &mut Frame, from: &[Alternative], to: &[AbstractId]) -> Vec<Coercion> {
        let mut tasks = Vec::with_capacity(2 * to.len());
        for to in to {
            let sorts = self.domain.sorts(*to);
            let is_one = |alternative: &&Alternative| {
                self.domain.sorts(alternative.value.of).iter().any(|sort| sorts.contains(sort))
            };
            let sources: Vec<Alternative> = from.iter().filter(is_one).cloned().collect();
            let Some((first, others)) = sources.split_first() else {
                tasks.push(Coercion::Constant(Operand::Boolean(false)));
                tasks.extend(self.kinds(*to).into_iter().map(unread));
                continue;
            };
            let any = others.iter().fold(first.test, |any, other| frame.code.or(any, other.test));
            tasks.push(Coercion::Constant(any));
            let is_cell = |of: AbstractId| matches!(self.domain.get(of), Abstract::Cell(_));
            if is_cell(*to) && !is_cell(first.value.of) {
                // Where the value is none of them, the cell is as good as absent.
                tasks.push(Coercion::Alternatives(sources, *to));
            } else {
                tasks.push(Coercion::Value(first.value.clone(), *to));
            }
        }
        tasks
    }
}

/// A leaf of an alternative that is not the one: nothing reads it.
fn unread(kind: Kind) -> Coercion {
    match kind {
        Kind::Real => Coercion::Constant(Operand::real(0.0)),
        Kind::Boolean => Coercion::Constant(Operand::Boolean(false)),
        Kind::Cell => Coercion::Cell(0),
        Kind::Integer => internal_bug!("first-order code has no integers"),
        Kind::Array(_) => Coercion::Empty(kind),
    }
}

//! The checks of storage code.

use super::{Construct, Scope};
use crate::{Block, Kind, Operand};
use crate::{Order, Storage};

impl Scope<'_> {
    /// Checks that operands are integers.
    fn integers(&self, operands: &[Operand]) -> Result<(), String> {
        self.operands("integers", operands, &vec![Kind::Integer; operands.len()])
    }

    /// Checks a statement of storage code.
    pub fn storage(&mut self, statement: &Storage<Block>, depth: usize) -> Result<(), String> {
        match statement {
            Storage::Integer { target, operation, operands } => {
                self.operands("operands", operands, operation.operands())?;
                self.targets(&[*target], &[operation.result()])
            }
            Storage::For { targets, variables, initial, end, listed, order, body } => {
                let kinds = self.kinds(variables)?;
                let (Some((Kind::Integer, state)), Some((from, first))) = (kinds.split_first(), initial.split_first())
                else {
                    return Err("a loop over a range has an integer as its index".to_owned());
                };
                self.integers(&[*from, *end])?;
                if let Some((test, items)) = listed {
                    self.operands("tests", &[*test], &[Kind::Boolean])?;
                    self.integers(items)?;
                }
                if *order == Order::Parallel && !matches!(state, [] | [Kind::Real]) {
                    return Err("iterations in any order have a state".to_owned());
                }
                self.operands("initial values", first, state)?;
                self.assign(variables)?;
                self.block(body, Construct { results: &[], state: Some(state) }, depth + 1)?;
                self.hide(variables);
                self.targets(targets, state)
            }
            Storage::Allocate { target, length, place } => {
                self.integers(&[*length])?;
                place.operands().iter().try_for_each(|operand| self.kind(*operand).map(|_| ()))?;
                let kinds = self.kinds(&[*target])?;
                self.targets(&[*target], &kinds)
            }
            Storage::BeginRows { counts, .. } => self.integers(counts),
            Storage::Fill { array, behind } => {
                self.operands("arrays", &[*array], &[Kind::REALS])?;
                behind.iter().try_for_each(|(_, rows)| self.integers(rows))
            }
            Storage::Part { target, range, .. } => {
                self.integers(range)?;
                self.targets(&[*target], &[Kind::Integer])
            }
            Storage::Apart { targets, values } => {
                let kinds = vec![Kind::Real; values.len()];
                self.operands("reals", values, &kinds)?;
                self.targets(targets, &kinds)
            }
            Storage::SineAndCosine { targets, angle } => {
                self.operands("angles", &[*angle], &[Kind::Real])?;
                self.targets(targets, &[Kind::Real; 2])
            }
            Storage::Turns { count } => self.integers(&[*count]),
            Storage::CountEach { times, .. } => self.integers(&[*times]),
            Storage::Mark { target } => self.targets(&[*target], &[Kind::Integer]),
            Storage::Keep { targets, mark, limit, values } => {
                self.operands("marks", &[*mark], &[Kind::Integer])?;
                self.integers(limit.as_slice())?;
                let kinds = values.iter().map(|value| self.kind(*value)).collect::<Result<Vec<Kind>, String>>()?;
                if !kinds.iter().all(|kind| kind.is_array() || *kind == Kind::Cell) {
                    return Err("nothing but arrays and cells is kept".to_owned());
                }
                let of_targets: Vec<Kind> = limit.iter().map(|_| Kind::Integer).chain(kinds).collect();
                self.targets(targets, &of_targets)
            }
        }
    }
}

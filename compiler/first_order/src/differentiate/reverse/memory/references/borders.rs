//! References at the borders of a level: cells that were made outside of it, and the arrays in which reals enter and
//! leave it.
//!
//! Given cells may be read in the same places as cells with references. So the latter have a flag as a further part, a boolean that is
//! true. A given cell reads as false there, and references are read only behind a test of the flag.
//!
//! An array of active parameters has a shadow array, and an element that is read refers to its accumulator there. An
//! array of results has its cotangents beside it: a value that is stored in the array gets the cotangent at its place
//! added to its accumulator. This comes before the sweep, in the order of the results.
//!
//! The analysis turns structures into such arrays, and back. It fills accumulators with reals, and copies these by a `build`, element by
//! element. So the copy has the shadow array of the accumulators.

use super::{Beside, Refusal, RefusalKind, Rewriting};
use crate::differentiate::emitter::{Emitter, choice, operands};
use crate::effects::Effect;
use crate::{AccumulatorAction, Block, End, Kind, Operand, Statement, Variable};
use vlad_table::internal_bug;

/// The greatest number of booleans of a cell that may be given. The flag of its references is in one word with them.
const MOST_FLAGS: usize = 61;

impl Rewriting<'_> {
    /// Refuses a cell unless its booleans are in one word that has room for the flag.
    pub fn has_flags(&self, parts: &[Operand]) -> Result<(), Refusal> {
        let flags = parts.iter().filter(|part| self.function.kind(**part) == Kind::Boolean).count();
        if (1..=MOST_FLAGS).contains(&flags) { Ok(()) } else { Err(Refusal::new(RefusalKind::Cells)) }
    }

    /// Reads the parts of a cell that may be given, and its references. A given cell has absent ones.
    pub fn parts_of_given(
        &mut self,
        (targets, references): (&[Variable], Vec<Variable>),
        cell: Variable,
        code: &mut Vec<Statement>,
    ) -> Result<(), Refusal> {
        let parts = operands(targets);
        self.has_flags(&parts)?;
        let kinds: Vec<Kind> = parts.iter().map(|target| self.function.kind(*target)).collect();
        let mut others = |more: &[Kind]| -> Vec<Variable> {
            kinds.iter().chain(more).map(|kind| self.function.fresh(*kind)).collect()
        };
        let of_references = vec![Kind::Cell; references.len()];
        let first = others(&[Kind::Boolean]);
        let all = others(&[&[Kind::Boolean], &of_references[..]].concat());
        let Some(flag) = first.last().copied() else { internal_bug!("there is one more part") };
        let referred = all.clone().split_off(first.len());
        let absent: Vec<Variable> = of_references.into_iter().map(|kind| self.function.fresh(kind)).collect();
        code.push(Statement::Parts { targets: first, cell: cell.into() });
        let of_absent = |target: &Variable| Statement::Cell { target: *target, parts: Vec::new() };
        let present = vec![Statement::Parts { targets: all, cell: cell.into() }];
        let present = Block { statements: present, end: End::Yield(operands(&referred)) };
        let end = End::Yield(operands(&absent));
        let absent = Block { statements: absent.iter().map(of_absent).collect(), end };
        code.push(choice(references, flag.into(), present, absent));
        code.push(Statement::Parts { targets: targets.to_vec(), cell: cell.into() });
        Ok(())
    }

    /// Rewrites a statement on arrays. Active arrays are those of parameters and of results.
    pub fn beside_cells(&mut self, statement: &Statement, code: &mut Vec<Statement>) -> Result<(), Refusal> {
        let refused = Err(Refusal::new(RefusalKind::Arrays));
        match statement {
            Statement::Element { target, array, index } if self.is_held(*target) => {
                if self.function.kind((*target).into()) != Kind::Real {
                    return refused;
                }
                let shadow = self.shadow(*array);
                let reference = self.second(*target);
                code.push(match shadow {
                    Some(shadow) => Statement::action(vec![reference], AccumulatorAction::Refer, vec![shadow, *index]),
                    None => Statement::Cell { target: reference, parts: Vec::new() },
                });
            }
            Statement::Accumulators { target, .. } if self.is_held(*target) => {
                let result = self.held.result_of_class(self.id, (self.id, *target));
                let Some(cotangents) = result.and_then(|result| *self.cotangents.get(result)?) else { return refused };
                self.references.insert(*target, cotangents.into());
                code.push(statement.clone());
                let mut emitter = Emitter { function: &mut self.function, statements: code };
                emitter.require_lengths((*target).into(), cotangents.into());
                return Ok(());
            }
            Statement::Store { array, index, value } => {
                if let Some(array) = self.shadow(*array) {
                    let reference = self.second_of(*value, code)?;
                    let index = *index;
                    let mut emitter = Emitter { function: &mut self.function, statements: code };
                    let cotangent = emitter.assign(Kind::Real, |target| Statement::Element { target, array, index });
                    let operands = vec![reference, cotangent];
                    code.push(Statement::action(Vec::new(), AccumulatorAction::Add, operands));
                }
            }
            Statement::Build { targets, body, .. } => {
                if self.has_nodes(body) {
                    return refused;
                }
                let held: Vec<Variable> = targets.iter().copied().filter(|target| self.is_held(*target)).collect();
                for target in held {
                    let mut loaded = body.statements.iter().filter_map(|statement| match statement {
                        Statement::Load { array, .. } => self.shadow(*array),
                        _ => None,
                    });
                    let Some(shadow) = loaded.next() else { return refused };
                    self.references.insert(target, shadow);
                }
            }
            _ if statement.targets().iter().any(|target| self.is_held(*target)) => return refused,
            _ => {}
        }
        code.push(statement.clone());
        Ok(())
    }

    fn shadow(&self, array: Operand) -> Option<Operand> {
        match array {
            Operand::Variable(variable) => self.references.get(&variable).copied(),
            Operand::Real(_) | Operand::Boolean(_) => None,
        }
    }

    /// Returns true if a block may make nodes, or works on more than arrays and numbers.
    fn has_nodes(&self, block: &Block) -> bool {
        let is_on_numbers = |statement: &Statement| match statement.effect() {
            Effect::Value | Effect::Nested | Effect::Repeated | Effect::Load | Effect::Count => true,
            Effect::Structure => matches!(statement, Statement::Array { .. } | Statement::Zeros { .. }),
            Effect::Call
            | Effect::Replace
            | Effect::Changing
            | Effect::Store
            | Effect::Steps
            | Effect::Recount
            | Effect::Records
            | Effect::World => false,
        };
        let is_active = |target: &Variable| self.held.is_active(self.id, *target);
        block.all_statements().any(|statement| !is_on_numbers(statement) || statement.targets().iter().any(is_active))
    }
}

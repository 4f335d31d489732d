//! Rewriting of code so that a second value is moved beside some variables: the number of a node beside a real, a shadow
//! array beside an array, a reference to its accumulator beside a real that cells may hold.
//!
//! A value that leaves a block takes the second one along if the variable that it is moved to has one. So [`Beside`]
//! needs to know which variables have one, and how a value gets its own. It rewrites `bind`, `loop` and the ends of blocks.
//! All other statements are left to its implementations: [`super::tape`], and two in [`super::reverse`] (`memory`).

use super::refusal::Refusal;
use crate::{Block, End, Operand, Statement, Variable};

/// A function that gets second values.
pub trait Beside {
    /// True for a variable that has a second value.
    fn has(&self, variable: Variable) -> bool;

    /// Makes the variable for the second value of one that is being assigned.
    fn second(&mut self, variable: Variable) -> Variable;

    /// The second value of an operand that is moved to a variable with one.
    fn second_of(&mut self, operand: Operand, code: &mut Vec<Statement>) -> Result<Operand, Refusal>;

    /// Appends a statement, and the code that makes its second values.
    fn statement(&mut self, statement: &Statement, code: &mut Vec<Statement>) -> Result<(), Refusal>;

    /// For each variable whether it has a second value.
    fn have(&self, variables: &[Variable]) -> Vec<bool> {
        variables.iter().map(|variable| self.has(*variable)).collect()
    }

    /// Variables that are assigned together, then those for their second values.
    fn extended(&mut self, variables: &[Variable]) -> Vec<Variable> {
        let mut all = variables.to_vec();
        for variable in variables {
            if self.has(*variable) {
                all.push(self.second(*variable));
            }
        }
        all
    }

    /// Operands, then the second values of those that are moved to where one is needed.
    fn moved(
        &mut self,
        operands: &[Operand],
        needed: &[bool],
        code: &mut Vec<Statement>,
    ) -> Result<Vec<Operand>, Refusal> {
        let mut all = operands.to_vec();
        for (operand, _) in operands.iter().zip(needed).filter(|(_, needed)| **needed) {
            all.push(self.second_of(*operand, code)?);
        }
        Ok(all)
    }

    /// A block, given which of the values that it yields, and with which it repeats, need second ones.
    fn block(&mut self, block: &Block, yielded: &[bool], repeated: &[bool]) -> Result<Block, Refusal> {
        let mut statements = Vec::new();
        for statement in &block.statements {
            match statement {
                Statement::Bind { targets, block } => {
                    let block = self.block(block, &self.have(targets), &[])?;
                    statements.push(Statement::Bind { targets: self.extended(targets), block });
                }
                Statement::Loop { targets, state, initial, body } => {
                    let repeated = self.have(state);
                    let initial = self.moved(initial, &repeated, &mut statements)?;
                    let state = self.extended(state);
                    let body = self.block(body, &self.have(targets), &repeated)?;
                    statements.push(Statement::Loop { targets: self.extended(targets), state, initial, body });
                }
                other => self.statement(other, &mut statements)?,
            }
        }
        let end = match &block.end {
            End::Yield(operands) => End::Yield(self.moved(operands, yielded, &mut statements)?),
            End::Repeat(operands) => End::Repeat(self.moved(operands, repeated, &mut statements)?),
            End::Branch { test, consequent, alternative } => End::Branch {
                test: *test,
                consequent: Box::new(self.block(consequent, yielded, repeated)?),
                alternative: Box::new(self.block(alternative, yielded, repeated)?),
            },
            End::BailOut(at) => End::BailOut(*at),
        };
        Ok(Block { statements, end })
    }
}

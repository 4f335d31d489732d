//! The reader of the line of a statement of first-order code.
//!
//! [`super::read`] calls [`Code::statement`] for each line that is not the end of a block. It then reads the nested block of the
//! statement, if there is one, from the lines below. Statements of storage code are read by [`super::storage`].

use super::operands::{Code, is_operand, one};
use super::storage::storage;
use super::words::Words;
use crate::text::print::comparison_name;
use crate::{Action, Block, Division, Recording, Relation, Stack, Statement, Variable};
use vlad_core::ExpressionId;
use vlad_table::operations::OPERATIONS;
use vlad_table::{Arity, Comparison};

const COMPARISONS: [Comparison; 5] =
    [Comparison::Equal, Comparison::Less, Comparison::Greater, Comparison::NotGreater, Comparison::NotLess];

impl Code<'_> {
    /// Reads the line of a statement. Its block, if it has one, is empty.
    pub(super) fn statement(&mut self, line: &str) -> Result<Statement, String> {
        let mut words = Words::of(line);
        let mut targets = self.variables(&mut words)?;
        if targets.is_empty() || !words.accept("=") {
            targets.clear();
            words = Words::of(line);
        }
        let statement = self.after_targets(targets.clone(), &mut words)?;
        words.end()?;
        if statement.targets() == targets { Ok(statement) } else { Err("the statement has no target".to_owned()) }
    }

    /// Reads the words of a statement behind its targets.
    fn after_targets(&mut self, targets: Vec<Variable>, words: &mut Words<'_>) -> Result<Statement, String> {
        if words.peek().is_some_and(is_operand) {
            return self.comparison(one(targets)?, words);
        }
        let word = words.next("a statement")?;
        let block = Block::default;
        Ok(match word {
            "positive-zero" => Statement::PositiveZero { target: one(targets)?, operand: self.operand(words)? },
            "bind" => Statement::Bind { targets, block: block() },
            "loop" => {
                let (state, initial) = self.state(words)?;
                Statement::Loop { targets, state, initial, body: block() }
            }
            "call" => Statement::Call { targets, function: self.callee(words)?, arguments: self.operands(words)? },
            "forward" => self.forward(targets, words)?,
            "reverse" => self.reverse(targets, Recording::Everything, words)?,
            "checkpointed" => {
                let division = Division {
                    words: words.number("the words of a base case")?,
                    state_words: words.number("the words of states")?,
                    least: words.number("the least number of iterations")?,
                };
                words.expect("reverse")?;
                self.reverse(targets, Recording::Checkpoints(division), words)?
            }
            "input" => Statement::Input { target: one(targets)?, input: words.number("the number of a leaf")? },
            "read" => Statement::Read { target: one(targets)? },
            "write" => {
                Statement::Write { template: words.number("the number of a shape")?, leaves: self.operands(words)? }
            }
            "save" => Statement::Push { stack: Stack::Calls, values: self.operands(words)? },
            "restore" => Statement::Pop { stack: Stack::Calls, targets },
            "push" => Statement::Push { stack: Stack::Sweeps, values: self.operands(words)? },
            "pop" => Statement::Pop { stack: Stack::Sweeps, targets },
            "array" => Statement::Array { target: one(targets)?, elements: self.operands(words)? },
            "build" => {
                Statement::Build { targets, length: self.operand(words)?, index: self.variable(words)?, body: block() }
            }
            "element" => {
                let [array, index] = self.exactly(words)?;
                Statement::Element { target: one(targets)?, array, index }
            }
            "length" => Statement::Length { target: one(targets)?, array: self.operand(words)? },
            "replace" => {
                let [array, index, value] = self.exactly(words)?;
                words.expect("at")?;
                let node = ExpressionId(words.number("a node of the program")?);
                Statement::Replace { target: one(targets)?, array, index, value, node }
            }
            "is-index" => {
                let [array, index] = self.exactly(words)?;
                Statement::IsIndex { target: one(targets)?, array, index }
            }
            "zeros" => Statement::Zeros { target: one(targets)?, like: self.operand(words)? },
            "accumulators" => Statement::Accumulators { target: one(targets)?, like: self.operand(words)? },
            "cell" => Statement::Cell { target: one(targets)?, parts: self.operands(words)? },
            "parts" => Statement::Parts { targets, cell: self.operand(words)? },
            "load" => {
                let [array, index] = self.exactly(words)?;
                Statement::Load { target: one(targets)?, array, index }
            }
            "store" => {
                let [array, index, value] = self.exactly(words)?;
                Statement::Store { array, index, value }
            }
            "steps" => Statement::Steps { target: one(targets)? },
            "count-again" => {
                let [before, after] = self.exactly(words)?;
                Statement::Recount { before, after }
            }
            "count" => self.count(words)?,
            _ => self.by_name(word, targets, words)?,
        })
    }

    fn comparison(&mut self, target: Variable, words: &mut Words<'_>) -> Result<Statement, String> {
        let first = self.operand(words)?;
        let word = words.next("a comparison")?;
        let named = COMPARISONS.into_iter().find(|comparison| comparison_name(*comparison) == word);
        let comparison = named.ok_or_else(|| format!("`{word}` is no comparison"))?;
        Ok(Statement::Compare { target, comparison, first, second: self.operand(words)? })
    }

    fn count(&mut self, words: &mut Words<'_>) -> Result<Statement, String> {
        let steps = words.number("a number of steps")?;
        Ok(match words.accept("times") {
            true => crate::Storage::CountEach { steps, times: self.operand(words)? }.into(),
            false => Statement::Count { steps },
        })
    }

    fn forward(&mut self, targets: Vec<Variable>, words: &mut Words<'_>) -> Result<Statement, String> {
        let function = self.callee(words)?;
        let (mut arguments, mut tangents) = (Vec::new(), Vec::new());
        while let Some(word) = words.rest() {
            let (argument, tangent) =
                word.split_once(':').map_or((word, None), |(argument, rest)| (argument, Some(rest)));
            arguments.push(self.operand_of(argument)?);
            tangents.push(tangent.map(|tangent| self.operand_of(tangent)).transpose()?);
        }
        Ok(Statement::Forward { targets, function, arguments, tangents })
    }

    fn reverse(
        &mut self,
        targets: Vec<Variable>,
        recording: Recording,
        words: &mut Words<'_>,
    ) -> Result<Statement, String> {
        let function = self.callee(words)?;
        let (mut arguments, mut active) = (Vec::new(), Vec::new());
        while !words.accept("(") {
            let word = words.next("a list of cotangents")?;
            let argument = word.strip_prefix('@');
            active.push(argument.is_some());
            arguments.push(self.operand_of(argument.unwrap_or(word))?);
        }
        let cotangents = self.operands(words)?;
        words.expect(")")?;
        Ok(Statement::Reverse { targets, function, arguments, active, cotangents, recording })
    }

    /// Reads a statement whose first word is the name of an operation, a relation or an action, or is of storage code.
    fn by_name(&mut self, word: &str, targets: Vec<Variable>, words: &mut Words<'_>) -> Result<Statement, String> {
        if let Some(relation) = Relation::ALL.iter().find(|relation| relation.name() == word) {
            let [first, second] = self.exactly(words)?;
            return Ok(Statement::CompareArrays { target: one(targets)?, relation: *relation, first, second });
        }
        if let Some(action) = Action::named(word) {
            return Ok(Statement::action(targets, action, self.operands(words)?));
        }
        let mut named = OPERATIONS.iter().filter(|row| row.name == word).map(|row| row.operation).peekable();
        if named.peek().is_none() {
            return storage(self, word, targets, words).map(Statement::Storage);
        }
        let operands = self.operands(words)?;
        let arity = if operands.len() == 1 { Arity::One } else { Arity::Two };
        let operation = named.find(|operation| operation.arity() == arity);
        match (operation, operands.as_slice()) {
            (Some(operation), [first, second @ ..]) if second.len() < 2 => {
                let second = second.first().copied();
                Ok(Statement::Operation { target: one(targets)?, operation, first: *first, second })
            }
            _ => Err(format!("`{word}` does not take {} operands", operands.len())),
        }
    }
}

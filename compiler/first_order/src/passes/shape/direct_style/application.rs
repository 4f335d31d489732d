//! Applications of cells: the code that reads the parts of a cell, and calls the function that they say.

use crate::passes::shape::iteration::are_targets;
use crate::{Block, End, Function, FunctionId, Kind, Operand, Statement, Variable};
use vlad_core::ExpressionId;

/// An application of cells to values, apart from the variables that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Application {
    /// The kinds of the parts of the cell.
    parts: Vec<Kind>,
    /// The kinds of the values.
    pub values: Vec<Kind>,
    choice: Choice,
}

/// The choice of the function.
#[derive(Clone, Debug, PartialEq)]
enum Choice {
    /// By a part, a boolean.
    Branch {
        test: usize,
        consequent: Box<Choice>,
        alternative: Box<Choice>,
    },
    /// Calls a function with parts of the cell, and then the values.
    Call {
        steps: u64,
        function: FunctionId,
        parts: Vec<usize>,
    },
    BailOut(ExpressionId),
}

/// The function that is called for a cell whose parts are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The steps that are counted before the call.
    pub steps: u64,
    /// The function.
    pub function: FunctionId,
    /// Its place for the next continuation.
    pub place: usize,
    /// Its arguments, without the next continuation and the values.
    pub arguments: Vec<Operand>,
}

/// An application in a block.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The place of its first statement in the block.
    pub place: usize,
    /// The cell.
    pub cell: Operand,
    /// The values.
    pub values: Vec<Operand>,
    /// The application.
    pub application: Application,
}

impl Member {
    /// The function and its place for the next continuation.
    pub fn continuation(&self) -> (FunctionId, usize) {
        (self.function, self.place)
    }
}

/// The application with which a block in tail position ends, if it ends with one.
pub fn applied(block: &Block, function: &Function) -> Option<Applied> {
    let is_parts = |statement: &Statement| matches!(statement, Statement::Parts { .. });
    let place = block.statements.iter().rposition(is_parts)?;
    let Some((Statement::Parts { targets, cell }, rest)) = block.statements.get(place..)?.split_first() else {
        return None;
    };
    let mut values = None;
    let choice = choice(rest, &block.end, targets, &mut values)?;
    let values = values?;
    let kind = |operand: &Operand| function.kind(*operand);
    let parts = targets.iter().map(|target| function.kind((*target).into())).collect();
    let application = Application { parts, values: values.iter().map(kind).collect(), choice };
    Some(Applied { place, cell: *cell, values, application })
}

/// The choice that statements and an end make by the parts of a cell. The values have to be the same everywhere.
fn choice(
    statements: &[Statement],
    end: &End,
    parts: &[Variable],
    values: &mut Option<Vec<Operand>>,
) -> Option<Choice> {
    let number = |operand: &Operand| parts.iter().position(|part| *operand == Operand::Variable(*part));
    match end {
        End::Branch { test, consequent, alternative } if statements.is_empty() => {
            let mut of = |block: &Block| choice(&block.statements, &block.end, parts, values).map(Box::new);
            Some(Choice::Branch { test: number(test)?, consequent: of(consequent)?, alternative: of(alternative)? })
        }
        End::Yield(results) => {
            let (Statement::Call { targets, function, arguments }, before) = statements.split_last()? else {
                return None;
            };
            let mut steps = 0;
            for statement in before {
                let Statement::Count { steps: more } = statement else { return None };
                steps += more;
            }
            let taken: Vec<usize> = arguments.iter().map_while(number).collect();
            let others = arguments.get(taken.len()..)?;
            let are_same = values.get_or_insert_with(|| others.to_vec()) == others;
            let is_call =
                are_targets(results, targets) && are_same && !others.iter().any(|other| number(other).is_some());
            is_call.then_some(Choice::Call { steps, function: *function, parts: taken })
        }
        End::BailOut(node) if statements.is_empty() => Some(Choice::BailOut(*node)),
        End::Branch { .. } | End::Repeat(_) | End::BailOut(_) => None,
    }
}

impl Application {
    /// The function for a cell of these parts, one of which is the next continuation; none if the parts do not say which it
    /// is, or if it does not take that one once.
    pub fn member(&self, parts: &[Operand], next: usize) -> Option<Member> {
        if parts.len() != self.parts.len() {
            return None;
        }
        let mut choice = &self.choice;
        loop {
            match choice {
                Choice::Branch { test, consequent, alternative } => {
                    let Operand::Boolean(test) = parts.get(*test)? else { return None };
                    choice = if *test { consequent } else { alternative };
                }
                Choice::Call { steps, function, parts: taken } => {
                    let place = taken.iter().position(|part| *part == next)?;
                    let others: Vec<usize> = taken.iter().copied().filter(|part| *part != next).collect();
                    let arguments: Option<Vec<Operand>> = others.iter().map(|part| parts.get(*part).copied()).collect();
                    let is_once = others.len() + 1 == taken.len();
                    let member = Member { steps: *steps, function: *function, place, arguments: arguments? };
                    return is_once.then_some(member);
                }
                Choice::BailOut(_) => return None,
            }
        }
    }

    /// A block, in tail position of a function, that applies a cell to values.
    pub fn block(&self, cell: Operand, values: &[Operand], function: &mut Function) -> Block {
        let targets = function.fresh_all(&self.parts);
        let parts = Operand::all(&targets);
        let mut block = self.choice.block(&parts, values, function);
        block.statements.insert(0, Statement::Parts { targets, cell });
        block
    }
}

impl Choice {
    fn block(&self, parts: &[Operand], values: &[Operand], function: &mut Function) -> Block {
        let part = |number: &usize| match parts.get(*number) {
            Some(part) => *part,
            None => vlad_table::internal_bug!("a choice is made by parts of the cell"),
        };
        match self {
            Choice::Branch { test, consequent, alternative } => {
                let consequent = Box::new(consequent.block(parts, values, function));
                let alternative = Box::new(alternative.block(parts, values, function));
                Block { statements: Vec::new(), end: End::Branch { test: part(test), consequent, alternative } }
            }
            Choice::Call { steps, function: callee, parts: taken } => {
                let targets = function.fresh_all(&function.results.clone());
                let end = End::Yield(Operand::all(&targets));
                let arguments = taken.iter().map(part).chain(values.iter().copied()).collect();
                let call = Statement::Call { targets, function: *callee, arguments };
                let count = (*steps > 0).then_some(Statement::Count { steps: *steps });
                Block { statements: count.into_iter().chain([call]).collect(), end }
            }
            Choice::BailOut(node) => Block { statements: Vec::new(), end: End::BailOut(*node) },
        }
    }
}

//! Simplification of one function: propagates copies, parts of known cells among them, decides branches on constants, evaluates
//! operations on constants, and flattens binds without a branch.
//!
//! All rules but one move values or take a branch that would be taken. The evaluation of an operation on constants keeps bits too: it is
//! inactive at every level, so it makes no node, and the table has its value.

use crate::passes::shape::loop_state::{reduce_state, retain_results};
use crate::passes::shape::tail::merge_binds;
use crate::{Block, End, Function, Operand, Statement, Variable, VariableTable};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use vlad_ad::plain::given_back;
use vlad_ad::plain::{evaluate_binary, evaluate_unary};
use vlad_values::Number;

/// Simplifies a function.
pub fn simplify(function: &mut Function) {
    merge_binds(&mut function.body);
    let count = function.variables.len();
    let (values, assigned) = (VariableTable::filled(count, None), VariableTable::filled(count, 0));
    let mut simplifying = Simplifying { values, cells: HashMap::new(), assigned, clock: 1 };
    simplifying.assign(&function.parameters);
    let body = std::mem::take(&mut function.body);
    function.body = simplifying.block(body);
}

struct Simplifying {
    /// The operand that each variable is a copy of.
    values: VariableTable<Option<Operand>>,
    /// The parts of the cells that the function makes, but absent ones.
    cells: HashMap<Variable, Vec<Operand>>,
    /// The time at which each variable was assigned, in the order of the text.
    assigned: VariableTable<u32>,
    clock: u32,
}

impl Simplifying {
    fn assign(&mut self, targets: &[Variable]) {
        for target in targets {
            self.clock += 1;
            self.assigned[*target] = self.clock;
        }
    }

    fn set(&mut self, target: Variable, value: Option<Operand>) {
        self.values[target] = value;
    }

    fn replace(&self, operand: &mut Operand) {
        if let Operand::Variable(variable) = operand
            && let Some(value) = self.values[*variable]
        {
            *operand = value;
        }
    }

    /// Returns true if an operand was visible at a time.
    fn is_visible(&self, operand: Operand, at: u32) -> bool {
        operand.variable().is_none_or(|variable| self.assigned[variable] <= at)
    }

    fn block(&mut self, block: Block) -> Block {
        let mut statements = Vec::with_capacity(block.statements.len());
        let end = self.append(block, &mut statements);
        merge_counts(&mut statements, &end);
        Block { statements, end }
    }

    /// Appends the statements of a block, and returns its end.
    fn append(&mut self, block: Block, statements: &mut Vec<Statement>) -> End {
        for statement in block.statements {
            if let Some(end) = self.statement(statement, statements) {
                return end;
            }
        }
        let mut end = block.end;
        end.operands_mut().iter_mut().for_each(|operand| self.replace(operand));
        match end {
            End::Branch { test: Operand::Boolean(test), consequent, alternative } => {
                self.append(if test { *consequent } else { *alternative }, statements)
            }
            End::Branch { test, consequent, alternative } => {
                let consequent = self.block_where(test, true, *consequent);
                let alternative = self.block_where(test, false, *alternative);
                if consequent.statements.is_empty() && consequent == alternative {
                    return consequent.end;
                }
                End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) }
            }
            End::Yield(_) | End::Repeat(_) | End::BailOut(_) => end,
        }
    }

    /// Simplifies a block at whose start the value of a test is known.
    fn block_where(&mut self, test: Operand, value: bool, block: Block) -> Block {
        let Operand::Variable(test) = test else { return self.block(block) };
        self.set(test, Some(Operand::Boolean(value)));
        let block = self.block(block);
        self.set(test, None);
        block
    }

    /// Appends a statement, or records that its targets are copies; returns the end of the block if nothing follows.
    fn statement(&mut self, mut statement: Statement, statements: &mut Vec<Statement>) -> Option<End> {
        statement.change_operands(|operand| self.replace(operand));
        reduce_state(&mut statement);
        let before = self.clock;
        match statement {
            Statement::Storage(_) => vlad_table::internal_bug!("storage code is made after all passes"),
            Statement::Bind { targets, block } => return self.bind(targets, block, before, statements),
            Statement::Loop { targets, state, initial, body } => {
                if body.repeats().next().is_none() {
                    // The body is executed once.
                    for (variable, value) in state.iter().zip(initial) {
                        self.set(*variable, Some(value));
                    }
                    return self.bind(targets, body, before, statements);
                }
                self.assign(&state);
                let mut body = self.block(body);
                let targets = self.without_copies(targets, &mut body, before);
                self.assign(&targets);
                statements.push(Statement::Loop { targets, state, initial, body });
            }
            Statement::Build { targets, length, index, body } => {
                self.assign(&[index]);
                let body = self.block(body);
                self.assign(&targets);
                statements.push(Statement::Build { targets, length, index, body });
            }
            Statement::Operation { target, operation, first, second } => match constant(operation, first, second) {
                Some(value) => self.set(target, Some(Operand::real(value))),
                None => self.push(Statement::Operation { target, operation, first, second }, statements),
            },
            Statement::PositiveZero { target, operand: Operand::Real(bits) } => {
                self.set(target, Some(Operand::real(given_back(&Number::Real(bits.real())).base())));
            }
            Statement::Compare { target, comparison, first: Operand::Real(a), second: Operand::Real(b) } => {
                self.set(target, Some(Operand::Boolean(comparison.holds(a.real(), b.real()))));
            }
            Statement::Parts { targets, cell: Operand::Variable(cell) } if self.cells.contains_key(&cell) => {
                // A boolean that the cell does not have is false.
                let parts = self.cells.get(&cell).cloned().unwrap_or_default().into_iter();
                for (target, mut part) in targets.into_iter().zip(parts.chain([Operand::Boolean(false)])) {
                    self.replace(&mut part);
                    self.set(target, Some(part));
                }
            }
            Statement::Cell { target, parts } => {
                if !parts.is_empty() {
                    self.cells.insert(target, parts.clone());
                }
                self.push(Statement::Cell { target, parts }, statements);
            }
            other => self.push(other, statements),
        }
        None
    }

    fn push(&mut self, statement: Statement, statements: &mut Vec<Statement>) {
        self.assign(statement.targets());
        statements.push(statement);
    }

    fn bind(
        &mut self,
        targets: Vec<Variable>,
        block: Block,
        before: u32,
        statements: &mut Vec<Statement>,
    ) -> Option<End> {
        let mut block = self.block(block);
        if let End::Yield(values) = block.end {
            statements.append(&mut block.statements);
            targets.iter().zip(values).for_each(|(target, value)| self.set(*target, Some(value)));
            return None;
        }
        if block.yields().next().is_none() {
            statements.append(&mut block.statements);
            return Some(block.end);
        }
        let targets = self.without_copies(targets, &mut block, before);
        self.assign(&targets);
        statements.push(Statement::Bind { targets, block });
        None
    }

    /// Takes the targets out that are copies of one operand from outside, or of one another, however the block ends.
    fn without_copies(&mut self, mut targets: Vec<Variable>, block: &mut Block, before: u32) -> Vec<Variable> {
        let copies = self.copies(&targets, block, before);
        if copies.iter().all(Option::is_none) {
            return targets;
        }
        for (target, copy) in targets.iter().zip(&copies) {
            self.set(*target, *copy);
        }
        retain_results(&mut targets, block, |place| copies.get(place) == Some(&None));
        targets
    }

    /// The operand of which each target is a copy, if there is one.
    fn copies(&self, targets: &[Variable], block: &Block, before: u32) -> Vec<Option<Operand>> {
        let mut yields: Vec<Vec<Operand>> = vec![Vec::new(); targets.len()];
        for values in block.yields() {
            yields.iter_mut().zip(values).for_each(|(yields, value)| yields.push(*value));
        }
        let test = match &block.end {
            End::Branch { test, consequent, alternative } => {
                let are_ends = matches!((&consequent.end, &alternative.end), (End::Yield(_), End::Yield(_)));
                are_ends.then_some(*test)
            }
            End::Yield(_) | End::Repeat(_) | End::BailOut(_) => None,
        };
        if yields.first().is_none_or(Vec::is_empty) {
            return vec![None; targets.len()];
        }
        let mut first: HashMap<&[Operand], Variable> = HashMap::new();
        let mut copies = Vec::with_capacity(targets.len());
        for (target, yields) in targets.iter().zip(&yields) {
            let outer = match yields.as_slice() {
                [Operand::Boolean(true), Operand::Boolean(false)] => test,
                [value, others @ ..] if others.iter().all(|other| other == value) => Some(*value),
                [] | [_, ..] => None,
            };
            copies.push(match outer.filter(|operand| self.is_visible(*operand, before)) {
                Some(outer) => Some(outer),
                None => match first.entry(yields) {
                    Entry::Occupied(other) => Some(Operand::Variable(*other.get())),
                    Entry::Vacant(entry) => {
                        entry.insert(*target);
                        None
                    }
                },
            });
        }
        copies
    }
}

/// The value of an operation on constants.
fn constant(operation: vlad_table::Operation, first: Operand, second: Option<Operand>) -> Option<f64> {
    match (first, second) {
        (Operand::Real(a), Some(Operand::Real(b))) => Some(evaluate_binary(operation, a.real(), b.real())),
        (Operand::Real(a), None) => Some(evaluate_unary(operation, a.real())),
        (Operand::Variable(_) | Operand::Boolean(_) | Operand::Real(_), _) => None,
    }
}

/// Adds up the counts of a block in the first of them: either all of them are reached, or the steps are not used. One that
/// keeps a call out of tail position stays.
fn merge_counts(statements: &mut Vec<Statement>, end: &End) {
    if let [.., before, Statement::Count { .. }] = statements.as_slice()
        && before.has_results_of(end)
        && let Some(last) = statements.pop()
    {
        merge_counts(statements, end);
        return statements.push(last);
    }
    let steps = |statement: &Statement| if let Statement::Count { steps } = statement { *steps } else { 0 };
    let mut all = statements.iter().map(steps).sum();
    statements.retain_mut(|statement| match statement {
        Statement::Count { steps } => {
            *steps = std::mem::take(&mut all);
            *steps > 0
        }
        _ => true,
    });
}

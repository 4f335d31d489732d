//! The checker of units, run after every pass in tests.
//!
//! It checks the rules for blocks and variables in the header of [`crate`], the numbers and kinds of operands, targets, arguments and
//! results, and the number of leaves of each shape. The parts of records and of cells are not compared with their readers.

mod actions;
mod arrays;
mod shapes;
mod storage;

use super::{Block, End, Function, Kind, MOST_DEPTH, Operand, Statement, Unit, Variable};
use shapes::{input_kinds, leaf_kinds};
use vlad_table::Arity;

/// Checks a unit.
///
/// # Errors
/// Returns a description of the first violation and its function.
pub fn check(unit: &Unit) -> Result<(), String> {
    let inputs = input_kinds(unit)?;
    for line in &unit.written {
        leaf_kinds(&line.template)?;
    }
    let result = if unit.result.steps.is_empty() { None } else { Some(leaf_kinds(&unit.result)?) };
    if let Some(entry) = unit.entry {
        let entry = unit.functions.get(entry.0 as usize).ok_or("the entry is no function of the unit")?;
        if !entry.parameters.is_empty() {
            return Err("the entry has parameters".to_owned());
        }
        if result.is_some_and(|result| result != entry.results) {
            return Err("the entry's results are not the leaves of the value's shape".to_owned());
        }
    }
    for (number, function) in unit.functions.iter().enumerate() {
        let mut scope = Scope { unit, function, inputs: &inputs, seen: vec![Seen::Never; function.variables.len()] };
        scope.check().map_err(|message| format!("function {number} ({}): {message}", function.name))?;
    }
    Ok(())
}

/// Checks a unit from which the levels of differentiation are removed.
///
/// # Errors
/// Returns a description of the first violation and its function.
pub fn check_without_levels(unit: &Unit) -> Result<(), String> {
    check(unit)?;
    for (number, function) in unit.functions.iter().enumerate() {
        if function.body.all_statements().any(Statement::begins_level) {
            return Err(format!("function {number} ({}): a level of differentiation is left", function.name));
        }
    }
    Ok(())
}

/// The progress of checking a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    Visible,
    /// Assigned in a block that has ended.
    Hidden,
}

/// The construct whose end a block in tail position decides about.
#[derive(Clone, Copy)]
struct Construct<'unit> {
    results: &'unit [Kind],
    /// The state of a loop.
    state: Option<&'unit [Kind]>,
}

struct Scope<'unit> {
    unit: &'unit Unit,
    function: &'unit Function,
    inputs: &'unit [Kind],
    seen: Vec<Seen>,
}

/// True for a constant that can stand for an integer.
fn is_whole(operand: Operand) -> bool {
    operand.number().is_some_and(|real| real.fract() == 0.0 && real.abs() <= 9_007_199_254_740_992.0)
}

impl Scope<'_> {
    fn check(&mut self) -> Result<(), String> {
        let function = self.function;
        self.assign(&function.parameters)?;
        self.block(&function.body, Construct { results: &function.results, state: None }, 1)
    }

    fn assign(&mut self, targets: &[Variable]) -> Result<(), String> {
        for target in targets {
            match self.seen.get_mut(target.0 as usize) {
                Some(seen @ Seen::Never) => *seen = Seen::Visible,
                Some(Seen::Visible | Seen::Hidden) => return Err(format!("variable {} is assigned twice", target.0)),
                None => return Err(format!("variable {} is not one of the function's", target.0)),
            }
        }
        Ok(())
    }

    fn hide(&mut self, targets: &[Variable]) {
        for target in targets {
            if let Some(seen) = self.seen.get_mut(target.0 as usize) {
                *seen = Seen::Hidden;
            }
        }
    }

    fn kind(&self, operand: Operand) -> Result<Kind, String> {
        if let Operand::Variable(variable) = operand {
            match self.seen.get(variable.0 as usize) {
                Some(Seen::Visible) => {}
                Some(Seen::Never) => return Err(format!("variable {} is used before it is assigned", variable.0)),
                Some(Seen::Hidden) => return Err(format!("variable {} is used outside of its block", variable.0)),
                None => return Err(format!("variable {} is not one of the function's", variable.0)),
            }
        }
        Ok(self.function.kind(operand))
    }

    fn operands(&self, role: &str, operands: &[Operand], kinds: &[Kind]) -> Result<(), String> {
        if operands.len() != kinds.len() {
            return Err(format!("there are {} {role} instead of {}", operands.len(), kinds.len()));
        }
        for (place, (operand, kind)) in operands.iter().zip(kinds).enumerate() {
            let of_operand = self.kind(*operand)?;
            if of_operand != *kind && !(*kind == Kind::Integer && is_whole(*operand)) {
                return Err(format!("number {place} of the {role} is of the wrong kind"));
            }
        }
        Ok(())
    }

    /// Assigns targets of the given kinds.
    fn targets(&mut self, targets: &[Variable], kinds: &[Kind]) -> Result<(), String> {
        self.assign(targets)?;
        let operands = Operand::all(targets);
        self.operands("targets", &operands, kinds)
    }

    /// The kind of a number that a real or an integer may be.
    fn number_kind(&self, target: Variable) -> Kind {
        let kind = self.function.kind(target.into());
        if kind == Kind::Integer { kind } else { Kind::Real }
    }

    fn kinds(&self, variables: &[Variable]) -> Result<Vec<Kind>, String> {
        let kind = |variable: &Variable| self.function.variables.get(variable.0 as usize).copied();
        variables.iter().map(|variable| kind(variable).ok_or(format!("no variable {}", variable.0))).collect()
    }

    /// Checks a block and hides its variables.
    fn block(&mut self, block: &Block, construct: Construct<'_>, depth: usize) -> Result<(), String> {
        if depth > MOST_DEPTH {
            return Err(format!("blocks are nested more than {MOST_DEPTH} deep"));
        }
        for statement in &block.statements {
            self.statement(statement, depth)?;
        }
        match &block.end {
            End::Yield(results) => self.operands("results", results, construct.results)?,
            End::Repeat(state) => match construct.state {
                Some(kinds) => self.operands("values of the state", state, kinds)?,
                None => return Err("a repeat is not in tail position of a loop".to_owned()),
            },
            End::Branch { test, consequent, alternative } => {
                self.operands("tests", &[*test], &[Kind::Boolean])?;
                self.block(consequent, construct, depth + 1)?;
                self.block(alternative, construct, depth + 1)?;
            }
            End::BailOut(_) => {}
        }
        for statement in &block.statements {
            self.hide(statement.targets());
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, depth: usize) -> Result<(), String> {
        match statement {
            Statement::Operation { target, operation, first, second } => {
                self.operands("operands", &[*first], &[Kind::Real])?;
                if let Some(second) = second {
                    self.operands("operands", &[*second], &[Kind::Real])?;
                }
                if (operation.arity() == Arity::Two) != second.is_some() {
                    return Err(format!("`{}` has another number of operands", operation.row().name));
                }
                self.targets(&[*target], &[Kind::Real])
            }
            Statement::PositiveZero { target, operand } => {
                self.operands("operands", &[*operand], &[Kind::Real])?;
                self.targets(&[*target], &[Kind::Real])
            }
            Statement::Compare { target, first, second, .. } => {
                let are_integers =
                    [*first, *second].iter().any(|operand| self.function.kind(*operand) == Kind::Integer);
                let kind = if are_integers { Kind::Integer } else { Kind::Real };
                self.operands("operands", &[*first, *second], &[kind, kind])?;
                self.targets(&[*target], &[Kind::Boolean])
            }
            Statement::Bind { targets, block } => {
                let results = self.kinds(targets)?;
                self.block(block, Construct { results: &results, state: None }, depth + 1)?;
                self.targets(targets, &results)
            }
            Statement::Loop { targets, state, initial, body } => {
                let (results, of_state) = (self.kinds(targets)?, self.kinds(state)?);
                self.operands("initial values", initial, &of_state)?;
                self.assign(state)?;
                self.block(body, Construct { results: &results, state: Some(&of_state) }, depth + 1)?;
                self.hide(state);
                self.targets(targets, &results)
            }
            Statement::Call { .. } | Statement::Forward { .. } | Statement::Reverse { .. } => self.call(statement),
            Statement::Input { target, input } => match self.inputs.get(*input as usize) {
                Some(kind) => self.targets(&[*target], &[*kind]),
                None => Err(format!("the inputs have no leaf {input}")),
            },
            Statement::Read { target } => self.targets(&[*target], &[Kind::Real]),
            Statement::Write { template, leaves } => match self.unit.written.get(*template as usize) {
                Some(line) => self.operands("leaves", leaves, &leaf_kinds(&line.template)?),
                None => Err(format!("there is no shape {template}")),
            },
            Statement::Push { values, .. } => values.iter().try_for_each(|value| self.kind(*value).map(|_| ())),
            Statement::Pop { targets, .. } => self.assign(targets),
            Statement::Act { targets, action, operands } => {
                let (results, given) = actions::kinds(*action, (targets.len(), operands.len()));
                self.operands("operands", operands, &given)?;
                self.targets(targets, &results)
            }
            Statement::Array { .. }
            | Statement::Build { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Replace { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. } => self.on_array(statement, depth),
            Statement::Steps { target } => self.targets(&[*target], &[self.number_kind(*target)]),
            Statement::Recount { before, after } => {
                self.operands("numbers of steps", &[*before, *after], &[Kind::Real, Kind::Real])
            }
            Statement::Cell { target, parts } => {
                parts.iter().try_for_each(|part| self.kind(*part).map(|_| ()))?;
                self.targets(&[*target], &[Kind::Cell])
            }
            Statement::Parts { targets, cell } => {
                self.operands("cells", &[*cell], &[Kind::Cell])?;
                self.assign(targets)
            }
            Statement::Count { .. } => Ok(()),
            Statement::Storage(statement) => self.storage(statement, depth),
        }
    }

    fn call(&mut self, statement: &Statement) -> Result<(), String> {
        let number = statement.callee().ok_or("a call has a callee")?;
        let Some(callee) = self.unit.functions.get(number.0 as usize) else {
            return Err(format!("there is no function {}", number.0));
        };
        let parameters: Vec<Kind> =
            callee.parameters.iter().map(|parameter| callee.kind((*parameter).into())).collect();
        let differentiable: Vec<Kind> =
            callee.results.iter().copied().filter(|kind| kind.is_differentiable()).collect();
        let mut results = callee.results.clone();
        let (Statement::Call { targets, arguments, .. }
        | Statement::Forward { targets, arguments, .. }
        | Statement::Reverse { targets, arguments, .. }) = statement
        else {
            return Err("a call has a callee".to_owned());
        };
        if let Statement::Forward { tangents, .. } = statement {
            if tangents.len() != parameters.len() {
                return Err("the tangents are not as many as the arguments".to_owned());
            }
            for (tangent, kind) in tangents.iter().zip(&parameters) {
                if let Some(tangent) = tangent {
                    self.operands("tangents of an argument", &[*tangent], &[*kind])?;
                    if !kind.is_differentiable() {
                        return Err("a boolean has a tangent".to_owned());
                    }
                }
            }
            results.extend(differentiable);
        } else if let Statement::Reverse { active, cotangents, .. } = statement {
            if active.len() != parameters.len() {
                return Err("the activities are not as many as the arguments".to_owned());
            }
            if active.iter().zip(&parameters).any(|(active, kind)| *active && !kind.is_differentiable()) {
                return Err("a boolean is active".to_owned());
            }
            self.operands("cotangents", cotangents, &differentiable)?;
            results.extend(active.iter().zip(&parameters).filter(|(active, _)| **active).map(|(_, kind)| *kind));
        }
        self.operands("arguments", arguments, &parameters)?;
        self.targets(targets, &results)
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::{Building, Code};
    use super::super::template::{Line, Step, Template};
    use super::super::{Bits, FunctionId};
    use super::*;
    use vlad_core::ExpressionId;
    use vlad_table::{Comparison, Operation};

    const REAL: Operand = Operand::Real(Bits(0));
    const TRUE: Operand = Operand::Boolean(true);

    /// The message for a function of a real and a boolean, with a real and a boolean as results.
    fn message(write: impl FnOnce(&mut Code<'_>, &[Operand]) -> End) -> String {
        let mut building = Building::default();
        building.unit.inputs = vec![(vlad_core::GlobalId(0), Template::of(vec![Step::BooleanLeaf]))];
        building.unit.written = vec![Line::of(Template::of(vec![Step::RealLeaf, Step::BooleanLeaf, Step::Pair]))];
        let function = building.declare("f", &[Kind::Real, Kind::Boolean], &[Kind::Real, Kind::Boolean]);
        building.define(function, write);
        check(&building.finish()).err().unwrap_or_default().replace("function 0 (f): ", "")
    }

    #[test]
    fn well_formed_code_is_accepted() {
        let text = message(|code, x| {
            code.push(Statement::Write { template: 0, leaves: vec![x[0], x[1]] });
            let forward = code.forward(FunctionId(0), x, &[Some(x[0]), None]);
            let reverse = code.reverse(FunctionId(0), &forward[..2], &[true, false], &[forward[2]]);
            code.branch(reverse[1], |_| End::BailOut(ExpressionId(0)), |_| End::Yield(vec![reverse[2], x[1]]))
        });
        assert_eq!(text, "");
    }

    #[test]
    fn variables_are_assigned_once_before_their_uses() {
        let unassigned = message(|code, x| End::Yield(vec![code.fresh(Kind::Real).into(), x[1]]));
        assert_eq!(unassigned, "variable 2 is used before it is assigned");
        let twice = message(|code, x| {
            code.push(Statement::Read { target: Variable(0) });
            End::Yield(x.to_vec())
        });
        assert_eq!(twice, "variable 0 is assigned twice");
        let outside = message(|code, x| {
            let mut inner = REAL;
            code.bind(&[], |code| {
                inner = code.read();
                End::Yield(vec![])
            });
            End::Yield(vec![inner, x[1]])
        });
        assert_eq!(outside, "variable 2 is used outside of its block");
        let other_branch = message(|code, x| {
            let mut inner = REAL;
            let consequent = code.block(|code| {
                inner = code.read();
                End::Yield(x.to_vec())
            });
            let alternative = code.block(|_| End::Yield(vec![inner, TRUE]));
            End::Branch { test: TRUE, consequent: Box::new(consequent), alternative: Box::new(alternative) }
        });
        assert_eq!(other_branch, "variable 2 is used outside of its block");
        let state = message(|code, x| {
            let mut state = REAL;
            code.run_loop(&[], &[x[0]], |_, variables| {
                state = variables[0];
                End::Yield(vec![])
            });
            End::Yield(vec![state, x[1]])
        });
        assert_eq!(state, "variable 2 is used outside of its block");
    }

    #[test]
    fn operands_agree_in_number_and_kind() {
        assert_eq!(message(|_, x| End::Yield(vec![x[1], x[0]])), "number 0 of the results is of the wrong kind");
        assert_eq!(message(|_, x| End::Yield(vec![x[0]])), "there are 1 results instead of 2");
        let operand = message(|code, x| {
            code.unary(Operation::Sine, x[1]);
            End::Yield(x.to_vec())
        });
        assert_eq!(operand, "number 0 of the operands is of the wrong kind");
        let arity = message(|code, x| {
            code.unary(Operation::Add, x[0]);
            End::Yield(x.to_vec())
        });
        assert_eq!(arity, "`+` has another number of operands");
        let compared = message(|code, x| {
            code.compare(Comparison::Less, x[0], x[1]);
            End::Yield(x.to_vec())
        });
        assert_eq!(compared, "number 1 of the operands is of the wrong kind");
        let written = message(|code, x| {
            code.push(Statement::Write { template: 0, leaves: vec![x[0]] });
            End::Yield(x.to_vec())
        });
        assert_eq!(written, "there are 1 leaves instead of 2");
        let input = message(|code, x| End::Yield(vec![code.input(Kind::Real, 0), x[1]]));
        assert_eq!(input, "number 0 of the targets is of the wrong kind");
        let arguments = message(|code, x| End::Yield(code.call(FunctionId(0), &[x[1], x[0]])));
        assert_eq!(arguments, "number 0 of the arguments is of the wrong kind");
        let tangent = message(|code, x| {
            code.forward(FunctionId(0), x, &[None, Some(TRUE)]);
            End::Yield(x.to_vec())
        });
        assert_eq!(tangent, "a boolean has a tangent");
        let active = message(|code, x| {
            code.reverse(FunctionId(0), x, &[true, true], &[REAL]);
            End::Yield(x.to_vec())
        });
        assert_eq!(active, "a boolean is active");
        let cotangents = message(|code, x| {
            code.reverse(FunctionId(0), x, &[true, false], &[REAL, TRUE]);
            End::Yield(x.to_vec())
        });
        assert_eq!(cotangents, "there are 2 cotangents instead of 1");
    }

    #[test]
    fn repeats_are_in_tail_position_of_a_loop_and_depth_is_bounded() {
        assert_eq!(message(|_, x| End::Repeat(x.to_vec())), "a repeat is not in tail position of a loop");
        let in_bind = message(|code, x| {
            code.run_loop(&[], &[x[0]], |code, state| {
                code.bind(&[], |_| End::Repeat(state.to_vec()));
                End::Yield(vec![])
            });
            End::Yield(x.to_vec())
        });
        assert_eq!(in_bind, "a repeat is not in tail position of a loop");
        let state = message(|code, x| {
            code.run_loop(&[], &[x[0]], |_, _| End::Repeat(vec![TRUE]));
            End::Yield(x.to_vec())
        });
        assert_eq!(state, "number 0 of the values of the state is of the wrong kind");
        let nested = |depth: usize| {
            message(|code, x| {
                let mut block = Block { statements: vec![], end: End::Yield(x.to_vec()) };
                for _ in 1..depth {
                    let alternative = Box::new(Block { statements: vec![], end: End::BailOut(ExpressionId(0)) });
                    let end = End::Branch { test: x[1], consequent: Box::new(block), alternative };
                    block = Block { statements: vec![], end };
                }
                block.statements.into_iter().for_each(|statement| code.push(statement));
                block.end
            })
        };
        assert_eq!(nested(MOST_DEPTH), "");
        assert_eq!(nested(MOST_DEPTH + 1), "blocks are nested more than 400 deep");
    }

    #[test]
    fn shapes_leave_one_value_and_levels_are_found() {
        let mut building = Building::default();
        building.unit.result = Template::of(vec![Step::RealLeaf, Step::Pair]);
        assert_eq!(check(&building.finish()), Err("a shape takes more values than there are".to_owned()));
        let mut building = Building::default();
        building.unit.result = Template::of(vec![Step::RealLeaf]);
        building.entry(&[Kind::Boolean], |_| End::Yield(vec![TRUE]));
        let message = "the entry's results are not the leaves of the value's shape";
        assert_eq!(check(&building.finish()), Err(message.to_owned()));
        let mut building = Building::default();
        let function = building.declare("f", &[], &[]);
        building.entry(&[], |code| {
            code.bind(&[], |code| End::Yield(code.forward(function, &[], &[])));
            End::Yield(vec![])
        });
        let unit = building.finish();
        assert_eq!(check(&unit), Ok(()));
        let message = "function 1 (entry): a level of differentiation is left";
        assert_eq!(check_without_levels(&unit), Err(message.to_owned()));
    }
}

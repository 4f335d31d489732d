//! The checker of units, run after every pass in tests.
//!
//! It establishes what the header of [`crate::first_order`] says of blocks and variables; that operands, targets,
//! arguments and results agree in number and kind; and that shapes have as many leaves as are read and written.

use super::template::{Step, Template};
use super::{Block, End, Function, Kind, MOST_DEPTH, Operand, Statement, Unit, Variable};
use vlad_table::Arity;

/// Checks a unit.
///
/// # Errors
/// Returns a description of the first violation and its function.
pub fn check(unit: &Unit) -> Result<(), String> {
    let inputs = input_kinds(unit)?;
    for template in &unit.written {
        leaf_kinds(template)?;
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
        let mut has_levels = false;
        function.body.each_statement(&mut |statement| {
            has_levels |= matches!(statement, Statement::Forward { .. } | Statement::Reverse { .. });
        });
        if has_levels {
            return Err(format!("function {number} ({}): a level of differentiation is left", function.name));
        }
    }
    Ok(())
}

/// The kinds of the leaves of all inputs.
fn input_kinds(unit: &Unit) -> Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    for (_, template) in &unit.inputs {
        kinds.extend(leaf_kinds(template)?);
    }
    Ok(kinds)
}

/// The kinds of the leaves of a shape, which must leave one value.
fn leaf_kinds(template: &Template) -> Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    let mut height: usize = 0;
    for step in &template.steps {
        let taken = match step {
            Step::Nil | Step::Boolean(_) | Step::Real(_) | Step::Primitive(_) => 0,
            Step::RealLeaf => {
                kinds.push(Kind::Real);
                0
            }
            Step::BooleanLeaf => {
                kinds.push(Kind::Boolean);
                0
            }
            Step::Pair => 2,
            Step::Procedure(_, slots) => *slots as usize,
        };
        height = height.checked_sub(taken).ok_or("a shape takes more values than there are")? + 1;
    }
    if height == 1 { Ok(kinds) } else { Err(format!("a shape leaves {height} values")) }
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
            if self.kind(*operand)? != *kind {
                return Err(format!("number {place} of the {role} is of the wrong kind"));
            }
        }
        Ok(())
    }

    /// Assigns targets of the given kinds.
    fn targets(&mut self, targets: &[Variable], kinds: &[Kind]) -> Result<(), String> {
        self.assign(targets)?;
        let operands: Vec<Operand> = targets.iter().copied().map(Operand::Variable).collect();
        self.operands("targets", &operands, kinds)
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
                self.operands("operands", &[*first, *second], &[Kind::Real, Kind::Real])?;
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
                Some(template) => self.operands("leaves", leaves, &leaf_kinds(template)?),
                None => Err(format!("there is no shape {template}")),
            },
            Statement::Push { values } => values.iter().try_for_each(|value| self.kind(*value).map(|_| ())),
            Statement::Pop { targets } => self.assign(targets),
            Statement::Count { .. } => Ok(()),
        }
    }

    fn call(&mut self, statement: &Statement) -> Result<(), String> {
        let number = statement.callee().ok_or("a call has a callee")?;
        let Some(callee) = self.unit.functions.get(number.0 as usize) else {
            return Err(format!("there is no function {}", number.0));
        };
        let parameters: Vec<Kind> =
            callee.parameters.iter().map(|parameter| callee.kind((*parameter).into())).collect();
        let reals = callee.results.iter().filter(|kind| **kind == Kind::Real).count();
        let mut results = callee.results.clone();
        let (targets, arguments) = match statement {
            Statement::Call { targets, arguments, .. } => (targets, arguments),
            Statement::Forward { targets, arguments, tangents, .. } => {
                if tangents.len() != parameters.len() {
                    return Err("the tangents are not as many as the arguments".to_owned());
                }
                for (tangent, kind) in tangents.iter().zip(&parameters) {
                    if let Some(tangent) = tangent {
                        self.operands("tangents of an argument", &[*tangent], &[*kind])?;
                        self.operands("tangents of an argument", &[*tangent], &[Kind::Real])?;
                    }
                }
                results.extend(vec![Kind::Real; reals]);
                (targets, arguments)
            }
            Statement::Reverse { targets, arguments, active, cotangents, .. } => {
                if active.len() != parameters.len() {
                    return Err("the activities are not as many as the arguments".to_owned());
                }
                if active.iter().zip(&parameters).any(|(active, kind)| *active && *kind == Kind::Boolean) {
                    return Err("a boolean is active".to_owned());
                }
                self.operands("cotangents", cotangents, &vec![Kind::Real; reals])?;
                results.extend(active.iter().filter(|active| **active).map(|_| Kind::Real));
                (targets, arguments)
            }
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Bind { .. }
            | Statement::Loop { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Count { .. } => return Err("a call has a callee".to_owned()),
        };
        self.operands("arguments", arguments, &parameters)?;
        self.targets(targets, &results)
    }
}

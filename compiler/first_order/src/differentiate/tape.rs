//! Reverse mode with a tape of numbered nodes: for the outermost level of code that [`super::reverse`] refuses, as the
//! reverse sweep over a loop.
//!
//! Each real has a second one beside it, the number of its node, which is moved wherever the real is; 0 stands for no
//! node. An array of reals has an array of numbers. So control and the record stack need no analysis: two values are one
//! node if and only if their numbers are equal. An operation adds a node with the coefficients of its operands, and the
//! sweep is one loop over the tape.
//!
//! The rule of the report (9.2) has coefficients computed in the sweep. Here they are computed with the operation. This
//! changes the order of operations, but none of their values and none of the sums, so nothing changes if no level is
//! around this one. The pass is used only there; hence there is one tape at a time.

use super::beside::Beside;
use super::coefficients::Primals;
use super::emitter::{Emitter, ZERO, is_constant_zero, operands};
use super::refusal::Refusal;
use crate::{Block, End, Function, FunctionId, Kind, Operand, Statement, TapeAction, Unit, Variable};
use std::collections::{BTreeMap, VecDeque};
use vlad_table::internal_bug;

/// Adds a function that calls another one in reverse mode, with the parameters and results of
/// [`super::reverse::remove`]. It takes all code.
pub fn remove(unit: &mut Unit, function: FunctionId, active: &[bool]) -> Result<FunctionId, Refusal> {
    let id = FunctionId(unit.functions.len() as u32);
    let callee = unit.function(function).clone();
    let mut numbered = Numbered { functions: BTreeMap::new(), pending: VecDeque::new(), next: id.0 + 1 };
    let operator = operator(&callee, numbered.function(function), active);
    unit.functions.push(operator);
    while let Some(source) = numbered.pending.pop_front() {
        let made = Emission::code(&mut numbered, unit.function(source))?;
        unit.functions.push(made);
    }
    Ok(id)
}

/// The operator: the call with a number for each real, and the sweep.
fn operator(callee: &Function, function: FunctionId, active: &[bool]) -> Function {
    let mut operator = Function {
        name: format!("reverse {}", callee.name),
        variables: Vec::new(),
        parameters: Vec::new(),
        results: callee.results.clone(),
        body: Block::default(),
    };
    let mut statements = vec![Statement::action(Vec::new(), TapeAction::Begin, Vec::new())];
    let (mut arguments, mut independent) = (Vec::new(), Vec::new());
    for (parameter, active) in callee.parameters.iter().zip(active) {
        let kind = callee.kind(Operand::Variable(*parameter));
        let parameter = operator.fresh(kind);
        operator.parameters.push(parameter);
        arguments.push(Operand::Variable(parameter));
        if kind.is_differentiable() {
            let mut code = Emitter { function: &mut operator, statements: &mut statements };
            let number = match active {
                true => code.mapped(parameter.into(), &mut |code, _| code.act(TapeAction::Independent, Vec::new())),
                false => code.materialised(parameter.into(), ZERO),
            };
            independent.extend(active.then_some(number));
            arguments.push(number);
        }
    }
    let mut targets: Vec<Variable> = callee.results.iter().map(|kind| operator.fresh(*kind)).collect();
    let mut results = operands(&targets);
    let mut seeds = Vec::new();
    for kind in callee.results.iter().filter(|kind| kind.is_differentiable()) {
        let (number, cotangent) = (operator.fresh(*kind), operator.fresh(*kind));
        targets.push(number);
        operator.parameters.push(cotangent);
        seeds.push((Operand::Variable(number), Operand::Variable(cotangent)));
    }
    statements.push(Statement::Call { targets, function, arguments });
    let mut code = Emitter { function: &mut operator, statements: &mut statements };
    // Nothing is seeded in a cell: its reals, where they are results, are in an array as well.
    seeds.retain(|(number, _)| code.function.kind(*number) != Kind::Cell);
    for (number, cotangent) in seeds {
        code.require_lengths(number, cotangent);
        code.seed(number, cotangent);
    }
    code.statements.push(Statement::action(Vec::new(), TapeAction::Sweep, Vec::new()));
    for number in independent {
        results.push(code.cotangent(number));
        code.function.results.push(code.function.kind(number));
    }
    operator.body = Block { statements, end: End::Yield(results) };
    operator
}

/// Actions on reals, and on all elements of arrays.
impl Emitter<'_> {
    /// Appends an action with a result.
    fn act(&mut self, action: TapeAction, operands: Vec<Operand>) -> Operand {
        self.assign(Kind::Real, |target| Statement::action(vec![target], action, operands))
    }

    /// Adds the cotangents to the accumulators of the nodes with these numbers.
    fn seed(&mut self, numbers: Operand, cotangents: Operand) {
        let seed = |number, cotangent| Statement::action(Vec::new(), TapeAction::Seed, vec![number, cotangent]);
        if !self.function.kind(numbers).is_array() {
            return self.statements.push(seed(numbers, cotangents));
        }
        self.at_each_place([numbers, cotangents], numbers, &mut |code, arrays, index| {
            let [number, cotangent] = arrays.map(|array| code.element(Kind::Real, array, index));
            code.statements.push(seed(number, cotangent));
        });
    }

    /// The accumulators of the nodes with these numbers, without signs of zeros.
    fn cotangent(&mut self, numbers: Operand) -> Operand {
        self.mapped(numbers, &mut |code, number| {
            let accumulator = code.act(TapeAction::Accumulator, vec![number]);
            code.without_signs_of_zeros(accumulator)
        })
    }
}

/// The functions that are made: each parameter that is a real is followed by its number, and the numbers of the reals
/// among the results follow these.
struct Numbered {
    functions: BTreeMap<FunctionId, FunctionId>,
    /// The sources of functions that are still to be made, in the order of their numbers.
    pending: VecDeque<FunctionId>,
    next: u32,
}

impl Numbered {
    /// The function for one of the source.
    fn function(&mut self, source: FunctionId) -> FunctionId {
        if let Some(known) = self.functions.get(&source) {
            return *known;
        }
        let made = FunctionId(self.next);
        self.next += 1;
        self.functions.insert(source, made);
        self.pending.push_back(source);
        made
    }
}

/// The emission of one function.
struct Emission<'made> {
    numbered: &'made mut Numbered,
    function: Function,
    /// The number of each variable of the source.
    numbers: Vec<Operand>,
}

impl Emission<'_> {
    fn code(numbered: &mut Numbered, source: &Function) -> Result<Function, Refusal> {
        let function = Function {
            name: format!("numbered {}", source.name),
            variables: source.variables.clone(),
            parameters: Vec::new(),
            results: source.results.clone(),
            body: Block::default(),
        };
        let mut emission = Emission { numbered, function, numbers: vec![ZERO; source.variables.len()] };
        for parameter in &source.parameters {
            emission.function.parameters.push(*parameter);
            if emission.has(*parameter) {
                let number = emission.second(*parameter);
                emission.function.parameters.push(number);
            }
        }
        let yielded: Vec<bool> = source.results.iter().map(|kind| kind.is_differentiable()).collect();
        emission.function.results.extend(source.results.iter().filter(|kind| kind.is_differentiable()));
        emission.function.body = emission.block(&source.body, &yielded, &[])?;
        Ok(emission.function)
    }

    fn emit<'code>(&'code mut self, statements: &'code mut Vec<Statement>) -> Emitter<'code> {
        Emitter { function: &mut self.function, statements }
    }

    /// Appends a statement, and the one that moves the numbers of its target in the same way.
    fn moved_alike(
        &mut self,
        target: Variable,
        statement: &Statement,
        code: &mut Vec<Statement>,
        numbers: impl FnOnce(Variable) -> Statement,
    ) {
        code.push(statement.clone());
        if self.has(target) {
            let number = self.second(target);
            code.push(numbers(number));
        }
    }

    fn number(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Variable(variable) => match self.numbers.get(variable.0 as usize) {
                Some(number) => *number,
                None => internal_bug!("a variable of the source has a number"),
            },
            Operand::Real(_) | Operand::Boolean(_) => ZERO,
        }
    }

    fn number_of_real(&self, operand: Operand) -> Option<Operand> {
        self.function.kind(operand).is_differentiable().then(|| self.number(operand))
    }

    fn set_number(&mut self, variable: Variable, number: Operand) {
        if let Some(place) = self.numbers.get_mut(variable.0 as usize) {
            *place = number;
        }
    }
}

impl Beside for Emission<'_> {
    fn has(&self, variable: Variable) -> bool {
        self.function.kind(variable.into()).is_differentiable()
    }

    fn second(&mut self, variable: Variable) -> Variable {
        let number = self.function.fresh(self.function.kind(variable.into()));
        self.set_number(variable, number.into());
        number
    }

    fn second_of(&mut self, operand: Operand, _: &mut Vec<Statement>) -> Result<Operand, Refusal> {
        Ok(self.number(operand))
    }

    fn statement(&mut self, statement: &Statement, code: &mut Vec<Statement>) -> Result<(), Refusal> {
        let made = match statement {
            Statement::Operation { target, operation, first, second } => {
                code.push(statement.clone());
                let primals = Primals { first: *first, second: *second, result: Operand::Variable(*target) };
                let mut operands = Vec::new();
                for (place, operand) in [Some(*first), *second].into_iter().flatten().enumerate() {
                    let number = self.number(operand);
                    if number == ZERO {
                        continue;
                    }
                    let before = code.len();
                    let coefficient = self.emit(code).coefficient(*operation, place, &primals);
                    if is_constant_zero(coefficient) {
                        code.truncate(before);
                    } else {
                        operands.extend([number, coefficient]);
                    }
                }
                if !operands.is_empty() {
                    let number = self.emit(code).act(TapeAction::Node, operands);
                    self.set_number(*target, number);
                }
                return Ok(());
            }
            Statement::PositiveZero { target, operand } => {
                let number = self.number(*operand);
                self.set_number(*target, number);
                statement.clone()
            }
            Statement::Input { target, .. } | Statement::Zeros { target, .. } => {
                code.push(statement.clone());
                let kind = self.function.kind(Operand::Variable(*target));
                if kind.is_array() || kind == Kind::Cell {
                    let number = self.emit(code).materialised((*target).into(), ZERO);
                    self.set_number(*target, number);
                }
                return Ok(());
            }
            Statement::Array { target, elements } => {
                let numbers: Vec<Operand> =
                    elements.iter().filter_map(|element| self.number_of_real(*element)).collect();
                self.moved_alike(*target, statement, code, |target| Statement::Array { target, elements: numbers });
                return Ok(());
            }
            Statement::Build { targets, length, index, body } => {
                let body = self.block(body, &self.have(targets), &[])?;
                Statement::Build { targets: self.extended(targets), length: *length, index: *index, body }
            }
            Statement::Element { target, array, index } => {
                let (array, index) = (self.number(*array), *index);
                self.moved_alike(*target, statement, code, |target| Statement::Element { target, array, index });
                return Ok(());
            }
            Statement::Cell { target, parts } => {
                let numbers = parts.iter().filter_map(|part| self.number_of_real(*part)).collect();
                self.moved_alike(*target, statement, code, |target| Statement::Cell { target, parts: numbers });
                return Ok(());
            }
            Statement::Parts { targets, cell } => {
                code.push(statement.clone());
                let cell = self.number(*cell);
                Statement::Parts { targets: self.extended(targets).split_off(targets.len()), cell }
            }
            Statement::Accumulators { target, like } => {
                self.moved_alike(*target, statement, code, |target| Statement::Accumulators { target, like: *like });
                return Ok(());
            }
            Statement::Load { target, array, index } => {
                let (array, index) = (self.number(*array), *index);
                self.moved_alike(*target, statement, code, |target| Statement::Load { target, array, index });
                return Ok(());
            }
            Statement::Store { array, index, value } => {
                code.push(statement.clone());
                code.push(Statement::Store { array: self.number(*array), index: *index, value: self.number(*value) });
                return Ok(());
            }
            Statement::Replace { .. } => internal_bug!("reverse mode of code that replaces elements is refused"),
            Statement::Compare { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. } => statement.clone(),
            Statement::Bind { .. } | Statement::Loop { .. } => internal_bug!("nested blocks are rewritten as such"),
            Statement::Storage(_) => internal_bug!("storage code is made after all passes"),
            Statement::Call { targets, function, arguments } => {
                let function = self.numbered.function(*function);
                let numbers = arguments.iter().map(|argument| (*argument, self.number_of_real(*argument)));
                let arguments = numbers.flat_map(|(argument, number)| [Some(argument), number]).flatten().collect();
                Statement::Call { targets: self.extended(targets), function, arguments }
            }
            Statement::Push { stack, values } => {
                let numbers = values.iter().filter_map(|value| self.number_of_real(*value));
                Statement::Push { stack: *stack, values: values.iter().copied().chain(numbers).collect() }
            }
            Statement::Pop { stack, targets } => Statement::Pop { stack: *stack, targets: self.extended(targets) },
            Statement::Forward { .. } | Statement::Reverse { .. } | Statement::Act { .. } => {
                internal_bug!("the levels inside of the outermost one are removed before it, without a tape")
            }
        };
        code.push(made);
        Ok(())
    }
}

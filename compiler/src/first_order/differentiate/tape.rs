//! Reverse mode with numbers: the outermost level of code that [`super::reverse`] does not take, such as the reverse sweep
//! over a loop.
//!
//! Each real has a second one, the number of its node on a tape, which is moved wherever the real is; 0 stands for no
//! node; an array of reals has a second one, of the numbers of its elements. So control and the record stack need no analysis: two values are one node if and only if their numbers are
//! equal. An operation adds a node with the coefficients of its operands, and the sweep is one loop over the tape.
//!
//! The rule of the report (9.2) has coefficients computed in the sweep. Here they are computed with the operation: that
//! changes the order of operations, but none of their values and none of the sums, so nothing changes if no level is
//! around this one. There, and only there, this pass is used; hence there is one tape at a time.

use super::coefficients::Primals;
use super::emitter::{Emitter, ZERO, is_constant_zero, operands};
use crate::first_order::{Block, End, Function, FunctionId, Kind, Operand, Statement, TapeAction, Unit, Variable};
use std::collections::{BTreeMap, VecDeque};
use vlad_table::internal_bug;

/// Adds a function that calls another one in reverse mode, with the parameters and results of
/// [`super::reverse::remove`].
pub fn remove(unit: &mut Unit, function: FunctionId, active: &[bool]) -> FunctionId {
    let id = FunctionId(unit.functions.len() as u32);
    let callee = unit.function(function).clone();
    let mut numbered = Numbered { functions: BTreeMap::new(), pending: VecDeque::new(), next: id.0 + 1 };
    let operator = operator(&callee, numbered.function(function), active);
    unit.functions.push(operator);
    while let Some(source) = numbered.pending.pop_front() {
        let made = Emission::code(&mut numbered, unit.function(source));
        unit.functions.push(made);
    }
    id
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
        self.at_each_place([numbers, cotangents], &mut |code, arrays, index| {
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
    fn code(numbered: &mut Numbered, source: &Function) -> Function {
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
            let number = emission.fresh_numbers(&[*parameter]);
            emission.function.parameters.extend(number);
        }
        emission.function.results.extend(source.results.iter().filter(|kind| kind.is_differentiable()));
        emission.function.body = emission.block(&source.body);
        emission.function
    }

    fn block(&mut self, source: &Block) -> Block {
        let mut statements = Vec::with_capacity(2 * source.statements.len());
        for statement in &source.statements {
            self.statement(statement, &mut statements);
        }
        let end = match &source.end {
            End::Yield(operands) => End::Yield(self.with_numbers(operands)),
            End::Repeat(operands) => End::Repeat(self.with_numbers(operands)),
            End::Branch { test, consequent, alternative } => End::Branch {
                test: *test,
                consequent: Box::new(self.block(consequent)),
                alternative: Box::new(self.block(alternative)),
            },
            End::BailOut(node) => End::BailOut(*node),
        };
        Block { statements, end }
    }

    fn statement(&mut self, statement: &Statement, code: &mut Vec<Statement>) {
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
                    let mut emitter = Emitter { function: &mut self.function, statements: code };
                    let coefficient = emitter.coefficient(*operation, place, &primals);
                    if is_constant_zero(coefficient) {
                        code.truncate(before);
                    } else {
                        operands.extend([number, coefficient]);
                    }
                }
                if !operands.is_empty() {
                    let mut emitter = Emitter { function: &mut self.function, statements: code };
                    let number = emitter.act(TapeAction::Node, operands);
                    self.set_number(*target, number);
                }
                return;
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
                    let mut emitter = Emitter { function: &mut self.function, statements: code };
                    let number = emitter.materialised((*target).into(), ZERO);
                    self.set_number(*target, number);
                }
                return;
            }
            Statement::Array { target, elements } => {
                let numbers: Vec<Operand> =
                    elements.iter().filter_map(|element| self.number_of_real(*element)).collect();
                self.moved(*target, statement, code, |target| Statement::Array { target, elements: numbers });
                return;
            }
            Statement::Build { targets, length, index, body } => {
                let body = self.block(body);
                Statement::Build { targets: self.and_numbers(targets), length: *length, index: *index, body }
            }
            Statement::Element { target, array, index } => {
                let (array, index) = (self.number(*array), *index);
                self.moved(*target, statement, code, |target| Statement::Element { target, array, index });
                return;
            }
            Statement::Cell { target, parts } => {
                let numbers = parts.iter().filter_map(|part| self.number_of_real(*part)).collect();
                self.moved(*target, statement, code, |target| Statement::Cell { target, parts: numbers });
                return;
            }
            Statement::Parts { targets, cell } => {
                code.push(statement.clone());
                let cell = self.number(*cell);
                Statement::Parts { targets: self.fresh_numbers(targets), cell }
            }
            Statement::Accumulators { target, like } => {
                self.moved(*target, statement, code, |target| Statement::Accumulators { target, like: *like });
                return;
            }
            Statement::Load { target, array, index } => {
                let (array, index) = (self.number(*array), *index);
                self.moved(*target, statement, code, |target| Statement::Load { target, array, index });
                return;
            }
            Statement::Store { array, index, value } => {
                code.push(statement.clone());
                code.push(Statement::Store { array: self.number(*array), index: *index, value: self.number(*value) });
                return;
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
            Statement::Bind { targets, block } => {
                let block = self.block(block);
                Statement::Bind { targets: self.and_numbers(targets), block }
            }
            Statement::Loop { targets, state, initial, body } => {
                let initial = self.with_numbers(initial);
                let state = self.and_numbers(state);
                let body = self.block(body);
                Statement::Loop { targets: self.and_numbers(targets), state, initial, body }
            }
            Statement::Call { targets, function, arguments } => {
                let function = self.numbered.function(*function);
                let numbers = arguments.iter().map(|argument| (*argument, self.number_of_real(*argument)));
                let arguments = numbers.flat_map(|(argument, number)| [Some(argument), number]).flatten().collect();
                Statement::Call { targets: self.and_numbers(targets), function, arguments }
            }
            Statement::Push { stack, values } => Statement::Push { stack: *stack, values: self.with_numbers(values) },
            Statement::Pop { stack, targets } => Statement::Pop { stack: *stack, targets: self.and_numbers(targets) },
            Statement::Forward { .. } | Statement::Reverse { .. } | Statement::Tape { .. } => {
                internal_bug!("the levels inside of the outermost one are removed before it, without a tape")
            }
        };
        code.push(made);
    }

    /// Appends a statement, and the one that moves the numbers of its target in the same way.
    fn moved(
        &mut self,
        target: Variable,
        statement: &Statement,
        code: &mut Vec<Statement>,
        numbers: impl FnOnce(Variable) -> Statement,
    ) {
        code.push(statement.clone());
        let kind = self.function.kind(Operand::Variable(target));
        if kind.is_differentiable() {
            let number = Emitter { function: &mut self.function, statements: code }.assign(kind, numbers);
            self.set_number(target, number);
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

    /// Gives those variables that are reals variables for their numbers, and returns these.
    fn fresh_numbers(&mut self, variables: &[Variable]) -> Vec<Variable> {
        let mut numbers = Vec::new();
        for variable in variables {
            let kind = self.function.kind(Operand::Variable(*variable));
            if kind.is_differentiable() {
                let number = self.function.fresh(kind);
                self.set_number(*variable, Operand::Variable(number));
                numbers.push(number);
            }
        }
        numbers
    }

    /// Variables, then the variables of their numbers.
    fn and_numbers(&mut self, variables: &[Variable]) -> Vec<Variable> {
        let numbers = self.fresh_numbers(variables);
        variables.iter().copied().chain(numbers).collect()
    }

    /// Operands, then the numbers of those that are reals.
    fn with_numbers(&self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().copied().chain(operands.iter().filter_map(|operand| self.number_of_real(*operand))).collect()
    }
}

//! The builder of units: functions are declared with their kinds, then written statement by statement.
//!
//! A closure writes a nested block and returns its end; statements return the operands that they assign. Lowerings write the functions
//! of a unit that exists ([`Code::of`]).
//!
//! ```text
//! let mut building = Building::default();
//! let square = building.declare("square", &[Kind::Real], &[Kind::Real]);
//! building.define(square, |code, x| {
//!     let product = code.binary(Operation::Multiply, x[0], x[0]);
//!     End::Yield(vec![product])
//! });
//! ```

use super::{
    Block, End, Function, FunctionId, IntegerOperation, Kind, Operand, Recording, Stack, Statement, Storage, Unit,
    Variable,
};
use vlad_core::ExpressionId;
use vlad_table::{Comparison, Operation, internal_bug};

/// A unit in the making.
#[derive(Debug, Default)]
pub struct Building {
    /// The unit; its inputs, shapes and entry can be set at will.
    pub unit: Unit,
}

/// The code of a function in the making: appends statements to the block being written.
#[derive(Debug)]
pub struct Code<'unit> {
    functions: &'unit mut Vec<Function>,
    function: FunctionId,
    statements: Vec<Statement>,
}

impl Building {
    /// Adds a function, whose code is to be defined; until then it bails out if it has results.
    pub fn declare(&mut self, name: &str, parameters: &[Kind], results: &[Kind]) -> FunctionId {
        let end = if results.is_empty() { End::Yield(Vec::new()) } else { End::BailOut(ExpressionId(0)) };
        self.unit.functions.push(Function {
            name: name.to_owned(),
            variables: parameters.to_vec(),
            parameters: (0..parameters.len() as u32).map(Variable).collect(),
            results: results.to_vec(),
            body: Block { statements: Vec::new(), end },
        });
        FunctionId(self.unit.functions.len() as u32 - 1)
    }

    /// Writes the code of a declared function, given its parameters.
    pub fn define(&mut self, function: FunctionId, write: impl FnOnce(&mut Code<'_>, &[Operand]) -> End) {
        let parameters = self.unit.function(function).parameters.iter().copied().map(Operand::Variable);
        let parameters: Vec<Operand> = parameters.collect();
        let mut code = Code { functions: &mut self.unit.functions, function, statements: Vec::new() };
        let body = code.block(|code| write(code, &parameters));
        code.function().body = body;
    }

    /// Declares and defines the entry.
    pub fn entry(&mut self, results: &[Kind], write: impl FnOnce(&mut Code<'_>) -> End) {
        let entry = self.declare("entry", &[], results);
        self.define(entry, |code, _| write(code));
        self.unit.entry = Some(entry);
    }

    /// The unit.
    pub fn finish(self) -> Unit {
        self.unit
    }
}

impl<'unit> Code<'unit> {
    /// Code of one of some functions.
    pub fn of(functions: &'unit mut Vec<Function>, function: FunctionId) -> Code<'unit> {
        Code { functions, function, statements: Vec::new() }
    }

    /// Begins a block apart; returns what has been written of the block around it.
    pub fn begin_block(&mut self) -> Vec<Statement> {
        std::mem::take(&mut self.statements)
    }

    /// Ends a block, and goes on with the block around it.
    pub fn end_block(&mut self, around: Vec<Statement>, end: End) -> Block {
        Block { statements: std::mem::replace(&mut self.statements, around), end }
    }

    /// Makes a block the code of the function.
    pub fn set_body(mut self, body: Block) {
        self.function().body = body;
    }

    /// The function.
    pub fn function(&mut self) -> &mut Function {
        match self.functions.get_mut(self.function.0 as usize) {
            Some(function) => function,
            None => internal_bug!("the function is declared"),
        }
    }

    fn results_of(&self, function: FunctionId) -> Vec<Kind> {
        match self.functions.get(function.0 as usize) {
            Some(function) => function.results.clone(),
            None => internal_bug!("function {} is declared before it is called", function.0),
        }
    }

    /// Adds a variable.
    pub fn fresh(&mut self, kind: Kind) -> Variable {
        self.function().fresh(kind)
    }

    fn fresh_all(&mut self, kinds: &[Kind]) -> Vec<Variable> {
        self.function().fresh_all(kinds)
    }

    /// The kind of an operand.
    pub fn kind(&mut self, operand: Operand) -> Kind {
        self.function().kind(operand)
    }

    /// Appends a statement.
    pub fn push(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    fn assigning(&mut self, kind: Kind, statement: impl FnOnce(Variable) -> Statement) -> Operand {
        let target = self.fresh(kind);
        self.push(statement(target));
        Operand::Variable(target)
    }

    fn assigning_all(&mut self, kinds: &[Kind], statement: impl FnOnce(Vec<Variable>) -> Statement) -> Vec<Operand> {
        let targets = self.fresh_all(kinds);
        self.push(statement(targets.clone()));
        targets.into_iter().map(Operand::Variable).collect()
    }

    /// Writes a block apart.
    pub fn block(&mut self, write: impl FnOnce(&mut Self) -> End) -> Block {
        let around = self.begin_block();
        let end = write(self);
        self.end_block(around, end)
    }

    /// An end that branches.
    pub fn branch(
        &mut self,
        test: Operand,
        consequent: impl FnOnce(&mut Self) -> End,
        alternative: impl FnOnce(&mut Self) -> End,
    ) -> End {
        let consequent = Box::new(self.block(consequent));
        let alternative = Box::new(self.block(alternative));
        End::Branch { test, consequent, alternative }
    }

    /// An operation on one real.
    pub fn unary(&mut self, operation: Operation, first: Operand) -> Operand {
        self.assigning(Kind::Real, |target| Statement::Operation { target, operation, first, second: None })
    }

    /// An operation on two reals.
    pub fn binary(&mut self, operation: Operation, first: Operand, second: Operand) -> Operand {
        self.assigning(Kind::Real, |target| Statement::Operation { target, operation, first, second: Some(second) })
    }

    /// Replaces -0 by +0.
    pub fn positive_zero(&mut self, operand: Operand) -> Operand {
        self.assigning(Kind::Real, |target| Statement::PositiveZero { target, operand })
    }

    /// A comparison.
    pub fn compare(&mut self, comparison: Comparison, first: Operand, second: Operand) -> Operand {
        self.assigning(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second })
    }

    /// Binds what a block yields.
    pub fn bind(&mut self, kinds: &[Kind], write: impl FnOnce(&mut Self) -> End) -> Vec<Operand> {
        let block = self.block(write);
        self.bind_block(kinds, block)
    }

    /// Binds what a block yields, which has been written.
    pub fn bind_block(&mut self, kinds: &[Kind], block: Block) -> Vec<Operand> {
        self.assigning_all(kinds, |targets| Statement::Bind { targets, block })
    }

    /// An operation on integers.
    pub fn integer(&mut self, operation: IntegerOperation, operands: impl Into<Vec<Operand>>) -> Operand {
        let operands = operands.into();
        self.assigning(operation.result(), |target| Storage::Integer { target, operation, operands }.into())
    }

    /// Runs a loop; the closure gets the state.
    pub fn run_loop(
        &mut self,
        kinds: &[Kind],
        initial: &[Operand],
        write: impl FnOnce(&mut Self, &[Operand]) -> End,
    ) -> Vec<Operand> {
        let of_state: Vec<Kind> = initial.iter().map(|operand| self.kind(*operand)).collect();
        let state = self.fresh_all(&of_state);
        let operands = Operand::all(&state);
        let body = self.block(|code| write(code, &operands));
        let initial = initial.to_vec();
        self.assigning_all(kinds, |targets| Statement::Loop { targets, state, initial, body })
    }

    /// Calls a declared function.
    pub fn call(&mut self, function: FunctionId, arguments: &[Operand]) -> Vec<Operand> {
        let arguments = arguments.to_vec();
        let kinds = self.results_of(function);
        self.assigning_all(&kinds, |targets| Statement::Call { targets, function, arguments })
    }

    /// Calls a declared function in forward mode: returns its results, then their tangents.
    pub fn forward(
        &mut self,
        function: FunctionId,
        arguments: &[Operand],
        tangents: &[Option<Operand>],
    ) -> Vec<Operand> {
        let (arguments, tangents) = (arguments.to_vec(), tangents.to_vec());
        let mut kinds = self.results_of(function);
        let differentiable: Vec<Kind> = kinds.iter().copied().filter(|kind| kind.is_differentiable()).collect();
        kinds.extend(differentiable);
        self.assigning_all(&kinds, |targets| Statement::Forward { targets, function, arguments, tangents })
    }

    /// Calls a declared function in reverse mode: returns its results, then the cotangents of its active arguments.
    pub fn reverse(
        &mut self,
        function: FunctionId,
        arguments: &[Operand],
        active: &[bool],
        cotangents: &[Operand],
    ) -> Vec<Operand> {
        self.reverse_recording(Recording::Everything, function, arguments, active, cotangents)
    }

    /// The same, with a certain record.
    pub fn reverse_recording(
        &mut self,
        recording: Recording,
        function: FunctionId,
        arguments: &[Operand],
        active: &[bool],
        cotangents: &[Operand],
    ) -> Vec<Operand> {
        let (arguments, active, cotangents) = (arguments.to_vec(), active.to_vec(), cotangents.to_vec());
        let mut kinds = self.results_of(function);
        for (argument, _) in arguments.iter().zip(&active).filter(|(_, active)| **active) {
            kinds.push(self.kind(*argument));
        }
        self.assigning_all(&kinds, |targets| Statement::Reverse {
            targets,
            function,
            arguments,
            active,
            cotangents,
            recording,
        })
    }

    /// Builds arrays of these kinds, given what writes the elements at an index.
    pub fn build(
        &mut self,
        kinds: &[Kind],
        length: Operand,
        write: impl FnOnce(&mut Self, Operand) -> End,
    ) -> Vec<Operand> {
        let index = self.fresh(Kind::Real);
        let body = self.block(|code| write(code, Operand::Variable(index)));
        self.assigning_all(kinds, |targets| Statement::Build { targets, length, index, body })
    }

    /// Returns the element of an array.
    pub fn element(&mut self, array: Operand, index: Operand) -> Operand {
        match self.kind(array).element() {
            Some(kind) => self.assigning(kind, |target| Statement::Element { target, array, index }),
            None => internal_bug!("what is indexed is an array"),
        }
    }

    /// Returns the length of an array.
    pub fn length(&mut self, array: Operand) -> Operand {
        self.assigning(Kind::Real, |target| Statement::Length { target, array })
    }

    /// Reads a leaf of the unit's inputs.
    pub fn input(&mut self, kind: Kind, input: u32) -> Operand {
        self.assigning(kind, |target| Statement::Input { target, input })
    }

    /// Reads the next number of the standard input.
    pub fn read(&mut self) -> Operand {
        self.assigning(Kind::Real, |target| Statement::Read { target })
    }

    /// Pops a record of a sweep.
    pub fn pop(&mut self, kinds: &[Kind]) -> Vec<Operand> {
        self.assigning_all(kinds, |targets| Statement::Pop { stack: Stack::Sweeps, targets })
    }
}

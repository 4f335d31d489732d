//! The evaluation of units: the oracle of the passes.
//!
//! Levels of differentiation are run by the definition that every engine uses ([`Levels`]): [`Statement::Forward`]
//! lifts primals with their tangents, [`Statement::Reverse`] lifts each active argument with a node of a new tape, which
//! is swept after the call; the level is stripped from the results.
//!
//! Nested blocks and calls use the host stack, within [`Limits`]; so do arrays, whose rank is bounded.

mod frame;
mod journal;
mod numbered_tape;
mod storage;
mod value;

use super::{
    AccumulatorAction, Action, Block, End, Function, FunctionId, Kind, Leaf, MemoryAction, NOWHERE, Relation, Stack,
    Statement, Unit, Variable,
};
use frame::{Frame, all, assign, compared, integer, number, truth, value};
use journal::Journal;
pub use journal::{Effects, Script};
use numbered_tape::NumberedTape;
use value::{Value, lifted, stripped};
use vlad_ad::Levels;
use vlad_ad::plain::given_back;
use vlad_ad::sweep::CarriedAccumulators;
use vlad_core::ExpressionId;
use vlad_table::{Operation, internal_bug};
use vlad_values::watch::LimitCheck;
use vlad_values::{LevelPart, Number};

/// The bounds of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The depth of nested blocks and calls: each takes less than 1 KB of host stack in optimised code.
    pub depth: u32,
    /// The number of statements executed.
    pub statements: u64,
}

/// An evaluation that has ended regularly.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The results.
    pub results: Vec<Leaf>,
    /// The steps counted.
    pub steps: u64,
}

/// The reason of an evaluation without results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The unit bailed out at a node.
    BailOut(ExpressionId),
    /// There was no number to be read.
    NoInput,
    /// Blocks, calls or levels were nested too deep.
    TooDeep,
    /// Too many statements were executed.
    TooLong,
}

/// Evaluates the entry of a unit.
///
/// # Errors
/// Returns the reason if there are no results.
pub fn evaluate(unit: &Unit, inputs: &[Leaf], effects: &mut dyn Effects, limits: Limits) -> Result<Evaluated, Stop> {
    match unit.entry {
        Some(entry) => call(unit, entry, &[], inputs, effects, limits),
        None => internal_bug!("a unit that is evaluated has an entry"),
    }
}

/// Evaluates a function of a unit.
///
/// # Errors
/// Returns the reason if there are no results.
pub fn call(
    unit: &Unit,
    function: FunctionId,
    arguments: &[Leaf],
    inputs: &[Leaf],
    effects: &mut dyn Effects,
    limits: Limits,
) -> Result<Evaluated, Stop> {
    let inputs = inputs.iter().map(Value::of).collect();
    let (levels, tape) = (Levels::new(LimitCheck::default()), NumberedTape::default());
    let mut evaluation = Evaluation {
        unit,
        function: unit.function(function),
        inputs,
        effects: Journal::new(effects),
        limits,
        levels,
        records: Default::default(),
        tape,
        steps: 0,
        allocated: Vec::new(),
    };
    let results = evaluation.call(function, arguments.iter().map(Value::of).collect(), limits.depth)?;
    Ok(Evaluated { results: results.iter().map(Value::leaf).collect(), steps: evaluation.steps })
}

/// The way on after a block.
enum Next {
    Yield(Vec<Value>),
    Repeat(Vec<Value>),
}

struct Evaluation<'run> {
    unit: &'run Unit,
    /// The function that is executed.
    function: &'run Function,
    inputs: Vec<Value>,
    effects: Journal<'run>,
    /// The depth is that of the whole evaluation; of the statements, those still allowed.
    limits: Limits,
    levels: Levels,
    /// The records of [`Stack::Sweeps`], and of [`Stack::Calls`].
    records: [Vec<Vec<Value>>; 2],
    tape: NumberedTape,
    steps: u64,
    /// The arrays that storage code has allocated and not released.
    allocated: Vec<Value>,
}

impl Evaluation<'_> {
    fn push(&mut self, stack: Stack, record: Vec<Value>) {
        let [sweeps, calls] = &mut self.records;
        match stack {
            Stack::Sweeps => sweeps.push(record),
            Stack::Calls => calls.push(record),
        }
    }

    /// A count as the value of a target: an integer, or a real.
    fn counted(&self, target: Variable, count: u64) -> Value {
        match self.function.kind(target.into()) {
            Kind::Integer => Value::Integer(count),
            Kind::Real | Kind::Boolean | Kind::Array(_) | Kind::Cell => Value::Real(Number::Real(count as f64)),
        }
    }

    fn pop(&mut self, stack: Stack, targets: &[Variable]) -> Vec<Value> {
        let [sweeps, calls] = &mut self.records;
        let popped = match stack {
            Stack::Sweeps => sweeps.pop(),
            Stack::Calls => calls.pop(),
        };
        match popped {
            Some(values) if values.len() == targets.len() => values,
            Some(_) | None => internal_bug!("a pop takes what one push has put"),
        }
    }

    fn call(&mut self, function: FunctionId, arguments: Vec<Value>, depth: u32) -> Result<Vec<Value>, Stop> {
        let function = self.unit.function(function);
        let caller = std::mem::replace(&mut self.function, function);
        let mut frame: Frame = vec![None; function.variables.len()];
        assign(&mut frame, &function.parameters, arguments);
        let end = self.block(&function.body, &mut frame, depth)?;
        self.function = caller;
        match end {
            Next::Yield(results) => Ok(results),
            Next::Repeat(_) => internal_bug!("a function is no loop"),
        }
    }

    fn block(&mut self, block: &Block, frame: &mut Frame, depth: u32) -> Result<Next, Stop> {
        let depth = depth.checked_sub(1).ok_or(Stop::TooDeep)?;
        let mut block = block;
        loop {
            for statement in &block.statements {
                self.limits.statements = self.limits.statements.checked_sub(1).ok_or(Stop::TooLong)?;
                let results = self.statement(statement, frame, depth)?;
                assign(frame, statement.targets(), results);
            }
            match &block.end {
                End::Yield(results) => return Ok(Next::Yield(all(frame, results))),
                End::Repeat(state) => return Ok(Next::Repeat(all(frame, state))),
                End::Branch { test, consequent, alternative } => {
                    block = if truth(frame, *test) { consequent } else { alternative };
                }
                End::BailOut(node) => return Err(Stop::BailOut(*node)),
            }
        }
    }

    /// Executes a statement and returns the values of its targets.
    fn statement(&mut self, statement: &Statement, frame: &mut Frame, depth: u32) -> Result<Vec<Value>, Stop> {
        let result = match statement {
            Statement::Operation { operation, first, second, .. } => {
                let first = number(frame, *first);
                Value::Real(match second {
                    Some(second) => self.levels.binary(*operation, &first, &number(frame, *second)),
                    None => self.levels.unary(*operation, &first),
                })
            }
            Statement::PositiveZero { operand, .. } => Value::Real(given_back(&number(frame, *operand))),
            Statement::Compare { comparison, first, second, .. } => {
                Value::Boolean(comparison.holds(compared(frame, *first), compared(frame, *second)))
            }
            Statement::Bind { block, .. } => {
                return match self.block(block, frame, depth)? {
                    Next::Yield(results) => Ok(results),
                    Next::Repeat(_) => internal_bug!("a bind is no loop"),
                };
            }
            Statement::Loop { state, initial, body, .. } => {
                let mut values = all(frame, initial);
                loop {
                    assign(frame, state, values);
                    self.limits.statements = self.limits.statements.checked_sub(1).ok_or(Stop::TooLong)?;
                    match self.block(body, frame, depth)? {
                        Next::Yield(results) => return Ok(results),
                        Next::Repeat(next) => values = next,
                    }
                }
            }
            Statement::Call { function, arguments, .. } => return self.call(*function, all(frame, arguments), depth),
            Statement::Forward { function, arguments, tangents, .. } => {
                let tangents = tangents.iter().map(|tangent| tangent.map(|tangent| value(frame, tangent))).collect();
                return self.forward(*function, all(frame, arguments), tangents, depth);
            }
            Statement::Reverse { function, arguments, active, cotangents, .. } => {
                let cotangents = all(frame, cotangents);
                return self.reverse(*function, all(frame, arguments), active, cotangents, depth);
            }
            Statement::Input { input, .. } => match self.inputs.get(*input as usize) {
                Some(value) => value.clone(),
                None => internal_bug!("every input is given"),
            },
            Statement::Read { .. } => Value::Real(Number::Real(self.effects.read().ok_or(Stop::NoInput)?)),
            Statement::Write { template, leaves } => {
                let leaves: Vec<Leaf> = all(frame, leaves).iter().map(Value::leaf).collect();
                self.effects.write(*template, &leaves);
                return Ok(Vec::new());
            }
            Statement::Push { stack, values } => {
                let record = all(frame, values);
                self.push(*stack, record);
                return Ok(Vec::new());
            }
            Statement::Pop { stack, targets } => return Ok(self.pop(*stack, targets)),
            Statement::Act { action, operands, .. } => return Ok(self.act(*action, &all(frame, operands))),
            Statement::Array { elements, .. } => Value::array(all(frame, elements)),
            Statement::Build { targets, length, index, body } => {
                let mut built = vec![Vec::new(); targets.len()];
                let length = number(frame, *length).base();
                let mut place = 0.0;
                while place < length {
                    self.limits.statements = self.limits.statements.checked_sub(1).ok_or(Stop::TooLong)?;
                    assign(frame, &[*index], vec![Value::Real(Number::Real(place))]);
                    match self.block(body, frame, depth)? {
                        Next::Yield(elements) => {
                            built.iter_mut().zip(elements).for_each(|(built, element)| built.push(element));
                        }
                        Next::Repeat(_) => internal_bug!("a build is no loop"),
                    }
                    place += 1.0;
                }
                return Ok(built.into_iter().map(Value::array).collect());
            }
            Statement::Element { array, index, .. } | Statement::Load { array, index, .. } => {
                match value(frame, *array).elements().get(integer(frame, *index) as usize) {
                    Some(element) => element.clone(),
                    None => internal_bug!("an index is valid where it is used"),
                }
            }
            Statement::Replace { array, index, value: new, .. } => {
                let (mut elements, index) = (value(frame, *array).elements().clone(), number(frame, *index).base());
                match elements.get_mut(index as usize) {
                    Some(place) => *place = value(frame, *new),
                    None => internal_bug!("an index is valid where it is used"),
                }
                Value::array(elements)
            }
            Statement::Length { target, array } => {
                let length = value(frame, *array).elements().len();
                self.counted(*target, length as u64)
            }
            Statement::IsIndex { array, index, .. } => {
                let (index, length) = (number(frame, *index).base(), value(frame, *array).elements().len());
                Value::Boolean(index >= 0.0 && index < length as f64 && index.floor() == index)
            }
            Statement::CompareArrays { relation, first, second, .. } => {
                Value::Boolean(value(frame, *first).is_same(&value(frame, *second), *relation))
            }
            Statement::Zeros { like, .. } | Statement::Accumulators { like, .. } => value(frame, *like).zeros(),
            Statement::Store { array, index, value: new } => {
                let (index, new) = (integer(frame, *index) as usize, value(frame, *new));
                let Value::Array(elements) = value(frame, *array) else { internal_bug!("operands are of their kinds") };
                match elements.borrow_mut().get_mut(index) {
                    Some(place) => *place = new,
                    None => internal_bug!("an index is valid where it is used"),
                }
                return Ok(Vec::new());
            }
            Statement::Steps { target } => self.counted(*target, self.steps),
            Statement::Recount { before, after } => {
                let [before, after] = [before, after].map(|operand| number(frame, *operand).base());
                self.steps = self.steps.wrapping_add((after - before) as i64 as u64);
                return Ok(Vec::new());
            }
            Statement::Cell { parts, .. } => Value::cell(all(frame, parts)),
            Statement::Parts { targets, cell } => return Ok(self.parts(targets, &value(frame, *cell))),
            Statement::Count { steps } => {
                self.steps += steps;
                return Ok(Vec::new());
            }
            Statement::Storage(statement) => return self.storage(statement, frame, depth),
        };
        Ok(vec![result])
    }

    /// Executes an action, and returns its results. The host stack of nested blocks does not hold what it works with.
    #[inline(never)]
    fn act(&mut self, action: Action, operands: &[Value]) -> Vec<Value> {
        let number = |operand: &Value| operand.clone().number().base();
        let real = |result: f64| Value::Real(Number::Real(result));
        let result = match (action, operands) {
            (Action::Tape(action), operands) => {
                let operands: Vec<f64> = operands.iter().map(number).collect();
                self.tape.act(action, &operands).map(real)
            }
            (Action::Accumulator(action), operands) => self.on_accumulator(action, operands),
            (Action::Memory(MemoryAction::Keep), [_, kept @ ..]) => return kept.to_vec(),
            (Action::Memory(MemoryAction::Mark | MemoryAction::Size), _) => Some(real(0.0)),
            (Action::Memory(MemoryAction::Release | MemoryAction::Keep), _) => None,
            (Action::Journal(action), operands) => {
                self.effects.act(action, operands.first().map_or(0.0, number)).map(real)
            }
        };
        result.into_iter().collect()
    }

    /// Executes an action on accumulators in memory, and returns its result.
    fn on_accumulator(&mut self, action: AccumulatorAction, operands: &[Value]) -> Option<Value> {
        match (action, operands) {
            (AccumulatorAction::Allocate, []) => Some(Value::accumulator()),
            (AccumulatorAction::Refer, [array, index]) => Some(array.place(index.clone().number().base() as usize)),
            (AccumulatorAction::Sum, [reference]) => Some(Value::Real(reference.sum())),
            (AccumulatorAction::Add, [reference, added]) => {
                let sum = self.levels.binary(Operation::Add, &reference.sum(), &added.clone().number());
                reference.set_sum(sum);
                None
            }
            (AccumulatorAction::HandOver, [from, to]) => {
                from.hand_over(to);
                None
            }
            (action, _) => internal_bug!("{action:?} has its operands"),
        }
    }

    /// The parts of a cell.
    #[inline(never)]
    fn parts(&self, targets: &[Variable], cell: &Value) -> Vec<Value> {
        let kinds: Vec<Kind> = targets.iter().map(|target| self.function.kind((*target).into())).collect();
        cell.parts(&kinds)
    }

    fn forward(
        &mut self,
        function: FunctionId,
        arguments: Vec<Value>,
        tangents: Vec<Option<Value>>,
        depth: u32,
    ) -> Result<Vec<Value>, Stop> {
        let level = self.levels.begin_forward().map_err(|_| Stop::TooDeep)?;
        let lifted = arguments.into_iter().zip(tangents).map(|(argument, tangent)| match tangent {
            Some(tangent) => {
                let mut tangents = Vec::new();
                tangent.each_real(&mut |number| tangents.push(number.clone()));
                let mut tangents = tangents.into_iter();
                argument.with_reals(&mut |primal| match tangents.next() {
                    Some(tangent) => lifted(level, primal, LevelPart::Tangent(tangent)),
                    None => internal_bug!("a tangent has the lengths of its primal"),
                })
            }
            None => argument,
        });
        let results = self.call(function, lifted.collect(), depth)?;
        self.levels.end_forward();
        let kinds = &self.unit.function(function).results;
        let tangents = results.iter().zip(kinds).filter(|(_, kind)| kind.is_differentiable());
        let tangents: Vec<Value> = tangents.map(|(result, _)| result.tangent(level)).collect();
        Ok(results.iter().map(|result| result.primal(level)).chain(tangents).collect())
    }

    fn reverse(
        &mut self,
        function: FunctionId,
        arguments: Vec<Value>,
        active: &[bool],
        cotangents: Vec<Value>,
        depth: u32,
    ) -> Result<Vec<Value>, Stop> {
        let level = self.levels.begin_reverse().map_err(|_| Stop::TooDeep)?;
        // The active arguments, with nodes in place of their primals.
        let mut independent = Vec::new();
        let mut with_nodes = Vec::with_capacity(arguments.len());
        for (argument, active) in arguments.into_iter().zip(active) {
            with_nodes.push(if *active {
                let argument = argument.with_reals(&mut |primal| {
                    let node = self.levels.newest_tape().independent();
                    lifted(level, primal, LevelPart::Node(node))
                });
                independent.push(argument.clone());
                argument
            } else {
                argument
            });
        }
        let results = self.call(function, with_nodes, depth)?;
        let tape = self.levels.end_reverse();
        let mut carried = CarriedAccumulators::default();
        let kinds = &self.unit.function(function).results;
        let differentiable = results.iter().zip(kinds).filter(|(_, kind)| kind.is_differentiable());
        for ((result, _), cotangent) in differentiable.zip(cotangents) {
            if !result.is_same(&cotangent, Relation::SameLengths) {
                return Err(Stop::BailOut(NOWHERE));
            }
            let mut cotangents = Vec::new();
            cotangent.each_real(&mut |number| cotangents.push(number.clone()));
            let mut cotangents = cotangents.into_iter();
            result.each_real(&mut |number| match (stripped(number, level).1, cotangents.next()) {
                (Some(LevelPart::Node(node)), Some(cotangent)) => carried.add(&mut self.levels, node, &cotangent),
                (Some(LevelPart::Tangent(_)), _) => internal_bug!("a reverse level makes no tangents"),
                (Some(LevelPart::Node(_)), None) => internal_bug!("a cotangent has the lengths of its result"),
                (None, _) => {}
            });
        }
        if tape.sweep(&mut self.levels, &mut carried, &mut LimitCheck::default()).is_err() {
            internal_bug!("an evaluation has no limit of time or memory");
        }
        let given = independent.iter().map(|argument| {
            argument.with_reals(&mut |number| match stripped(number, level).1 {
                Some(LevelPart::Node(node)) => given_back(&carried.of(node)),
                Some(LevelPart::Tangent(_)) | None => internal_bug!("an active argument has nodes"),
            })
        });
        let given: Vec<Value> = given.collect();
        Ok(results.iter().map(|result| result.primal(level)).chain(given).collect())
    }
}

#[cfg(test)]
mod tests;

//! Computations on abstract values (report, part 15): the steps that `primops` counts, and the options of `checkpoint-*j`.
//!
//! `(primops f x)` becomes a call of a function that returns the steps of f as one more result. They are a value like others:
//! each function that f calls takes the steps before it and returns those after it, so code that is moved or executed again
//! has the same steps. Calls at a new level are computations of their own, whose steps are not counted there.

use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::execution::{Executed, Sweep};
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::Abstract;
use crate::analysis::values::reason::{Cause, Reason, Stop};
use crate::analysis::values::value::Value;
use std::collections::BTreeMap;
use vlad_core::ExpressionId;
use vlad_first_order::{Block, End, Function, FunctionId, Kind, Operand, Statement, Unit, Variable};
use vlad_table::{CheckpointForm, Comparison, Operation, Primitive};

/// The greatest number up to which every whole number is a real: 2^53.
const GREATEST_WHOLE: f64 = 9_007_199_254_740_992.0;

impl Specialiser<'_> {
    /// `(primops f x)`: the steps.
    pub fn count_steps(&mut self, frame: &mut Frame, f: &Value, x: &Value, node: ExpressionId) -> Result<Value, Stop> {
        let (id, result) = self.callee(frame, f.of, x.of, node)?;
        let arguments = self.arguments(frame, id, f, x)?;
        let mut targets = self.targets(frame, &self.kinds(result));
        let steps = frame.code.fresh(Kind::Real);
        targets.push(steps);
        frame.counted.push(steps);
        frame.code.add(Statement::Call { targets, function: FunctionId(id.0), arguments });
        Ok(Value::leaf(self.domain.any_real(), Operand::Variable(steps)))
    }

    /// The procedure, its operand and the cotangent that a form of `checkpoint-*j` is given. The other operands change no bit.
    /// They have to be known, and to permit a division whatever the number of steps is.
    pub fn checkpointed(
        &mut self,
        frame: &mut Frame,
        form: CheckpointForm,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<[Value; 3], Stop> {
        match form {
            CheckpointForm::OfRun => self.operands(frame, argument, node),
            CheckpointForm::Bisection => {
                let [f, x, cotangent, depth, base_case] = self.operands(frame, argument, node)?;
                self.option(&depth, 0.0, node)?;
                self.option(&base_case, 1.0, node)?;
                Ok([f, x, cotangent])
            }
            CheckpointForm::Binomial => {
                let [f, x, cotangent, snapshots, passes, base_case] = self.operands(frame, argument, node)?;
                let snapshots = self.option(&snapshots, 0.0, node)?;
                let passes = self.option(&passes, 0.0, node)?;
                let base_case = self.option(&base_case, 1.0, node)?;
                match (snapshots, passes, base_case) {
                    (Some(_), Some(_), Some(_)) => self.give_up(Cause::CheckpointOptions, node),
                    (Some(few), None, _) | (None, Some(few), _) if few == 0.0 => {
                        self.give_up(Cause::CheckpointOptions, node)
                    }
                    _ => Ok([f, x, cotangent]),
                }
            }
        }
    }

    /// An option of `checkpoint-*j`: a whole number, or none.
    fn option(&self, value: &Value, least: f64, node: ExpressionId) -> Result<Option<f64>, Stop> {
        match self.domain.get(value.of) {
            Abstract::Boolean(false) => Ok(None),
            Abstract::Real { bits, .. } => {
                let real = bits.real();
                let is_valid = real.fract() == 0.0 && (least..=GREATEST_WHOLE).contains(&real);
                if is_valid { Ok(Some(real)) } else { Err(Stop::Never(node)) }
            }
            Abstract::AnyReal | Abstract::AnyBoolean | Abstract::Union(_) => {
                self.give_up(Cause::CheckpointOptions, node)
            }
            _ => Err(Stop::Never(node)),
        }
    }
}

/// Makes the calls of a unit whose steps are counted, given the last targets of these calls in each function, and the sweeps
/// of backpropagators.
///
/// # Errors
/// Returns a reason if procedures are called whose steps are not counted, but not at a new level.
pub fn count_steps(
    unit: &mut Unit,
    counted: &[Vec<Variable>],
    sweeps: &[Vec<Sweep>],
    applies_tagged: bool,
) -> Result<(), Reason> {
    if counted.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let executes_again = sweeps.iter().flatten().any(|sweep| sweep.execution == Executed::Again);
    if executes_again || applies_tagged {
        return Err(Reason::new(Cause::Primitive(Primitive::CountSteps)));
    }
    let mut versions = Versions { numbers: BTreeMap::new(), pending: Vec::new(), next: unit.functions.len() as u32 };
    for (function, counted) in unit.functions.iter_mut().zip(counted) {
        function.body.change_statements(&mut |statement| {
            if let Statement::Call { targets, function, arguments } = statement
                && targets.last().is_some_and(|last| counted.contains(last))
            {
                *function = versions.of(*function);
                arguments.push(Operand::real(0.0));
            }
        });
    }
    while let Some(source) = versions.pending.pop() {
        let of_source = counted.get(source.0 as usize).map_or(&[][..], Vec::as_slice);
        let function = unit.function(source).clone();
        let made = Counting { function, counted: of_source, versions: &mut versions }.counting();
        let number = versions.of(source);
        let place = number.0 as usize;
        if unit.functions.len() <= place {
            unit.functions.resize(place + 1, made.clone());
        }
        if let Some(function) = unit.functions.get_mut(place) {
            *function = made;
        }
    }
    Ok(())
}

/// The functions that return their steps.
struct Versions {
    numbers: BTreeMap<FunctionId, FunctionId>,
    /// Those that are to be made, by their sources.
    pending: Vec<FunctionId>,
    next: u32,
}

impl Versions {
    fn of(&mut self, source: FunctionId) -> FunctionId {
        *self.numbers.entry(source).or_insert_with(|| {
            self.pending.push(source);
            self.next += 1;
            FunctionId(self.next - 1)
        })
    }
}

/// The steps at a place of a function: an operand, and those of the block since.
#[derive(Clone, Copy)]
struct Tally {
    before: Operand,
    since: u64,
}

/// A function that is made to take the steps before it as one more argument, and to return those after it.
struct Counting<'unit> {
    function: Function,
    /// The last targets of the calls that count steps themselves.
    counted: &'unit [Variable],
    versions: &'unit mut Versions,
}

impl Counting<'_> {
    fn counting(mut self) -> Function {
        let before = self.function.fresh(Kind::Real);
        let body = std::mem::take(&mut self.function.body);
        let body = self.block(body, Tally { before: Operand::Variable(before), since: 0 });
        self.function.parameters.push(before);
        self.function.results.push(Kind::Real);
        self.function.body = body;
        self.function
    }

    fn block(&mut self, block: Block, mut tally: Tally) -> Block {
        let mut statements = Vec::with_capacity(block.statements.len());
        for statement in block.statements {
            tally = self.statement(statement, tally, &mut statements);
        }
        let end = match block.end {
            End::Yield(mut operands) => {
                operands.push(self.sum(tally, &mut statements));
                End::Yield(operands)
            }
            End::Repeat(mut operands) => {
                operands.push(self.sum(tally, &mut statements));
                End::Repeat(operands)
            }
            End::Branch { test, consequent, alternative } => End::Branch {
                test,
                consequent: Box::new(self.block(*consequent, tally)),
                alternative: Box::new(self.block(*alternative, tally)),
            },
            End::BailOut(node) => End::BailOut(node),
        };
        Block { statements, end }
    }

    fn sum(&mut self, tally: Tally, code: &mut Vec<Statement>) -> Operand {
        match (tally.before, tally.since) {
            (before, 0) => before,
            (Operand::Real(before), since) => Operand::real(before.real() + since as f64),
            (first, since) => {
                let (target, second) = (self.function.fresh(Kind::Real), Some(Operand::real(since as f64)));
                code.push(Statement::Operation { target, operation: Operation::Add, first, second });
                Operand::Variable(target)
            }
        }
    }

    /// Adds a statement to code; returns the steps after it.
    fn statement(&mut self, mut statement: Statement, tally: Tally, code: &mut Vec<Statement>) -> Tally {
        match &mut statement {
            Statement::Count { steps } => {
                let since = tally.since + *steps;
                code.push(statement);
                return Tally { since, ..tally };
            }
            Statement::Call { targets, .. } if targets.last().is_some_and(|last| self.counted.contains(last)) => {}
            Statement::Call { function, arguments, .. } => {
                *function = self.versions.of(*function);
                arguments.push(self.sum(tally, code));
                return self.after(statement, code);
            }
            Statement::Bind { block, .. } => {
                let before = self.sum(tally, code);
                *block = self.block(std::mem::take(block), Tally { before, since: 0 });
                return self.after(statement, code);
            }
            Statement::Loop { state, initial, body, .. } => {
                initial.push(self.sum(tally, code));
                let before = self.function.fresh(Kind::Real);
                state.push(before);
                *body = self.block(std::mem::take(body), Tally { before: before.into(), since: 0 });
                return self.after(statement, code);
            }
            Statement::Build { targets, body, .. } => {
                *body = self.block(std::mem::take(body), Tally { before: Operand::real(0.0), since: 0 });
                let of_elements = self.function.fresh(Kind::REALS);
                targets.push(of_elements);
                code.push(statement);
                let before = self.sum(tally, code);
                return Tally { before: self.sum_of(of_elements, before, code), since: 0 };
            }
            _ => {}
        }
        code.push(statement);
        tally
    }

    /// Adds a statement that gets one more target, the steps after it.
    fn after(&mut self, mut statement: Statement, code: &mut Vec<Statement>) -> Tally {
        let after = self.function.fresh(Kind::Real);
        if let Statement::Call { targets, .. } | Statement::Bind { targets, .. } | Statement::Loop { targets, .. } =
            &mut statement
        {
            targets.push(after);
        }
        code.push(statement);
        Tally { before: Operand::Variable(after), since: 0 }
    }

    /// The sum of steps and those of the elements of a `build`.
    fn sum_of(&mut self, of_elements: Variable, before: Operand, code: &mut Vec<Statement>) -> Operand {
        let array = Operand::Variable(of_elements);
        let [length, index, sum, element, next, after, target] =
            std::array::from_fn(|_| self.function.fresh(Kind::Real));
        let more = self.function.fresh(Kind::Boolean);
        code.push(Statement::Length { target: length, array });
        let add = |target: Variable, first: Variable, second| Statement::Operation {
            target,
            operation: Operation::Add,
            first: first.into(),
            second: Some(second),
        };
        let consequent = Block {
            statements: vec![
                Statement::Element { target: element, array, index: index.into() },
                add(after, sum, element.into()),
                add(next, index, Operand::real(1.0)),
            ],
            end: End::Repeat(vec![next.into(), after.into()]),
        };
        let alternative = Block { statements: Vec::new(), end: End::Yield(vec![sum.into()]) };
        let (comparison, first, second) = (Comparison::Less, index.into(), length.into());
        let body = Block {
            statements: vec![Statement::Compare { target: more, comparison, first, second }],
            end: End::Branch {
                test: more.into(),
                consequent: Box::new(consequent),
                alternative: Box::new(alternative),
            },
        };
        let (state, initial) = (vec![index, sum], vec![Operand::real(0.0), before]);
        code.push(Statement::Loop { targets: vec![target], state, initial, body });
        target.into()
    }
}

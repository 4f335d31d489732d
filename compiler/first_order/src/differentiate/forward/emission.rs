//! The emission of derivatives in forward mode.
//!
//! The derivative of a function for given activities of its parameters has each parameter followed by its tangent if that
//! is active, and returns the results followed by the tangents of those that are active. No code exists for a tangent
//! that is known: callers find it in [`Derived`]. Primals keep the numbers of their variables.
//!
//! The rule of the report (9.2), for each operation z = f(x, y), where a coefficient is a partial derivative:
//!
//! ```text
//! tangent of z = coefficient of x *guarded tangent of x + coefficient of y *guarded tangent of y
//! ```
//!
//! Everything else moves tangents along with primals. Products with a tangent or coefficient that is the constant 0 are
//! left out, and the additions of these products (9.3). The other product then takes the place of the sum. This merges no
//! nodes of an outer tape: the sum was the only use of that product.
//!
//! A leaf that is constant on one path and active on another has the tangent +0 on the first. Operations on it are then
//! executed with this tangent, where the definition has none. This adds products that are +0 to sums, here and in outer
//! sweeps; the sign of a zero, which alone could show it, is not observable.
//!
//! Recursion and loops: activities are a least fixed point, starting with the assumption that tangents are zero. An
//! emission that needs a derivative that does not exist is abandoned, and repeated after that has been made. So is one
//! whose assumption about a callee has changed.
//!
//! **The record stack.** A pass over the code does not tell which `push` a `pop` undoes. So derivatives push a tangent
//! for each real. A function that reaches the stack is replaced by its derivative also where no argument is active, up to
//! the functions that leave the stack as they found it ([`Derivatives::is_balanced`]).

use super::activity::{Activity, join};
use super::derivatives::{Derivative, Derivatives, Derived};
use crate::differentiate::coefficients::Primals;
use crate::differentiate::emitter::{Emitter, ZERO, is_constant_zero};
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{Action, Block, End, Function, FunctionId, MOST_DEPTH, MemoryAction, Operand, Statement, Unit, Variable};
use vlad_table::{Operation, internal_bug};

/// The number of statements that are differentiated before a unit is refused.
const MOST_WORK: usize = 1 << 18;

/// The derivative of a function, for given activities of its parameters.
///
/// # Errors
/// Returns a refusal if a budget is used up.
pub fn derivative(
    derivatives: &mut Derivatives,
    unit: &mut Unit,
    function: FunctionId,
    parameters: Vec<Activity>,
) -> Result<Derived, Refusal> {
    if let Some((derived, _)) = derivatives.find(unit, function, &parameters) {
        return Ok(derived);
    }
    let wanted = derivatives.create(unit, function, &parameters);
    let mut pending = vec![wanted];
    while let Some(number) = pending.last().copied() {
        match Emission::run(unit, derivatives, number) {
            Ok((code, results)) => {
                pending.pop();
                pending.extend(derivatives.finish(unit, number, code, results));
            }
            Err(Stop::Needs(function, parameters)) => pending.push(derivatives.create(unit, function, &parameters)),
            Err(Stop::Refused(refusal)) => return Err(refusal),
        }
    }
    match derivatives.find(unit, function, &parameters) {
        Some((derived, _)) => Ok(derived),
        None => internal_bug!("the derivative has been made"),
    }
}

/// The reason why an emission ends early.
enum Stop {
    /// A derivative is needed.
    Needs(FunctionId, Vec<Activity>),
    Refused(Refusal),
}

/// The values that the ends of a block give, over all of its paths; none if there is no such end.
#[derive(Default)]
struct Ends {
    yields: Option<Vec<Activity>>,
    repeats: Option<Vec<Activity>>,
}

/// The emission of the code of one derivative.
pub struct Emission<'unit> {
    unit: &'unit Unit,
    derivatives: &'unit mut Derivatives,
    number: usize,
    pub function: Function,
    /// The tangent of each variable of the source; a constant where it is known.
    tangents: Vec<Operand>,
}

impl Emission<'_> {
    fn run(unit: &Unit, derivatives: &mut Derivatives, number: usize) -> Result<(Function, Vec<Activity>), Stop> {
        let Derivative { source, derived, .. } = derivatives.at(number);
        let (source, activities) = (unit.function(*source), derived.parameters.clone());
        let function = Function {
            name: source.name.clone(),
            variables: source.variables.clone(),
            parameters: Vec::new(),
            results: source.results.clone(),
            body: Block::default(),
        };
        let tangents = vec![ZERO; source.variables.len()];
        Emission { unit, derivatives, number, function, tangents }.code(source, &activities)
    }

    fn code(mut self, source: &Function, activities: &[Activity]) -> Result<(Function, Vec<Activity>), Stop> {
        for (parameter, activity) in source.parameters.iter().zip(activities) {
            self.function.parameters.push(*parameter);
            let tangent = self.tangents_of(&[*parameter], &[*activity]);
            self.function.parameters.extend(tangent);
        }
        let mut ends = Ends::default();
        let mut body = self.block(&source.body, &mut ends)?;
        let mut results = ends.yields.unwrap_or_else(|| vec![Activity::ZERO; source.results.len()]);
        let known = self.derivatives.at(self.number);
        if !known.readers.is_empty() {
            join(&mut results, &known.derived.results);
        }
        narrow(&mut body, &results, &[]);
        if body.depth() > MOST_DEPTH {
            return Err(refused(RefusalKind::ForwardDepth, &source.name));
        }
        let active = source.results.iter().zip(&results).filter(|(_, activity)| activity.is_active());
        self.function.results.extend(active.map(|(kind, _)| *kind));
        self.function.body = body;
        Ok((self.function, results))
    }

    /// Emits a block. Its ends give the operands and then a tangent for each of them; [`narrow`] leaves those that are
    /// active.
    fn block(&mut self, source: &Block, ends: &mut Ends) -> Result<Block, Stop> {
        let mut statements = Vec::with_capacity(2 * source.statements.len());
        for statement in &source.statements {
            self.derivatives.work += 1;
            if self.derivatives.work > MOST_WORK {
                return Err(refused(RefusalKind::ForwardSize, &self.function.name));
            }
            self.statement(statement, &mut statements)?;
        }
        let end = match &source.end {
            End::Yield(operands) => End::Yield(self.with_tangents(operands, &mut ends.yields, &mut statements)),
            End::Repeat(operands) => End::Repeat(self.with_tangents(operands, &mut ends.repeats, &mut statements)),
            End::Branch { test, consequent, alternative } => End::Branch {
                test: *test,
                consequent: Box::new(self.block(consequent, ends)?),
                alternative: Box::new(self.block(alternative, ends)?),
            },
            End::BailOut(node) => End::BailOut(*node),
        };
        Ok(Block { statements, end })
    }

    fn statement(&mut self, statement: &Statement, code: &mut Vec<Statement>) -> Result<(), Stop> {
        match statement {
            Statement::Operation { target, operation, first, second } => {
                code.push(statement.clone());
                let tangent = self.operation(*target, *operation, *first, *second, code);
                self.set_tangent(*target, tangent);
            }
            Statement::PositiveZero { target, operand } => {
                code.push(statement.clone());
                let tangent = self.tangent(*operand);
                self.set_tangent(*target, tangent);
            }
            Statement::Compare { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Count { .. }
            | Statement::Storage(_) => code.push(statement.clone()),
            Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Replace { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. } => self.moving(statement, code),
            Statement::Bind { targets, block } => {
                let (targets, block) = self.nested(targets, block, |activity| activity)?;
                code.push(Statement::Bind { targets, block });
            }
            Statement::Build { targets, length, index, body } => {
                let (targets, body) = self.nested(targets, body, Activity::of_array)?;
                code.push(Statement::Build { targets, length: *length, index: *index, body });
            }
            Statement::Loop { targets, state, initial, body } => {
                let repeated = self.repeated(targets, state, initial, body, code)?;
                code.push(repeated);
            }
            Statement::Call { targets, function, arguments } => {
                let call = self.call(targets, *function, arguments, code)?;
                code.push(call);
            }
            Statement::Forward { .. } | Statement::Reverse { .. } => {
                internal_bug!("the levels inside of a function are removed before it is differentiated")
            }
            Statement::Act { targets, action, operands } => match action {
                Action::Tape(_) => return Err(refused(RefusalKind::Tape, &self.function.name)),
                Action::Accumulator(_) => self.moving(statement, code),
                Action::Memory(MemoryAction::Keep) => self.keep(targets, operands, code),
                Action::Memory(MemoryAction::Mark | MemoryAction::Release | MemoryAction::Size)
                | Action::Journal(_) => code.push(statement.clone()),
            },
            Statement::Push { stack, values } => {
                let mut with_tangents = values.clone();
                for value in values {
                    if !self.function.kind(*value).is_differentiable() {
                        continue;
                    }
                    with_tangents.push(match *value {
                        Operand::UNREAD => Operand::UNREAD,
                        value => self.materialised(value, code),
                    });
                }
                code.push(Statement::Push { stack: *stack, values: with_tangents });
            }
            Statement::Pop { stack, targets } => {
                let activity = |target: &Variable| Activity::widest(self.function.kind(Operand::Variable(*target)));
                let activities: Vec<Activity> = targets.iter().map(activity).collect();
                code.push(Statement::Pop { stack: *stack, targets: self.and_tangents(targets, &activities) });
            }
        }
        Ok(())
    }

    /// A nested block and its targets, with the tangents of these; their activities follow from those of what it yields.
    fn nested(
        &mut self,
        targets: &[Variable],
        block: &Block,
        of_target: impl Fn(Activity) -> Activity,
    ) -> Result<(Vec<Variable>, Block), Stop> {
        let mut ends = Ends::default();
        let mut block = self.block(block, &mut ends)?;
        let activities = ends.yields.unwrap_or_else(|| vec![Activity::ZERO; targets.len()]);
        let activities: Vec<Activity> = activities.into_iter().map(of_target).collect();
        narrow(&mut block, &activities, &[]);
        Ok((self.and_tangents(targets, &activities), block))
    }

    /// The tangent of an operation's result (9.2).
    fn operation(
        &mut self,
        target: Variable,
        operation: Operation,
        first: Operand,
        second: Option<Operand>,
        code: &mut Vec<Statement>,
    ) -> Operand {
        let tangents = (self.tangent(first), second.map_or(ZERO, |second| self.tangent(second)));
        let primals = Primals { first, second, result: Operand::Variable(target) };
        let mut emitter = Emitter { function: &mut self.function, statements: code };
        let left = emitter.contribution(operation, 0, &primals, tangents.0);
        let right = match second {
            Some(_) => emitter.contribution(operation, 1, &primals, tangents.1),
            None => ZERO,
        };
        match (is_constant_zero(left), is_constant_zero(right)) {
            (true, _) => right,
            (false, true) => left,
            (false, false) => emitter.binary(Operation::Add, left, right),
        }
    }

    /// A loop: the activities of its state are those of the initial values, joined with those of each repetition.
    fn repeated(
        &mut self,
        targets: &[Variable],
        state: &[Variable],
        initial: &[Operand],
        body: &Block,
        code: &mut Vec<Statement>,
    ) -> Result<Statement, Stop> {
        let tangents: Vec<Operand> = initial.iter().map(|operand| self.tangent(*operand)).collect();
        let mut activities: Vec<Activity> = tangents.iter().copied().map(Activity::of).collect();
        if let Some(known) = state.first().and_then(|first| self.derivatives.at(self.number).states.get(first)) {
            join(&mut activities, known);
        }
        let variables = self.function.variables.len();
        loop {
            let with_tangents = self.and_tangents(state, &activities);
            let mut ends = Ends::default();
            let mut block = self.block(body, &mut ends)?;
            let mut joined = activities.clone();
            join(&mut joined, &ends.repeats.unwrap_or_else(|| activities.clone()));
            if joined == activities {
                let results = ends.yields.unwrap_or_else(|| vec![Activity::ZERO; targets.len()]);
                narrow(&mut block, &results, &activities);
                let mut with_initial = initial.to_vec();
                for (operand, _) in initial.iter().zip(&activities).filter(|(_, of)| of.is_active()) {
                    with_initial.push(self.materialised(*operand, code));
                }
                let initial = with_initial;
                let targets = self.and_tangents(targets, &results);
                return Ok(Statement::Loop { targets, state: with_tangents, initial, body: block });
            }
            activities = joined;
            if let Some(first) = state.first() {
                self.derivatives.at_mut(self.number).states.insert(*first, activities.clone());
            }
            self.function.variables.truncate(variables);
        }
    }

    fn call(
        &mut self,
        targets: &[Variable],
        function: FunctionId,
        arguments: &[Operand],
        code: &mut Vec<Statement>,
    ) -> Result<Statement, Stop> {
        let tangents: Vec<Operand> = arguments.iter().map(|operand| self.tangent(*operand)).collect();
        let activities: Vec<Activity> = tangents.iter().copied().map(Activity::of).collect();
        let Some((derived, number)) = self.derivatives.find(self.unit, function, &activities) else {
            return Err(Stop::Needs(function, activities));
        };
        if let Some(number) = number {
            let reader = self.number;
            self.derivatives.at_mut(number).readers.insert(reader);
        }
        let mut emitter = Emitter { function: &mut self.function, statements: code };
        let arguments = derived.arguments(arguments, &tangents, &mut emitter);
        let targets = self.and_tangents(targets, &derived.results);
        Ok(Statement::Call { targets, function: derived.function, arguments })
    }

    pub fn tangent(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Variable(variable) => match self.tangents.get(variable.0 as usize) {
                Some(tangent) => *tangent,
                None => internal_bug!("a variable of the source has a tangent"),
            },
            Operand::Real(_) | Operand::Boolean(_) => ZERO,
        }
    }

    /// A tangent as a value.
    pub fn materialised(&mut self, primal: Operand, code: &mut Vec<Statement>) -> Operand {
        let tangent = self.tangent(primal);
        Emitter { function: &mut self.function, statements: code }.materialised(primal, tangent)
    }

    pub fn set_tangent(&mut self, variable: Variable, tangent: Operand) {
        if let Some(place) = self.tangents.get_mut(variable.0 as usize) {
            *place = tangent;
        }
    }

    /// Gives variables their tangents, and returns the variables of those that are active.
    fn tangents_of(&mut self, variables: &[Variable], activities: &[Activity]) -> Vec<Variable> {
        let mut active = Vec::new();
        for (variable, activity) in variables.iter().zip(activities) {
            let tangent = match activity {
                Activity::Constant(bits) => Operand::Real(*bits),
                Activity::Active => {
                    let tangent = self.function.fresh(self.function.kind(Operand::Variable(*variable)));
                    active.push(tangent);
                    Operand::Variable(tangent)
                }
            };
            self.set_tangent(*variable, tangent);
        }
        active
    }

    /// Variables, then the variables of their active tangents.
    fn and_tangents(&mut self, variables: &[Variable], activities: &[Activity]) -> Vec<Variable> {
        let active = self.tangents_of(variables, activities);
        variables.iter().copied().chain(active).collect()
    }

    /// Operands, then the tangent of each; their activities are joined with those of other paths.
    fn with_tangents(
        &mut self,
        operands: &[Operand],
        joined: &mut Option<Vec<Activity>>,
        code: &mut Vec<Statement>,
    ) -> Vec<Operand> {
        let activities: Vec<Activity> = operands.iter().map(|operand| Activity::of(self.tangent(*operand))).collect();
        // Zeros that turn out to be constant are dead code.
        let tangents: Vec<Operand> = operands.iter().map(|operand| self.materialised(*operand, code)).collect();
        match joined {
            Some(joined) => join(joined, &activities),
            None => *joined = Some(activities),
        }
        operands.iter().copied().chain(tangents).collect()
    }
}

fn refused(kind: RefusalKind, function: &str) -> Stop {
    Stop::Refused(Refusal::new(kind).within(function))
}

/// Leaves only the active ones among the tangents that the ends of a block give.
fn narrow(block: &mut Block, yields: &[Activity], repeats: &[Activity]) {
    block.change_leaves(&mut |block| match &mut block.end {
        End::Yield(operands) => narrow_operands(operands, yields),
        End::Repeat(operands) => narrow_operands(operands, repeats),
        End::Branch { .. } | End::BailOut(_) => {}
    });
}

fn narrow_operands(operands: &mut Vec<Operand>, activities: &[Activity]) {
    let tangents = operands.split_off(activities.len().min(operands.len()));
    let active = tangents.into_iter().zip(activities).filter(|(_, activity)| activity.is_active());
    operands.extend(active.map(|(tangent, _)| tangent));
}

//! The accumulators of arrays: every array that may have active elements gets a *shadow array*, the array of the accumulators
//! of its elements, which is moved wherever the array is.
//!
//! An array that is made of active reals has a shadow array of its own, which the trace makes with it. An array of
//! arrays has the array of their shadow arrays. So an element, however it is reached, has one accumulator. An array without
//! active elements gets a shadow array where it is moved to a place that may have another array; what is added there is
//! not read.
//!
//! Which arrays may be active is found for variables, whatever path assigns them. Calls are inlined before, but for
//! those of recursive functions, which may not have arrays.

use super::super::nodes::instances::Instances;
use crate::first_order::call_graph::{Calls, callees, reached};
use crate::first_order::differentiate::refusal::{Refusal, RefusalKind};
use crate::first_order::passes::inline::body_in_place;
use crate::first_order::{Block, End, Function, FunctionId, Kind, MOST_DEPTH, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};

/// The greatest number of statements of a function that is differentiated, inlined functions included.
pub const MOST_STATEMENTS: usize = 20_000;

/// The shadow array of each variable that has one.
#[derive(Clone, Debug, Default)]
pub struct ShadowArrays {
    of: HashMap<Variable, Variable>,
    all: HashSet<Variable>,
}

impl ShadowArrays {
    pub fn get(&self, variable: Variable) -> Option<Variable> {
        self.of.get(&variable).copied()
    }

    /// True for a variable that is the shadow array of another one.
    pub fn is_shadow(&self, variable: Variable) -> bool {
        self.all.contains(&variable)
    }

    fn insert(&mut self, variable: Variable, shadow: Variable) {
        self.of.insert(variable, shadow);
        self.all.insert(shadow);
    }
}

/// A function with the shadow arrays of its arrays. Its parameters are those of the source, then the shadow arrays of those
/// arrays among them that are active; its results are those of the source, then the shadow arrays of the arrays of reals
/// among them.
#[derive(Debug)]
pub struct Prepared {
    pub function: Function,
    pub shadows: ShadowArrays,
}

/// Returns a function with shadow arrays.
///
/// # Errors
/// Returns a refusal if a recursive function has arrays, or if the code has accumulators, or becomes too large.
pub fn with_shadow_arrays(
    unit: &Unit,
    instances: &mut Instances,
    source: FunctionId,
    active: &[bool],
) -> Result<Prepared, Refusal> {
    let mut function = Inlining::inlined(unit, instances, source, ArraysOf::Operations)?;
    let body = std::mem::take(&mut function.body);
    let mut activity = Activities { active: vec![false; function.variables.len()], changed: true };
    for (parameter, active) in function.parameters.iter().zip(active) {
        activity.join(*parameter, *active && function.kind(Operand::Variable(*parameter)).is_differentiable());
    }
    while std::mem::take(&mut activity.changed) {
        activity.block(&function, &body, &[], &[]);
    }
    let mut shadows = ShadowArrays::default();
    for (number, active) in activity.active.iter().enumerate() {
        let variable = Variable(number as u32);
        let kind = function.kind(Operand::Variable(variable));
        if *active && kind.is_array() {
            shadows.insert(variable, function.fresh(kind));
        }
    }
    let of_parameters: Vec<Variable> =
        function.parameters.iter().filter_map(|parameter| shadows.get(*parameter)).collect();
    function.parameters.extend(of_parameters);
    let of_results: Vec<bool> =
        function.results.iter().map(|kind| kind.is_array() && kind.is_differentiable()).collect();
    let mut rewriting = Rewriting { function, shadows };
    let body = rewriting.block(body, &of_results, &[]);
    let Rewriting { mut function, shadows } = rewriting;
    let kinds: Vec<Kind> =
        function.results.iter().zip(&of_results).filter(|result| *result.1).map(|result| *result.0).collect();
    function.results.extend(kinds);
    function.body = body;
    Ok(Prepared { function, shadows })
}

/// Returns true if a function, or one that it calls, has variables of some kinds.
pub fn uses(unit: &Unit, function: FunctionId, is_sought: impl Fn(Kind) -> bool) -> bool {
    let reached = reached(&callees(unit, Calls::All), [function]);
    let mut functions = unit.functions.iter().zip(&reached).filter(|(_, is_reached)| **is_reached);
    functions.any(|(function, _)| function.variables.iter().any(|kind| is_sought(*kind)))
}

/// The arrays of functions that are inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArraysOf {
    /// All of them get shadow arrays: recursive functions have none, and nobody has accumulators.
    Operations,
    /// Any; who asks tells which there may be.
    Borders,
}

/// A function whose calls are being inlined.
pub struct Inlining<'unit> {
    unit: &'unit Unit,
    instances: &'unit mut Instances,
    /// The function without its body.
    function: Function,
    arrays: ArraysOf,
    size: usize,
}

impl Inlining<'_> {
    /// A function with the calls of functions that are not recursive inlined.
    pub fn inlined(
        unit: &Unit,
        instances: &mut Instances,
        source: FunctionId,
        arrays: ArraysOf,
    ) -> Result<Function, Refusal> {
        let mut function = unit.function(source).clone();
        let body = std::mem::take(&mut function.body);
        let mut inlining = Inlining { unit, instances, function, arrays, size: 0 };
        let body = inlining.block(body, 1)?;
        Ok(Function { body, ..inlining.function })
    }

    fn block(&mut self, mut block: Block, depth: usize) -> Result<Block, Refusal> {
        self.size += block.statements.len();
        if self.size > MOST_STATEMENTS {
            return Err(Refusal::new(RefusalKind::ReverseSize));
        }
        if depth > MOST_DEPTH {
            return Err(Refusal::new(RefusalKind::ReverseDepth));
        }
        for statement in &mut block.statements {
            if let Statement::Call { targets, function, arguments } = statement {
                if !self.instances.is_recursive(self.unit, *function) {
                    let inner = body_in_place(&mut self.function, self.unit.function(*function), arguments);
                    *statement = Statement::Bind { targets: std::mem::take(targets), block: inner };
                } else if self.arrays == ArraysOf::Operations && uses(self.unit, *function, Kind::is_array) {
                    return Err(Refusal::new(RefusalKind::Arrays));
                }
            }
            let is_on_accumulators =
                matches!(statement, Statement::Accumulators { .. } | Statement::Load { .. } | Statement::Store { .. });
            if self.arrays == ArraysOf::Operations && is_on_accumulators {
                return Err(Refusal::new(RefusalKind::Arrays));
            }
            if let Some(inner) = statement.block_mut() {
                *inner = self.block(std::mem::take(inner), depth + 1)?;
            }
        }
        for inner in block.end.blocks_mut().into_iter().flatten() {
            *inner = self.block(std::mem::take(inner), depth + 1)?;
        }
        Ok(block)
    }
}

/// The variables that may be active, found so far.
struct Activities {
    active: Vec<bool>,
    changed: bool,
}

impl Activities {
    fn is_active(&self, operand: Operand) -> bool {
        match operand {
            Operand::Variable(variable) => self.active.get(variable.0 as usize) == Some(&true),
            Operand::Real(_) | Operand::Boolean(_) => false,
        }
    }

    fn join(&mut self, variable: Variable, active: bool) {
        if let Some(place) = self.active.get_mut(variable.0 as usize)
            && active
            && !*place
        {
            *place = true;
            self.changed = true;
        }
    }

    fn join_all(&mut self, variables: &[Variable], operands: &[Operand]) {
        for (variable, operand) in variables.iter().zip(operands) {
            self.join(*variable, self.is_active(*operand));
        }
    }

    fn block(&mut self, function: &Function, block: &Block, targets: &[Variable], state: &[Variable]) {
        for statement in &block.statements {
            match statement {
                Statement::Bind { targets, block } => self.block(function, block, targets, &[]),
                Statement::Build { targets, body, .. } => self.block(function, body, targets, &[]),
                Statement::Loop { targets, state, initial, body } => {
                    self.join_all(state, initial);
                    self.block(function, body, targets, state);
                }
                _ => {
                    // The length of an array and the index of an element are constant.
                    let active = match statement {
                        Statement::Operation { .. }
                        | Statement::PositiveZero { .. }
                        | Statement::Call { .. }
                        | Statement::Array { .. } => {
                            statement.operands().iter().any(|operand| self.is_active(*operand))
                        }
                        Statement::Element { array, .. } => self.is_active(*array),
                        _ => false,
                    };
                    for target in statement.targets() {
                        self.join(*target, active && function.kind(Operand::Variable(*target)).is_differentiable());
                    }
                }
            }
        }
        match &block.end {
            End::Yield(operands) => self.join_all(targets, operands),
            End::Repeat(operands) => self.join_all(state, operands),
            End::Branch { consequent, alternative, .. } => {
                self.block(function, consequent, targets, state);
                self.block(function, alternative, targets, state);
            }
            End::BailOut(_) => {}
        }
    }
}

/// A function that gets its shadow arrays.
struct Rewriting {
    /// The function without its body.
    function: Function,
    shadows: ShadowArrays,
}

impl Rewriting {
    fn shadow(&self, variable: Variable) -> Option<Variable> {
        self.shadows.get(variable)
    }

    fn have_shadows(&self, variables: &[Variable]) -> Vec<bool> {
        variables.iter().map(|variable| self.shadow(*variable).is_some()).collect()
    }

    /// Appends the shadow arrays of variables to these.
    fn extend(&self, variables: &mut Vec<Variable>) {
        let shadows: Vec<Variable> = variables.iter().filter_map(|variable| self.shadow(*variable)).collect();
        variables.extend(shadows);
    }

    /// Appends the shadow arrays of those operands that need one.
    fn moved(&mut self, operands: &mut Vec<Operand>, needed: &[bool], statements: &mut Vec<Statement>) {
        let mut shadows = Vec::new();
        for (operand, _) in operands.iter().zip(needed).filter(|(_, needed)| **needed) {
            let known = match operand {
                Operand::Variable(variable) => self.shadow(*variable),
                Operand::Real(_) | Operand::Boolean(_) => None,
            };
            shadows.push(Operand::Variable(known.unwrap_or_else(|| {
                let target = self.function.fresh(self.function.kind(*operand));
                statements.push(Statement::Accumulators { target, like: *operand });
                target
            })));
        }
        operands.extend(shadows);
    }

    fn block(&mut self, block: Block, yielded: &[bool], repeated: &[bool]) -> Block {
        let mut statements = Vec::new();
        for statement in block.statements {
            self.statement(statement, &mut statements);
        }
        let end = match block.end {
            End::Yield(mut operands) => {
                self.moved(&mut operands, yielded, &mut statements);
                End::Yield(operands)
            }
            End::Repeat(mut operands) => {
                self.moved(&mut operands, repeated, &mut statements);
                End::Repeat(operands)
            }
            End::Branch { test, consequent, alternative } => End::Branch {
                test,
                consequent: Box::new(self.block(*consequent, yielded, repeated)),
                alternative: Box::new(self.block(*alternative, yielded, repeated)),
            },
            End::BailOut(at) => End::BailOut(at),
        };
        Block { statements, end }
    }

    fn statement(&mut self, statement: Statement, code: &mut Vec<Statement>) {
        let made = match statement {
            Statement::Bind { mut targets, block } => {
                let block = self.block(block, &self.have_shadows(&targets), &[]);
                self.extend(&mut targets);
                Statement::Bind { targets, block }
            }
            Statement::Loop { mut targets, mut state, mut initial, body } => {
                let repeated = self.have_shadows(&state);
                self.moved(&mut initial, &repeated, code);
                let body = self.block(body, &self.have_shadows(&targets), &repeated);
                self.extend(&mut targets);
                self.extend(&mut state);
                Statement::Loop { targets, state, initial, body }
            }
            Statement::Build { mut targets, length, index, body } => {
                // The shadow array of an array of reals is made by the trace.
                let is_deep = |target: &Variable| self.is_deep(*target);
                let deep: Vec<Variable> = targets.iter().copied().filter(is_deep).collect();
                let yielded: Vec<bool> = targets.iter().map(is_deep).collect();
                let body = self.block(body, &yielded, &[]);
                targets.extend(deep.iter().filter_map(|target| self.shadow(*target)));
                Statement::Build { targets, length, index, body }
            }
            Statement::Array { target, elements } if self.is_deep(target) => {
                let mut shadows = elements.clone();
                let needed = vec![true; elements.len()];
                self.moved(&mut shadows, &needed, code);
                let shadows = shadows.split_off(elements.len());
                code.push(Statement::Array { target, elements });
                match self.shadow(target) {
                    Some(target) => Statement::Array { target, elements: shadows },
                    None => return,
                }
            }
            Statement::Element { target, array: Operand::Variable(array), index } => {
                code.push(statement);
                match (self.shadow(target), self.shadow(array)) {
                    (Some(target), Some(array)) => {
                        Statement::Element { target, array: Operand::Variable(array), index }
                    }
                    _ => return,
                }
            }
            other => other,
        };
        code.push(made);
    }

    /// Returns true for an array of arrays that has a shadow array.
    fn is_deep(&self, variable: Variable) -> bool {
        let elements = self.function.kind(Operand::Variable(variable)).element();
        self.shadow(variable).is_some() && elements.is_some_and(Kind::is_array)
    }
}

//! Shadow arrays: every array that may have active elements gets an array of the accumulators of its elements, which is
//! moved wherever the array is.
//!
//! The trace makes the shadow array of an array that is made of active reals ([`super::super::trace::arrays`]). An array
//! of arrays has the array of their shadow arrays. So an element has one accumulator, however it is reached. An array
//! without active elements gets a shadow array where it is moved to a place that may have another array; nobody reads its
//! sums.
//!
//! Variables are active or not, whatever path assigns them. All calls are inlined before, but for those of recursive
//! functions, which may not have arrays.

use super::super::nodes::Instances;
use crate::call_graph::{CallGraph, Calls};
use crate::differentiate::beside::Beside;
use crate::differentiate::emitter::Emitter;
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::passes::shape::inline::body_in_place;
use crate::{Block, End, Function, FunctionId, Kind, MOST_DEPTH, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::internal_bug;

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

/// A function with the shadow arrays of its arrays. Its parameters are those of the source, then the shadow arrays of
/// those arrays among them that are active; its results are those of the source, then the shadow arrays of the arrays of
/// reals among them.
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
    let body = rewriting.block(&body, &of_results, &[])?;
    let Rewriting { mut function, shadows } = rewriting;
    let kinds: Vec<Kind> =
        function.results.iter().zip(&of_results).filter(|result| *result.1).map(|result| *result.0).collect();
    function.results.extend(kinds);
    function.body = body;
    Ok(Prepared { function, shadows })
}

/// Returns true if a function, or one that it calls, has variables of some kinds.
pub fn uses(unit: &Unit, function: FunctionId, is_sought: impl Fn(Kind) -> bool) -> bool {
    let reached = CallGraph::of(unit, Calls::All).reached([function]);
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
    /// Returns true for an array of arrays that has a shadow array.
    fn is_deep(&self, variable: Variable) -> bool {
        let elements = self.function.kind(Operand::Variable(variable)).element();
        self.has(variable) && elements.is_some_and(Kind::is_array)
    }
}

impl Beside for Rewriting {
    fn has(&self, variable: Variable) -> bool {
        self.shadows.get(variable).is_some()
    }

    fn second(&mut self, variable: Variable) -> Variable {
        match self.shadows.get(variable) {
            Some(shadow) => shadow,
            None => internal_bug!("the variable has a shadow array"),
        }
    }

    fn second_of(&mut self, operand: Operand, code: &mut Vec<Statement>) -> Result<Operand, Refusal> {
        let known = operand.variable().and_then(|variable| self.shadows.get(variable));
        let kind = self.function.kind(operand);
        let mut emit = Emitter { function: &mut self.function, statements: code };
        let made = |target| Statement::Accumulators { target, like: operand };
        Ok(known.map_or_else(|| emit.assign(kind, made), Operand::Variable))
    }

    fn statement(&mut self, statement: &Statement, code: &mut Vec<Statement>) -> Result<(), Refusal> {
        match statement {
            Statement::Build { targets, length, index, body } => {
                // The shadow array of an array of reals is made by the trace.
                let yielded: Vec<bool> = targets.iter().map(|target| self.is_deep(*target)).collect();
                let body = self.block(body, &yielded, &[])?;
                let mut all = targets.clone();
                for (target, _) in targets.iter().zip(&yielded).filter(|(_, is_deep)| **is_deep) {
                    all.push(self.second(*target));
                }
                code.push(Statement::Build { targets: all, length: *length, index: *index, body });
            }
            Statement::Array { target, elements } if self.is_deep(*target) => {
                let mut all = self.moved(elements, &vec![true; elements.len()], code)?;
                let shadows = all.split_off(elements.len());
                code.push(statement.clone());
                code.push(Statement::Array { target: self.second(*target), elements: shadows });
            }
            Statement::Element { target, array: Operand::Variable(array), index } => {
                code.push(statement.clone());
                if let (Some(target), Some(array)) = (self.shadows.get(*target), self.shadows.get(*array)) {
                    code.push(Statement::Element { target, array: array.into(), index: *index });
                }
            }
            other => code.push(other.clone()),
        }
        Ok(())
    }
}

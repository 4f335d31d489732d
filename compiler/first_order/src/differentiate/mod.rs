//! Differentiation of first-order code: the removal of levels, newest first.
//!
//! Postcondition: the unit has no [`Statement::Forward`] and no [`Statement::Reverse`]. In their place, calls of
//! functions compute derivatives as ordinary results. The levels inside of a function are removed before it is
//! differentiated, so an older level finds the operations of newer ones as the report has them executed (9.2,
//! nesting), and differentiates them by the same pass.

mod array_code;
mod beside;
mod coefficients;
mod emitter;
mod forward;
mod refusal;
mod reversal;
mod reverse;
mod tape;

use super::call_graph::{CallGraph, Calls};
use super::{Block, FunctionId, Kind, Operand, Recording, Statement, Unit, Variable};
use emitter::{Emitter, ZERO};
use forward::activity::Activity;
use forward::derivatives::{Derivatives, executes};
use forward::emission::derivative;
use reverse::{Data, Mode};

pub use refusal::{Refusal, RefusalKind};
pub use reversal::{Record, Reversal};
use std::collections::{HashMap, HashSet};
use vlad_table::internal_bug;

/// The greatest number of nested levels. The code of derivatives grows exponentially with it.
pub const MOST_NESTED: u32 = 32;

/// The way in which a function is differentiated in reverse mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// By a trace of the code.
    Traced(Data),
    /// With a tape whose nodes have numbers at run time.
    Taped,
}

/// For functions that were called in reverse mode what is called instead, or a refusal.
type Reversed = HashMap<(Mode, Way), Result<FunctionId, Refusal>>;

/// The levels that may be around one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Levels {
    Reverse,
    All,
}

/// Removes all levels. Returns the functions that were called in reverse mode, with the record of each, the newest levels
/// first.
///
/// # Errors
/// Returns a refusal if levels are nested too deep, as in a procedure that differentiates itself, or if derivatives
/// have too much code.
pub fn remove_levels(unit: &mut Unit) -> Result<Vec<Reversal>, Refusal> {
    let nested = nested_levels(unit)?;
    refuse_replacements(unit)?;
    let mut order: Vec<usize> = (0..nested.len()).collect();
    order.sort_by_key(|function| nested.get(*function).copied());
    let mut derivatives = Derivatives::default();
    let (mut reversed, mut reversals) = (Reversed::new(), Vec::new());
    for function in order {
        let (derivatives, reversed, reversals) = (&mut derivatives, &mut reversed, &mut reversals);
        Removal { unit, derivatives, reversed, reversals, function, known: HashMap::new() }.run()?;
    }
    Ok(reversals)
}

/// Refuses reverse mode of code that replaces elements of arrays, each of which would copy the array.
fn refuse_replacements(unit: &Unit) -> Result<(), Refusal> {
    let statements = unit.all_statements();
    let mut reversed =
        statements.filter(|statement| matches!(statement, Statement::Reverse { .. })).filter_map(Statement::callee);
    let replaces = |statement: &Statement| matches!(statement, Statement::Replace { .. });
    match reversed.find(|id| executes(unit, *id, &HashSet::new(), replaces)) {
        Some(id) => Err(Refusal::new(RefusalKind::Replacements).within(&unit.function(id).name)),
        None => Ok(()),
    }
}

/// The depth of the levels inside of a call of each function: not less than that of each callee, and more if the callee
/// is called at a new level.
fn nested_levels(unit: &Unit) -> Result<Vec<u32>, Refusal> {
    let mut callers: Vec<Vec<(usize, u32)>> = vec![Vec::new(); unit.functions.len()];
    for (caller, function) in unit.functions.iter().enumerate() {
        for statement in function.body.all_statements() {
            if let Some(callers) = statement.callee().and_then(|callee| callers.get_mut(callee.0 as usize)) {
                callers.push((caller, u32::from(statement.begins_level())));
            }
        }
    }
    let mut nested = vec![0; unit.functions.len()];
    let mut pending: Vec<usize> = (0..unit.functions.len()).collect();
    while let Some(callee) = pending.pop() {
        let inside = nested.get(callee).copied().unwrap_or(0);
        for (caller, levels) in callers.get(callee).into_iter().flatten() {
            let Some(known) = nested.get_mut(*caller) else { continue };
            if *known >= inside + levels {
                continue;
            }
            *known = inside + levels;
            pending.push(*caller);
            if *known > MOST_NESTED {
                let name = unit.functions.get(*caller).map_or("", |function| &function.name);
                return Err(Refusal::new(RefusalKind::Levels(MOST_NESTED)).within(name));
            }
        }
    }
    Ok(nested)
}

/// The removal of the levels that one function begins; there are none in its callees.
struct Removal<'unit> {
    unit: &'unit mut Unit,
    derivatives: &'unit mut Derivatives,
    reversed: &'unit mut Reversed,
    /// The functions that were differentiated in reverse mode.
    reversals: &'unit mut Vec<Reversal>,
    function: usize,
    /// The targets that are known constants.
    known: HashMap<Variable, Operand>,
}

impl Removal<'_> {
    fn run(mut self) -> Result<(), Refusal> {
        let mut body = match self.unit.functions.get_mut(self.function) {
            Some(function) => std::mem::take(&mut function.body),
            None => internal_bug!("functions are numbered in order"),
        };
        if body.all_statements().any(Statement::begins_level) {
            self.block(&mut body)?;
        }
        if let Some(function) = self.unit.functions.get_mut(self.function) {
            function.body = body;
        }
        Ok(())
    }

    fn block(&mut self, block: &mut Block) -> Result<(), Refusal> {
        for mut statement in std::mem::take(&mut block.statements) {
            statement.change_operands(|operand| substitute(&self.known, operand));
            match statement {
                Statement::Forward { targets, function, arguments, tangents } => {
                    let tangents: Vec<Operand> = tangents.into_iter().map(|tangent| tangent.unwrap_or(ZERO)).collect();
                    self.forward_mode(&targets, function, &arguments, &tangents, &mut block.statements)?;
                }
                Statement::Reverse { targets, function, mut arguments, active, cotangents, recording } => {
                    let function = self.reverse_mode(function, active, recording)?;
                    arguments.extend(cotangents);
                    block.statements.push(Statement::Call { targets, function, arguments });
                }
                mut other => {
                    if let Some(block) = other.block_mut() {
                        self.block(block)?;
                    }
                    block.statements.push(other);
                }
            }
        }
        block.end.operands_mut().iter_mut().for_each(|operand| substitute(&self.known, operand));
        for block in block.end.blocks_mut().into_iter().flatten() {
            self.block(block)?;
        }
        Ok(())
    }

    /// The function to be called in place of another one in reverse mode: a trace tells its nodes, if possible; else an
    /// outermost level has a tape.
    fn reverse_mode(
        &mut self,
        function: FunctionId,
        active: Vec<bool>,
        recording: Recording,
    ) -> Result<FunctionId, Refusal> {
        // A level of reverse mode around it records all that is executed, once, so nothing is executed again there.
        let is_recorded = recording != Recording::Everything && self.is_within(Levels::Reverse);
        let recording = if is_recorded { Recording::Everything } else { recording };
        let mode = Mode { function, active, recording };
        let refusal = match self.reversed(&mode, Way::Traced(Data::Scalars)) {
            Ok(made) => return Ok(made),
            Err(refusal) => refusal,
        };
        let data = match refusal.kind {
            RefusalKind::Arrays => Some(Data::Arrays { is_outermost: !self.is_within(Levels::All) }),
            RefusalKind::Cells => Some(Data::Cells),
            _ => None,
        };
        if let Some(data) = data.filter(|_| !self.is_within(Levels::Reverse)) {
            match self.reversed(&mode, Way::Traced(data)) {
                Ok(made) => return Ok(made),
                Err(refusal) if recording != Recording::Everything => return Err(refusal.of_checkpoints()),
                Err(_) => {}
            }
        }
        if self.is_within(Levels::All) {
            return Err(refusal);
        }
        if recording != Recording::Everything {
            return Err(refusal.of_checkpoints());
        }
        self.reversed(&mode, Way::Taped)
    }

    /// The function that is called instead, made in a certain way.
    fn reversed(&mut self, mode: &Mode, way: Way) -> Result<FunctionId, Refusal> {
        let key = (mode.clone(), way);
        if let Some(made) = self.reversed.get(&key) {
            return made.clone();
        }
        let made = match way {
            Way::Traced(data) => reverse::remove(self.unit, mode, data, self.derivatives.balanced()),
            Way::Taped => tape::remove(self.unit, mode.function, &mode.active),
        };
        if let Ok(made) = made {
            let record = match way {
                Way::Traced(Data::Scalars | Data::Cells) => Record::of(mode.recording, Record::Values),
                Way::Traced(Data::Arrays { .. }) => Record::of(mode.recording, Record::Repetition),
                Way::Taped => Record::Tape,
            };
            if way != Way::Taped {
                self.derivatives.is_balanced(made);
            }
            let reversal = Reversal { function: self.unit.function(mode.function).name.clone(), record };
            if !self.reversals.contains(&reversal) {
                self.reversals.push(reversal);
            }
        }
        self.reversed.insert(key, made.clone());
        made
    }

    /// Returns true if some levels are around those that the function begins.
    fn is_within(&self, levels: Levels) -> bool {
        let mut differentiated = Vec::new();
        for function in &self.unit.functions {
            for statement in function.body.all_statements() {
                match statement {
                    Statement::Reverse { function, .. } => differentiated.push(*function),
                    Statement::Forward { function, .. } if levels == Levels::All => differentiated.push(*function),
                    _ => {}
                }
            }
        }
        let is_reached = CallGraph::of(self.unit, Calls::All).reached(differentiated);
        is_reached[FunctionId(self.function as u32)]
    }

    /// A call of the derivative. Tangents leave the level without the sign of a zero; constant ones are known then.
    fn forward_mode(
        &mut self,
        targets: &[Variable],
        function: FunctionId,
        primals: &[Operand],
        tangents: &[Operand],
        code: &mut Vec<Statement>,
    ) -> Result<(), Refusal> {
        let activities = tangents.iter().copied().map(Activity::of).collect();
        let derived = derivative(self.derivatives, self.unit, function, activities)?;
        let kinds = self.unit.function(function).results.clone();
        let (results, of_reals) = targets.split_at(kinds.len().min(targets.len()));
        let mut called = results.to_vec();
        let mut given_back = Vec::new();
        let differentiable =
            kinds.iter().zip(&derived.results).zip(results).filter(|((kind, _), _)| kind.is_differentiable());
        let mut emitter = self.emitter(&mut given_back);
        let mut known = Vec::new();
        for (((kind, activity), result), target) in differentiable.zip(of_reals) {
            match activity {
                Activity::Constant(_) if kind.is_array() => {
                    let like = Operand::Variable(*result);
                    emitter.statements.push(Statement::Zeros { target: *target, like });
                }
                // Nothing reads a real of a cell that leaves a level.
                Activity::Active if *kind == Kind::Cell => called.push(*target),
                Activity::Constant(bits) => known.push((*target, Operand::Real(*bits))),
                Activity::Active => {
                    let tangent = emitter.function.fresh(*kind);
                    called.push(tangent);
                    known.push((*target, emitter.without_signs_of_zeros(Operand::Variable(tangent))));
                }
            }
        }
        let arguments = derived.arguments(primals, tangents, &mut self.emitter(code));
        self.known.extend(known);
        code.push(Statement::Call { targets: called, function: derived.function, arguments });
        code.extend(given_back);
        Ok(())
    }

    fn emitter<'code>(&'code mut self, statements: &'code mut Vec<Statement>) -> Emitter<'code> {
        match self.unit.functions.get_mut(self.function) {
            Some(function) => Emitter { function, statements },
            None => internal_bug!("functions are numbered in order"),
        }
    }
}

fn substitute(known: &HashMap<Variable, Operand>, operand: &mut Operand) {
    operand.substitute(known);
}

#[cfg(test)]
mod tests;

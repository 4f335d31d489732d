//! References to accumulators in memory: every real that a cell may hold ([`super::held_reals`]) gets a cell that refers
//! to the accumulator of its node. The reference is moved wherever the real is, and is a further part of the cells that
//! hold it.
//!
//! So a node that is in several cells, or is read several times, has one accumulator. Contributions are added to it one
//! by one, in the order of the sweep. The trace makes the accumulator where an operation makes the node
//! ([`super::super::trace::cells`]). A value that is no node has an absent cell as its reference.
//!
//! [`borders`] treats two special cases: cells that were made outside of the level, which have no references, and the
//! arrays in which reals enter and leave the level.

mod borders;

use super::super::nodes::Instances;
use super::copies::{Copies, Sources};
use super::held_reals::HeldReals;
use crate::differentiate::beside::Beside;
use crate::differentiate::emitter::Emitter;
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::{Block, Function, FunctionId, Kind, Operand, Statement, Unit, Variable};
use std::collections::{BTreeMap, HashMap};
use vlad_table::internal_bug;

/// The greatest number of parts of a cell, references included: those that the header of a cell describes
/// (`vlad_compiler::specialised`).
pub const MOST_PARTS: usize = 54;

/// The references of the variables of some functions.
#[derive(Clone, Debug, Default)]
pub struct References {
    of: HashMap<FunctionId, HashMap<Variable, Operand>>,
}

impl References {
    /// The reference of a variable.
    pub fn get(&self, function: FunctionId, variable: Variable) -> Option<Operand> {
        self.of.get(&function)?.get(&variable).copied()
    }

    pub fn insert(&mut self, function: FunctionId, variable: Variable, reference: Operand) {
        self.of.entry(function).or_default().insert(variable, reference);
    }

    /// True for a function that has references.
    pub fn has(&self, function: FunctionId) -> bool {
        self.of.contains_key(&function)
    }
}

/// Functions with references. The parameters of each are those of its source, then the references of those reals among
/// them that cells hold, and the shadow arrays of arrays of such; so are its results. The last parameters of the root are
/// the cotangents of the arrays of reals among its results.
#[derive(Debug)]
pub struct Referring {
    /// In order of their numbers, which begin with a given one.
    pub functions: Vec<Function>,
    pub references: References,
    /// The number of the function for the source.
    pub root: FunctionId,
    /// For each parameter, and each result, of the source true if it has a reference, or a shadow array.
    pub parameters: Vec<bool>,
    pub results: Vec<bool>,
}

/// Returns functions with references, with numbers from `next` on, for a function and those that it calls.
///
/// # Errors
/// Returns a refusal if there are arrays, if cells are given that may hold active reals, or if the code becomes too
/// large.
pub fn with_references(
    unit: &Unit,
    instances: &mut Instances,
    (root, active): (FunctionId, &[bool]),
    next: FunctionId,
) -> Result<Referring, Refusal> {
    let (mut sources, mut held) = analysed(unit, instances, (root, active), Copies::Shared)?;
    if held.are_given() {
        let (copies, of_copies) = analysed(unit, instances, (root, active), Copies::OfEachCall)?;
        if !of_copies.are_given() {
            (sources, held) = (copies, of_copies);
        }
    }
    let numbers = numbers(&sources.functions, &held, root, next);
    let Some(source) = sources.functions.get(&root) else { internal_bug!("the function itself is analysed") };
    let mut references = References::default();
    let mut made = Vec::new();
    for (id, function) in &sources.functions {
        let Some(number) = numbers.get(id) else { continue };
        let mut rewriting = Rewriting::new(function, *id, &held, (&sources, &numbers));
        if *id == root {
            rewriting = rewriting.with_cotangents();
        }
        let (function, of) = rewriting.function()?;
        references.of.insert(*number, of);
        made.push(function);
    }
    let Some(number) = numbers.get(&root) else { internal_bug!("the function itself is made") };
    let is_held = |parameter: &Variable| held.is_held(root, source, *parameter);
    let parameters = source.parameters.iter().map(is_held).collect();
    let results = held.held_results(root, source);
    Ok(Referring { functions: made, references, root: *number, parameters, results })
}

/// The functions, and the reals that cells hold there.
fn analysed(
    unit: &Unit,
    instances: &mut Instances,
    (root, active): (FunctionId, &[bool]),
    copies: Copies,
) -> Result<(Sources, HeldReals), Refusal> {
    let sources = Sources::of(unit, instances, root, copies)?;
    let held = HeldReals::of(&sources.functions, root, active);
    Ok((sources, held))
}

/// The numbers of the functions that get references: those that have held reals, those that call such, and the root.
fn numbers(
    functions: &BTreeMap<FunctionId, Function>,
    held: &HeldReals,
    root: FunctionId,
    next: FunctionId,
) -> BTreeMap<FunctionId, FunctionId> {
    let has_held = |(id, function): &(&FunctionId, &Function)| {
        let mut variables = (0..function.variables.len() as u32).map(Variable);
        // Constants may be held as well.
        let is_in_cell = |statement: &Statement| {
            matches!(statement, Statement::Cell { target, parts }
                if held.held_parts(**id, function, *target, parts).contains(&true))
        };
        function.body.all_statements().any(is_in_cell)
            || variables.any(|variable| held.is_held(**id, function, variable))
            || held.held_results(**id, function).contains(&true)
    };
    let mut callers: HashMap<FunctionId, Vec<FunctionId>> = HashMap::new();
    for (id, function) in functions {
        for callee in function.body.all_statements().filter_map(Statement::callee) {
            callers.entry(callee).or_default().push(*id);
        }
    }
    let mut pending: Vec<FunctionId> = functions.iter().filter(has_held).map(|(id, _)| *id).chain([root]).collect();
    let mut numbers = BTreeMap::new();
    while let Some(id) = pending.pop() {
        if numbers.insert(id, next).is_none() {
            pending.extend(callers.get(&id).into_iter().flatten());
        }
    }
    for (number, place) in numbers.values_mut().zip(next.0..) {
        *number = FunctionId(place);
    }
    numbers
}

/// The kind of the reference of a held real, or of the shadow array of an array.
pub fn kind_of_reference(kind: Kind) -> Kind {
    if kind.is_array() { kind } else { Kind::Cell }
}

/// A function that gets references.
struct Rewriting<'held> {
    /// The function without its body.
    function: Function,
    source: &'held Function,
    id: FunctionId,
    held: &'held HeldReals,
    sources: &'held Sources,
    numbers: &'held BTreeMap<FunctionId, FunctionId>,
    references: HashMap<Variable, Operand>,
    /// Of the root, for each result that is an array of reals its cotangents.
    cotangents: Vec<Option<Variable>>,
}

impl<'held> Rewriting<'held> {
    fn new(
        source: &'held Function,
        id: FunctionId,
        held: &'held HeldReals,
        (sources, numbers): (&'held Sources, &'held BTreeMap<FunctionId, FunctionId>),
    ) -> Rewriting<'held> {
        let function = Function { body: Block::default(), ..source.clone() };
        Rewriting { function, source, id, held, sources, numbers, references: HashMap::new(), cotangents: Vec::new() }
    }

    /// The root: it has cotangents.
    fn with_cotangents(mut self) -> Self {
        let is_given = |kind: &Kind| kind.is_array() && kind.is_differentiable();
        let given = |kind: &Kind| is_given(kind).then(|| self.function.fresh(*kind));
        self.cotangents = self.source.results.iter().map(given).collect();
        self
    }

    fn function(mut self) -> Result<(Function, HashMap<Variable, Operand>), Refusal> {
        let mut parameters = self.extended(&self.source.parameters);
        let results = self.held.held_results(self.id, self.source);
        let body = self.block(&self.source.body, &results, &[])?;
        parameters.extend(self.cotangents.iter().flatten());
        let mut function = self.function;
        function.parameters = parameters;
        let of_results = self.source.results.iter().zip(&results).filter(|(_, held)| **held);
        function.results.extend(of_results.map(|(kind, _)| kind_of_reference(*kind)));
        function.body = body;
        Ok((function, self.references))
    }

    fn is_held(&self, variable: Variable) -> bool {
        self.held.is_held(self.id, self.source, variable)
    }
}

impl Beside for Rewriting<'_> {
    fn has(&self, variable: Variable) -> bool {
        self.is_held(variable)
    }

    fn second(&mut self, variable: Variable) -> Variable {
        let reference = self.function.fresh(kind_of_reference(self.function.kind(variable.into())));
        self.references.insert(variable, Operand::Variable(reference));
        reference
    }

    fn second_of(&mut self, operand: Operand, code: &mut Vec<Statement>) -> Result<Operand, Refusal> {
        match operand {
            Operand::Variable(variable) => match self.references.get(&variable) {
                Some(reference) => Ok(*reference),
                // A popped value: the trace has no such code.
                None => Err(Refusal::new(RefusalKind::RecordStack)),
            },
            Operand::Real(_) | Operand::Boolean(_) => {
                let mut emit = Emitter { function: &mut self.function, statements: code };
                Ok(emit.assign(Kind::Cell, |target| Statement::Cell { target, parts: Vec::new() }))
            }
        }
    }

    fn statement(&mut self, statement: &Statement, code: &mut Vec<Statement>) -> Result<(), Refusal> {
        let made = match statement {
            Statement::Storage(_) => internal_bug!("storage code is made after all passes"),
            Statement::Operation { target, .. } => {
                if self.is_held(*target) {
                    self.second(*target);
                }
                statement.clone()
            }
            Statement::PositiveZero { target, operand } => {
                if self.is_held(*target) {
                    let reference = self.second_of(*operand, code)?;
                    self.references.insert(*target, reference);
                }
                statement.clone()
            }
            Statement::Input { target, .. } if self.function.kind((*target).into()).is_array() => {
                return self.beside_cells(statement, code);
            }
            Statement::Input { target, .. }
            | Statement::Read { target }
            | Statement::Steps { target }
            | Statement::Length { target, .. } => {
                if self.is_held(*target) {
                    let reference = self.second_of(Operand::real(0.0), code)?;
                    self.references.insert(*target, reference);
                }
                statement.clone()
            }
            Statement::Call { targets, function, arguments } => {
                let callee = self.sources.functions.get(function);
                let Some((number, callee)) = self.numbers.get(function).zip(callee) else {
                    let function = self.sources.origins.get(function).copied().unwrap_or(*function);
                    code.push(Statement::Call { targets: targets.clone(), function, arguments: arguments.clone() });
                    return Ok(());
                };
                let held = |parameter: &Variable| self.held.is_held(*function, callee, *parameter);
                let held: Vec<bool> = callee.parameters.iter().map(held).collect();
                let arguments = self.moved(arguments, &held, code)?;
                Statement::Call { targets: self.extended(targets), function: *number, arguments }
            }
            Statement::Cell { target, parts } => {
                let held = self.held.held_parts(self.id, self.source, *target, parts);
                let mut parts = parts.clone();
                let mut references = self.moved(&parts, &held, code)?.split_off(parts.len());
                if self.held.is_given(self.id, *target) && !parts.is_empty() {
                    self.has_flags(&parts)?;
                    parts.push(Operand::Boolean(true));
                }
                parts.append(&mut references);
                if parts.len() > MOST_PARTS {
                    return Err(Refusal::new(RefusalKind::Cells));
                }
                Statement::Cell { target: *target, parts }
            }
            Statement::Parts { targets, cell } => {
                let mut all = self.extended(targets);
                if all.len() >= MOST_PARTS {
                    return Err(Refusal::new(RefusalKind::Cells));
                }
                match cell {
                    Operand::Variable(given) if all.len() > targets.len() && self.held.is_given(self.id, *given) => {
                        let references = all.split_off(targets.len());
                        return self.parts_of_given((targets, references), *given, code);
                    }
                    Operand::Variable(_) | Operand::Real(_) | Operand::Boolean(_) => {
                        Statement::Parts { targets: all, cell: *cell }
                    }
                }
            }
            Statement::Compare { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Count { .. }
            | Statement::Recount { .. } => statement.clone(),
            Statement::Bind { .. } | Statement::Loop { .. } => internal_bug!("nested blocks are rewritten as such"),
            Statement::Forward { .. } | Statement::Reverse { .. } => {
                return Err(Refusal::new(RefusalKind::InnerLevels));
            }
            Statement::Act { .. } => return Err(Refusal::new(RefusalKind::RecordStack)),
            Statement::Array { .. }
            | Statement::Build { .. }
            | Statement::Element { .. }
            | Statement::IsIndex { .. }
            | Statement::Replace { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. } => return self.beside_cells(statement, code),
        };
        code.push(made);
        Ok(())
    }
}

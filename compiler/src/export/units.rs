//! First-order code of exports, from a program with an appendix.
//!
//! The appendix defines the procedure and the operands of each export, and applies the procedures to the operands. The
//! analysis knows only the shapes of the operands. So an export is an item like any other. A definition without a value
//! at compile time is computed again in each call that reads it.

use super::outputs::{Output, outputs};
use super::request::Request;
use super::signature::Type;
use super::sizes::{Sizes, reduce, sizes};
use crate::analysis::{Analysis, Cause, Reason, Weighing};
use crate::pipeline::{lowered, simplified, without_levels};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use vlad_core::{ExpressionId, GlobalId, Item, LambdaId, Program};
use vlad_first_order::Unit;
use vlad_first_order::passes::Passes;

/// An impossible export.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The name of the export.
    pub export: String,
    /// The reason, a clause.
    pub message: String,
    /// The advice.
    pub hint: Option<String>,
    /// The place in the program.
    pub node: Option<ExpressionId>,
}

/// The first-order code of exports.
#[derive(Debug)]
pub struct Units {
    /// The definitions that calls compute, by their globals. A definition reads only earlier ones.
    pub definitions: BTreeMap<GlobalId, Unit>,
    /// The exports, in the order of the requests.
    pub exports: Vec<ExportUnit>,
}

/// The first-order code of an export.
#[derive(Debug)]
pub struct ExportUnit {
    /// The code.
    pub unit: Unit,
    /// The procedure, if its code is in the program.
    pub procedure: Option<LambdaId>,
    /// The globals of its operands.
    pub operands: Vec<GlobalId>,
    /// The sources of the leaves of its result.
    pub outputs: Vec<Output>,
    /// The sizes of its result, if the result has arrays.
    pub sizes: Option<Sizes>,
}

/// The role of an item in exports.
#[derive(Clone, Copy)]
enum Role<'request> {
    /// An item of the program itself.
    Program,
    /// The procedure of an export.
    Procedure(&'request Request),
    /// An operand.
    Operand(&'request Request, &'request Type),
    /// The application.
    Application(&'request Request),
}

/// The roles of the last items of a program, in their order.
fn appended_roles(requests: &[Request]) -> Vec<Role<'_>> {
    let given = requests.iter().flat_map(|request| {
        let operands = request.signature.operands.iter().map(move |of| Role::Operand(request, of));
        std::iter::once(Role::Procedure(request)).chain(operands)
    });
    given.chain(requests.iter().map(Role::Application)).collect()
}

/// Compiles exports of a program with the appendix of the requests: first all [`Request::appended`], then the
/// application of each procedure to its operands.
///
/// # Errors
/// A refusal for each impossible export.
pub fn units(program: &Program, requests: &[Request], passes: Passes) -> Result<Units, Vec<Refusal>> {
    let appended = appended_roles(requests);
    let own = program.items.len().saturating_sub(appended.len());
    let roles = std::iter::repeat_n(Role::Program, own).chain(appended);
    let mut analysis = Analysis::new(program, Weighing::None).with_elements_of_data();
    let mut compiled = Compiled { program, definitions: BTreeMap::new(), operands: Vec::new(), refusals: Vec::new() };
    let mut exports = Vec::new();
    let mut procedures = VecDeque::new();
    for (item, role) in program.items.iter().zip(roles) {
        let mut next = || analysis.next_item(|_, unit| lowered(unit, passes, Weighing::None));
        match (role, item) {
            // An expression at top level concerns no export.
            (Role::Program, Item::Expression(_)) => analysis.skip_item(),
            (Role::Program, Item::Define(global, _)) => {
                if let Some(Ok(unit)) = next() {
                    compiled.definitions.insert(*global, unit);
                }
            }
            (Role::Procedure(request), Item::Define(global, node)) => {
                match next() {
                    Some(Ok(unit)) => drop(compiled.definitions.insert(*global, unit)),
                    Some(Err(Reason { cause: Cause::Procedure, .. })) | None => {}
                    Some(Err(reason)) => compiled.refuse(request, &reason, *node),
                }
                procedures.push_back(analysis.procedure_of(*global));
            }
            (Role::Operand(request, of), Item::Define(global, node)) => {
                compiled.operands.push(*global);
                if let Err(reason) = analysis.assume_item(&of.assumed()) {
                    compiled.refuse(request, &reason, *node);
                }
            }
            (Role::Application(request), Item::Expression(node)) => {
                let operands: Vec<GlobalId> = compiled.operands.drain(..request.signature.operands.len()).collect();
                let procedure = procedures.pop_front().flatten();
                match analysis.next_item(|_, unit| with_sizes(unit, &request.signature.result, passes)) {
                    Some(Ok((unit, sizes))) => {
                        compiled.refuse_effects(request, &unit, &operands);
                        match outputs(&unit.result, &request.signature.result) {
                            Ok(outputs) => exports.push(ExportUnit { unit, procedure, operands, outputs, sizes }),
                            Err(found) => compiled.refuse_result(request, &found, &operands),
                        }
                    }
                    Some(Err(Reason { cause: Cause::NoValue, .. })) => {
                        let message = "applied to such operands it does not return a value".to_owned();
                        let hint = "let the signature have the operands that the procedure takes";
                        compiled.add(request, message, hint, compiled.procedure_of(&operands));
                    }
                    // The user did not write the application, so it is not shown as a place.
                    Some(Err(reason)) => {
                        let reason = Reason { node: reason.node.filter(|place| place != node), ..reason };
                        compiled.refuse(request, &reason, compiled.procedure_of(&operands));
                    }
                    None => {}
                }
            }
            (Role::Procedure(_) | Role::Operand(..), Item::Expression(_))
            | (Role::Application(_), Item::Define(..)) => {
                vlad_table::internal_bug!("the appendix has definitions, then applications")
            }
        }
    }
    if !compiled.refusals.is_empty() {
        return Err(compiled.refusals);
    }
    let mut definitions = compiled.definitions;
    for unit in definitions.values_mut().chain(exports.iter_mut().map(|export| &mut export.unit)) {
        unit.remove_counts();
    }
    for sizes in exports.iter_mut().filter_map(|export| export.sizes.as_mut()) {
        sizes.unit.remove_counts();
    }
    Ok(Units { definitions, exports })
}

/// The code of an export, and the code for the sizes of its result.
fn with_sizes(mut unit: Unit, result: &Type, passes: Passes) -> Result<(Unit, Option<Sizes>), Reason> {
    without_levels(&mut unit, passes, Weighing::None)?;
    // The steps of exported code are not observable, and counts hinder passes.
    unit.remove_counts();
    passes.prepare(&mut unit);
    let mut sizes = outputs(&unit.result, result).ok().and_then(|outputs| sizes(&unit, &outputs));
    simplified(&mut unit, passes, Weighing::None, &mut |_, _| {})?;
    if let Some(sizes) = &mut sizes {
        simplified(&mut sizes.unit, passes, Weighing::None, &mut |_, _| {})?;
        reduce(&mut sizes.unit);
    }
    Ok((unit, sizes))
}

struct Compiled<'program> {
    program: &'program Program,
    definitions: BTreeMap<GlobalId, Unit>,
    /// The operands that are defined and not yet applied.
    operands: Vec<GlobalId>,
    refusals: Vec<Refusal>,
}

impl Compiled<'_> {
    /// Refuses an export for a reason, unless it is refused already.
    fn refuse(&mut self, request: &Request, reason: &Reason, node: ExpressionId) {
        let node = reason.node.unwrap_or(node);
        self.add(request, reason.text().into_owned(), reason.hint(), node);
    }

    fn add(&mut self, request: &Request, message: String, hint: &str, node: ExpressionId) {
        if self.refusals.iter().all(|other| other.export != request.name) {
            let (export, hint) = (request.name.clone(), (!hint.is_empty()).then(|| hint.to_owned()));
            self.refusals.push(Refusal { export, message, hint, node: Some(node) });
        }
    }

    /// Refuses an export with a result that does not match its signature.
    fn refuse_result(&mut self, request: &Request, found: &str, operands: &[GlobalId]) {
        let expected = &request.signature.result;
        let message = format!("the result is {found}, and not {expected} as its signature says");
        let hint = "write what the result is behind `->`, or let the procedure return what the signature says";
        self.add(request, message, hint, self.procedure_of(operands));
    }

    /// Refuses an export that reads or writes, directly or in a definition.
    fn refuse_effects(&mut self, request: &Request, unit: &Unit, operands: &[GlobalId]) {
        let mut effect = unit.effect().map(|effect| format!("it {effect}"));
        let needed = match needed(unit, &self.definitions, operands) {
            Ok(needed) => needed,
            Err(global) => {
                let name = &self.program.global(global).name;
                let (message, hint) = match self.definitions.contains_key(&global) {
                    true => (
                        format!("the value of `{name}` grows in a loop or a recursion"),
                        "make it inside of the procedure that is exported, or use a vector that `build` makes",
                    ),
                    false => (
                        format!("the value of `{name}` is not known"),
                        "`vlad explain` tells why its definition is not specialised",
                    ),
                };
                return self.add(request, message, hint, self.procedure_of(operands));
            }
        };
        for global in needed {
            if let Some(found) = self.definitions.get(&global).and_then(Unit::effect) {
                let name = &self.program.global(global).name;
                effect.get_or_insert_with(|| format!("the definition of `{name}`, to which it refers, {found}"));
            }
        }
        if let Some(message) = effect {
            let hint = "let what is read be an operand, and what is written a part of the result";
            self.add(request, message, hint, self.procedure_of(operands));
        }
    }

    fn procedure_of(&self, operands: &[GlobalId]) -> ExpressionId {
        procedure_of(self.program, operands).unwrap_or(ExpressionId(0))
    }
}

/// The expression of an export's procedure: the item before its operands.
fn procedure_of(program: &Program, operands: &[GlobalId]) -> Option<ExpressionId> {
    let first = program.items.iter().position(|item| match item {
        Item::Define(global, _) => operands.first() == Some(global),
        Item::Expression(_) => false,
    })?;
    program.items.get(first.checked_sub(1)?).map(|item| item.node())
}

/// The definitions that a unit reads, directly or through others, without its operands.
///
/// # Errors
/// A global without a unit, or with a value of unbounded size (a cell), which exported code does not support.
pub fn needed(
    unit: &Unit,
    definitions: &BTreeMap<GlobalId, Unit>,
    operands: &[GlobalId],
) -> Result<BTreeSet<GlobalId>, GlobalId> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<GlobalId> = unit.inputs.iter().map(|(global, _)| *global).collect();
    while let Some(global) = pending.pop() {
        if operands.contains(&global) || !found.insert(global) {
            continue;
        }
        let inner = definitions.get(&global).filter(|inner| inner.result.cells.is_empty()).ok_or(global)?;
        pending.extend(inner.inputs.iter().map(|(global, _)| *global));
    }
    Ok(found)
}

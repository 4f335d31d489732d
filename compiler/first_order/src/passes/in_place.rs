//! Vectors that are updated in place: lowers [`Statement::Replace`].
//!
//! A loop may have an array in its state, and give it to the next iteration with other elements. It works on one array of its own if
//! no code can tell the difference: each *version* of the array is read only before the next one is made ([`versions`]). The loop is
//! given a copy, unless nothing else uses the initial array. All versions, and the result of the loop, are this one array, which
//! [`Statement::Store`] changes. So an iteration takes no time for the elements that it does not replace. No other value changes, so
//! no bit does.
//!
//! Other replacements copy the array. Outside of loops and recursion it is copied once. A copy that is made again and again, of an
//! array that may come from the turn or the call before, is reported, and the pipeline decides: where the tagged back end can take the
//! item, it does, since it updates vectors in place by counting references. It copies vectors that it makes once and replaces an
//! element of in each turn, as well as inputs and rows of other arrays. The pass is the last one of the pipeline on code without levels (`vlad_compiler::pipeline`).

mod versions;

use crate::call_graph::repeated;
use crate::passes::shape::loop_state::{retain_results, retain_state};
use crate::variables::reads;
use crate::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use versions::Versions;
use vlad_core::ExpressionId;
use vlad_table::Comparison;

/// Lowers all replacements.
///
/// # Errors
/// Returns the application of a replacement that copies a vector again and again, if there is one; all are lowered in any case.
pub fn update_in_place(unit: &mut Unit) -> Result<(), ExpressionId> {
    let is_replacement = |statement: &Statement| matches!(statement, Statement::Replace { .. });
    let replaces = |function: &Function| function.body.all_statements().any(is_replacement);
    if !unit.functions.iter().any(replaces) {
        return Ok(());
    }
    let repeated = repeated(unit);
    let mut copying = None;
    for (function, is_repeated) in unit.functions.iter_mut().zip(repeated) {
        if replaces(function) {
            let mut body = std::mem::take(&mut function.body);
            let uses = reads(&body);
            let anew = made_anew(&body);
            let mut lowering =
                Lowering { function, uses, anew, renamed: HashMap::new(), owned: HashSet::new(), copying: None };
            lowering.block(&mut body, is_repeated);
            copying = copying.or(lowering.copying);
            body.substitute(&lowering.renamed);
            function.body = body;
        }
    }
    copying.map_or(Ok(()), Err)
}

/// The arrays that statements make, find in others or are given as inputs: none of them is handed on from turn to turn.
fn made_anew(body: &Block) -> HashSet<Variable> {
    let is_such = |statement: &&Statement| {
        matches!(
            statement,
            Statement::Build { .. }
                | Statement::Array { .. }
                | Statement::Zeros { .. }
                | Statement::Element { .. }
                | Statement::Input { .. }
        )
    };
    body.all_statements().filter(is_such).flat_map(|statement| statement.targets().to_vec()).collect()
}

struct Lowering<'unit> {
    function: &'unit mut Function,
    uses: HashMap<Variable, usize>,
    /// The arrays of [`made_anew`].
    anew: HashSet<Variable>,
    /// The arrays that stand for versions.
    renamed: HashMap<Variable, Operand>,
    /// The arrays, made in the present block, that have one use, which may change them.
    owned: HashSet<Variable>,
    /// The first replacement that copies a vector again and again.
    copying: Option<ExpressionId>,
}

impl Lowering<'_> {
    fn block(&mut self, block: &mut Block, is_repeated: bool) {
        let around = std::mem::take(&mut self.owned);
        for mut statement in std::mem::take(&mut block.statements) {
            statement.change_operands(|operand| operand.substitute(&self.renamed));
            if let Statement::Replace { target, array, index, value, node } = statement {
                let is_anew = matches!(array, Operand::Variable(array) if self.anew.contains(&array));
                self.copies(node, is_repeated && !is_anew);
                statement = self.replaced(target, array, Some((index, value)), &mut block.statements);
            }
            while self.convert(&mut statement, is_repeated, &mut block.statements) {}
            let repeats = statement.repeats();
            if let Some(inner) = statement.block_mut() {
                self.block(inner, is_repeated || repeats);
            }
            self.own(&statement);
            block.statements.push(statement);
        }
        for inner in block.end.blocks_mut().into_iter().flatten() {
            self.block(inner, is_repeated);
        }
        self.owned = around;
    }

    /// Notes that a replacement copies a vector.
    fn copies(&mut self, node: ExpressionId, is_repeated: bool) {
        if is_repeated {
            self.copying.get_or_insert(node);
        }
    }

    /// Notes the arrays that a statement makes and that are used once.
    fn own(&mut self, statement: &Statement) {
        if let Statement::Build { .. } | Statement::Array { .. } | Statement::Zeros { .. } = statement {
            let is_single = |target: &&Variable| self.uses.get(target) == Some(&1);
            self.owned.extend(statement.targets().iter().filter(is_single));
        }
    }

    /// Lets a loop update an array of its state in place; returns false if it has none that can be. Statements that come before the
    /// loop are appended to `before`.
    fn convert(&mut self, statement: &mut Statement, is_repeated: bool, before: &mut Vec<Statement>) -> bool {
        let Statement::Loop { targets, state, initial, body } = &*statement else { return false };
        for (variable, initial) in state.iter().zip(initial) {
            if !self.function.kind((*variable).into()).is_array() {
                continue;
            }
            let Some(versions) = Versions::of_loop(*variable, targets, state, body) else { continue };
            let owned = match initial {
                Operand::Variable(initial) if self.owned.remove(initial) => Some(*initial),
                _ => None,
            };
            let array = match owned {
                Some(array) => array,
                None => {
                    self.copies(versions.replacement, is_repeated);
                    let copy = self.function.fresh(self.function.kind(*initial));
                    let statement = self.replaced(copy, *initial, None, before);
                    before.push(statement);
                    copy
                }
            };
            // What follows may be a loop that goes on with the array.
            if let Some(target) = targets.iter().find(|target| versions.all.contains(target))
                && self.uses.get(target) == Some(&1)
            {
                self.owned.insert(array);
            }
            let mut merging = Merging { function: self.function, versions: &versions, array, saved: HashMap::new() };
            merging.statement(statement, before);
            self.renamed.extend(versions.all.into_iter().map(|version| (version, Operand::Variable(array))));
            return true;
        }
        false
    }

    /// The statement that copies an array, with a new value at an index if one is given.
    fn replaced(
        &mut self,
        target: Variable,
        array: Operand,
        element: Option<(Operand, Operand)>,
        before: &mut Vec<Statement>,
    ) -> Statement {
        let kind = match self.function.kind(array).element() {
            Some(kind) => kind,
            None => vlad_table::internal_bug!("what is copied is an array"),
        };
        let (length, index) = (self.function.fresh(Kind::Real), self.function.fresh(Kind::Real));
        before.push(Statement::Length { target: length, array });
        let old = self.function.fresh(kind);
        let element_of = Statement::Element { target: old, array, index: index.into() };
        let moved = Block { statements: vec![element_of], end: End::Yield(vec![old.into()]) };
        let body = match element {
            None => moved,
            Some((place, value)) => {
                let test = self.function.fresh(Kind::Boolean);
                let compare = Statement::Compare {
                    target: test,
                    comparison: Comparison::Equal,
                    first: index.into(),
                    second: place,
                };
                let new = Block { statements: Vec::new(), end: End::Yield(vec![value]) };
                let (consequent, alternative) = (Box::new(new), Box::new(moved));
                Block { statements: vec![compare], end: End::Branch { test: test.into(), consequent, alternative } }
            }
        };
        Statement::Build { targets: vec![target], length: length.into(), index, body }
    }
}

/// The replacement of the versions of an array by one array, which changes.
struct Merging<'unit> {
    function: &'unit mut Function,
    versions: &'unit Versions,
    array: Variable,
    /// For each version of whose predecessor an element is still read: the index that was replaced, and the old element.
    saved: HashMap<Variable, (Operand, Variable)>,
}

impl Merging<'_> {
    fn is_version(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Variable(variable) if self.versions.all.contains(&variable))
    }

    /// For each variable true if it is no version.
    fn others(&self, variables: &[Variable]) -> Vec<bool> {
        variables.iter().map(|variable| !self.versions.all.contains(variable)).collect()
    }

    fn block(&mut self, block: &mut Block) {
        for mut statement in std::mem::take(&mut block.statements) {
            self.statement(&mut statement, &mut block.statements);
            block.statements.push(statement);
        }
        for inner in block.end.blocks_mut().into_iter().flatten() {
            self.block(inner);
        }
    }

    /// Puts the one array in place of the versions in a statement. Statements that come before it are appended to `before`.
    fn statement(&mut self, statement: &mut Statement, before: &mut Vec<Statement>) {
        let array = Operand::Variable(self.array);
        match statement {
            Statement::Replace { target, index, value, .. } if self.versions.all.contains(target) => {
                if self.versions.late.values().any(|newest| newest == target) {
                    let kind = self.function.kind(*value);
                    let old = self.function.fresh(kind);
                    before.push(Statement::Load { target: old, array, index: *index });
                    self.saved.insert(*target, (*index, old));
                }
                *statement = Statement::Store { array, index: *index, value: *value };
            }
            Statement::Element { target, array: of, index } if self.is_version(*of) => {
                let newest = self.versions.late.get(target);
                *statement = match newest.and_then(|newest| self.saved.get(newest)).copied() {
                    Some(saved) => self.element_before(*target, *index, saved, before),
                    None => Statement::Load { target: *target, array, index: *index },
                };
            }
            Statement::Bind { targets, block } => {
                self.block(block);
                let keep = self.others(targets);
                retain_results(targets, block, |place| keep.get(place) == Some(&true));
            }
            Statement::Loop { targets, state, initial, body } => {
                self.block(body);
                let keep = self.others(targets);
                retain_results(targets, body, |place| keep.get(place) == Some(&true));
                let keep = self.others(state);
                retain_state((state, initial, body), |place| keep.get(place) == Some(&true));
            }
            other => {
                if let Some(block) = other.block_mut() {
                    self.block(block);
                }
            }
        }
    }

    /// The element of the version before the newest: the saved one at the index that was replaced, else that of the array.
    fn element_before(
        &mut self,
        target: Variable,
        index: Operand,
        (place, old): (Operand, Variable),
        before: &mut Vec<Statement>,
    ) -> Statement {
        let (test, kind) = (self.function.fresh(Kind::Boolean), self.function.kind(target.into()));
        before.push(Statement::Compare { target: test, comparison: Comparison::Equal, first: index, second: place });
        let loaded = self.function.fresh(kind);
        let load = Statement::Load { target: loaded, array: self.array.into(), index };
        let consequent = Box::new(Block { statements: Vec::new(), end: End::Yield(vec![old.into()]) });
        let alternative = Box::new(Block { statements: vec![load], end: End::Yield(vec![loaded.into()]) });
        let end = End::Branch { test: test.into(), consequent, alternative };
        Statement::Bind { targets: vec![target], block: Block { statements: Vec::new(), end } }
    }
}

#[cfg(test)]
mod tests;

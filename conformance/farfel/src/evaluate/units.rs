//! The subprograms of a program as a table, with the names that each declares.

use crate::tree::{Bound, Declared, Expression, Program, Specification, Subprogram, SubprogramKind, Type};
use std::collections::HashMap;

/// The number of a unit in the table.
pub type UnitId = usize;

/// A declaration of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'program> {
    /// Its type.
    pub sort: Type,
    /// The bounds, if it is an array.
    pub bounds: &'program [Bound],
}

/// A subprogram, or the main program.
#[derive(Debug)]
pub struct Unit<'program> {
    /// The tree.
    pub tree: &'program Subprogram,
    /// The unit around it.
    pub around: Option<UnitId>,
    /// The units in it, by name.
    pub nested: HashMap<&'program str, UnitId>,
    /// The declared variables, parameters and the result, in order.
    pub variables: Vec<(&'program str, Variable<'program>)>,
    /// The named constants, in order.
    pub constants: Vec<(&'program str, Type, &'program Expression)>,
}

impl Unit<'_> {
    /// Returns true if calls of it have a value.
    pub fn is_function(&self) -> bool {
        matches!(self.tree.kind, SubprogramKind::Function(_) | SubprogramKind::Statement)
    }
}

/// The table of a program: the units beside each other come first.
pub fn units(program: &Program) -> Vec<Unit<'_>> {
    let mut table: Vec<Unit<'_>> = Vec::new();
    let mut pending: Vec<(&Subprogram, Option<UnitId>)> = program.units.iter().rev().map(|unit| (unit, None)).collect();
    while let Some((tree, around)) = pending.pop() {
        let id = table.len();
        if let Some(outer) = around.and_then(|around| table.get_mut(around)) {
            outer.nested.insert(&tree.name, id);
        }
        table.push(unit(tree, around));
        pending.extend(tree.nested.iter().rev().map(|nested| (nested, Some(id))));
    }
    table
}

fn unit(tree: &Subprogram, around: Option<UnitId>) -> Unit<'_> {
    let mut unit = Unit { tree, around, nested: HashMap::new(), variables: Vec::new(), constants: Vec::new() };
    let mut types: HashMap<&str, Type> = HashMap::new();
    for specification in &tree.specifications {
        if let Specification::Typed(sort, declared) = specification {
            types.extend(declared.iter().map(|declared| (declared.name.as_str(), *sort)));
        }
    }
    let sort_of = |name: &str| types.get(name).copied().unwrap_or(Type::implied(name));
    for name in &tree.parameters {
        unit.variables.push((name, Variable { sort: sort_of(name), bounds: &[] }));
    }
    let result = match tree.kind {
        SubprogramKind::Function(Some(sort)) => Some(sort),
        SubprogramKind::Function(None) | SubprogramKind::Statement => Some(sort_of(&tree.name)),
        SubprogramKind::Main | SubprogramKind::Subroutine => None,
    };
    if let Some(sort) = result {
        unit.variables.push((&tree.name, Variable { sort, bounds: &[] }));
    }
    for specification in &tree.specifications {
        match specification {
            Specification::Typed(_, all) | Specification::Dimension(all) => {
                for declared in all {
                    declare(&mut unit, declared, sort_of(&declared.name));
                }
            }
            Specification::Constant(name, value) => {
                unit.variables.retain(|(declared, _)| declared != name);
                unit.constants.push((name, sort_of(name), value));
            }
            Specification::External(_) | Specification::Intrinsic(_) => {}
        }
    }
    unit
}

fn declare<'program>(unit: &mut Unit<'program>, declared: &'program Declared, sort: Type) {
    // The type of a nested function, which declares no variable.
    if unit.tree.nested.iter().any(|nested| nested.name == declared.name) {
        return;
    }
    let name = declared.name.as_str();
    let variable = Variable { sort, bounds: &declared.bounds };
    match unit.variables.iter_mut().find(|(known, _)| *known == name) {
        Some((_, known)) if known.bounds.is_empty() => *known = variable,
        Some(_) => {}
        None => unit.variables.push((name, variable)),
    }
}

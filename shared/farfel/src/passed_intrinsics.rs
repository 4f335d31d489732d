//! Intrinsic functions that are passed as arguments: each gets a function of the program that calls it.
//!
//! The name of such a function is hidden, so only the name of the intrinsic leads to it, where that stands as an argument.

use crate::check::intrinsics::{self, Intrinsic, Operands, Operation};
use crate::program::units::{Item, ItemId, Node, Program, Unit, UnitId, UnitKind};
use crate::syntax::tree::{Action, Expr, ExprId, Occurrence, Placed, Statement, Tree, Type};
use std::collections::HashSet;
use vlad_language::names::{NameId, Names};

/// Adds functions for the intrinsic functions that are declared as such and stand somewhere without a list.
pub fn add(tree: &mut Tree, program: &mut Program, names: &mut Names) {
    let mut declared: Vec<Occurrence> = vec![];
    for placed in program.units.iter().flat_map(|unit| &unit.specifications) {
        if let Statement::Intrinsic(occurrences) = &placed.statement {
            declared.extend(occurrences);
        }
    }
    if declared.is_empty() {
        return;
    }
    let alone = (0..tree.count() as u32).filter_map(|id| match tree.expr(ExprId(id)) {
        Expr::Name(name) => Some(name),
        Expr::Integer(_) | Expr::Real(_) | Expr::Logical(_) | Expr::Apply(..) | Expr::Unary(..) | Expr::Binary(..) => {
            None
        }
    });
    let mut wanted: HashSet<NameId> = alone.collect();
    for occurrence in declared {
        let intrinsic = intrinsics::named(names.text(occurrence.name));
        if let Some((intrinsic, operand)) = intrinsic.and_then(|intrinsic| Some((intrinsic, passed(intrinsic)?)))
            && wanted.remove(&occurrence.name)
        {
            let unit = function(tree, program, names, occurrence, (intrinsic, operand));
            program.intrinsics.push((occurrence.name, unit));
        }
    }
}

/// Returns the type of the operands of an intrinsic function as an argument; none if it has no such use: those without one type
/// or number of operands.
fn passed(intrinsic: Intrinsic) -> Option<Type> {
    intrinsic.count.1?;
    match (intrinsic.operands, intrinsic.operation) {
        (Operands::Reals, _) | (Operands::Numbers, Operation::Abs | Operation::Sign | Operation::Dim) => {
            Some(Type::Real)
        }
        (Operands::Integers, _) | (Operands::Numbers, Operation::Mod) => Some(Type::Integer),
        (Operands::Numbers, _) => None,
    }
}

/// Adds the function that calls an intrinsic function.
fn function(
    tree: &mut Tree,
    program: &mut Program,
    names: &mut Names,
    occurrence: Occurrence,
    (intrinsic, operand): (Intrinsic, Type),
) -> UnitId {
    let span = occurrence.span;
    let letters = if operand == Type::Integer { ["I", "J"] } else { ["X", "Y"] };
    let parameters: Vec<NameId> = letters.iter().take(intrinsic.count.0).map(|letter| names.intern(letter)).collect();
    let operands: Vec<_> = parameters.iter().map(|name| tree.add(Expr::Name(*name), span)).collect();
    let operands = tree.add_parts(&operands);
    let value = tree.add(Expr::Apply(occurrence.name, operands), span);
    let name = names.hidden(names.text(occurrence.name).to_owned().as_str());
    let result = tree.add(Expr::Name(name), span);
    let body = program.add_block();
    let item = Item { id: ItemId(program.items), label: None, node: Node::Action(Action::Assign(result, value)), span };
    program.items += 1;
    if let Some(block) = program.blocks.get_mut(body.0 as usize) {
        block.push(item);
    }
    let id = UnitId(program.units.len() as u32);
    let specification = Placed { label: None, statement: Statement::Intrinsic(vec![occurrence]), span };
    program.units.push(Unit {
        kind: UnitKind::Function(Some(intrinsic.result.unwrap_or(operand))),
        name: Occurrence { name, span },
        parent: None,
        depth: 0,
        parameters: parameters.into_iter().map(|name| Occurrence { name, span }).collect(),
        specifications: vec![specification],
        nested: vec![],
        is_interface: false,
        rows: vec![],
        body,
        span,
    });
    id
}

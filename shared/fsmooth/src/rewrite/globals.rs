//! Globals of data with zero tangents, which differentiation makes of the globals in a differentiated expression. Of class X.
//!
//! ```text
//! A' = build (length A) (fun i -> (A[i], 0.0))        A'[k]  ~>  (build (length A) (fun i -> (A[i], 0.0)))[k]
//! ```
//!
//! Fusion makes of an element or a length of A' one of the program's own global, and a zero. A definition that becomes unused is left out.

use super::terms;
use crate::typed::{Expression, ExpressionId, GlobalId, Head, Item, LocalId, Origin, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the rule.
pub const NAME: &str = "data with zero tangents";

/// Returns what replaces an expression that reads an element or the length of a global of data with zero tangents, or a
/// part of it.
pub fn rewritten(
    program: &mut Program,
    lifted: &FxHashMap<GlobalId, ExpressionId>,
    id: ExpressionId,
) -> Option<ExpressionId> {
    let expression = program.expression(id);
    let (Expression::Get { array: data, .. }
    | Expression::OfLength { array: data, .. }
    | Expression::Length(data)
    | Expression::First(data)
    | Expression::Second(data)) = expression
    else {
        return None;
    };
    let Expression::Global(global) = program.expression(data) else { return None };
    let value = *lifted.get(&global)?;
    let copy = program.copy_to(program.span(data), value);
    Some(terms::with_part(program, id, data, copy))
}

/// Binds the data with zero tangents that an expression names in the expression itself: code that is hardly ever entered
/// needs no definition that every run evaluates.
pub fn bound(program: &mut Program, lifted: &FxHashMap<GlobalId, ExpressionId>, root: ExpressionId) -> ExpressionId {
    let mut named: Vec<(GlobalId, ExpressionId, LocalId)> = vec![];
    let body = terms::replace(program, root, |program, id| {
        let Expression::Global(global) = program.expression(id) else { return None };
        let value = *lifted.get(&global)?;
        let local = match named.iter().find(|(other, ..)| *other == global) {
            Some((_, _, local)) => *local,
            None => {
                let name = program.global(global).name.clone();
                let value = program.copy(value);
                let local = terms::fresh(program, &name, value);
                named.push((global, value, local));
                local
            }
        };
        Some(terms::local(program, local, id))
    });
    program.like(root).bind(named.into_iter().map(|(_, value, local)| (local, value)), body)
}

/// Leaves out the definitions of data with zero tangents that nothing uses.
pub fn drop_unused(program: &mut Program) {
    let mut used: FxHashSet<GlobalId> = FxHashSet::default();
    let items = std::mem::take(&mut program.items);
    // Definitions are used by later items alone.
    let mut kept = vec![];
    for item in items.into_iter().rev() {
        let value = match item {
            Item::Define(global) => {
                let described = program.global(global);
                if described.origin == Origin::Lifted && !used.contains(&global) {
                    continue;
                }
                described.value
            }
            Item::Expression(id) => id,
        };
        program.walk(value, |_, head| {
            if let Head::Global(global) = head {
                used.insert(global);
            }
            true
        });
        kept.push(item);
    }
    kept.reverse();
    program.items = kept;
}

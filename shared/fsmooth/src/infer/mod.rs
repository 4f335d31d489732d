//! Type inference: the scoped tree to the typed tree.
//!
//! | pass | result |
//! |---|---|
//! | [`unification`] | the *shape* of each expression: its type without the kinds of numbers; definitions are polymorphic |
//! | [`flow`] | each definition at the types at which it is used, with the kinds of all numbers |
//! | `build` | the typed tree |

mod build;
pub mod flow;
pub mod unification;

use crate::scoped::ScopedTree;
use crate::typed::{Program, Types};
use vlad_core::diagnostic::Report;
use vlad_language::names::Names;

/// Infers the types of a program. Errors are reported, and the tree lacks items that have some.
pub fn infer(tree: &ScopedTree, types: Types, names: &Names, report: &mut Report) -> Program {
    let mut types = types;
    let shaped = unification::rules::infer(tree, &types, names, report);
    let instances = flow::instances::instances(tree, &shaped, &mut types, report);
    drop(shaped);
    if !report.is_empty() {
        // Uses of items with errors have no instances.
        return Program::with_types(types);
    }
    build::build(tree, names, instances, types)
}

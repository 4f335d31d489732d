//! Type inference: the scoped tree to the typed tree.
//!
//! | pass | result |
//! |---|---|
//! | [`rules`] | the *shape* of each expression: its type without the kinds of numbers; definitions are polymorphic |
//! | `instances`, with `walk` and [`kinds`] | each definition at the types at which it is used, with the kinds of all numbers |
//! | `build` | the typed tree |

mod build;
mod errors;
mod instances;
pub mod kinds;
mod monomorphic;
mod reach;
pub mod relations;
mod requests;
pub mod rules;
pub mod shape_text;
pub mod shapes;
mod signatures;
mod solve;
pub mod state;
mod walk;

use crate::fsmooth::scoped::ScopedTree;
use crate::fsmooth::typed::{Program, Types};
use crate::names::Names;
use vlad_core::report::Report;

/// Infers the types of a program. Errors are reported, and the tree lacks items that have some.
pub fn infer(tree: &ScopedTree, types: Types, names: &Names, report: &mut Report) -> Program {
    let mut types = types;
    let shaped = rules::infer(tree, &types, names, report);
    let instances = instances::instances(tree, &shaped, &mut types, report);
    drop(shaped);
    if !report.is_empty() {
        // Uses of items with errors have no instances.
        return Program::with_types(types);
    }
    build::build(tree, names, instances, types)
}

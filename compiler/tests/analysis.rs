//! The flow analysis of the examples: which items have first-order code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)] // tests may

use std::path::Path;
use vlad_compiler::analysis::analyse;
use vlad_frontend::load::{Input, Options, load};

#[test]
fn examples() {
    let path = std::env::var("ONLY").unwrap();
    let program = load(Input::Path(Path::new(&path).to_owned()), &Options::default()).unwrap();
    for unit in analyse(&program) {
        match unit {
            Ok(unit) => println!("{}", vlad_compiler::first_order::print::print(&unit, Some(&program))),
            Err(reason) => println!("no: {reason:?}"),
        }
    }
}

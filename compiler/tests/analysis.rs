//! The flow analysis of the examples: which items have first-order code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)] // tests may

use std::path::Path;
use std::time::Instant;
use vlad_compiler::analysis::analyse;
use vlad_core::Item;
use vlad_frontend::load::{Input, Options, load};

#[test]
fn examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let only = std::env::var("ONLY").ok();
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "vlad"))
        .collect();
    names.sort();
    for path in names {
        if only.as_ref().is_some_and(|only| !path.display().to_string().contains(only.as_str())) {
            continue;
        }
        let program = load(Input::Path(path.clone()), &Options::default()).unwrap();
        let begun = Instant::now();
        let units = analyse(&program);
        println!("{} {:?}", path.file_name().unwrap().display(), begun.elapsed());
        for (item, unit) in program.items.iter().zip(&units) {
            let (Item::Define(_, node) | Item::Expression(node)) = *item;
            match unit {
                Ok(unit) => {
                    println!("   ok {:?}: {} functions", program.span(node), unit.functions.len());
                    if only.is_some() {
                        for f in &unit.functions {
                            println!(
                                "{} {} params, {} vars, {} results",
                                f.name,
                                f.parameters.len(),
                                f.variables.len(),
                                f.results.len()
                            );
                        }
                    }
                }
                Err(reason) if reason.message == "it defines a procedure" => {}
                Err(reason) => println!(
                    "   no {:?}: {} at {:?}",
                    program.span(node),
                    reason.message,
                    reason.node.map(|n| program.span(n))
                ),
            }
        }
    }
}

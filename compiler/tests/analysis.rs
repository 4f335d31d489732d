//! The flow analysis of the examples: which items have first-order code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)] // tests may

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use vlad_compiler::specialise;
use vlad_core::Item;
use vlad_frontend::load::{Input, Options, load};

fn visit(folder: &Path, out: &mut Vec<std::path::PathBuf>) {
    for e in std::fs::read_dir(folder).unwrap() {
        let p = e.unwrap().path();
        if p.is_dir() {
            visit(&p, out)
        } else if p.extension().is_some_and(|e| e == "vlad") {
            out.push(p)
        }
    }
}

#[test]
fn examples() {
    let mut names = Vec::new();
    visit(Path::new(&std::env::var("DIR").unwrap()), &mut names);
    names.sort();
    let only = std::env::var("ONLY").ok();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for path in names {
        if only.as_ref().is_some_and(|only| !path.display().to_string().contains(only.as_str())) {
            continue;
        }
        let Ok(program) = load(Input::Path(path.clone()), &Options::default()) else { continue };
        let begun = Instant::now();
        let units = specialise(&program);
        let time = begun.elapsed();
        let mut sizes = Vec::new();
        for (item, unit) in program.items.iter().zip(&units) {
            let (Item::Define(_, node) | Item::Expression(node)) = *item;
            match unit {
                Ok(unit) => {
                    let size: usize = unit.functions.iter().map(|f| f.body.size()).sum();
                    sizes.push(size);
                    *reasons.entry("ok".into()).or_default() += 1;
                    if only.is_some() {
                        println!("{}", vlad_compiler::first_order::print::print(unit, Some(&program)));
                    }
                }
                Err(reason) if reason.message == "it defines a procedure" => {}
                Err(reason) => {
                    *reasons.entry(reason.message.clone()).or_default() += 1;
                    if only.is_some() {
                        println!(
                            "   no {:?}: {} at {:?}",
                            program.span(node),
                            reason.message,
                            reason.node.map(|n| program.span(n))
                        );
                    }
                }
            }
        }
        if time.as_millis() > 50 || std::env::var("ALL").is_ok() {
            println!("{} {:?} {:?}", path.file_name().unwrap().display(), time, sizes);
        }
    }
    for (reason, count) in reasons {
        println!("{count:6} {reason}");
    }
}

//! Reverse mode by hand and on random units.

use super::super::super::random::{Dials, compare};
use super::super::super::{Statement, Unit};
use super::*;

/// Removes all reverse levels, those of callees first.
fn remove_all(unit: &mut Unit) -> Result<(), Refusal> {
    let mut made = std::collections::HashMap::new();
    // The entry is the last function; the others call later ones.
    let entry = unit.functions.len() - 1;
    for index in (0..entry).rev().chain([entry]) {
        let mut body = unit.functions[index].body.clone();
        let mut refusal = None;
        body.change_statements(&mut |statement| {
            if let Statement::Reverse { targets, function, arguments, active, cotangents } = statement {
                let key = (*function, active.clone());
                match made.entry(key).or_insert_with(|| remove(unit, *function, active)).clone() {
                    Ok(function) => {
                        let arguments = arguments.iter().chain(cotangents.iter()).copied().collect();
                        *statement = Statement::Call { targets: targets.clone(), function, arguments };
                    }
                    Err(found) => refusal = Some(found),
                }
            }
        });
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        unit.functions[index].body = body;
    }
    Ok(())
}

const SIZE: usize = 3;

/// Random units have the same bits without reverse levels.
fn agree(dials: Dials, seeds: std::ops::Range<u64>) {
    compare(Dials { forward: 0, records: 0, functions: dials.functions.min(SIZE), ..dials }, seeds, |unit| {
        remove_all(unit).inspect_err(|e| eprintln!("refused {}", e.message)).is_ok()
    });
}

#[test]
fn straight_line_code() {
    agree(Dials { branches: 0, reverse: 20, ..Dials::straight() }, 0..1000);
}

#[test]
fn branches() {
    agree(Dials { branches: 30, reverse: 15, ..Dials::straight() }, 0..1000);
}

#[test]
fn loops() {
    agree(Dials { recursion: 0, loops: 20, branches: 20, ..Dials::default() }, 0..1000);
}

#[test]
fn recursion() {
    agree(Dials { loops: 0, recursion: 70, branches: 20, ..Dials::default() }, 0..1000);
}

#[test]
fn everything() {
    agree(Dials { recursion: 40, ..Dials::default() }, 0..1000);
}

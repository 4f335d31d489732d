//! Divided loops on random units, and at the lengths where divisions begin.

use crate::check::check_without_levels;
use crate::differentiate::remove_levels;
use crate::passes::{Pass, Passes};
use crate::random::{Dials, Difference, difference, taken, unit};
use crate::text::print::print;
use crate::{AccumulatorAction, Action, Division, JournalAction, Recording, Stack, Statement, Unit};
use std::ops::Range;

/// Divisions of intervals of more than one iteration, and of more than three.
const SMALL: [Division; 2] =
    [Division { words: 1, state_words: 1, least: 1 }, Division { words: 1, state_words: 1, least: 3 }];

/// Makes reverse levels keep states in place of records: all of them, or every second one.
fn divide(unit: &mut Unit, division: Division, step: usize) {
    let mut number = 0;
    for function in &mut unit.functions {
        function.body.change_statements(&mut |statement| {
            if let Statement::Reverse { recording, .. } = statement {
                if number % step == 0 {
                    *recording = Recording::Checkpoints(division);
                }
                number += 1;
            }
        });
    }
}

/// The number of pops in code that is executed again: a divided loop has two pops in one loop.
fn divided_loops(unit: &Unit) -> usize {
    let mut count = 0;
    for statement in unit.all_statements() {
        if let Statement::Loop { body, .. } = statement {
            let is_snapshot = |statement: &Statement| matches!(statement, Statement::Pop { stack: Stack::Sweeps, .. });
            let has_loops = body.end.blocks().is_some_and(|blocks| {
                blocks
                    .iter()
                    .all(|block| block.statements.iter().any(|statement| matches!(statement, Statement::Loop { .. })))
            });
            count += usize::from(has_loops && body.statements.first().is_some_and(is_snapshot));
        }
    }
    count
}

/// The number of actions of a kind.
fn actions(unit: &Unit, sought: Action) -> usize {
    let is_sought = |statement: &&Statement| matches!(statement, Statement::Act { action, .. } if *action == sought);
    unit.all_statements().filter(is_sought).count()
}

fn handed_over(unit: &Unit) -> usize {
    actions(unit, AccumulatorAction::HandOver.into())
}

fn read_again(unit: &Unit) -> usize {
    actions(unit, JournalAction::ReadAgain.into())
}

/// Random units have the same bits with divided loops, of which so many have to be found in all units, and a quarter of them in
/// those that are taken. What is refused is left out.
fn agree(dials: Dials, seeds: Range<u64>, least: usize, passes: Passes) {
    agree_where(divided_loops, dials, seeds, least, passes);
}

/// The same for units that have something.
fn agree_where(found: fn(&Unit) -> usize, dials: Dials, seeds: Range<u64>, least: usize, passes: Passes) {
    let mut count = 0;
    for seed in taken(seeds) {
        let before = unit(seed, dials);
        let mut after = before.clone();
        divide(&mut after, SMALL[seed as usize % 2], 1 + seed as usize / 2 % 2);
        passes.prepare(&mut after);
        if remove_levels(&mut after).is_err() {
            continue;
        }
        let is_divided = found(&after) > 0;
        passes.prepare(&mut after);
        passes.simplify_values(&mut after);
        let texts = || format!("{}\n{}", print(&before, None), print(&after, None));
        check_without_levels(&after).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", texts()));
        match difference(&before, &after, seed) {
            Difference::NotComparable => {}
            Difference::None => count += usize::from(is_divided),
            Difference::Found(difference) => panic!("seed {seed}, {difference}\n{}", texts()),
        }
    }
    assert!(4 * count >= least, "only {count} units have divided loops");
}

/// No forward levels, and no records but those of reverse mode.
const REVERSE: Dials = Dials {
    functions: 3,
    statements: 3,
    operations: 40,
    branches: 12,
    loops: 20,
    calls: 12,
    recursion: 0,
    forward: 0,
    reverse: 14,
    effects: 0,
    records: 0,
    bail_outs: 2,
    index_tests: 0,
    arrays: 0,
    replacements: 0,
    cells: 0,
    moves: 0,
    special: 10,
};

#[test]
fn loops() {
    agree(REVERSE, 0..150, 25, Passes::NONE);
}

#[test]
fn loops_in_which_steps_are_counted() {
    agree(Dials { effects: 2, ..REVERSE }, 1000..1250, 20, Passes::NONE);
    // Calls that are executed again count.
    agree(Dials { effects: 2, ..REVERSE }, 10600..10700, 5, Passes::NONE);
    agree(Dials { effects: 2, ..REVERSE }, 30700..30800, 5, Passes::ALL);
}

#[test]
fn loops_with_recursion() {
    let passes = Passes::NONE.with(Pass::Tidy).with(Pass::Loops);
    agree(Dials { recursion: 50, loops: 14, ..REVERSE }, 2000..2240, 20, passes);
}

#[test]
fn loops_at_nested_levels() {
    agree(Dials { forward: 12, loops: 14, ..REVERSE }, 3000..3200, 40, Passes::NONE);
}

#[test]
fn loops_over_arrays() {
    agree(Dials { arrays: 10, moves: 5, functions: 2, ..REVERSE }, 4000..4400, 5, Passes::NONE);
}

#[test]
fn loops_with_all_passes() {
    agree(Dials { forward: 6, recursion: 30, ..REVERSE }, 5000..5150, 20, Passes::ALL);
    agree(Dials { arrays: 10, moves: 5, functions: 2, ..REVERSE }, 6000..6150, 5, Passes::ALL);
}

#[test]
fn loops_with_cells() {
    let cells = Dials { cells: 40, reverse: 2, calls: 20, ..REVERSE };
    let whole = Dials { functions: 1, statements: 5, loops: 12, ..cells };
    agree_where(handed_over, cells, 7000..7300, 30, Passes::NONE);
    agree_where(handed_over, whole, 7600..7800, 30, Passes::NONE);
    agree_where(handed_over, Dials { effects: 2, ..whole }, 8000..8200, 20, Passes::NONE);
    agree_where(handed_over, Dials { forward: 8, ..whole }, 8400..8700, 15, Passes::ALL);
    agree_where(handed_over, Dials { recursion: 40, ..whole }, 9000..9300, 15, Passes::ALL);
    agree_where(handed_over, whole, 9600..9800, 20, Passes::ALL);
}

#[test]
fn loops_that_read_and_write() {
    let effects = Dials { effects: 14, ..REVERSE };
    agree_where(read_again, effects, 11000..11200, 20, Passes::NONE);
    agree_where(read_again, Dials { forward: 8, ..effects }, 11400..11600, 15, Passes::ALL);
    agree_where(read_again, Dials { recursion: 40, ..effects }, 11800..12000, 10, Passes::ALL);
    agree_where(read_again, Dials { cells: 30, functions: 1, statements: 5, ..effects }, 12200..12500, 10, Passes::ALL);
}

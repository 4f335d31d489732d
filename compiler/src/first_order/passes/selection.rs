//! The table of the passes, from which the pipeline runs, and the selection of those that a user wants.
//!
//! Each pass keeps the meaning of a unit, and none needs another one to have run, so any of them can be left out: then
//! units are larger or slower, and more of them exceed the bounds on their size.

use super::accumulators::{forwarded_cotangents, reused_zeros};
use super::bounds::{lengths, loop_bounds};
use super::guards::{hoisted, negations, products, proven, speculative, zero_signs};
use super::records::{derived_fields, shared_fields, whole_cells};
use super::shape::{direct_style, inline, loops, recursion, signatures, tidy};
use super::sharing::{common, fuse, hoist, repeated};
use crate::first_order::Unit;
use std::fmt;

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// [`direct_style`]
    DirectStyle,
    /// [`tidy`]
    Tidy,
    /// [`loops`]
    Loops,
    /// [`inline`]
    Inline,
    /// [`signatures`]
    Signatures,
    /// [`common`]
    Common,
    /// [`lengths`]
    Lengths,
    /// [`loop_bounds`]
    Bounds,
    /// [`hoist`]
    Early,
    /// [`fuse`]
    Fuse,
    /// [`repeated`]
    Repeated,
    /// [`shared_fields`]
    Records,
    /// [`derived_fields`]
    Recorded,
    /// [`zero_signs`]
    ZeroSigns,
    /// [`negations`]
    Negations,
    /// [`proven`]
    Guards,
    /// [`hoisted`]
    Factors,
    /// [`speculative`]
    Regions,
    /// [`whole_cells`]
    Places,
    /// [`recursion`]
    Recursion,
    /// [`reused_zeros`]
    Unread,
    /// [`products`]
    Products,
    /// [`forwarded_cotangents`]
    Given,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The pass.
    pub pass: Pass,
    /// Its name on the command line.
    pub name: &'static str,
    /// Its effect, for the help.
    pub help: &'static str,
    run: fn(&mut Unit),
}

/// The passes.
pub const PASSES: [Row; 23] = [
    row(
        Pass::DirectStyle,
        "direct-style",
        "makes calls that return of calls with a continuation",
        direct_style::to_direct_style,
    ),
    row(Pass::Tidy, "tidy", "removes copies, constants, and code that nobody uses", tidy::tidy),
    row(Pass::Loops, "loops", "makes loops of procedures that call themselves last", loops::loops),
    row(Pass::Inline, "inline", "inserts small procedures where they are called", inline::inline),
    row(
        Pass::Signatures,
        "signatures",
        "passes to procedures, and takes from them, each value once",
        signatures::share_in_signatures,
    ),
    row(Pass::Common, "common", "computes equal operations once", common::share_common),
    row(
        Pass::Lengths,
        "lengths",
        "leaves out tests of lengths and indices that cannot fail",
        lengths::decide_tests_of_lengths,
    ),
    row(Pass::Bounds, "bounds", "tests the indices of a loop before it", loop_bounds::test_bounds),
    row(Pass::Early, "early", "computes before a branch what it shares with the code after it", hoist::execute_early),
    row(
        Pass::Fuse,
        "fuse",
        "makes one of loops and calls that decide alike, as forward passes of one gradient do",
        fuse::fuse,
    ),
    row(Pass::Repeated, "repeated", "executes equal calls once", repeated::share_calls),
    row(Pass::Records, "records", "records each value of a reverse sweep once", shared_fields::share_records),
    row(
        Pass::Recorded,
        "recorded",
        "reads from records what reverse sweeps would compute again",
        derived_fields::read_recorded,
    ),
    row(
        Pass::ZeroSigns,
        "zero-signs",
        "leaves out what only changes the sign of a zero that nobody sees",
        zero_signs::leave_out_zero_signs,
    ),
    row(Pass::Negations, "negations", "takes negations into sums and differences", negations::move_negations),
    row(Pass::Guards, "guards", "makes ordinary products of guarded ones that need no guard", proven::leave_out_guards),
    row(Pass::Factors, "factors", "tests before a loop the factors that need no guard in it", hoisted::test_factors),
    row(Pass::Regions, "regions", "tests the guards of many products at once", speculative::guard_by_region),
    row(
        Pass::Places,
        "places",
        "lets values of different paths, and the parts of a cell, have one place in a record",
        whole_cells::share_places,
    ),
    row(
        Pass::Recursion,
        "recursion",
        "makes two loops of procedures that call themselves once, and not last",
        recursion::loop_recursion,
    ),
    row(Pass::Unread, "unread", "makes accumulators of arrays of zeros that nothing reads", reused_zeros::reuse_unread),
    row(
        Pass::Products,
        "products",
        "makes guarded products of the tests that F-smooth has for them",
        products::find_products,
    ),
    row(
        Pass::Given,
        "given",
        "reads given cotangents in place of accumulators that have nothing else",
        forwarded_cotangents::read_given,
    ),
];

/// The order of the passes that keep levels. Continuations are looked for where the analysis has applied them. Tail recursion
/// becomes loops before inlining, so that the functions can be inlined; inlining makes self calls out of mutual tail calls.
const PREPARATION: [Pass; 9] = [
    Pass::DirectStyle,
    Pass::Tidy,
    Pass::Loops,
    Pass::Inline,
    Pass::Tidy,
    Pass::Loops,
    Pass::Inline,
    Pass::Signatures,
    Pass::Tidy,
];

/// The order of the passes for code without levels. `records` runs again after the passes that remove reads of records;
/// what `zero-signs` leaves out may make constants of the state of loops, after which it leaves out more.
/// `places` is the last one on records, since it hides which of their values are equal or constant.
const VALUES: [Pass; 30] = [
    Pass::Tidy,
    Pass::Products,
    Pass::Common,
    Pass::Early,
    Pass::Common,
    Pass::Lengths,
    Pass::Tidy,
    Pass::Lengths,
    Pass::Bounds,
    Pass::Fuse,
    Pass::Signatures,
    Pass::Tidy,
    Pass::Records,
    Pass::Recorded,
    Pass::Early,
    Pass::Common,
    Pass::ZeroSigns,
    Pass::Tidy,
    Pass::ZeroSigns,
    Pass::Negations,
    Pass::Guards,
    Pass::Factors,
    Pass::Regions,
    Pass::Common,
    Pass::Repeated,
    Pass::Lengths,
    Pass::Tidy,
    Pass::Records,
    Pass::Places,
    Pass::Tidy,
];

/// The passes after all others: they make what the others do not expect.
const LAST: [Pass; 3] = [Pass::Recursion, Pass::Unread, Pass::Given];

const fn row(pass: Pass, name: &'static str, help: &'static str, run: fn(&mut Unit)) -> Row {
    Row { pass, name, help, run }
}

/// A set of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes(u32);

impl Default for Passes {
    fn default() -> Passes {
        Passes::ALL
    }
}

impl Passes {
    /// All passes.
    pub const ALL: Passes = Passes((1 << PASSES.len()) - 1);

    /// No pass.
    pub const NONE: Passes = Passes(0);

    /// The passes of a list: `all`, `none`, or names separated by commas. A name with a minus sign is left out; if the
    /// list begins with one, all others are taken.
    ///
    /// # Errors
    /// Returns the word that names no pass.
    pub fn parse(list: &str) -> Result<Passes, &str> {
        match list {
            "all" => return Ok(Passes::ALL),
            "none" => return Ok(Passes::NONE),
            _ => {}
        }
        let mut passes = if list.starts_with('-') { Passes::ALL } else { Passes::NONE };
        for word in list.split(',') {
            let name = word.strip_prefix('-');
            let row = PASSES.iter().find(|row| row.name == name.unwrap_or(word)).ok_or(word)?;
            passes = if name.is_some() { passes.without(row.pass) } else { passes.with(row.pass) };
        }
        Ok(passes)
    }

    /// The set with a pass.
    #[must_use]
    pub fn with(self, pass: Pass) -> Passes {
        Passes(self.0 | 1 << pass as u8)
    }

    /// The set without a pass.
    #[must_use]
    pub fn without(self, pass: Pass) -> Passes {
        Passes(self.0 & !(1 << pass as u8))
    }

    /// Returns true if a pass is in the set.
    pub fn contains(self, pass: Pass) -> bool {
        self.0 & 1 << pass as u8 != 0
    }

    /// Runs the passes that keep levels: before the levels are removed, and again on the code of derivatives.
    pub fn prepare(self, unit: &mut Unit) {
        self.run(&PREPARATION, unit, &mut |_, _| {});
    }

    /// Simplifies the values of a unit without levels.
    pub fn simplify_values(self, unit: &mut Unit) {
        self.simplify_values_observed(unit, &mut |_, _| {});
    }

    /// The same, for an observer that sees the unit after each pass.
    pub fn simplify_values_observed(self, unit: &mut Unit, observer: &mut dyn FnMut(Pass, &Unit)) {
        self.run(&VALUES, unit, observer);
        shared_fields::fill_unread(unit);
        self.run(&LAST, unit, observer);
    }

    fn run(self, order: &[Pass], unit: &mut Unit, observer: &mut dyn FnMut(Pass, &Unit)) {
        for row in order.iter().filter(|pass| self.contains(**pass)).filter_map(|pass| PASSES.get(*pass as usize)) {
            (row.run)(unit);
            observer(row.pass, unit);
        }
    }
}

/// A list that [`Passes::parse`] reads.
impl fmt::Display for Passes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = PASSES.iter().filter(|row| self.contains(row.pass)).map(|row| row.name).collect();
        match (*self, names.is_empty()) {
            (Passes::ALL, _) => out.write_str("all"),
            (_, true) => out.write_str("none"),
            (_, false) => out.write_str(&names.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_passes() {
        assert!(PASSES.iter().enumerate().all(|(number, row)| row.pass as usize == number));
        let run = [PREPARATION.as_slice(), &VALUES, &LAST].concat();
        assert!(PASSES.iter().all(|row| run.contains(&row.pass)));
    }

    #[test]
    fn lists_are_read() {
        let names = |list: &'static str| Passes::parse(list).map(|passes| passes.to_string());
        for list in ["all", "none", "tidy", "loops,common"] {
            assert_eq!(names(list).as_deref(), Ok(list));
        }
        assert_eq!(names("common,loops").as_deref(), Ok("loops,common"));
        assert_eq!(
            names("-tidy,-regions").as_deref(),
            Ok(
                "direct-style,loops,inline,signatures,common,lengths,bounds,early,fuse,repeated,records,recorded,zero-signs,negations,guards,factors,places,recursion,unread,products,given"
            )
        );
        assert_eq!(names("tidy,common,-tidy").as_deref(), Ok("common"));
        assert_eq!(names("-tidy,tidy").as_deref(), Ok("all"));
        for (list, word) in [("", ""), ("tidy,all", "all"), ("-none", "-none"), ("tidy,", ""), ("Tidy", "Tidy")] {
            assert_eq!(names(list), Err(word), "{list}");
        }
    }
}

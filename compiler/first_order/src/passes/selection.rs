//! The table of the passes, from which the pipeline runs, and the selection of those that a user wants.
//!
//! Each pass keeps the meaning of a unit, and none needs another one to have run, so any of them can be left out: then
//! units are larger or slower, and more of them exceed the bounds on their size.

use super::bounds::{lengths, loop_bounds, loop_tests};
use super::guards::{hoisted, negations, proven, speculative, zero_signs};
use super::records::{derived_fields, shared_fields, whole_cells};
use super::shape::{direct_style, inline, loops, recursion, signatures, tidy};
use super::sharing::{common, fuse, hoist, repeated};
use crate::Unit;
use std::fmt;

/// Declares the passes, and the table of their rows. Passes of storage code are parts of its lowering, which asks whether they are
/// wanted.
macro_rules! passes {
    (
        values { $($pass:ident, $name:literal, $run:path, $help:literal;)* }
        storage { $($part:ident, $part_name:literal, $part_help:literal;)* }
    ) => {
        /// A pass.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Pass {
            $(#[doc = concat!("`", $name, "`: ", $help, ".")] $pass,)*
            $(#[doc = concat!("`", $part_name, "`: ", $part_help, ".")] $part,)*
        }

        /// The passes.
        pub const PASSES: &[Row] = &[
            $(Row { pass: Pass::$pass, name: $name, help: $help, run: Some($run) },)*
            $(Row { pass: Pass::$part, name: $part_name, help: $part_help, run: None },)*
        ];
    };
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The pass.
    pub pass: Pass,
    /// Its name on the command line.
    pub name: &'static str,
    /// Its effect, for the report.
    pub help: &'static str,
    /// The pass; none for a part of the lowering to storage code.
    pub run: Option<fn(&mut Unit)>,
}

passes! {
    values {
        DirectStyle, "direct-style", direct_style::to_direct_style, "makes calls that return of calls with a continuation";
        Tidy, "tidy", tidy::tidy, "removes copies, constants, and code that nobody uses";
        Loops, "loops", loops::loops, "makes loops of procedures that call themselves last";
        Inline, "inline", inline::inline, "inserts small procedures where they are called";
        Signatures, "signatures", signatures::share_in_signatures, "passes to procedures, and takes from them, each value once";
        Common, "common", common::share_common, "computes equal operations once";
        Tests, "loop-tests", loop_tests::test_for_less, "makes loops go on below a length, or a constant, that ends them";
        Lengths, "lengths", lengths::decide_tests_of_lengths, "leaves out tests of lengths and indices that cannot fail";
        Bounds, "bounds", loop_bounds::test_bounds, "tests the indices of a loop before it";
        Early, "early", hoist::execute_early, "computes before a branch what it shares with the code after it";
        Fuse, "fuse", fuse::fuse, "makes one of loops and calls that decide alike, as forward passes of one gradient do";
        Repeated, "repeated", repeated::share_calls, "executes equal calls once";
        Records, "records", shared_fields::share_records, "records each value of a reverse sweep once";
        Recorded, "recorded", derived_fields::read_recorded, "reads from records what reverse sweeps would compute again";
        ZeroSigns, "zero-signs", zero_signs::leave_out_zero_signs, "leaves out what only changes the sign of a zero that nobody sees";
        Negations, "negations", negations::move_negations, "takes negations into sums and differences";
        Guards, "guards", proven::leave_out_guards, "makes ordinary products of guarded ones that need no guard";
        Factors, "factors", hoisted::test_factors, "tests before a loop the factors that need no guard in it";
        Regions, "regions", speculative::guard_by_region, "tests the guards of many products at once";
        Places, "places", whole_cells::share_places,
            "lets values of different paths, and the parts of a cell, have one place in a record";
        Recursion, "recursion", recursion::loop_recursion,
            "makes two loops of procedures that call themselves once, and not last";
    }
    storage {
        OneHot, "one-hot", "makes vectors that have one element of their own, or few, of zeros";
        Vectorise, "vectorise", "computes several elements of a vector at once where no test of them fails";
        FuseBuilds, "fuse-builds", "executes a loop over a new vector together with the loop that makes it";
        Ranges, "ranges", "makes loops over integers of loops that a counter ends";
        Periods, "periods", "leaves out the turns of a loop whose state recurs";
        Angles, "angles", "computes the sine and the cosine of an angle by one call";
    }
}

/// The order of the passes that keep levels. Continuations are looked for where the analysis has applied them. Tail recursion
/// becomes loops before inlining, so that the functions can be inlined; inlining makes self calls out of mutual tail calls.
const PREPARATION: &[Pass] = &[
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
const VALUES: &[Pass] = &[
    Pass::Tidy,
    Pass::Common,
    Pass::Early,
    Pass::Common,
    Pass::Tests,
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
const LAST: &[Pass] = &[Pass::Recursion];

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
        self.run(PREPARATION, unit, &mut |_, _| {});
    }

    /// Runs the passes for code without levels.
    pub fn simplify_values(self, unit: &mut Unit) {
        self.simplify_values_observed(unit, &mut |_, _| {});
    }

    /// The same, for an observer that sees the unit after each pass.
    pub fn simplify_values_observed(self, unit: &mut Unit, observer: &mut dyn FnMut(Pass, &Unit)) {
        self.run(VALUES, unit, observer);
        shared_fields::fill_unread(unit);
        self.run(LAST, unit, observer);
    }

    fn run(self, order: &[Pass], unit: &mut Unit, observer: &mut dyn FnMut(Pass, &Unit)) {
        for row in order.iter().filter(|pass| self.contains(**pass)).filter_map(|pass| PASSES.get(*pass as usize)) {
            if let Some(run) = row.run {
                run(unit);
                observer(row.pass, unit);
            }
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
        let run = [PREPARATION, VALUES, LAST].concat();
        // Each is run, or is a part of the lowering to storage code.
        assert!(PASSES.iter().all(|row| run.contains(&row.pass) == row.run.is_some()));
    }

    #[test]
    fn lists_are_read() {
        let names = |list: &'static str| Passes::parse(list).map(|passes| passes.to_string());
        for list in ["all", "none", "tidy", "loops,common"] {
            assert_eq!(names(list).as_deref(), Ok(list));
        }
        assert_eq!(names("common,loops").as_deref(), Ok("loops,common"));
        let others = PASSES.iter().map(|row| row.name).filter(|name| !["tidy", "regions"].contains(name));
        assert_eq!(names("-tidy,-regions"), Ok(others.collect::<Vec<_>>().join(",")));
        assert_eq!(names("tidy,common,-tidy").as_deref(), Ok("common"));
        assert_eq!(names("-tidy,tidy").as_deref(), Ok("all"));
        for (list, word) in [("", ""), ("tidy,all", "all"), ("-none", "-none"), ("tidy,", ""), ("Tidy", "Tidy")] {
            assert_eq!(names(list), Err(word), "{list}");
        }
    }
}

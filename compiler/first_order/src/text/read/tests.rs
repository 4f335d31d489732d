//! Random units and their storage code survive their text, and texts that are wrong are told where.

use super::*;
use crate::check::check;
use crate::differentiate::remove_levels;
use crate::passes::Passes;
use crate::random::{Dials, unit};
use crate::storage::lower;
use crate::storage::placement::Execution;
use crate::text::print::print;
use rstest::rstest;

/// Reads the text of a unit, and compares the units, but for the payloads of NaN.
fn compare(seed: u64, before: &Unit) {
    let mut before = before.clone();
    let mut without_payload = |operand: &mut Operand| {
        if *operand != Operand::UNREAD && operand.number().is_some_and(f64::is_nan) {
            *operand = Operand::real(f64::NAN);
        }
    };
    before.functions.iter_mut().for_each(|function| function.body.rename(&mut without_payload, &mut |_| {}));
    let text = print(&before, None);
    let after = read(&text).unwrap_or_else(|wrong| panic!("seed {seed}, {wrong}\n{text}"));
    assert_eq!(print(&after, None), text, "seed {seed}");
    let is_same = |(one, other): (&Function, &Function)| {
        one.parameters == other.parameters && one.results == other.results && one.body == other.body
    };
    assert!(before.functions.iter().zip(&after.functions).all(is_same), "seed {seed}\n{text}");
    assert_eq!((before.entry, &before.inputs, &before.written), (after.entry, &after.inputs, &after.written));
    assert_eq!(before.result, after.result);
    assert_eq!(check(&after), Ok(()), "seed {seed}\n{text}");
}

#[rstest]
#[case::all(Dials::default())]
#[case::straight(Dials::straight())]
#[case::arrays(Dials::with_arrays())]
#[case::replacements(Dials::with_replacements())]
#[case::cells(Dials::with_cells())]
#[case::no_levels(Dials::without_levels())]
fn random_units_survive_their_text(#[case] dials: Dials) {
    for seed in 0..200 {
        let mut unit = unit(seed, dials);
        compare(seed, &unit);
        if seed % 5 == 0 {
            Passes::ALL.prepare(&mut unit);
            if remove_levels(&mut unit).is_ok() {
                Passes::ALL.simplify_values(&mut unit);
                compare(seed, &unit);
                compare(seed, &lower(&unit, Execution::Machine, Passes::ALL));
            }
        }
    }
}

#[rstest]
#[case::arrays(Dials::with_arrays())]
#[case::cells(Dials::with_cells())]
fn storage_code_survives_its_text(#[case] dials: Dials) {
    for seed in 0..300 {
        let unit = unit(seed, Dials { forward: 0, reverse: 0, ..dials });
        compare(seed, &lower(&unit, Execution::Machine, Passes::ALL));
    }
}

/// Statements that random units seldom have, or never.
#[test]
fn each_notation_survives() {
    let text = "\
input 3: () #t 0.5 primitive-sin real boolean pair array-of-array-of-reals vector/2 either/3 last cell-0, cell-0 is real cell-0 pair
row shape 0: real bundle bundle-of-perturbation perturbation sensitivity reverse backpropagator
text shape 1: procedure-4/2
function f_0 (r0 aab1 c2) real cell
  aa3 = array
  r4 r5 = checkpointed 1 2 3 reverse f_0 @r0 aab1 c2 (+inf.0)
  aa6 = replace aa3 0 a7 at 12
  push unread r0
  save r0
  r8 = restore
  k9 = solve k10 by 0xf 2
  r11 = parallel for k12 := 0, r13 := r8 below k9 or if #t of k9 3
    repeat r13
  unrolled for k14 := 0 below 8
    repeat
  a15 = allocate k9 in buffer a7 a16 a17
  a18 = allocate 3 in result 1
  a19 = allocate 3 in result 1 row k9
  a20 = allocate 3 in rows of k12 row k9
  a21 = allocate 3 without rows
  zero rows of k12 in result 0 k9 3
  unset rows of k12 in result 0 k9 3
  fill a21
  fill a21 and rows behind in result 1 k9 k10
  k22 = part 0 k9
  r23 r24 = apart r0 r4
  turns k9
  count 3 times k9
  k25 = mark
  a26 aa27 = keep a21 aa6 from k25
  k28 c29 = keep c2 from k25 beyond k9
  k30 = journal-reads
  accumulator-add c2 r0
  yield r0 c2
entry function procedure_1 ()
  bail out at 3
";
    assert_eq!(read(text).map(|unit| print(&unit, None)).as_deref(), Ok(text));
}

#[test]
fn names_comments_and_empty_lines_are_free() {
    let text =
        "; A comment.\n\nfunction g () real\n  r0 = call f\n\n  ; another\n  yield r0\nfunction f () real\n  yield 1\n";
    let expected = "function g_0 () real\n  r0 = call f_1\n  yield r0\nfunction f_1 () real\n  yield 1\n";
    assert_eq!(read(text).map(|unit| print(&unit, None)).as_deref(), Ok(expected));
}

#[rstest]
#[case::statement("  r1 = frobnicate r0", 2, "`frobnicate` is no statement")]
#[case::operands("  r1 = sin r0 r0", 2, "`sin` does not take 2 operands")]
#[case::no_operand("  r1 = + r0", 2, "`+` does not take 1 operands")]
#[case::number("  count many", 2, "`many` is not a number of steps")]
#[case::kinds("  r1 = sin r0\n  b1 = r0 < 1", 3, "the variable 1 is of two kinds")]
#[case::letters("  x1 = sin r0", 2, "`x1` is no statement")]
#[case::great("  r99999999 = sin r0", 2, "the number of `r99999999` is too great")]
#[case::target("  read", 2, "the statement has one target")]
#[case::targets("  r1 r2 = read", 2, "the statement has one target")]
#[case::no_target("  r1 = count 3", 2, "the statement has no target")]
#[case::callee("  call g r0", 2, "there is no function `g`")]
#[case::rest("  r1 = length a2 a3", 2, "`a3` is one word too many")]
#[case::odd("   r1 = sin r0", 2, "blocks are indented by two spaces")]
#[case::end("  r1 = sin r0", 2, "a block that is indented 2 spaces has no end before this line")]
#[case::deep("      yield r0", 2, "a block that is indented 2 spaces has no end before this line")]
#[case::branch("  if b1\n    yield r0\n  yield r0", 4, "`else` is expected here")]
#[case::lonely("  else", 2, "the block has no end before `else`")]
#[case::twice("  yield r0\nfunction f (r0) real\n  yield r0", 3, "there is another function `f`")]
#[case::behind("  yield r0\n    yield r0", 3, "the line is indented, but belongs to nothing")]
#[case::head("  yield r0\nfigure 0: real", 3, "`figure` begins no line before the functions")]
#[case::shape("  yield r0\nshape 0: triple", 3, "`triple` is no step of a shape")]
fn wrong_texts_are_told_where(#[case] body: &str, #[case] line: usize, #[case] reason: &str) {
    let read = read(&format!("function f (r0) real\n{body}\n"));
    assert_eq!(read.map(|_| ()), Err(Unreadable { line, reason: reason.to_owned() }));
}

/// No prefix of a text, and no text with a word left out, makes the reader panic.
#[test]
fn damaged_texts_are_refused_or_read() {
    for seed in 0..12 {
        let text = print(&unit(seed, Dials::with_cells()), None);
        for place in (0..text.len()).step_by(31) {
            let _ = read(&text[..place]);
            let end = text[place..].find(' ').map_or(text.len(), |space| place + space);
            let _ = read(&(text[..place].to_owned() + &text[end..]));
        }
    }
}

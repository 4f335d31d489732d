//! The invariants of CPS conversion, and of the code that two engines make of its blocks, on every program of the
//! corpus.

use rstest::rstest;
use std::path::PathBuf;
use vlad_shared::ad::traps::Traps;
use vlad_shared::cps;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::snapshot::layout;

#[rstest]
fn conversion_keeps_its_invariants(
    #[files("corpus/**/*.vlad")]
    #[files("corpus/**/*.f")]
    #[exclude("/parts/")]
    path: PathBuf,
) {
    // A text that is no program has nothing to be converted.
    let Ok(program) = load(Input::Path(path), &Options::default()) else { return };
    let converted = cps::pipeline(&program);
    cps::check::check(&program, &converted).unwrap_or_else(|message| panic!("{message}"));
    layout::check::check(&program, &converted).unwrap_or_else(|message| panic!("{message}"));
    let lowered = vlad_hybrid::lowering::lower(&program, &converted, Traps::Off);
    vlad_hybrid::check::check(&lowered).unwrap_or_else(|message| panic!("{message}"));
    vlad_compiler::tagged::check(&program, &converted).unwrap_or_else(|message| panic!("{message}"));
}

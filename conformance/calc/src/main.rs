//! The program `vlad-calc`: the command `vlad` with one more language.

use std::process::ExitCode;
use vlad_calc::Calc;
use vlad_shared::frontend::languages::Languages;

fn main() -> ExitCode {
    vlad::command(Languages::and(&[&Calc]))
}

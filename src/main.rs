//! The program `vlad`: the command with the languages that come with it.

use std::process::ExitCode;
use vlad_shared::frontend::languages::Languages;

fn main() -> ExitCode {
    vlad::command(Languages::default())
}

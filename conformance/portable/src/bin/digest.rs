//! Runs packed programs, a JSON object a line of the standard input, on the interpreter and on the evaluator of converted programs, and
//! prints the line of `vlad conform --digest`. The two have to agree.
//!
//! It needs less than the command - no C compiler, no files - and so serves where a target has to be built for a test alone.

use std::io::BufRead;
use std::process::ExitCode;
use std::{io, thread};
use vlad_frontend::languages::Languages;
use vlad_portable::digest::{self, ProgramDigest};
use vlad_portable::packed::{Evaluator, PackedProgram};

/// The stack of the thread that runs programs, in bytes.
const STACK: usize = 64 << 20;

fn main() -> Result<ExitCode, String> {
    let run = thread::Builder::new().stack_size(STACK).spawn(run).map_err(|error| error.to_string())?;
    run.join().unwrap_or_else(|_| Err("a program broke the evaluator".to_owned()))
}

fn run() -> Result<ExitCode, String> {
    let mut digests = Vec::new();
    let mut fails = false;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let program: PackedProgram = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let [interp, hybrid] = Evaluator::ALL.map(|evaluator| program.digest(Languages::default(), evaluator));
        if interp.is_none() || interp != hybrid {
            let digits =
                |digest: Option<ProgramDigest>| digest.map_or("none".to_owned(), |own| own.digits().to_owned());
            eprintln!("{}: interp {}, hybrid {}", program.path, digits(interp), digits(hybrid));
            fails = true;
            continue;
        }
        digests.extend(interp);
    }
    print!("{}", digest::line(digests));
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

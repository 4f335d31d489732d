//! Compiles the hand-written C reference programs, each to an executable of its own.
//!
//! The flags are fixed (`CFLAGS` is ignored): they belong to the definition of these references. The mathematical functions are those of
//! the language, so that results can be compared to the bit.

use std::path::Path;
use std::process::Command;
use std::{env, error::Error};

/// Each program, and its level of optimisation. Those at 2 are compiled as the C of the native engine is.
const PROGRAMS: [(&str, &str); 9] = [
    ("arrays", "-O2"),
    ("backprop", "-O2"),
    ("bundle", "-O2"),
    ("likelihood", "-O2"),
    ("models", "-O2"),
    ("particle", "-O2"),
    ("recurrence", "-O2"),
    ("saddle", "-O2"),
    ("vectors", "-O3"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::var("OUT_DIR")?;
    let compiler = cc::Build::new().no_default_flags(true).get_compiler();
    println!("cargo:rustc-env=VLAD_YARDSTICKS={folder}");
    let archive = env::var_os("DEP_VLAD_MATHEMATICS_ARCHIVE").ok_or("vlad-table tells where the archive is")?;
    for header in ["yardstick.h", "arrays.h", "functions.h"] {
        println!("cargo:rerun-if-changed=yardstick/{header}");
    }
    for (name, level) in PROGRAMS {
        let source = format!("yardstick/{name}.c");
        println!("cargo:rerun-if-changed={source}");
        let executable = Path::new(&folder).join(name);
        let flags = ["-std=gnu11", level, "-ffp-contract=off", "-fno-math-errno", "-pthread", "-o"];
        let mut command = Command::new(compiler.path());
        command.args(flags).arg(&executable).args(["-include", "yardstick/functions.h"]);
        let status = command.arg(&source).arg(&archive).arg("-lm").status()?;
        if !status.success() {
            return Err(format!("{source} does not compile").into());
        }
    }
    Ok(())
}

//! Compiles the hand-written C reference programs, each to an executable of its own.
//!
//! The flags are fixed (`CFLAGS` is ignored): `-O3 -ffp-contract=off` belong to the definition of these references.

use std::path::Path;
use std::process::Command;
use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::var("OUT_DIR")?;
    let compiler = cc::Build::new().no_default_flags(true).opt_level(3).get_compiler();
    println!("cargo:rustc-env=VLAD_YARDSTICKS={folder}");
    for name in ["saddle_ff", "particle_ff", "backprop_r", "vectors"] {
        let source = format!("yardstick/{name}.c");
        println!("cargo:rerun-if-changed={source}");
        let executable = Path::new(&folder).join(name);
        let flags = ["-std=gnu11", "-O3", "-ffp-contract=off", "-o"];
        let status = Command::new(compiler.path()).args(flags).arg(&executable).arg(&source).arg("-lm").status()?;
        if !status.success() {
            return Err(format!("{source} does not compile").into());
        }
    }
    Ok(())
}

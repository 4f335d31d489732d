//! Lets the linker replace the functions of the archive in the programs of this crate: each reference to `vlad_math_NAME` becomes one
//! to `__wrap_vlad_math_NAME` of `src/functions.rs`. The library crates are what they are everywhere else.
//!
//! The names are those of `functions.h`. A function without a replacement is an undefined symbol then.
//!
//! Linkers of other systems than Linux may lack the option; there nothing is replaced, and the test says so.

use std::{env, fs, io};

/// The declarations of the functions.
const DECLARATIONS: &str = "../../shared/table/mathematics/functions.h";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={DECLARATIONS}");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        let text = fs::read_to_string(DECLARATIONS)?;
        let declared = text.split("each(").skip(1).filter_map(|rest| rest.split_once(", "));
        for name in declared.map(|(name, _)| name).filter(|name| *name != "polygamma").chain(["sincos"]) {
            println!("cargo::rustc-link-arg=-Wl,--wrap=vlad_math_{name}");
        }
    }
    Ok(())
}

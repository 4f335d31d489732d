//! Lets the linker replace the functions of the archive in the programs of this crate: each reference to `vlad_math_NAME` becomes one
//! to `__wrap_vlad_math_NAME` of `src/functions.rs`. The library crates are what they are everywhere else.

/// The functions, by their names in the archive.
const NAMES: [&str; 28] = [
    "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "pow", "hypot", "cbrt", "exp2", "log2", "log10", "log1p", "expm1", "erf", "erfc", "lgamma", "tgamma",
    "sincos",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in NAMES {
        println!("cargo::rustc-link-arg=-Wl,--wrap=vlad_math_{name}");
    }
}

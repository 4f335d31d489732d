//! Builds the runtime of the native engine, real C files beside the crate's sources, into the crate.
//!
//! Invariant: the flags that decide bits are ours. The system's settings (`CC`, `CFLAGS`) may choose the compiler and add
//! flags, but ours come last, and they turn off whatever would let a compiler change a result.
//!
//! With `VLAD_SANITIZE` set to sanitisers, as the compiler's `-fsanitize` takes them, the runtime is built with them, and
//! so is every program that this build of the crate has compiled (docs/report/14-native.md).

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

// The text that is generated from the table of primitives; it uses nothing of the crate.
#[allow(dead_code, unused_imports)] // the crate uses more of it than the build does
#[path = "src/rules/mod.rs"]
mod rules;

/// What is compiled from the folder `runtime`.
const FILES: [&str; 26] = [
    "memory",
    "stack",
    "driver",
    "inspect",
    "services",
    "call",
    "computation",
    "apply",
    "vector",
    "on_vector",
    "equal",
    "arithmetic",
    "nodes",
    "tape",
    "accumulators",
    "sweep",
    "walk",
    "operators",
    "reflection",
    "transformed",
    "backpropagator",
    "pull",
    "journal",
    "operands",
    "capsule",
    "checkpoint",
];

/// As the flags of generated programs (`toolchain::flags`), and off with the parts of fast mathematics one by one.
const FLAGS: [&str; 18] = [
    "-std=c11",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-fast-math",
    "-fno-unsafe-math-optimizations",
    "-fno-associative-math",
    "-fno-reciprocal-math",
    "-fno-finite-math-only",
    "-fsigned-zeros",
    "-fno-builtin",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-foptimize-sibling-calls",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
];

/// The sanitisers that can be chosen, with the library that each needs.
const SANITISERS: [(&str, &str); 2] = [("address", "asan"), ("undefined", "ubsan")];

/// The flags beside the names of the sanitisers. What one finds ends the process: nothing is to be overlooked.
const SANITISING: &str =
    "-fsanitize=float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer -g -DVLAD_SANITIZED";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-changed=src/rules");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=VLAD_SANITIZE");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let sanitising = sanitising()?;
    // Programs are compiled with the same.
    println!("cargo:rustc-env=VLAD_SANITISING={sanitising}");
    fs::write(out.join("rules.h"), rules::header())?;
    fs::write(out.join("rules.c"), rules::source())?;
    let mut objects = Vec::new();
    for name in FILES {
        objects.push(compile(&Path::new("runtime").join(name).with_extension("c"), &out, &sanitising)?);
    }
    objects.push(compile(&out.join("rules.c"), &out, &sanitising)?);
    cc::Build::new().objects(objects).compile("vlad_runtime");
    Ok(())
}

/// The flags of the sanitisers that the environment asks for, which are linked; nothing if it asks for none.
fn sanitising() -> Result<String, Box<dyn Error>> {
    let wanted = env::var("VLAD_SANITIZE").unwrap_or_default();
    if wanted.is_empty() {
        return Ok(wanted);
    }
    for name in wanted.split(',') {
        let known = SANITISERS.iter().find(|(sanitiser, _)| *sanitiser == name);
        let (_, library) = known.ok_or_else(|| format!("VLAD_SANITIZE knows address and undefined, not `{name}`"))?;
        println!("cargo:rustc-link-lib=dylib={library}");
    }
    Ok(format!("-fsanitize={wanted} {SANITISING}"))
}

/// Compiles one file and gives the object.
fn compile(source: &Path, out: &Path, sanitising: &str) -> Result<PathBuf, Box<dyn Error>> {
    let compiler = cc::Build::new().warnings(false).get_compiler();
    let object = out.join(source.with_extension("o").file_name().ok_or("a source has a name")?);
    let mut command = Command::new(compiler.path());
    command
        .args(compiler.args())
        .args(FLAGS)
        .args(sanitising.split_whitespace())
        .arg("-I")
        .arg("runtime")
        .arg("-I")
        .arg(out);
    let status = command.arg("-c").arg(source).arg("-o").arg(&object).status()?;
    if !status.success() {
        return Err(format!("the C compiler failed on {}: {status}", source.display()).into());
    }
    Ok(object)
}

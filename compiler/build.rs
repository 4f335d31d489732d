//! Builds the runtime of the native engine, C files in the folder `runtime` with a folder for each layer, into the crate.
//!
//! Invariant: our own flags determine the bits of results. The system's settings (`CC`, `CFLAGS`) may choose the
//! compiler and add flags, but ours come last, and they turn off every option that would let a compiler change a
//! result.
//!
//! If `VLAD_SANITIZE` names sanitisers, in the form of the compiler's `-fsanitize`, the runtime is built with them, and
//! so is every program that this build of the crate compiles (docs/report/14-native.md).

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

// The syntax tree of C, and the generator of C from the table of primitives; they use nothing else of the crate.
#[allow(dead_code, unused_imports)] // the crate uses more of them than the build does
#[path = "src/c/mod.rs"]
mod c;
#[allow(dead_code, unused_imports)]
#[path = "src/rules/mod.rs"]
mod rules;

/// The flags of the runtime: as for generated programs (`toolchain::flags`), with the parts of fast mathematics turned
/// off one by one. A function may only be called where its header is included.
const FLAGS: [&str; 20] = [
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
    "-Wmissing-prototypes",
    "-Werror=implicit-function-declaration",
];

/// The sanitisers that can be selected, with the library that each needs.
const SANITISERS: [(&str, &str); 2] = [("address", "asan"), ("undefined", "ubsan")];

/// The flags added to the names of the sanitisers. Any finding ends the process, so none is overlooked.
const SANITISING: &str =
    "-fsanitize=float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer -g -DVLAD_SANITIZED";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-changed=src/c");
    println!("cargo:rerun-if-changed=src/rules");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=VLAD_SANITIZE");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let sanitising = sanitising()?;
    // Programs are compiled with the same sanitisers.
    println!("cargo:rustc-env=VLAD_SANITISING={sanitising}");
    for part in ["ARCHIVE", "LICENCE"] {
        println!("cargo:rustc-env=VLAD_MATHEMATICS_{part}={}", mathematics(part, &out)?.display());
    }
    fs::write(out.join("mathematics.h"), rules::mathematics_header())?;
    fs::write(out.join("rules.h"), rules::header())?;
    fs::write(out.join("rules.c"), rules::source())?;
    fs::write(out.join("coefficients.c"), rules::coefficients_source())?;
    let layers = entries(Path::new("runtime"))?;
    let mut sources = vec![out.join("rules.c"), out.join("coefficients.c")];
    for layer in &layers {
        sources.extend(entries(layer)?.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "c")));
    }
    let folders: Vec<&Path> = layers.iter().chain([&out]).map(PathBuf::as_path).collect();
    let objects: Result<Vec<PathBuf>, _> =
        sources.iter().map(|source| compile(source, &folders, &out, &sanitising)).collect();
    cc::Build::new().objects(objects?).compile("vlad_runtime");
    Ok(())
}

/// The paths of the entries of a folder, in order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}

/// Returns the path of the archive of mathematical functions, or of its licence, which go with emitted code; that of an empty
/// file where `vlad-table` builds none.
fn mathematics(part: &str, out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    if let Some(path) = env::var_os(format!("DEP_VLAD_MATHEMATICS_{part}")) {
        return Ok(path.into());
    }
    let none = out.join("no_archive");
    fs::write(&none, "")?;
    Ok(none)
}

/// Returns the flags of the sanitisers that the environment names, and links their libraries; nothing if it names none.
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

/// Compiles one file, which includes headers of the folders, and returns the path of the object.
fn compile(source: &Path, folders: &[&Path], out: &Path, sanitising: &str) -> Result<PathBuf, Box<dyn Error>> {
    let compiler = cc::Build::new().warnings(false).get_compiler();
    let object = out.join(source.with_extension("o").file_name().ok_or("a source has a name")?);
    let mut command = Command::new(compiler.path());
    command
        .args(compiler.args())
        .args(FLAGS)
        .args(sanitising.split_whitespace())
        .args(folders.iter().flat_map(|folder| [Path::new("-I"), folder]));
    let status = command.arg("-c").arg(source).arg("-o").arg(&object).status()?;
    if !status.success() {
        return Err(format!("the C compiler failed on {}: {status}", source.display()).into());
    }
    Ok(object)
}

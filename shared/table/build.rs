//! Builds the mathematical functions, which are CORE-MATH's with some shorter ways of our own (`mathematics/quick.c` and `power.c`),
//! into an archive: `libvlad_mathematics.a`.
//!
//! `mathematics/functions.h` lists the functions; their names in Rust are generated from it.
//!
//! The sources are those of the crate `core-math-sys`, a build dependency. Its own build is not what is linked: that is for the
//! processor on which it runs. Here each file is compiled with flags that determine its bits, on x86-64 twice
//! (`mathematics/functions.c`), and against headers of our own (`mathematics/include`), so that no function of the C library is
//! called. `ask` in `functions.c` looks for each instruction that the flags of a variant allow.
//!
//! For WebAssembly the C compiler is clang, which needs no C library for it either. A target without integers of 128 bits has no functions,
//! since CORE-MATH computes with them.
//!
//! Crates that depend on this one directly find the path of the archive in `DEP_VLAD_MATHEMATICS_ARCHIVE`, and that of the licence of
//! CORE-MATH in `DEP_VLAD_MATHEMATICS_LICENCE`: emitted code for other languages has both.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::{env, fs};

/// The header with the lists of the functions.
const FUNCTIONS: &str = "mathematics/functions.h";

/// The flags that determine results: each operation is rounded by itself. They come last, so that no setting of the system
/// replaces them.
const FLAGS: [&str; 13] = [
    "-std=gnu17",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-fast-math",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-lto",
    "-fno-sanitize=all",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-w",
];

/// The file with short ways to powers, which every variant has.
const POWER: &str = "power.c";

/// The functions that have a quick phase in [`QUICK_FILE`].
const QUICK: [&str; 6] = ["cos", "exp", "sin", "sincos", "tan", "tanh"];

/// The file of the quick phases, which are for processors with a fused multiply-add.
const QUICK_FILE: &str = "quick.c";

/// The files that are compiled once: the choice of a variant, the polygamma functions, the interface for Fortran.
const INTERFACES: [&str; 3] = ["functions.c", "polygamma.c", "fortran.c"];

/// A compilation of all functions, in a folder of its own.
struct Variant {
    /// Its name in the functions' names.
    name: &'static str,
    /// The flags for the processor.
    flags: &'static [&'static str],
    /// The functions with a quick phase.
    quick: &'static [&'static str],
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=mathematics");
    println!("cargo::rerun-if-changed=build.rs");
    let architecture = env::var("CARGO_CFG_TARGET_ARCH")?;
    if env::var("CARGO_CFG_TARGET_POINTER_WIDTH")? == "32" && architecture != "wasm32" {
        return Err(format!("C has no integers of 128 bits for {architecture}, with which CORE-MATH computes").into());
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let own = env::current_dir()?.join("mathematics");
    let header = fs::read_to_string(FUNCTIONS)?;
    fs::write(out.join("functions.rs"), lists_in_rust(&header)?)?;
    let names = files(&header)?;
    let functions = functions()?;
    let files: Vec<PathBuf> = names.iter().map(|name| functions.join(name).join(name).with_extension("c")).collect();
    let plain = Variant { name: "plain", flags: &[], quick: &[] };
    let variants: &[Variant] = match architecture.as_str() {
        "x86_64" => &[
            Variant {
                name: "fused",
                flags: &["-DVLAD_FUSED", "-mfma", "-mavx2", "-mbmi", "-mbmi2", "-mlzcnt"],
                quick: &QUICK,
            },
            plain,
        ],
        "aarch64" => &[Variant { name: "fused", flags: &["-DVLAD_FUSED"], quick: &QUICK }],
        _ => &[plain],
    };
    // The variants are compiled at the same time, each by one process.
    let mut compilations = Vec::new();
    for variant in variants {
        let mut sources = vec![own.join(POWER)];
        sources.extend((!variant.quick.is_empty()).then(|| own.join(QUICK_FILE)));
        sources.extend_from_slice(&files);
        compilations.push(compilation(&sources, &names, variant, &own, &out.join(variant.name))?);
    }
    let interfaces = INTERFACES.map(|name| own.join(name));
    compilations.push(compilation(&interfaces, &names, &Variant { name: "", flags: &[], quick: &[] }, &own, &out)?);
    let mut objects = Vec::new();
    for (process, made) in &mut compilations {
        let status = process.wait()?;
        if !status.success() {
            return Err(format!("the C compiler failed: {status}").into());
        }
        objects.append(made);
    }
    cc::Build::new().objects(objects).cargo_metadata(false).try_compile("vlad_mathematics")?;
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=vlad_mathematics");
    let licence = out.join("LICENCE");
    fs::write(&licence, notice(&functions, &names)?)?;
    println!("cargo::metadata=LICENCE={}", licence.display());
    println!("cargo::metadata=ARCHIVE={}", out.join("libvlad_mathematics.a").display());
    Ok(())
}

/// The functions in a list of the header, each with its name for Fortran.
fn listed<'text>(header: &'text str, list: &str) -> Result<Vec<[&'text str; 2]>, Box<dyn Error>> {
    let (_, rest) = header.split_once(&format!("#define {list}(each)")).ok_or(format!("{FUNCTIONS} has no {list}"))?;
    let entries = rest.split("\n#").next().unwrap_or_default().split("each(").skip(1);
    let pair = |entry: &'text str| {
        let (name, fortran) = entry.split_once(')')?.0.split_once(", ")?;
        Some([name, fortran])
    };
    entries.map(|entry| pair(entry).ok_or(format!("{FUNCTIONS}: each({entry} is no pair of names").into())).collect()
}

/// The files of CORE-MATH, by the names of their folders.
fn files(header: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let (unary, binary) = (listed(header, "VLAD_UNARY_FUNCTIONS")?, listed(header, "VLAD_BINARY_FUNCTIONS")?);
    Ok(unary.into_iter().chain(binary).map(|[name, _]| name).chain(["sincos"]).map(str::to_owned).collect())
}

/// The lists in Rust, which `math/compiled.rs` includes: a macro that gives the names to another one, and the names for Fortran.
fn lists_in_rust(header: &str) -> Result<String, Box<dyn Error>> {
    let (unary, binary) = (listed(header, "VLAD_UNARY_FUNCTIONS")?, listed(header, "VLAD_BINARY_FUNCTIONS")?);
    let names = |list: &[[&str; 2]]| list.iter().map(|[name, _]| format!("{name}, ")).collect::<String>();
    let all = unary.iter().chain(&binary).copied().chain(listed(header, "VLAD_DEFINED_FUNCTIONS")?);
    let in_fortran: String =
        all.map(|[name, fortran]| format!("(\"{name}\", \"{}\"), ", fortran.to_uppercase())).collect();
    Ok(format!(
        "/// Gives the functions of CORE-MATH to a macro: `{{ the names of those of one real }} {{ and of two }}`.\n\
         #[macro_export]\nmacro_rules! with_functions {{\n    ($then:ident) => {{\n        $then! {{ {{ {} }} {{ {} }} }}\n    }};\n}}\n\n\
         /// The names of the functions in C and in the archive for Fortran, in capitals.\n\
         pub const NAMES_IN_FORTRAN: &[(&str, &str)] = &[{in_fortran}];\n",
        names(&unary),
        names(&binary),
    ))
}

/// Begins to compile sources in a folder; the objects will be there.
fn compilation(
    sources: &[PathBuf],
    names: &[String],
    variant: &Variant,
    own: &Path,
    folder: &Path,
) -> Result<(Child, Vec<PathBuf>), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let compiler = cc::Build::new().warnings(false).debug(false).get_compiler();
    let mut command = Command::new(compiler.path());
    command.current_dir(folder).args(compiler.args()).args(FLAGS).args(variant.flags);
    if compiler.is_like_gnu() {
        // Branches of argument reductions are predicted well.
        command.arg("-fno-if-conversion");
    }
    for name in names {
        if name == "pow" || variant.quick.contains(&name.as_str()) {
            // There is a shorter way, which calls this one.
            command.arg(format!("-Dcr_{name}=vlad_{}_any_{name}", variant.name));
            command.arg(format!("-Dvlad_any_{name}=vlad_{}_any_{name}", variant.name));
            command.arg(format!("-Dvlad_{name}=vlad_{}_{name}", variant.name));
        } else {
            command.arg(format!("-Dcr_{name}=vlad_{}_{name}", variant.name));
        }
    }
    command.arg("-I").arg(own.join("include")).arg("-include").arg(own.join("operations.h"));
    let process = command.arg("-c").args(sources).spawn()?;
    let names = sources.iter().filter_map(|source| source.file_stem());
    Ok((process, names.map(|name| folder.join(name).with_extension("o")).collect()))
}

/// Returns the notice that has to go with copies of the functions: the licence, after the names of those who hold the copyright.
fn notice(functions: &Path, names: &[String]) -> Result<String, Box<dyn Error>> {
    let mut holders = BTreeSet::new();
    for name in names {
        let text = fs::read_to_string(functions.join(name).join(name).with_extension("c"))?;
        holders.extend(text.lines().take(30).filter(|line| line.starts_with("Copyright")).map(str::to_owned));
    }
    let holders: String = holders.into_iter().map(|line| line + "\n").collect();
    let licence = fs::read_to_string(functions.join("../../LICENSE"))?;
    Ok(format!("The mathematical functions in this archive are those of CORE-MATH.\n\n{holders}\n{licence}"))
}

/// Returns the folder of the functions of doubles in the sources of CORE-MATH. Cargo does not tell a build script where the
/// sources of its build dependencies are, so `cargo metadata` is asked.
fn functions() -> Result<PathBuf, Box<dyn Error>> {
    let host = env::var("HOST")?;
    let metadata = |options: &[&str]| -> Result<Output, Box<dyn Error>> {
        let mut command = Command::new(env::var("CARGO")?);
        command.args(["metadata", "--format-version", "1", "--filter-platform", &host]).args(options);
        Ok(command.output()?)
    };
    // Mostly all packages of the lock file are there; else those of tests and measurements are fetched as well.
    let mut output = metadata(&["--offline", "--locked"])?;
    if !output.status.success() {
        output = metadata(&[])?;
    }
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let manifests = text.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let folders =
        manifests.filter_map(|manifest| Some(Path::new(&manifest.replace("\\\\", "\\")).parent()?.to_owned()));
    let named = |folder: &PathBuf| {
        folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("core-math-sys"))
    };
    let folder = folders.into_iter().find(named).ok_or("cargo metadata names no crate core-math-sys")?;
    let functions = folder.join("vendor/src/binary64");
    fs::metadata(functions.join("exp/exp.c")).map_err(|error| format!("{}: {error}", functions.display()))?;
    Ok(functions)
}

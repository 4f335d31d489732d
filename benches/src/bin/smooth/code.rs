//! The C that is measured: exported from the program, and a driver that calls it.

use crate::Problem;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};
use vlad_benches::{fault, root};
use vlad_compiler::Passes;
use vlad_compiler::export::mathematics::Mathematics;
use vlad_compiler::export::{Arithmetic, ExportSet, Request, c_files};
use vlad_shared::frontend::load::{Input, Options, load_with};
use vlad_shared::frontend::vlad::appendix::{Appendix, GivenExpression, Part};
use vlad_shared::language::{Rewriting, Usage};

/// A version of a gradient that is exported.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    set: &'static str,
    title: &'static str,
    rewriting: Rewriting,
    /// The number of its function in the problem.
    function: usize,
}

/// The versions.
const VERSIONS: [Version; 4] = [
    Version { set: "rewritten", title: "rewritten", rewriting: Rewriting::On, function: 0 },
    Version { set: "algebra", title: "by algebra", rewriting: Rewriting::Algebra, function: 0 },
    Version { set: "written", title: "as written", rewriting: Rewriting::Off, function: 0 },
    Version { set: "reverse", title: "`vjp`", rewriting: Rewriting::On, function: 1 },
];

/// The number of problems that have a variant with tests of lengths, the first ones.
const CHECKED_PROBLEMS: usize = 4;

/// The variant of the best C by hand that has the parameters and duties of an exported function.
const CHECKED: &str = "checked";

impl Version {
    /// The title of the column of a variant.
    pub fn title(variant: &str) -> String {
        let of_set = VERSIONS.iter().find(|version| variant.starts_with(version.set));
        match (of_set, variant.ends_with("_allocated")) {
            (None, _) if variant == CHECKED => "best, with tests of lengths".to_owned(),
            (None, _) => "forward by hand".to_owned(),
            (Some(version), true) => format!("{}, allocator", version.title),
            (Some(version), false) => version.title.to_owned(),
        }
    }
}

/// A compiled driver.
#[derive(Debug)]
pub struct Driver {
    executable: PathBuf,
    sets: Vec<&'static str>,
    is_checked: bool,
}

impl Driver {
    /// Compiles the driver of a problem, in a folder; also says what cannot be exported.
    pub fn new(problem: &Problem, number: usize, folder: &Path) -> io::Result<(Driver, Vec<String>)> {
        fs::create_dir_all(folder)?;
        let (mut sets, mut refusals, mut includes) = (Vec::new(), Vec::new(), String::new());
        for version in VERSIONS {
            match export(problem, version, folder)? {
                None => {
                    let _ = writeln!(includes, "#include \"{}.h\"", version.set);
                    sets.push(version.set);
                }
                Some(refusal) => refusals.push(format!("{}: {refusal}", version.title)),
            }
        }
        let variants: String = sets.iter().map(|set| format!(" \\\n    VARIANT({set})")).collect();
        fs::write(folder.join("variants.h"), format!("{includes}#define VARIANTS(VARIANT){variants}\n"))?;
        let sources = root().join("benches/smooth");
        let compile = |source: &Path, flags: &[&str]| -> io::Result<PathBuf> {
            let object = folder.join(source.file_stem().unwrap_or_default()).with_extension("o");
            let mut command = compiler();
            command.args(flags).arg("-I").arg(&sources).arg("-I").arg(folder);
            command.arg("-c").arg(source).arg("-o").arg(&object);
            succeed(&mut command)?;
            Ok(object)
        };
        let flags = Arithmetic::Strict.flags();
        let by_hand = ["-std=c17", "-O2", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"];
        let definition = format!("-DPROBLEM={number}");
        let mut objects = vec![
            compile(&sources.join("by_hand.c"), &by_hand)?,
            compile(&sources.join("driver.c"), &[&by_hand[..], &[&definition]].concat())?,
        ];
        for set in &sets {
            objects.push(compile(&folder.join(set).with_extension("c"), &flags)?);
        }
        // Sets without mathematical functions have no archive.
        let archives = sets.iter().map(|set| folder.join(format!("lib{set}_math.a")));
        objects.extend(archives.filter(|archive| archive.exists()));
        let executable = folder.join("driver");
        succeed(compiler().args(&objects).arg("-o").arg(&executable).arg("-lm"))?;
        Ok((Driver { executable, sets, is_checked: number < CHECKED_PROBLEMS }, refusals))
    }

    /// The names of the variants, that of the best C by hand first.
    pub fn variants(&self) -> Vec<String> {
        let of_sets = self.sets.iter().flat_map(|set| [format!("{set}_placed"), format!("{set}_allocated")]);
        let checked = self.is_checked.then_some(CHECKED);
        let by_hand = ["best"].into_iter().chain(checked).chain(["forward"]).map(str::to_owned);
        by_hand.chain(of_sets).collect()
    }

    /// Runs variants at a size: the seconds of a call of each, none where there is not enough memory.
    pub fn run(&self, size: usize, variants: &[String]) -> io::Result<Vec<(String, Option<f64>)>> {
        let text = succeed(Command::new(&self.executable).arg(size.to_string()).args(variants))?;
        let line = |line: &str| {
            let (name, figure) = line.split_once(' ')?;
            match figure.strip_prefix("status-") {
                Some("5") => Some((name.to_owned(), None)),
                Some(_) => None,
                None => Some((name.to_owned(), Some(figure.parse().ok()?))),
            }
        };
        text.lines().map(|text| line(text).ok_or_else(|| fault(format!("a line is `{text}`")))).collect()
    }
}

/// Exports a gradient in a version, or says why that is not possible.
fn export(problem: &Problem, version: Version, folder: &Path) -> io::Result<Option<String>> {
    let [forward, reverse] = problem.functions;
    let function = if version.function == 0 { forward } else { reverse };
    let request = Request::parse(&format!("f={function}:{}", problem.signature)).map_err(fault)?;
    let given: Vec<GivenExpression> = request
        .appended()
        .into_iter()
        .map(|appended| GivenExpression { name: appended.name, text: appended.text, usage: Usage::Value })
        .collect();
    let made = vec![(0..given.len()).map(Part::Given).collect()];
    let options = Options { rewriting: Some(version.rewriting), ..Options::default() };
    let program = load_with(
        Input::Path(root().join("benches/smooth/model.fs")),
        &options,
        &Appendix { given, made, shown: None },
    )
    .map_err(|failure| fault(format!("{:?}", failure.diagnostics)))?;
    match ExportSet::new(version.set, &program, &[request], Passes::ALL, Arithmetic::Strict, Mathematics::Vlad) {
        Ok(set) => {
            for file in c_files(&set) {
                let bytes = file.bytes().ok_or_else(|| fault("no archive of mathematical functions"))?;
                fs::write(folder.join(&file.path), bytes)?;
            }
            Ok(None)
        }
        Err(refusals) => Ok(refusals.into_iter().next().map(|refusal| refusal.message)),
    }
}

fn compiler() -> Command {
    Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
}

/// The standard output of a command that must succeed.
fn succeed(command: &mut Command) -> io::Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(fault(format!("{command:?}: {} {}", output.status, String::from_utf8_lossy(&output.stderr))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

//! The first-order code of programs means what the programs mean: evaluated, it gives the bits, the output and the steps
//! of the engine `hybrid`, on every program of the corpus, as far as it goes. `hybrid` agrees with the interpreter on them, and takes
//! half of its time. The examples are in it: cases of the corpus include them.
//!
//! A program is evaluated item by item until one has no first-order code, or bails out; the output so far has to be the
//! beginning of that engine's. This is done with the code before all passes, and with storage code after all, after none, and with a pass
//! left out: each of them for the programs of the literature that end in the most nested derivative, for a fifth of the
//! others one that depends on the name of the file. So each pass is left out of some 40 programs.
//! The process is its own: what evaluations take would count for the limits of memory of other runs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "allocator/mod.rs"]
mod allocator;
#[path = "listed/mod.rs"]
mod listed;

use libtest_mimic::{Failed, Trial};
use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use vlad_compiler::analysis::{Reason, Weighing, analyse};
use vlad_compiler::{lowered, specialise};
use vlad_conformance::corpus::case::{self, CaseLimits};
use vlad_conformance::corpus::check::{language_of, read_text, setting};
use vlad_conformance::observe::observe;
use vlad_engines::Engine;
use vlad_first_order::check::check;
use vlad_first_order::evaluate::{Effects, Limits, evaluate};
use vlad_first_order::passes::{PASSES, Pass, Passes};
use vlad_first_order::storage::{self, placement::Execution};
use vlad_first_order::template::{Line, Template};
use vlad_first_order::{Leaf, Unit};
use vlad_shared::core::{GlobalId, Item, Program};
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::table::number::{self, Notation};
use vlad_shared::values::print::{Layout, write_line};
use vlad_shared::values::row;

fn main() -> ExitCode {
    let programs = listed::programs("corpus");
    let trials = programs.iter().filter_map(|path| trial(path)).chain(linear_algebra());
    listed::run(trials.collect())
}

/// The limits of an evaluation: what takes longer is left to engines that compile.
const LIMITS: Limits = Limits { depth: 600, statements: 3_000_000 };

/// The limits where not all passes have run.
const LOW_LIMITS: Limits = Limits { statements: 500_000, ..LIMITS };

/// The effects of a run.
struct Run<'program> {
    program: &'program Program,
    unit: &'program Unit,
    input: &'program mut Vec<f64>,
    output: &'program mut Vec<String>,
    /// True after a line that cannot be written, which ends the run.
    has_failed: bool,
}

impl Effects for Run<'_> {
    fn read(&mut self) -> Option<f64> {
        self.input.pop()
    }

    fn write(&mut self, template: u32, leaves: &[Leaf]) {
        let line = &self.unit.written[template as usize];
        self.has_failed |= line.layout == Layout::Row && row::check(&line.template.value(leaves).unwrap()).is_err();
        if !self.has_failed {
            self.output.push(printed(self.program, line, leaves));
        }
    }
}

fn printed(program: &Program, line: &Line, leaves: &[Leaf]) -> String {
    let value = line.template.value(leaves).unwrap();
    let mut text = Vec::new();
    write_line(&mut text, program, &value, line.layout, Notation::Shortest).unwrap();
    String::from_utf8(text).unwrap()
}

/// The output of a program's first-order code, and its steps if it goes to the end.
fn evaluated(
    program: &Program,
    units: Vec<Result<Unit, Reason>>,
    input: &str,
    limits: Limits,
) -> (Vec<String>, Option<u64>) {
    for unit in units.iter().flatten() {
        check(unit).unwrap_or_else(|fault| panic!("{fault}"));
    }
    let mut input: Vec<f64> = input.split_whitespace().map_while(number::parse).collect();
    input.reverse();
    let mut output = Vec::new();
    let mut steps = 0;
    let mut known: HashMap<GlobalId, (Template, Vec<Leaf>)> = HashMap::new();
    for (item, unit) in program.items.iter().zip(&units) {
        let (Item::Define(_, node) | Item::Expression(node)) = *item;
        if program.procedure_at(node).is_some() && matches!(item, Item::Define(..)) {
            steps += 1;
            continue;
        }
        let Ok(unit) = unit else { return (output, None) };
        let mut inputs: Vec<Leaf> = Vec::new();
        for (global, template) in &unit.inputs {
            let (result, leaves) = &known[global];
            // A list of known length may be read as one of any length, which has other leaves.
            if result != template {
                return (output, None);
            }
            inputs.extend_from_slice(leaves);
        }
        let mut lines = Vec::new();
        let mut effects = Run { program, unit, input: &mut input, output: &mut lines, has_failed: false };
        let ended = evaluate(unit, &inputs, &mut effects, limits);
        let has_failed = effects.has_failed;
        output.append(&mut lines);
        let Ok(ended) = ended else { return (output, None) };
        if has_failed {
            return (output, None);
        }
        steps += ended.steps;
        match *item {
            Item::Define(global, _) => {
                known.insert(global, (unit.result.clone(), ended.results));
            }
            Item::Expression(_) => output.push(printed(program, &Line::of(unit.result.clone()), &ended.results)),
        }
    }
    (output, Some(steps))
}

/// The passes that are left out, one at a time, of the program in a file.
fn left_out(path: &Path) -> Vec<Pass> {
    let name = path.file_name().unwrap().to_string_lossy();
    let number: usize = name.bytes().map(usize::from).sum();
    let is_nested = ["-rr.vlad", "-r.vlad"].iter().any(|end| name.ends_with(end));
    let rows = PASSES.iter().enumerate();
    rows.filter(|(place, _)| is_nested || number % (5 * PASSES.len()) == *place).map(|(_, row)| row.pass).collect()
}

/// The test of a file in VLAD or Farfel.
fn trial(path: &Path) -> Option<Trial> {
    listed::has_extension(path, &["vlad", "f"]).then(|| listed::trial("agrees", path, agrees))
}

fn agrees(path: &Path) -> Result<(), Failed> {
    let text = read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let case = case::parse(&text, language_of(path).comment())?;
    // Programs about limits need an engine that has them; a limit of a minute and more is time for a long program.
    let short = case.limits.time.filter(|time| *time < Duration::from_secs(60));
    if (CaseLimits { time: short, ..case.limits }).are_any() {
        return Ok(());
    }
    let setting = setting(&case, folder);
    let options = Options { include_folders: setting.include_folders.clone(), ..Options::default() };
    let Ok(program) = load(Input::Path(path.to_path_buf()), &options) else { return Ok(()) };
    let observed = observe(Engine::Hybrid, Input::Path(path.to_path_buf()), &setting);
    let without = left_out(path).into_iter().map(|pass| Passes::ALL.without(pass));
    let analysed = analyse(&program, Weighing::None);
    let mut all = vec![("before the passes".to_owned(), analysed.clone(), LOW_LIMITS)];
    for passes in [Passes::ALL, Passes::NONE].into_iter().chain(without) {
        let limits = if passes == Passes::ALL { LIMITS } else { LOW_LIMITS };
        let stored = |unit: &Unit| storage::lower(unit, Execution::Machine, passes);
        let of_item = |unit| lowered(unit, passes, Weighing::None).map(|unit| stored(&unit));
        let units = analysed.iter().cloned().map(|unit| unit.and_then(of_item));
        all.push((passes.to_string(), units.collect(), limits));
    }
    for (passes, units, limits) in all {
        let (output, steps) = evaluated(&program, units, &setting.input, limits);
        let length = output.len().min(observed.output.len());
        assert_eq!(output, observed.output[..length], "{passes}");
        if let Some(steps) = steps {
            assert_eq!((output.len(), Some(steps)), (observed.output.len(), observed.steps), "{passes}");
        }
    }
    Ok(())
}

/// Expressions of linear algebra that are specialised for sizes that are data, by names.
const OF_ANY_SIZE: [(&str, &str); 17] = [
    ("systems", "(matrix-solve m v)"),
    ("several", "(matrix-solve-columns m m)"),
    ("inverse", "(matrix-inverse m)"),
    ("determinant", "(matrix-determinant m)"),
    ("logarithm", "(matrix-log-determinant m)"),
    ("cholesky", "(matrix-cholesky m)"),
    ("triangles", "(vector-add (matrix-solve-lower m v) (matrix-solve-upper m v))"),
    ("qr", "(matrix-qr m)"),
    ("least_squares", "(matrix-least-squares m v)"),
    ("eigen", "(matrix-symmetric-eigenvalues m)"),
    ("singular", "(matrix-singular-values m)"),
    ("folds", "(vector-scan + 0 v)"),
    ("parts", "(vector-concatenate m)"),
    ("gradient_of_systems", "(*j (lambda (m) (vector-sum (matrix-solve m v))) m 1)"),
    ("gradient_of_determinants", "(*j matrix-determinant m 1)"),
    ("gradient_of_cholesky", "(*j (lambda (m) (matrix-trace (matrix-cholesky m))) m 1)"),
    ("tangents", "(j* (lambda (m) (matrix-inverse m)) m m)"),
];

/// The tests of linear algebra.
fn linear_algebra() -> impl Iterator<Item = Trial> {
    OF_ANY_SIZE.into_iter().map(|(name, expression)| {
        Trial::test(format!("linear_algebra::{name}"), move || linear_algebra_of_any_size(expression))
    })
}

fn linear_algebra_of_any_size(expression: &str) -> Result<(), Failed> {
    let text = format!(
        "(include \"linear-algebra\")
         (define n (read-real))
         (define m (build n (lambda (i) (build n (lambda (j) (if (= i j) n (cos (+ i j))))))))
         (define v (build n sin))
         {expression}"
    );
    let input = Input::Text { name: "program".to_owned(), bytes: text.into_bytes(), folder: None };
    let program = load(input, &Options::default()).unwrap();
    let units = specialise(&program, Passes::ALL, Weighing::All);
    for (item, unit) in program.items.iter().zip(units) {
        let (Item::Define(_, node) | Item::Expression(node)) = *item;
        let defines_procedure = matches!(item, Item::Define(..)) && program.procedure_at(node).is_some();
        assert!(defines_procedure || unit.is_ok(), "{:?}", unit.err());
    }
    Ok(())
}

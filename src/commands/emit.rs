//! `vlad emit`: procedures of a program as C files, with a header, for programs in C, Python and Fortran; or a whole program
//! in plain Fortran.

use super::inspection;
use crate::options::limits::LimitArguments;
use crate::options::program::ProgramArguments;
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::process::exit::Exit;
use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use std::fs;
use std::path::{Path, PathBuf};
use vlad_compiler::Passes;
use vlad_compiler::export::files::File;
use vlad_compiler::export::mathematics::Mathematics;
use vlad_compiler::export::signature::{LeafType, Signature, Type};
use vlad_compiler::export::{self, Appended, Arithmetic, Asked, ExportSet, Refusal, Request, names};
use vlad_compiler::plain_fortran::plain_fortran;
use vlad_derivatives::appended::Evaluation;
use vlad_files::output;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::frontend::vlad::appendix::{Appendix, GivenExpression, Made, Part};
use vlad_shared::language::Usage;
use vlad_shared::language::interface::{DataType, Interface};
use vlad_shared::runtime::run::Limits as RunLimits;

/// The text behind the options in `vlad emit --help`.
pub const HELP: &str = "\
An export is a procedure: a name, as in f:real->real, or an expression with a name, as in \
gradient=(lambda (v) (cdr (*j f v 1))):vector->vector. The expression can use all definitions of the program. In F-smooth it is written in \
F-smooth, and its type determines operands and result: f, or 'gradient = fun v -> vectorMap (grad f v) (snd)'. Arrays of pairs become \
pairs of arrays there. OPERANDS are types separated by commas, and RESULT is a type:
  real, boolean
  vector             a vector of reals, of any length
  matrix             a vector of vectors of reals, all of one length
  arrayN             an array of N dimensions: array3 is a vector of matrices of one size
  (TYPE ...)         a list, as in (real vector)
  (TYPE ... . TYPE)  pairs, as in (real . vector)

Parameters keep their names, as far as C, Python and Fortran allow them: x-1 becomes x_1, and int becomes int_. In C an array v is \
passed as a pointer to its elements, with the last index running fastest, and as its sizes: v_length of a vector, v_rows and \
v_columns of a matrix, v_size1, v_size2, v_size3 ... of other arrays.

`c` writes NAME.c, NAME.h with the documentation of the functions, and a Makefile that builds an object and a shared library. If \
mathematical functions are called, it also writes libNAME_math.a, with which programs are linked. `python` writes a package for pip; it \
needs a C compiler to be installed and numpy to run. `fortran` writes the C files and a module NAME.f90.

Without --export, `fortran` writes a whole Farfel program as NAME.f: plain Fortran 77 in double precision, with derivatives as \
ordinary code, and with libNAME_math.a as above.

Exported code has no effects and no global state. Only a procedure that can be specialised can be exported (see `vlad explain`).";

/// The arguments of `vlad emit`.
#[derive(Debug, Args)]
pub struct EmitArguments {
    /// The language of the callers
    #[arg(value_name = "FOR")]
    target: Target,
    /// The program.
    #[command(flatten)]
    program: ProgramArguments,
    /// Export a procedure; may be repeated
    #[arg(long = "export", value_name = "NAME[=EXPRESSION][:OPERANDS->RESULT]")]
    #[arg(allow_hyphen_values = true, value_parser = Asked::parse)]
    exports: Vec<Asked>,
    /// Write the files to this folder; create it if necessary
    #[arg(short = 'o', value_name = "DIR")]
    folder: PathBuf,
    /// Name the files, and begin the names of functions, with NAME (default: the name of the program's file)
    #[arg(long, value_name = "NAME", value_parser = set_name)]
    name: Option<String>,
    /// Let the C compiler contract and reassociate operations; results are then only close to those of `vlad`
    #[arg(long)]
    relaxed: bool,
    /// Choose the library of mathematical functions like sin and exp
    #[arg(long, value_name = "LIBRARY", default_value = "vlad")]
    math: MathLibrary,
    /// The limits on memory, time and output.
    #[command(flatten)]
    limits: LimitArguments,
}

/// A language that calls exported procedures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// A C file with a header
    C,
    /// A package for Python, with numpy
    Python,
    /// A C file and a module for Fortran; without exports, the program in plain Fortran
    Fortran,
}

/// A library of mathematical functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MathLibrary {
    /// The library of vlad, as an archive beside the code: results have the bits of `vlad`
    Vlad,
    /// The library of the C or Fortran compiler: results may differ in the last place
    System,
}

impl MathLibrary {
    fn origin(self) -> Mathematics {
        match self {
            MathLibrary::Vlad => Mathematics::Vlad,
            MathLibrary::System => Mathematics::System,
        }
    }
}

/// Parses the name of a set.
fn set_name(text: &str) -> Result<String, String> {
    names::check_set(text).map(|()| text.to_owned())
}

/// Writes exported procedures, or the program.
pub fn emit(arguments: &EmitArguments, languages: Languages) -> Exit {
    if arguments.exports.is_empty() {
        return match arguments.target {
            Target::Fortran if !arguments.relaxed => emit_program(arguments, languages),
            Target::Fortran => {
                let message = "--relaxed is for exports: the flags of the Fortran compiler say what it may contract\n";
                Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, message))
            }
            Target::C | Target::Python => {
                let message = "an export is missing: --export NAME[=EXPRESSION]:OPERANDS->RESULT\n";
                Exit::of_usage(&clap::Error::raw(ErrorKind::MissingRequiredArgument, message))
            }
        };
    }
    let all: Vec<&str> = arguments.exports.iter().map(|request| request.name.as_str()).collect();
    if let Err(message) = names::of_exports(&all) {
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n")));
    }
    let console = inspection::console(Form::Text, &arguments.program, &arguments.limits);
    let options = arguments.program.options(languages);
    let mut stem = String::new();
    let loaded = arguments.program.input().and_then(|input| {
        stem = stem_of(&input);
        let names = Evaluation::of(input.clone(), options.clone(), RunLimits::default());
        let spelled = |asked: &Asked| Asked { expression: names.procedure(&asked.expression), ..asked.clone() };
        let exports: Vec<Asked> = arguments.exports.iter().map(spelled).collect();
        let requests = requests(&input, &options, &exports)?;
        let program = load::load_with(input, &options, &appendix(&exports, &requests))?;
        Ok((requests, program))
    });
    let (requests, program) = match loaded {
        Ok(loaded) => loaded,
        Err(Failure { diagnostics, sources }) => return fail(&console, &diagnostics, &sources),
    };
    let name = arguments.name.clone().unwrap_or_else(|| names::set_of_file(&stem));
    let arithmetic = if arguments.relaxed { Arithmetic::Relaxed } else { Arithmetic::Strict };
    match ExportSet::new(&name, &program, &requests, Passes::ALL, arithmetic, arguments.math.origin()) {
        Ok(set) => conclude(&console, &arguments.folder, &files(arguments.target, &set), &program),
        Err(refusals) => {
            let diagnostics: Vec<Diagnostic> = refusals.iter().map(|refusal| refused(&program, refusal)).collect();
            fail(&console, &diagnostics, &program.sources)
        }
    }
}

/// Writes the program in plain Fortran.
fn emit_program(arguments: &EmitArguments, languages: Languages) -> Exit {
    let console = inspection::console(Form::Text, &arguments.program, &arguments.limits);
    let options = arguments.program.options(languages);
    let mut stem = String::new();
    let loaded = arguments.program.input().and_then(|input| {
        stem = stem_of(&input);
        load::load(input, &options)
    });
    let program = match loaded {
        Ok(program) => program,
        Err(Failure { diagnostics, sources }) => return fail(&console, &diagnostics, &sources),
    };
    let name = arguments.name.clone().unwrap_or_else(|| names::set_of_file(&stem));
    match plain_fortran(&program, &name, arguments.math.origin()) {
        Ok(files) => conclude(&console, &arguments.folder, &files, &program),
        Err(refusal) => {
            let message = format!("the program cannot be written in plain Fortran: {}", refusal.message);
            let diagnostic = Diagnostic::new(Kind::Specialise, refusal.node.map(|node| program.span(node)), message);
            let diagnostic = match refusal.hint {
                Some(hint) => diagnostic.with_hint(hint),
                None => diagnostic,
            };
            fail(&console, &[diagnostic], &program.sources)
        }
    }
}

fn fail(console: &Console, diagnostics: &[Diagnostic], sources: &SourceMap) -> Exit {
    console.conclude(Conclusion::new(diagnostics, sources, None))
}

/// The name of the program's file, without its extension.
fn stem_of(input: &Input) -> String {
    let path = match input {
        Input::Path(path) | Input::Read { path, .. } => path.as_path(),
        Input::Text { .. } | Input::Kept(_) => Path::new(""),
    };
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The requests with their signatures. What has none of its own gets that of its type.
///
/// # Errors
/// The errors of the program and of the expressions; that an expression is no procedure of data, or that the language has no
/// types.
fn requests(input: &Input, options: &Options, asked: &[Asked]) -> Result<Vec<Request>, Failure> {
    let untold = asked.iter().filter(|asked| asked.signature.is_err());
    let given: Vec<GivenExpression> = untold.map(|asked| given(asked.procedure(), Usage::Procedure)).collect();
    let interfaces = match given.as_slice() {
        [] => Vec::new(),
        _ => load::interfaces(input.clone(), options, &Appendix { given, ..Appendix::default() })?,
    };
    let mut interfaces = interfaces.iter();
    let all = asked.iter().map(|asked| {
        let told = match asked.signature {
            Ok(_) => None,
            Err(_) => {
                let signature = interfaces.next().map(signature_of).transpose();
                signature.map_err(|message| format!("`{}` cannot be exported: {message}", asked.name))?
            }
        };
        asked.with(told)
    });
    all.collect::<Result<Vec<Request>, String>>().map_err(|message| Failure {
        diagnostics: vec![Diagnostic::new(Kind::Limit, None, message)],
        sources: SourceMap::default(),
    })
}

fn given(Appended { name, text }: Appended, usage: Usage) -> GivenExpression {
    GivenExpression { name, text, usage }
}

/// The signature that a type tells.
fn signature_of(interface: &Interface) -> Result<Signature, String> {
    Signature::new(interface.operands.iter().map(type_of).collect(), type_of(&interface.result))
}

/// The shape of data of a type, whose depth is bounded.
fn type_of(data: &DataType) -> Type {
    match data {
        DataType::Real => Type::Leaf(LeafType::Real),
        DataType::Boolean => Type::Leaf(LeafType::Boolean),
        DataType::Array(rank) => Type::Leaf(LeafType::Array(*rank)),
        DataType::Pair(first, second) => Type::Pair(Box::new(type_of(first)), Box::new(type_of(second))),
    }
}

/// The expressions of the exports: for each its procedure and its operands, then the applications.
fn appendix(asked: &[Asked], requests: &[Request]) -> Appendix {
    let (mut all, mut made): (Vec<GivenExpression>, Vec<Made>) = (Vec::new(), Vec::new());
    for (asked, request) in asked.iter().zip(requests) {
        let first = all.len();
        let usage = if asked.signature.is_err() { Usage::Procedure } else { Usage::Value };
        let usages = std::iter::once(usage).chain(std::iter::repeat(Usage::Value));
        all.extend(request.appended().into_iter().zip(usages).map(|(appended, usage)| given(appended, usage)));
        made.push((first..all.len()).map(Part::Given).collect());
    }
    Appendix { given: all, made, shown: None }
}

fn files(target: Target, set: &ExportSet<'_>) -> Vec<File> {
    match target {
        Target::C => export::c_files(set),
        Target::Python => export::python_files(set),
        Target::Fortran => export::fortran_files(set),
    }
}

fn refused(program: &Program, refusal: &Refusal) -> Diagnostic {
    let message = format!("`{}` cannot be exported: {}", refusal.export, refusal.message);
    let diagnostic = Diagnostic::new(Kind::Specialise, refusal.node.map(|node| program.span(node)), message);
    match &refusal.hint {
        Some(hint) => diagnostic.with_hint(hint.clone()),
        None => diagnostic,
    }
}

/// Writes files, and tells if it cannot.
fn conclude(console: &Console, folder: &Path, files: &[File], program: &Program) -> Exit {
    match write(folder, files) {
        Ok(()) => console.conclude_with_text(""),
        Err(diagnostic) => fail(console, &[*diagnostic], &program.sources),
    }
}

/// Writes files in a folder, which is made.
fn write(folder: &Path, files: &[File]) -> Result<(), Box<Diagnostic>> {
    let all: Option<Vec<(PathBuf, &[u8])>> =
        files.iter().map(|file| Some((folder.join(&file.path), file.bytes()?))).collect();
    let all = all.ok_or_else(|| {
        let message = "the mathematical functions of VLAD are not compiled for this architecture".to_owned();
        let hint = "`--math system` takes those of the C library or of the Fortran compiler";
        Box::new(Diagnostic::new(Kind::Limit, None, message).with_hint(hint))
    })?;
    for (path, bytes) in all {
        let parent = path.parent().unwrap_or(folder);
        let written = fs::create_dir_all(parent).and_then(|()| output::write(&path, bytes));
        written.map_err(|error| {
            Box::new(Diagnostic::new(Kind::File, None, format!("{} cannot be written: {error}", path.display())))
        })?;
    }
    Ok(())
}

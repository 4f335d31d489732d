//! The code of a program that is built: compiled objects, or the name of the engine that evaluates it.
//!
//! Specialised code may give an item up, so there is a second object then, without specialised code, with which the run
//! goes on; no compiler is needed. The first object is that of a run with the same options, and comes from the same
//! place of the cache.

use super::engines::{Runner, note_fallback};
use crate::output::console::Console;
use vlad_compiler::compiled::cache::Object;
use vlad_compiler::toolchain::ToolchainError;
use vlad_compiler::{Settings, Specialise, Task, loaded, prepare};
use vlad_engines::{Engine, Native, Ready};
use vlad_shared::core::Program;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::internal_bug;

/// The code of a built program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuiltCode {
    /// Objects, as bytes.
    Compiled {
        /// The object that runs first.
        object: Vec<u8>,
        /// The object without specialised code; none if the first has none either, or the program is too large for it.
        tagged: Option<Vec<u8>>,
    },
    /// No compiled code: this engine evaluates the program.
    Evaluated(Engine),
}

impl BuiltCode {
    /// Compiles a program that runs with some limits.
    ///
    /// # Errors
    /// There is no compiler, it fails, the program is too large for it, or its object cannot be loaded.
    pub fn compile((program, limits): (&Program, &Limits), settings: &Settings) -> Result<BuiltCode, ToolchainError> {
        let task = Task::with_limits(program, limits);
        let bytes = |settings: &Settings| prepare(&[task], settings)?.bytes();
        let object = bytes(settings)?;
        let is_specialised = loaded(Object::of_bytes(&object)?, &[task]).iter().any(|loaded| loaded.is_specialised());
        if !is_specialised {
            return Ok(BuiltCode::Compiled { object, tagged: None });
        }
        let tagged = Settings { specialise: Specialise::Never, ..settings.clone() };
        match bytes(&tagged) {
            Ok(tagged) => Ok(BuiltCode::Compiled { object, tagged: Some(tagged) }),
            // `hybrid` runs what is given up.
            Err(ToolchainError::FarTooLarge { .. }) => Ok(BuiltCode::Compiled { object, tagged: None }),
            Err(error) => Err(error),
        }
    }

    /// Prepares the program for its engine, and reports this to the console. If the object cannot be loaded here, a note
    /// says so, and another engine runs the program.
    pub fn make_ready(&self, task: vlad_engines::Task<'_>, console: &Console) -> Runner {
        let (engine, ready) = match self {
            BuiltCode::Compiled { object, tagged } => match native(object, tagged.as_ref(), task) {
                Ok(native) => (Engine::Native, Ready::Native(Box::new(native))),
                Err(error) => {
                    note_fallback(&error.to_string(), console);
                    (Engine::WITHOUT_COMPILER, Ready::Hybrid)
                }
            },
            BuiltCode::Evaluated(Engine::Interp) => (Engine::Interp, Ready::Interp),
            BuiltCode::Evaluated(Engine::Hybrid | Engine::Native | Engine::NativeTagged | Engine::FirstOrder) => {
                (Engine::WITHOUT_COMPILER, Ready::Hybrid)
            }
        };
        console.set_engines(&[engine]);
        Runner::Engines(vec![(engine, ready)])
    }
}

/// Loads a compiled program.
fn native(object: &[u8], tagged: Option<&Vec<u8>>, task: vlad_engines::Task<'_>) -> Result<Native, ToolchainError> {
    let compiled = Task::with_limits(task.program, task.limits);
    let Some(loaded) = loaded(Object::of_bytes(object)?, &[compiled]).pop() else {
        internal_bug!("an object holds the program that was compiled into it");
    };
    Ok(Native::without_compiler(loaded, tagged.cloned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::engine::CompilerArguments;
    use crate::options::limits::Trust;
    use crate::run::engines::CompilationLimits;
    use clap::Parser;
    use vlad_conformance::fast_build::fast_build_settings;
    use vlad_shared::ad::checkpointing::Strategy;
    use vlad_shared::frontend::load::{Input, Options, load};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        compiler: CompilerArguments,
    }

    /// Compiles a program, and returns true if it has a second object.
    fn has_second_object(text: &str, options: &[&str], strategy: Strategy) -> bool {
        let limits = Limits { strategy, ..Limits::default() };
        let input = Input::Text { name: "program".to_owned(), bytes: text.into(), folder: None };
        let program = load(input, &Options::default()).unwrap();
        let compiler = fast_build_settings().compiler;
        let compiler = compiler.iter().flat_map(|compiler| ["--cc".into(), compiler.clone()]);
        let words = ["vlad".into(), "--no-cache".into()].into_iter().chain(compiler);
        let line = Line::parse_from(words.chain(options.iter().map(Into::into)));
        let allowance = CompilationLimits { deadline: None, memory: None, trust: Trust::Trusted };
        match BuiltCode::compile((&program, &limits), &allowance.settings(&line.compiler)).unwrap() {
            BuiltCode::Compiled { object, tagged } => {
                assert!(tagged.as_ref() != Some(&object));
                tagged.is_some()
            }
            BuiltCode::Evaluated(engine) => panic!("{engine}"),
        }
    }

    #[test]
    fn only_specialised_programs_have_a_second_object() {
        let specialised = "(define (f x) (* x x)) (cdr (j* f (read-real) 1))";
        let (usual, other) = (Strategy::default(), Strategy::Bisection { depth: Some(2), base_case: None });
        assert!(has_second_object(specialised, &[], usual));
        assert!(!has_second_object(specialised, &["--specialise", "never"], usual));
        assert!(!has_second_object("(define (f x) (* x x)) (interrupt f 1 2)", &[], usual));
        // Only checkpoints are where options ask for them.
        assert!(has_second_object(specialised, &[], other));
        let checkpointed = "(define (f x) (* x x)) (checkpoint-*j f (read-real) 1)";
        assert!(has_second_object(checkpointed, &[], usual) && !has_second_object(checkpointed, &[], other));
    }
}

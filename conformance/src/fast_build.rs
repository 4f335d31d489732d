//! Fast builds for tests: programs that are compiled, run for a moment, and never used again.
//!
//! An optimising C compiler would take most of the time of the tests. Half of the corpus and a few other tests cover the
//! optimised code.

use crate::observe::{Observation, RunConditions, observe};
use std::sync::OnceLock;
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_compiler::toolchain::{Optimisation, Search, is_sanitising};
use vlad_engines::{Engine, Settings, Task};
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::Limits;

/// The command name of the tiny C compiler.
const TINY: &str = "tcc";

/// Returns the settings of such builds: no optimisation and no cache. The compiler is tcc if it works here, no other
/// compiler is named by the environment, and no sanitiser is on.
pub fn fast_build_settings() -> Settings {
    static TAKES_TINY: OnceLock<bool> = OnceLock::new();
    let with = |compiler| Settings {
        compiler,
        cache: CachePolicy::Bypass,
        optimisation: Some(Optimisation::Least),
        ..Settings::default()
    };
    let tiny = with(Some(TINY.into()));
    let takes_tiny = || !is_sanitising() && !is_another_named() && works(&tiny);
    if *TAKES_TINY.get_or_init(takes_tiny) { tiny } else { with(None) }
}

fn is_another_named() -> bool {
    let search = Search::with_environment(None);
    search.vlad_variable.is_some() || search.variable.is_some()
}

/// Returns true if a program can be compiled with these settings.
fn works(settings: &Settings) -> bool {
    let Ok(program) = load(text_input("(+ 1 2)"), &Options::default()) else { return false };
    let task = Task { program: &program, limits: &Limits::default() };
    Engine::Native.make_ready(&[task], settings).is_ok()
}

fn text_input(text: &str) -> Input {
    Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None }
}

/// Loads and runs a program given as text, with a fast build, without input and limits of its own.
pub fn observe_text(engine: Engine, text: &str) -> Observation {
    observe_text_with(engine, text, &RunConditions { compilation: fast_build_settings(), ..RunConditions::default() })
}

/// Does the same as [`observe_text`], with the given setting.
pub fn observe_text_with(engine: Engine, text: &str, setting: &RunConditions) -> Observation {
    observe(engine, text_input(text), setting)
}

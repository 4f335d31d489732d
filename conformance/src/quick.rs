//! Programs of tests: compiled, run for a moment, and never seen again.
//!
//! The C compiler would take most of the time of the tests. What it does at its best the corpus tests, and a few tests more.

use crate::engine::{Engine, Settings, Task};
use crate::observe::{Observation, Setting, observe};
use std::sync::OnceLock;
use vlad_compiler::cache::CachePolicy;
use vlad_compiler::toolchain::{Optimisation, Search, is_sanitising};
use vlad_shared::load::{Input, Options, load};
use vlad_shared::run::Limits;

/// The tiny C compiler, by the name that it is looked up by.
const TINY: &str = "tcc";

/// How such programs are compiled: nothing is optimised, nothing kept, and the tiny C compiler compiles where it works, nobody
/// names another, and nothing is sanitised.
pub fn quick_settings() -> Settings {
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

/// Whether a program can be compiled so.
fn works(settings: &Settings) -> bool {
    let Ok(program) = load(text_input("(+ 1 2)"), &Options::default()) else { return false };
    let task = Task { program: &program, limits: &Limits::default() };
    Engine::Native.make_ready(&[task], settings).is_ok()
}

fn text_input(text: &str) -> Input {
    Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None }
}

/// Loads and runs a program given as text, without input and limits of its own, and compiled quickly.
pub fn observe_text(engine: Engine, text: &str) -> Observation {
    observe_text_with(engine, text, &Setting { compilation: quick_settings(), ..Setting::default() })
}

/// As [`observe_text`], with a setting.
pub fn observe_text_with(engine: Engine, text: &str, setting: &Setting) -> Observation {
    observe(engine, text_input(text), setting)
}

//! Exact expectations: the text that the interpreter prints with functions from 96 digits, where an expectation of fewer digits agrees.
//!
//! Invariant: a value is replaced only if the old one, which was derived by other means, agrees with it within its tolerance.

use std::fmt::Write;
use std::path::Path;
use vlad_conformance::blocks::{Role, blocks};
use vlad_conformance::corpus::case::{self, Agreement, Case};
use vlad_conformance::corpus::check;
use vlad_conformance::observe::{Observation, observe};
use vlad_engines::Engine;
use vlad_shared::frontend::load::Input;
use vlad_shared::language::Language;

/// A text with exact expectations, and what was found that cannot be replaced.
#[derive(Debug)]
pub struct Rewritten {
    /// The text.
    pub text: String,
    /// The differences.
    pub differences: Vec<String>,
}

/// Makes the expectations of a case in a file exact.
///
/// # Errors
/// The case cannot be read.
pub fn of_file(path: &Path) -> Result<Rewritten, String> {
    let text = check::read_text(path)?;
    let case = case::parse_any(&text, check::language_of(path).comment())?;
    let observation = check::observe_file(Engine::Interp, path, &case);
    Ok(rewritten(&path.display().to_string(), &text, &case, &observation))
}

/// Makes the expectations of the programs in a Markdown text exact.
///
/// # Errors
/// A block or the case in it cannot be read.
pub fn of_markdown(name: &str, markdown: &str) -> Result<Rewritten, String> {
    let mut lines: Vec<String> = markdown.lines().map(str::to_owned).collect();
    let mut differences = Vec::new();
    // From the last to the first, since texts may get shorter.
    for block in blocks(markdown)?.into_iter().rev().filter(|block| block.role == Role::Run) {
        let name = format!("{name}, block at line {}", block.line);
        let language: &'static dyn Language = block.language;
        let case = case::parse_any(&block.text, language.comment())?;
        let input = Input::Text { name: name.clone(), bytes: block.text.clone().into_bytes(), folder: None };
        let setting = check::setting(&case, Path::new("."));
        let setting = vlad_conformance::observe::RunConditions { language: Some(language), ..setting };
        let own = rewritten(&name, &block.text, &case, &observe(Engine::Interp, input, &setting));
        differences.extend(own.differences);
        let first = block.line - 1;
        lines.splice(first..first + block.text.lines().count(), own.text.lines().map(str::to_owned));
    }
    Ok(Rewritten { text: lines.join("\n") + "\n", differences })
}

fn rewritten(name: &str, text: &str, case: &Case, observation: &Observation) -> Rewritten {
    let mut lines: Vec<Option<String>> = text.lines().map(|line| Some(line.to_owned())).collect();
    let differences: Vec<String> =
        check::differences(case, observation, name).map(|difference| format!("{name}: {difference}")).collect();
    for (expected, actual) in case.output.iter().zip(&observation.output) {
        if expected.agreement != Agreement::Exact
            && check::line_agrees(expected, actual)
            && let Some(line) = lines.get_mut(expected.at)
        {
            *line = Some(case.comment.line(&format!("exact: {actual}")));
        }
    }
    if differences.is_empty() {
        // A tolerance that no expectation has any more.
        for line in &mut lines {
            let says = line.as_deref().and_then(|line| case.comment.content(line));
            if says.is_some_and(|says| says.starts_with("tolerance:")) {
                *line = None;
            }
        }
    }
    let mut out = String::new();
    for line in lines.into_iter().flatten() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{line}");
    }
    Rewritten { text: out, differences }
}

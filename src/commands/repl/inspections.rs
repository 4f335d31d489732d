//! Commands that evaluate nothing in the session: they look at the text of its definitions.

use super::commands::Request;
use super::evaluation::Evaluation;
use super::shape::shape;
use crate::commands::derivatives::gradcheck;
use crate::commands::trace::question::{self, Direction};
use crate::commands::trace::{TraceMode, table};
use crate::options::engine::CompilerArguments;
use std::path::PathBuf;
use std::time::Duration;
use vlad_compiler::Passes;
use vlad_compiler::analysis::Weighing;
use vlad_compiler::explain::explain;
use vlad_derivatives::appended::{self, TypedInput, data::Datum, point::Point};
use vlad_derivatives::gradcheck::{NoAnswer, Question};
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::session::DefinitionValue;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::frontend::transformation::{Mode, transformed};
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::internal_bug;

/// The time limit of a comparison of derivatives, unless an option gives one.
const CHECK_TIME: Duration = Duration::from_secs(60);

/// The most operations of a trace in a session.
const TRACED: usize = 40;

/// The end of the message of an error that a definition has not been evaluated yet.
const USED_BEFORE: &str = "is used before its definition has run";

/// The hint for it.
const COMPUTED_BEFORE: &str =
    "the definition here was computed by a definition that has been replaced since: define it again";

/// A look at the definitions of a session.
pub struct Inspection<'session> {
    /// The definitions.
    pub evaluation: &'session Evaluation,
    /// The options for reading texts.
    pub options: &'session Options,
    /// The languages.
    pub languages: Languages,
    /// The options for compiling programs.
    pub compiler: &'session CompilerArguments,
    /// The limits.
    pub limits: Limits,
    /// The folder from which texts include files.
    pub folder: Option<PathBuf>,
    /// The name of the text of an expression.
    pub expression: String,
}

impl Inspection<'_> {
    /// Carries out a command, and returns its text.
    ///
    /// # Errors
    /// The errors of the texts.
    pub fn carry_out(self, request: Request) -> Result<String, Failure> {
        match request {
            Request::Type(expression) => self.type_of(&expression),
            Request::Forward(name) => self.transformation(&name, Mode::Forward),
            Request::Reverse(name) => self.transformation(&name, Mode::Reverse),
            Request::Check(function, point) => self.check(function, point).map_err(with_hint),
            Request::Trace(call) => self.trace(&call).map_err(with_hint),
            Request::Load(_)
            | Request::Reload
            | Request::Time(_)
            | Request::Steps(_)
            | Request::Engine(_)
            | Request::Help
            | Request::Quit => Ok(String::new()),
        }
    }

    /// The present definitions as a program: those whose values are data by these, so that nothing of them is evaluated again.
    fn definitions(&self) -> Input {
        let value = |id| match self.evaluation.value(id) {
            Some((_, value)) => {
                Datum::of(value).map_or(DefinitionValue::Other, |data| DefinitionValue::Data(data.quoted()))
            }
            None => DefinitionValue::None,
        };
        Input::Kept(self.evaluation.session().program_of_definitions(value))
    }

    /// The input, whose name is that of its expression.
    fn typed(&self, text: &str) -> Option<TypedInput> {
        Some(TypedInput { name: self.expression.clone(), text: text.to_owned() })
    }

    /// The shape of the value of a definition; of another expression, what the analysis finds.
    fn type_of(self, expression: &str) -> Result<String, Failure> {
        let defined = self.evaluation.session().definition(expression);
        if let Some((program, value)) = defined.and_then(|definition| self.evaluation.value(definition.id)) {
            return Ok(shape(program, value) + "\n");
        }
        let input = Input::Text { name: self.expression, bytes: expression.as_bytes().to_vec(), folder: self.folder };
        let program = self.evaluation.program_of(&input)?;
        let items = explain(&program, Passes::NONE, Weighing::None);
        // The constant behind all items is no part of the input.
        let Some(explained) = items.iter().rev().nth(1) else { return Ok(String::new()) };
        Ok(match &explained.outcome {
            Ok(explanation) => {
                let result = explanation.instances.first().and_then(|instance| instance.described.result.clone());
                result.unwrap_or_else(|| "no value: the expression does not end".to_owned()) + "\n"
            }
            Err(reason) => format!("not known without a run: {}\n", reason.text()),
        })
    }

    fn transformation(self, name: &str, mode: Mode) -> Result<String, Failure> {
        let program = load(self.definitions(), self.options)?;
        transformed(&program, name, mode, self.languages)
    }

    fn check(self, function: String, point: String) -> Result<String, Failure> {
        let question = Question {
            program: self.definitions(),
            options: self.options.clone(),
            typed: self.typed(&format!("{function} {point}")),
            function,
            point: Point::Expression(point),
            time: self.limits.time.unwrap_or(CHECK_TIME),
            memory: None,
        };
        match vlad_derivatives::gradcheck::check(Engine::WITHOUT_COMPILER, &self.compiler.settings(), &question) {
            Ok(answer) => Ok(gradcheck::table(&answer, gradcheck::DEFAULT_TOLERANCE, gradcheck::Lines::Worst)),
            Err(NoAnswer::Program(diagnostics, sources) | NoAnswer::Operators(diagnostics, sources)) => {
                Err(Failure { diagnostics, sources: *sources })
            }
            Err(NoAnswer::Compiler(error)) => Err(failed(error.to_string())),
            Err(NoAnswer::Refused(refusal)) => Err(failed(format!("there are no difference quotients: {refusal}"))),
            Err(NoAnswer::Point(_)) => internal_bug!("an expression is no JSON"),
            Err(NoAnswer::Claims(message) | NoAnswer::Other(message)) => Err(failed(message)),
        }
    }

    /// The trace of a call, in reverse mode.
    fn trace(self, call: &str) -> Result<String, Failure> {
        let language = self.options.language.unwrap_or(self.languages.first());
        let Some((function, at)) = language.call_parts(call) else {
            let message = match language.name() {
                "vlad" => "`:trace` expects a call of a procedure".to_owned(),
                other => format!("`:trace` reads calls in `vlad`; `vlad trace --language {other}` traces functions"),
            };
            return Err(failed(message));
        };
        let evaluation = appended::Evaluation {
            typed: self.typed(call),
            ..appended::Evaluation::of(self.definitions(), self.options.clone(), self.limits)
        };
        let call = question::call(evaluation, [&function, &at], &Direction::FirstReal);
        let traced = question::trace(&call, TraceMode::Reverse, &Direction::FirstReal)?;
        Ok(table::table(&traced, TRACED))
    }
}

/// Adds what a session has to say of a name that is used before its definition: the order of the texts is another one than that of
/// the inputs.
fn with_hint(mut failure: Failure) -> Failure {
    for diagnostic in failure.diagnostics.iter_mut().filter(|diagnostic| diagnostic.kind == Kind::Unbound) {
        if diagnostic.hint.is_none() && diagnostic.message.ends_with(USED_BEFORE) {
            diagnostic.hint = Some(COMPUTED_BEFORE.to_owned());
        }
    }
    failure
}

fn failed(message: String) -> Failure {
    Failure { diagnostics: vec![Diagnostic::new(Kind::Limit, None, message)], sources: SourceMap::default() }
}

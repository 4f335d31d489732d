//! Expressions behind a program, evaluated on an engine: those that options of a command give, such as a procedure and a
//! point, and others that are made of them.
//!
//! ```text
//! program, given expressions, made expressions --load--> core --an engine--> the data that the made ones have as values
//! ```
//!
//! Invariant: every evaluation of one [`Evaluation`] reads the same numbers, so what is found by one holds for the next.

mod call;
pub mod data;
pub mod point;

pub use call::Call;

use data::Datum;
use point::NoDatum;
use std::io::BufRead;
use vlad_compiler::toolchain::ToolchainError;
use vlad_engines::{Engine, Settings, Task};
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::core::{Constant, Expression, GlobalId, Item, Program};
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::frontend::vlad::appendix::{Appendix, GivenExpression, Made};
use vlad_shared::language::interface::Structure;
use vlad_shared::language::{Language, Pairs, Usage};
use vlad_shared::runtime::run::{Host, InputFault, Limits, Origin, Outcome, StreamHost};
use vlad_shared::table::Primitive;
use vlad_shared::table::number::Notation;
use vlad_shared::values::Value;

/// A program and the expressions that are given for it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The program. It is loaded for each evaluation, so it is no stream.
    pub program: Input,
    /// The options for finding files.
    pub options: Options,
    /// The given expressions: the name of each in diagnostics, and its text. They see the program's definitions.
    pub given: Vec<(String, String)>,
    /// The input of a session that the expressions are parts of, if there is one.
    pub typed: Option<TypedInput>,
    /// The limits of each run.
    pub limits: Limits,
}

/// A text that has been typed, with its name in diagnostics.
#[derive(Clone, Debug)]
pub struct TypedInput {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
}

/// The reason why there are no values.
#[derive(Debug)]
pub enum NoValues {
    /// The program fails.
    Program(Vec<Diagnostic>, Box<SourceMap>),
    /// The engine needs a C compiler.
    Compiler(ToolchainError),
    /// A value has parts that are no data.
    NoData,
    /// JSON for an operand, of this name, is no datum.
    Operand(String, NoDatum),
}

/// The part of an expression's value that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All.
    Whole,
    /// The second half of the pair.
    Second,
}

impl Evaluation {
    /// A program for which nothing is given yet.
    pub fn of(program: Input, options: Options, limits: Limits) -> Evaluation {
        Evaluation { program, options, given: Vec::new(), typed: None, limits }
    }

    /// Returns a given expression that is a procedure: a name is spelled as the program's language does.
    pub fn procedure(&self, text: &str) -> String {
        let is_name = text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        match self.language().filter(|_| is_name) {
            Some(language) => language.spelled(text),
            None => text.to_owned(),
        }
    }

    /// The language of the program's own text, if an option or its path tells.
    fn language(&self) -> Option<&'static dyn Language> {
        self.options.language.or_else(|| match &self.program {
            Input::Path(path) | Input::Read { path, .. } => self.options.languages.of_file(path),
            Input::Text { .. } | Input::Kept(_) => None,
        })
    }

    /// The program with expressions appended: the given ones, and others made of these.
    ///
    /// # Errors
    /// The program or an expression is malformed.
    pub fn program(&self, made: Vec<Made>) -> Result<Program, Failure> {
        load::load_with(self.program.clone(), &self.options, &self.appendix(made))
    }

    /// The structures of the operands of the first given expression, if the language of the program has types.
    ///
    /// # Errors
    /// The program or an expression is malformed.
    pub fn operands(&self) -> Result<Vec<Structure>, NoValues> {
        let found = load::operands(self.program.clone(), &self.options, &self.appendix(Vec::new()));
        Ok(found.map_err(malformed)?.into_iter().next().unwrap_or_default())
    }

    /// The use of pairs in the data of the program.
    pub fn pairs(&self) -> Pairs {
        self.language().map(|language| language.pairs()).unwrap_or_default()
    }

    fn appendix(&self, made: Vec<Made>) -> Appendix {
        let given = self.given.iter().map(|(name, text)| GivenExpression {
            name: self.typed.as_ref().map_or(name, |typed| &typed.name).clone(),
            text: text.clone(),
            usage: Usage::Value,
        });
        let shown = self.typed.clone().map(|TypedInput { name, text }| (name, text));
        Appendix { given: given.collect(), made, shown }
    }

    /// The same, where a malformed program is a reason why there are no values.
    ///
    /// # Errors
    /// The program or an expression is malformed.
    pub fn load(&self, made: Vec<Made>) -> Result<Program, NoValues> {
        self.program(made).map_err(malformed)
    }

    /// The values of made expressions, on an engine.
    ///
    /// # Errors
    /// See [`NoValues`].
    pub fn values(
        &self,
        (engine, settings): (Engine, &Settings),
        made: Vec<Made>,
        shown: Shown,
        numbers: &mut Numbers,
    ) -> Result<Vec<Datum>, NoValues> {
        let count = made.len();
        let program = without_others(self.load(made)?, count);
        let task = Task { program: &program, limits: &self.limits };
        let ready = engine.make_ready(&[task], settings).map_err(NoValues::Compiler)?;
        numbers.next = 0;
        let mut host = ResultHost { shown, numbers, results: Vec::new() };
        let outcome = ready.first().map(|ready| ready.run(task, &mut host).outcome);
        if let Some(Outcome::Failed(diagnostic)) = outcome {
            return Err(NoValues::Program(vec![*diagnostic], Box::new(program.sources)));
        }
        if let Some(Outcome::Stopped) = outcome {
            let diagnostic =
                Diagnostic::new(Kind::Raised, None, "the program ends by STOP before its values are there");
            return Err(NoValues::Program(vec![diagnostic], Box::new(program.sources)));
        }
        let mut results = host.results;
        let results = results.split_off(results.len().saturating_sub(count));
        results.into_iter().collect::<Option<Vec<Datum>>>().ok_or(NoValues::NoData)
    }
}

/// Returns the program with constants for those items before the last ones that these do not refer to. Where they read numbers, it
/// stays as it is, since other items may read before them.
fn without_others(mut program: Program, last: usize) -> Program {
    let others = program.items.len().saturating_sub(last);
    let pending = program.items.iter().skip(others).map(|item| item.node()).collect();
    let reached = program.reached(pending, &program.definitions());
    if reached.primitives.contains(&Primitive::ReadReal) {
        return program;
    }
    let nothing = program.constants.add(Constant::Nil);
    for item in program.items.iter().take(others) {
        let is_reached = |global: GlobalId| reached.definitions.get(global.0 as usize) == Some(&true);
        if let Item::Define(global, _) = *item
            && is_reached(global)
        {
            continue;
        }
        if let Some(expression) = program.expressions.get_mut(item.node().0 as usize) {
            *expression = Expression::Constant(nothing);
        }
    }
    program
}

fn malformed(Failure { diagnostics, sources }: Failure) -> NoValues {
    NoValues::Program(diagnostics, Box::new(sources))
}

/// The numbers that programs read, each of which is read once from its source.
pub struct Numbers {
    source: StreamHost<Box<dyn BufRead>, std::io::Sink>,
    read: Vec<Result<f64, InputFault>>,
    next: usize,
}

impl Numbers {
    /// The numbers of a stream.
    pub fn of(input: Box<dyn BufRead>) -> Numbers {
        Numbers { source: StreamHost::new(input, std::io::sink(), Notation::Shortest), read: Vec::new(), next: 0 }
    }

    /// No numbers.
    pub fn none() -> Numbers {
        Numbers::of(Box::new(std::io::empty()))
    }

    fn read(&mut self) -> Result<f64, InputFault> {
        let known = self.read.get(self.next).cloned();
        let number = known.unwrap_or_else(|| {
            let number = self.source.read_real();
            self.read.push(number.clone());
            number
        });
        self.next += 1;
        number
    }
}

/// A host that keeps the values of expressions; none for a value that is no data. What the program writes is dropped.
struct ResultHost<'run> {
    shown: Shown,
    numbers: &'run mut Numbers,
    results: Vec<Option<Datum>>,
}

impl Host for ResultHost<'_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.numbers.read()
    }

    fn write(&mut self, _: &Program, value: &Value, origin: Origin) -> std::io::Result<()> {
        if origin == Origin::Result {
            self.results.push(match (self.shown, value) {
                (Shown::Whole, value) => Datum::of(value),
                (Shown::Second, Value::Pair(pair)) => Datum::of(&pair.second),
                (Shown::Second, _) => None,
            });
        }
        Ok(())
    }
}

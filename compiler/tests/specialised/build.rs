//! Units written by hand, and programs of which some items run as such units.

use std::io::{self, BufReader, Cursor};
use std::sync::Arc;
use vlad_compiler::compiled::Headers;
use vlad_compiler::compiled::cache::{Cache, CachePolicy};
use vlad_compiler::foreign::loading::Library;
use vlad_compiler::foreign::{self, Code, Counting};
use vlad_compiler::procedures::Specialised;
use vlad_compiler::tagged::{generate, program_symbol};
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, Job, Optimisation, Search, Source, Toolchain};
use vlad_core::{ExpressionId, Program};
use vlad_first_order::template::{Step, Template};
use vlad_first_order::{Bits, Block, End, Function, FunctionId, Kind, Operand, Statement, Unit, Variable};
use vlad_frontend::load::{Input, Options, load};
use vlad_runtime::restart::Restartable;
use vlad_runtime::run::{Host, InputFault, Limits, Origin, Outcome, Report, StreamHost};
use vlad_table::number::Notation;
use vlad_table::{Comparison, Operation};
use vlad_values::Value;

/// A function under construction, and the statements of its current block.
pub struct Builder {
    pub function: Function,
    pub statements: Vec<Statement>,
}

impl Builder {
    pub fn new(name: &str, parameters: &[Kind], results: &[Kind]) -> (Builder, Vec<Operand>) {
        let empty = Block { statements: Vec::new(), end: End::Yield(Vec::new()) };
        let function = Function {
            name: name.to_owned(),
            variables: Vec::new(),
            parameters: Vec::new(),
            results: results.to_vec(),
            body: empty,
        };
        let mut code = Builder { function, statements: Vec::new() };
        let parameters: Vec<Variable> = parameters.iter().map(|kind| code.function.fresh(*kind)).collect();
        code.function.parameters.clone_from(&parameters);
        (code, parameters.into_iter().map(Operand::Variable).collect())
    }

    pub fn fresh(&mut self, kind: Kind) -> (Variable, Operand) {
        let variable = self.function.fresh(kind);
        (variable, Operand::Variable(variable))
    }

    pub fn operation(&mut self, operation: Operation, first: Operand, second: Option<Operand>) -> Operand {
        let (target, value) = self.fresh(Kind::Real);
        self.statements.push(Statement::Operation { target, operation, first, second });
        value
    }

    pub fn compare(&mut self, comparison: Comparison, first: Operand, second: Operand) -> Operand {
        let (target, value) = self.fresh(Kind::Boolean);
        self.statements.push(Statement::Compare { target, comparison, first, second });
        value
    }

    pub fn read(&mut self) -> Operand {
        let (target, value) = self.fresh(Kind::Real);
        self.statements.push(Statement::Read { target });
        value
    }

    pub fn input(&mut self, kind: Kind, input: u32) -> Operand {
        let (target, value) = self.fresh(kind);
        self.statements.push(Statement::Input { target, input });
        value
    }

    pub fn call(&mut self, function: u32, arguments: &[Operand], results: &[Kind]) -> Vec<Operand> {
        let (targets, values) = results.iter().map(|kind| self.fresh(*kind)).unzip();
        let function = FunctionId(function);
        self.statements.push(Statement::Call { targets, function, arguments: arguments.to_vec() });
        values
    }

    pub fn put(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    pub fn count(&mut self, steps: u64) {
        self.put(Statement::Count { steps });
    }

    /// The statements so far as a block with an end; the next block is empty.
    pub fn block(&mut self, end: End) -> Block {
        Block { statements: std::mem::take(&mut self.statements), end }
    }

    /// Puts a loop with its initial state; `body` makes its body. The statements before it are kept.
    pub fn repeat(
        &mut self,
        initial: &[Operand],
        results: &[Kind],
        body: impl FnOnce(&mut Builder, &[Operand]) -> Block,
    ) -> Vec<Operand> {
        let kinds: Vec<Kind> = initial.iter().map(|value| self.function.kind(*value)).collect();
        let (state, values): (Vec<_>, Vec<_>) = kinds.iter().map(|kind| self.fresh(*kind)).unzip();
        let (targets, outcome) = results.iter().map(|kind| self.fresh(*kind)).unzip();
        let before = std::mem::take(&mut self.statements);
        let body = body(self, &values);
        self.statements = before;
        self.put(Statement::Loop { targets, state, initial: initial.to_vec(), body });
        outcome
    }

    pub fn finish(mut self, end: End) -> Function {
        self.function.body = self.block(end);
        self.function
    }
}

pub fn branch(test: Operand, consequent: Block, alternative: Block) -> End {
    End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) }
}

pub const BAIL_OUT: End = End::BailOut(ExpressionId(0));

/// A unit whose entry is the last function and whose value is a single real.
pub fn unit(functions: Vec<Function>) -> Unit {
    let entry = Some(FunctionId(functions.len() as u32 - 1));
    Unit { functions, entry, result: template(&[Step::RealLeaf]), ..Unit::default() }
}

pub fn template(steps: &[Step]) -> Template {
    Template::of(steps.to_vec())
}

pub fn real(real: f64) -> Operand {
    Operand::Real(Bits::of(real))
}

pub fn program(text: &str) -> Program {
    let input = Input::Text { name: "text".into(), bytes: text.into(), folder: None };
    load(input, &Options::default()).unwrap()
}

/// The C compilers that are tried: the tiny one and clang where they are installed.
pub fn compilers() -> Vec<&'static str> {
    let is_there = |name: &&str| std::process::Command::new(name).arg("-v").output().is_ok();
    ["cc", "tcc", "clang"].into_iter().filter(is_there).collect()
}

/// Compiles a program with the units of some of its items.
pub fn compile(program: &Program, units: &[Option<Unit>], compiler: &str, optimisation: Optimisation) -> Code {
    let specialised = Specialised { items: units.to_vec(), ..Specialised::default() };
    let text = generate(program, &vlad_cps::pipeline(program), Counting::ByBlock, &specialised, "hand_");
    let search = Search { option: Some(compiler.into()), path: std::env::var_os("PATH"), ..Search::default() };
    let toolchain = Toolchain::find(&search, DEFAULT_TIME_LIMIT).unwrap();
    let headers = Headers::default();
    let job = Job {
        sources: &[Source { name: "hand_", text: &text }],
        headers: &headers.all(),
        optimisation,
        time_limit: DEFAULT_TIME_LIMIT,
        memory_limit: None,
    };
    let library: Arc<Library> = Arc::new(Cache::open(CachePolicy::Bypass).object(&toolchain, &job).unwrap().library);
    Code::find(&library, &program_symbol("hand_"), program).unwrap()
}

/// A host that counts effects, and whose output is full after some lines.
pub struct Counted {
    inner: StreamHost<BufReader<Cursor<String>>, Vec<u8>>,
    pub reads: usize,
    pub writes: usize,
    most_lines: usize,
}

impl Host for Counted {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.reads += 1;
        self.inner.read_real()
    }

    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        self.inner.is_input_over()
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        if self.writes == self.most_lines {
            return Err(io::Error::other("the output is full"));
        }
        self.writes += 1;
        self.inner.write(program, value, origin)
    }
}

/// The observable behaviour of a run.
#[derive(Debug, PartialEq)]
pub struct Seen {
    pub output: String,
    pub outcome: String,
    pub steps: u64,
    pub effects: (usize, usize),
}

/// Runs a program, and if specialised code gives an item up, again with code that has none.
pub fn run(code: [&Code; 2], program: &Program, input: &str, most_lines: usize, limits: &Limits) -> Seen {
    let input = BufReader::new(Cursor::new(input.to_owned()));
    let inner = StreamHost::new(input, Vec::new(), Notation::WithBits);
    let mut host = Counted { inner, reads: 0, writes: 0, most_lines };
    let mut restartable = Restartable::new(&mut host, &|| true);
    let mut report = foreign::run(code[0], program, &mut restartable, limits);
    if report.is_abandoned() {
        restartable.restart();
        report = foreign::run(code[1], program, &mut restartable, limits);
    }
    let Report { outcome, steps } = report;
    let outcome = match outcome {
        Outcome::Failed(diagnostic) => format!("{diagnostic:?}"),
        outcome => format!("{outcome:?}"),
    };
    let effects = (host.reads, host.writes);
    Seen { output: String::from_utf8(host.inner.into_output()).unwrap(), outcome, steps, effects }
}

/// Runs a program with and without its units, with every C compiler, undisturbed and given up at each of the first
/// `points` points: the results are the same. Returns them.
pub fn check(text: &str, units: &[Option<Unit>], input: &str, most_lines: usize, points: u64) -> Seen {
    let program = program(text);
    assert_eq!(units.len(), program.items.len());
    let limits = Limits::default();
    let plain = compile(&program, &[], "cc", Optimisation::Fast);
    let expected = run([&plain; 2], &program, input, most_lines, &limits);
    let mut ways: Vec<(&str, Optimisation)> = compilers().into_iter().map(|name| (name, Optimisation::Full)).collect();
    ways.push(("cc", Optimisation::Least));
    for (compiler, optimisation) in ways {
        let code = compile(&program, units, compiler, optimisation);
        assert_eq!(run([&code, &plain], &program, input, most_lines, &limits), expected, "{compiler}: {text}");
        for point in 0..points {
            let code = code.clone().giving_up_after(point);
            assert_eq!(
                run([&code, &plain], &program, input, most_lines, &limits),
                expected,
                "{compiler}, {point}: {text}"
            );
        }
    }
    expected
}

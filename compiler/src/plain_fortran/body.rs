//! The statements of a subroutine: control, calls, arithmetic.

use super::escape;
use super::operations::{constant, expression, operator};
use super::runtime::has_word;
use super::unit::{Facts, Refusal, UnitPrinter};
use std::collections::BTreeSet;
use vlad_core::ExpressionId;
use vlad_core::fixed_form::Lines;
use vlad_core::program::{Expression, STOP};
use vlad_first_order::{Block, End, Function, FunctionId, Kind, Operand, Statement, Variable};
use vlad_table::math::NAMES_IN_FORTRAN;

/// The number of names in a declaration.
const DECLARED: usize = 10;

/// A subroutine but for its first and last line.
pub struct Body<'unit, 'printer> {
    pub(super) printer: &'printer mut UnitPrinter<'unit>,
    pub(super) function: &'unit Function,
    facts: &'printer Facts,
    /// The names of the arguments: parameters that are read, then results.
    pub arguments: Vec<String>,
    /// The statements.
    pub lines: Lines,
    /// The names to be declared, by kind.
    names: [BTreeSet<(u32, String)>; 3],
    /// The last label.
    label: u32,
}

/// The construct that the block of a statement is the tail of.
pub(super) enum Tail<'block> {
    /// The function: its results are assigned.
    Function,
    /// A `bind`: the targets are assigned.
    Bind(&'block [Variable]),
    /// A loop with these targets and this state, which begins at a label.
    Loop(&'block [Variable], &'block [Variable], u32),
    /// Arrays, of which the elements at an index are assigned.
    Build(&'block [Variable], Variable),
}

/// A printed subroutine, without the printer.
pub struct Printed {
    /// The names of the arguments.
    pub arguments: Vec<String>,
    /// The statements.
    pub lines: Lines,
    declarations: Vec<(&'static str, Vec<String>)>,
}

impl Printed {
    /// Adds the declarations: of variables, and of what the statements use of the runtime.
    pub fn declarations(&self, out: &mut Lines) {
        for (kind, names) in &self.declarations {
            for names in names.chunks(DECLARED) {
                out.statement(None, 0, &format!("{kind} {}", names.join(", ")));
            }
        }
        declare_runtime(self.lines.text(), out);
    }
}

/// Declares what statements use of the runtime.
pub(super) fn declare_runtime(text: &str, out: &mut Lines) {
    // Texts in quotes use nothing.
    let code: String = text.split('\'').step_by(2).collect();
    for (words, statements) in RUNTIME {
        if words.iter().any(|word| has_word(&code, word)) {
            for statement in *statements {
                out.statement(None, 0, statement);
            }
        }
    }
    let functions = NAMES_IN_FORTRAN.iter().map(|(_, function)| *function);
    let functions: Vec<&str> = functions.filter(|function| has_word(&code, function)).collect();
    for names in functions.chunks(DECLARED) {
        out.statement(None, 0, &format!("DOUBLE PRECISION {}", names.join(", ")));
    }
}

/// The declarations that statements with some words need.
const RUNTIME: &[(&[&str], &[&str])] = &[
    (&["H"], &["DOUBLE PRECISION H", "COMMON /VLHEAP/ H(0:16777216)"]),
    (&["KTOP"], &["INTEGER KTOP", "COMMON /VLTOP/ KTOP"]),
    (&["VINF", "VNAN"], &["DOUBLE PRECISION VINF, VNAN", "COMMON /VLCON/ VINF, VNAN"]),
    (&["NTOP"], &["INTEGER NTOP", "COMMON /VLSTAT/ NTOP(2)"]),
    (&["STK1"], &["DOUBLE PRECISION STK1", "COMMON /VLSTK1/ STK1(16777216)"]),
    (&["STK2"], &["DOUBLE PRECISION STK2", "COMMON /VLSTK2/ STK2(4194304)"]),
    (&["VLNEW"], &["INTEGER VLNEW"]),
    (&["VLCOPY"], &["INTEGER VLCOPY"]),
    (&["VLZERO"], &["INTEGER VLZERO"]),
    (&["VLIDX"], &["LOGICAL VLIDX"]),
    (&["VLSAME"], &["LOGICAL VLSAME"]),
    (&["VLPART"], &["DOUBLE PRECISION VLPART"]),
    (&["VLBIT"], &["DOUBLE PRECISION VLBIT"]),
    (&["VLGMUL"], &["DOUBLE PRECISION VLGMUL"]),
    (&["VLMAX"], &["DOUBLE PRECISION VLMAX"]),
    (&["VLMIN"], &["DOUBLE PRECISION VLMIN"]),
    (&["VLFLR"], &["DOUBLE PRECISION VLFLR"]),
    (&["VLCEI"], &["DOUBLE PRECISION VLCEI"]),
    (&["VLRND"], &["DOUBLE PRECISION VLRND"]),
    (&["VLMOD"], &["DOUBLE PRECISION VLMOD"]),
    (&["VLTACC"], &["DOUBLE PRECISION VLTACC"]),
];

impl<'unit, 'printer> Body<'unit, 'printer> {
    /// Prints the statements of a function.
    pub(super) fn print(
        printer: &'printer mut UnitPrinter<'unit>,
        id: FunctionId,
        function: &'unit Function,
        facts: &'printer Facts,
    ) -> Result<Printed, Refusal> {
        let names = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
        let mut body = Body { printer, function, facts, arguments: vec![], lines: Lines::default(), names, label: 0 };
        for (place, parameter) in function.parameters.iter().enumerate() {
            if facts.is_read(id, place) {
                let name = body.variable(*parameter);
                body.arguments.push(name);
            }
        }
        for (kind, place) in function.results.iter().zip(1..) {
            let name = body.named(*kind, 'Q', place);
            body.arguments.push(name);
        }
        let frees = escape::frees(function, &function.body, function.results.iter().copied(), &facts.pushing);
        if frees {
            body.assign_place_mark(0)?;
        }
        body.block(&function.body, &Tail::Function, 0)?;
        if frees {
            body.statement(0, "KTOP = M0")?;
        }
        let Body { arguments, lines, names, .. } = body;
        let kinds = ["DOUBLE PRECISION", "LOGICAL", "INTEGER"];
        let declarations = kinds
            .into_iter()
            .zip(names)
            .map(|(kind, names)| (kind, names.into_iter().map(|(_, name)| name).collect()))
            .collect();
        Ok(Printed { arguments, lines, declarations })
    }

    pub(super) fn statement(&mut self, depth: usize, text: &str) -> Result<(), Refusal> {
        self.lines.statement(None, depth, text);
        Ok(())
    }

    /// Returns a name with the letter of its kind, and declares it.
    fn named(&mut self, kind: Kind, letter: char, number: u32) -> String {
        let (class, kind) = match kind {
            Kind::Real => (0, 'R'),
            Kind::Boolean => (1, 'L'),
            Kind::Array(_) | Kind::Cell | Kind::Integer => (2, 'K'),
        };
        let name = if letter == ' ' { format!("{kind}{number}") } else { format!("{letter}{kind}{number}") };
        if let Some(names) = self.names.get_mut(class) {
            names.insert((number, name.clone()));
        }
        name
    }

    /// Returns the name of a variable.
    pub(super) fn variable(&mut self, variable: Variable) -> String {
        let kind = self.function.kind(variable.into());
        self.named(kind, ' ', variable.0)
    }

    /// Returns an operand.
    pub(super) fn operand(&mut self, operand: Operand) -> String {
        match operand {
            Operand::Variable(variable) => self.variable(variable),
            Operand::Real(bits) => constant(bits.real()),
            Operand::Boolean(true) => ".TRUE.".to_owned(),
            Operand::Boolean(false) => ".FALSE.".to_owned(),
        }
    }

    pub(super) fn assign(&mut self, depth: usize, target: Variable, value: &str) -> Result<(), Refusal> {
        let target = self.variable(target);
        self.statement(depth, &format!("{target} = {value}"))
    }

    /// Keeps the place behind the heap, for a label.
    fn assign_place_mark(&mut self, label: u32) -> Result<(), Refusal> {
        let name = format!("M{label}");
        let [_, _, integers] = &mut self.names;
        integers.insert((label, name.clone()));
        self.statement(0, &format!("{name} = KTOP"))
    }

    fn block(&mut self, block: &'unit Block, tail: &Tail<'unit>, depth: usize) -> Result<(), Refusal> {
        for statement in &block.statements {
            self.one(statement, depth)?;
        }
        match &block.end {
            End::Yield(values) => self.yielded(values, tail, depth),
            End::Repeat(values) => match tail {
                Tail::Loop(_, state, label) => {
                    self.assign_together(state, values, depth)?;
                    self.statement(depth, &format!("GO TO {label}"))
                }
                Tail::Function | Tail::Bind(_) | Tail::Build(..) => {
                    vlad_table::internal_bug!("only loops are repeated")
                }
            },
            End::Branch { test, consequent, alternative } => {
                let test = self.operand(*test);
                self.statement(depth, &format!("IF ({test}) THEN"))?;
                self.block(consequent, tail, depth + 1)?;
                let is_empty = alternative.statements.is_empty()
                    && matches!(&alternative.end, End::Yield(values) if values.is_empty());
                if !is_empty {
                    self.statement(depth, "ELSE")?;
                    self.block(alternative, tail, depth + 1)?;
                }
                self.statement(depth, "END IF")
            }
            End::BailOut(node) => self.bail_out(*node, depth),
        }
    }

    fn bail_out(&mut self, node: ExpressionId, depth: usize) -> Result<(), Refusal> {
        let program = self.printer.program;
        if let Expression::Let { lambda, .. } = program.expression(node)
            && program.lambda(lambda).name.as_deref() == Some(STOP)
        {
            return self.statement(depth, "STOP");
        }
        let span = program.span(node);
        let place = program.sources.get(span.file).map(|file| {
            let position = file.position(span.start);
            format!("{}:{}", position.line, position.column)
        });
        let place = place.unwrap_or_default();
        self.statement(depth, &format!("CALL VLFAIL('{place}: it fails here')"))?;
        self.statement(depth, "STOP 1")
    }

    fn yielded(&mut self, values: &[Operand], tail: &Tail<'unit>, depth: usize) -> Result<(), Refusal> {
        match tail {
            Tail::Function => {
                for ((value, kind), place) in values.iter().zip(&self.function.results).zip(1..) {
                    let (target, value) = (self.named(*kind, 'Q', place), self.operand(*value));
                    self.statement(depth, &format!("{target} = {value}"))?;
                }
                Ok(())
            }
            // No value reads a target: they are new variables.
            Tail::Bind(targets) | Tail::Loop(targets, ..) => {
                for (target, value) in targets.iter().zip(values) {
                    let value = self.operand(*value);
                    self.assign(depth, *target, &value)?;
                }
                Ok(())
            }
            Tail::Build(targets, index) => {
                for (target, value) in targets.iter().zip(values) {
                    self.set_element(*target, (*index).into(), *value, depth)?;
                }
                Ok(())
            }
        }
    }

    /// Assigns values to variables at once: one that is read after it has been assigned is kept before.
    fn assign_together(&mut self, targets: &[Variable], values: &[Operand], depth: usize) -> Result<(), Refusal> {
        let mut kept: Vec<Variable> = Vec::new();
        for (place, target) in targets.iter().enumerate() {
            if values.iter().skip(place + 1).any(|value| *value == Operand::Variable(*target)) {
                let kind = self.function.kind((*target).into());
                let (old, name) = (self.named(kind, 'X', target.0), self.variable(*target));
                self.statement(depth, &format!("{old} = {name}"))?;
                kept.push(*target);
            }
        }
        for (place, (target, value)) in targets.iter().zip(values).enumerate() {
            if *value == Operand::Variable(*target) {
                continue;
            }
            let value = match value {
                Operand::Variable(variable)
                    if kept.contains(variable) && targets.iter().take(place).any(|target| target == variable) =>
                {
                    let kind = self.function.kind((*variable).into());
                    self.named(kind, 'X', variable.0)
                }
                value => self.operand(*value),
            };
            self.assign(depth, *target, &value)?;
        }
        Ok(())
    }

    fn one(&mut self, statement: &'unit Statement, depth: usize) -> Result<(), Refusal> {
        match statement {
            Statement::Storage(_) => vlad_table::internal_bug!("storage code is made after all passes"),
            Statement::Operation { target, operation, first, second } => {
                let first = self.operand(*first);
                let second = second.map(|second| self.operand(second)).unwrap_or_default();
                let value = expression(*operation, &first, &second, self.printer.mathematics)?;
                self.assign(depth, *target, &value)
            }
            Statement::PositiveZero { target, operand } => {
                let operand = self.operand(*operand);
                self.assign(depth, *target, &format!("{operand} + 0D0"))
            }
            Statement::Compare { target, comparison, first, second } => {
                let (first, second) = (self.operand(*first), self.operand(*second));
                self.assign(depth, *target, &format!("{first} {} {second}", operator(*comparison)))
            }
            Statement::Bind { targets, block } => self.block(block, &Tail::Bind(targets), depth),
            Statement::Loop { targets, state, initial, body } => {
                for (state, initial) in state.iter().zip(initial) {
                    let initial = self.operand(*initial);
                    self.assign(depth, *state, &initial)?;
                }
                self.label += 10;
                let label = self.label;
                let kinds: Vec<Kind> =
                    state.iter().chain(targets).map(|variable| self.function.kind((*variable).into())).collect();
                let frees = escape::frees(self.function, body, kinds, &self.facts.pushing);
                self.turn_begins(label, frees, depth)?;
                self.block(body, &Tail::Loop(targets, state, label), depth)
            }
            Statement::Call { targets, function, arguments } => {
                let mut operands = Vec::new();
                for (place, argument) in arguments.iter().enumerate() {
                    if self.facts.is_read(*function, place) {
                        operands.push(self.operand(*argument));
                    }
                }
                for target in targets {
                    operands.push(self.variable(*target));
                }
                let name = self.printer.name(*function);
                let operands = if operands.is_empty() { String::new() } else { format!("({})", operands.join(", ")) };
                self.statement(depth, &format!("CALL {name}{operands}"))
            }
            Statement::Build { targets, length, index, body } => self.build(targets, *length, *index, body, depth),
            Statement::Read { target } => {
                let target = self.variable(*target);
                self.statement(depth, &format!("CALL VLREAD({target})"))
            }
            Statement::Write { template, leaves } => self.write(*template as usize, leaves, depth),
            Statement::Count { .. } => Ok(()),
            // Counts of steps that are not used for anything else correct the counter that is not there.
            Statement::Steps { target } => match self.is_used(*target) {
                true => Err(Refusal::new("it counts steps, which Fortran does not")),
                false => Ok(()),
            },
            Statement::Recount { .. } => Ok(()),
            Statement::Input { .. } => Err(Refusal::new("it uses values that definitions compute")),
            Statement::Forward { .. } | Statement::Reverse { .. } => {
                vlad_table::internal_bug!("levels have been removed")
            }
            Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Act { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Replace { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. } => self.in_memory(statement, depth),
        }
    }

    /// Prints the label at which each turn of a loop begins, where what the turn before took is freed, if anything is.
    fn turn_begins(&mut self, label: u32, frees: bool, depth: usize) -> Result<(), Refusal> {
        if frees {
            self.assign_place_mark(label)?;
        }
        self.lines.statement(Some(label), depth, "CONTINUE");
        if frees {
            self.statement(depth, &format!("KTOP = M{label}"))?;
        }
        Ok(())
    }

    fn build(
        &mut self,
        targets: &'unit [Variable],
        length: Operand,
        index: Variable,
        body: &'unit Block,
        depth: usize,
    ) -> Result<(), Refusal> {
        let length = self.operand(length);
        for target in targets {
            self.assign(depth, *target, &format!("VLNEW(MAX0(0, INT({length})))"))?;
        }
        self.assign(depth, index, "0D0")?;
        self.label += 10;
        let (label, kinds) = (self.label, targets.iter().filter_map(|target| self.element_kind(*target)));
        let frees = escape::frees(self.function, body, kinds, &self.facts.pushing);
        self.turn_begins(label, frees, depth)?;
        let counter = self.variable(index);
        self.statement(depth, &format!("IF ({counter} .LT. {length}) THEN"))?;
        self.block(body, &Tail::Build(targets, index), depth + 1)?;
        self.statement(depth + 1, &format!("{counter} = {counter} + 1D0"))?;
        self.statement(depth + 1, &format!("GO TO {label}"))?;
        self.statement(depth, "END IF")
    }

    /// Returns true if a count of steps is used for something else than a correction of the counter.
    fn is_used(&self, count: Variable) -> bool {
        let count = Operand::Variable(count);
        let mut is_used = false;
        for block in self.function.body.all_blocks() {
            let recounts = |statement: &&Statement| !matches!(statement, Statement::Recount { .. });
            let mut operands = block.statements.iter().filter(recounts).flat_map(Statement::operands);
            is_used |= operands.any(|operand| operand == count) || block.end.operands().contains(&count);
        }
        is_used
    }

    fn element_kind(&self, array: Variable) -> Option<Kind> {
        self.function.kind(array.into()).element()
    }
}

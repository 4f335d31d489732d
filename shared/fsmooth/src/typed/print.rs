//! Typed trees as texts in F-smooth that read back as the same trees.
//!
//! Every parameter has its type, and every widened value an annotation, so inference has nothing to choose. Names are made
//! unique within an item, and apart from the names of globals and of the language: `x`, `x_2`, `x_3`. So are
//! the instances of a definition.

use super::{Expression, ExpressionId, Head, Item, LocalId, Program, Types, Variable};
use super::{number, plain};
use crate::builtins::{self, Builtin};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_table::internal_bug;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// The greatest indentation; code nested deeper is written on one line.
const DEEPEST: usize = 60;

/// Returns the text of a program.
pub fn program(program: &Program) -> String {
    let mut printer = Printer::new(program);
    for item in &program.items {
        printer.item(*item);
    }
    printer.out
}

/// Returns the text of an expression, in which free locals have their own names.
pub fn expression(program: &Program, id: ExpressionId) -> String {
    Expressions::new(program).text(id)
}

/// The printer of several expressions, for which the names of the program are collected once.
pub struct Expressions<'program>(Printer<'program>);

impl Expressions<'_> {
    /// The printer of expressions of a program.
    pub fn new(program: &Program) -> Expressions<'_> {
        Expressions(Printer::new(program))
    }

    /// Returns the text of an expression, in which free locals have their own names.
    pub fn text(&mut self, id: ExpressionId) -> String {
        self.0.item(Item::Expression(id));
        let mut out = std::mem::take(&mut self.0.out);
        self.0.line = 0;
        out.truncate(out.trim_end().len());
        out
    }
}

/// The precedence of an expression, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Whole,
    Or,
    And,
    Comparison,
    Sum,
    Term,
    Sign,
    Power,
    Application,
    Postfix,
    Atom,
}

enum Step {
    Text(&'static str),
    Type(super::TypeId),
    Variable(Variable),
    /// An expression that is to be of a precedence at least, with the column of its lines.
    Expression(ExpressionId, Level, usize),
    /// A line end and the column of the next line.
    Line(usize),
}

struct Printer<'program> {
    program: &'program Program,
    out: String,
    /// The offset at which the last line begins.
    line: usize,
    steps: Vec<Step>,
    globals: Vec<String>,
    global_names: FxHashSet<String>,
    /// The names of the locals of the current item.
    locals: FxHashMap<LocalId, String>,
    taken: FxHashSet<String>,
    /// The number of the last local that was named like this.
    last: FxHashMap<String, usize>,
    /// The whole numbers that are read as Index where they stand, without an annotation.
    plain: FxHashSet<ExpressionId>,
}

impl Printer<'_> {
    fn new(program: &Program) -> Printer<'_> {
        let mut printer = Printer {
            program,
            out: String::new(),
            line: 0,
            steps: vec![],
            globals: vec![],
            global_names: FxHashSet::default(),
            locals: FxHashMap::default(),
            taken: FxHashSet::default(),
            last: FxHashMap::default(),
            plain: FxHashSet::default(),
        };
        // A name that is not changed is not given to another instance.
        let mut written: FxHashSet<&str> = program.globals().iter().map(|global| &*global.name).collect();
        written.extend(program.locals.iter().map(|local| &*local.name));
        let mut last: FxHashMap<&str, usize> = FxHashMap::default();
        for global in program.globals() {
            let number = last.entry(&global.name).or_insert(0);
            let name = loop {
                *number += 1;
                if *number == 1 && !builtins::is_taken(&global.name) {
                    break global.name.to_string();
                }
                let name = format!("{}_{}", global.name, *number);
                if *number > 1 && !written.contains(name.as_str()) && !printer.global_names.contains(&name) {
                    break name;
                }
            };
            printer.global_names.insert(name.clone());
            printer.globals.push(name);
        }
        printer
    }

    fn item(&mut self, item: Item) {
        self.locals.clear();
        self.taken.clear();
        self.last.clear();
        match item {
            Item::Define(id) => {
                self.out.push_str("let ");
                self.variable(Variable::Global(id));
                self.out.push_str(" = ");
                self.run(self.program.global(id).value, Level::Whole);
            }
            // A line that begins with `let` would be a definition.
            Item::Expression(id) if matches!(self.program.expression(id), Expression::Let { .. }) => {
                self.run(id, Level::Or);
            }
            Item::Expression(id) => self.run(id, Level::Whole),
        }
        self.out.push('\n');
        self.line = self.out.len();
    }

    fn run(&mut self, root: ExpressionId, least: Level) {
        self.steps.push(Step::Expression(root, least, 2));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Text(text) => self.out.push_str(text),
                Step::Type(id) => self.program.types.write(id, &mut self.out),
                Step::Variable(variable) => self.variable(variable),
                Step::Line(indent) => self.line(indent),
                Step::Expression(id, least, indent) => self.expression(id, least, indent),
            }
        }
    }

    /// Ends the line, unless the code is too deep.
    fn line(&mut self, indent: usize) {
        if indent > DEEPEST {
            self.out.push(' ');
            return;
        }
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn variable(&mut self, variable: Variable) {
        match variable {
            Variable::Global(id) => {
                let name = self.globals.get(id.0 as usize).map_or("", String::as_str);
                self.out.push_str(name);
            }
            Variable::Local(id) => {
                if !self.locals.contains_key(&id) {
                    let own = self.program.local(id).name.clone();
                    // No expression reads as `_`, and rewriting may use the local.
                    let name = self.new_name(if &*own == "_" { "unused" } else { &own });
                    self.locals.insert(id, name);
                }
                let name = self.locals.get(&id).map_or("", String::as_str);
                self.out.push_str(name);
            }
        }
    }

    fn new_name(&mut self, base: &str) -> String {
        let number = self.last.entry(base.to_owned()).or_insert(0);
        loop {
            *number += 1;
            let name = if *number == 1 { base.to_owned() } else { format!("{base}_{number}") };
            if !self.global_names.contains(&name) && !builtins::is_taken(&name) && self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    fn push(&mut self, steps: impl IntoIterator<Item = Step>) {
        let from = self.steps.len();
        self.steps.extend(steps);
        if let Some(new) = self.steps.get_mut(from..) {
            new.reverse();
        }
    }

    fn expression(&mut self, id: ExpressionId, least: Level, indent: usize) {
        let level = self.level(id);
        if level < least {
            self.out.push('(');
            self.steps.push(Step::Text(")"));
        }
        self.note_plain(id);
        let deeper = indent + 2;
        let at = |part, level| Step::Expression(part, level, deeper);
        let (head, parts) = self.program.apart(id);
        match (head, &*parts) {
            (Head::Number(bits), _) if self.program.type_of(id) == Types::INDEX && !self.plain.contains(&id) => {
                self.out.push('(');
                self.number(f64::from_bits(bits), Types::INDEX);
                self.out.push_str(" : Index)");
            }
            (Head::Number(bits), _) => self.number(f64::from_bits(bits), self.program.type_of(id)),
            (Head::Boolean(value), _) => self.out.push_str(if value { "true" } else { "false" }),
            (Head::Local(local), _) => self.variable(Variable::Local(local)),
            (Head::Global(global), _) => self.variable(Variable::Global(global)),
            (Head::Lambda(_), _) => self.lambda(id, indent),
            (Head::Application, &[function, argument]) => {
                self.push([at(function, Level::Application), Step::Text(" "), at(argument, Level::Postfix)]);
            }
            (Head::Let(local), &[value, body]) => self.binding(local, value, body, indent),
            (Head::If, &[condition, consequent, alternative]) => {
                self.conditional(condition, consequent, alternative, level, deeper);
            }
            (Head::Array, elements) => {
                let own = self.program.type_of(id);
                if elements.is_empty() && own != Types::VECTOR {
                    // No element tells its type.
                    return self.push([Step::Text("([||] : "), Step::Type(own), Step::Text(")")]);
                }
                let mut steps = vec![Step::Text("[|")];
                for (place, element) in elements.iter().enumerate() {
                    steps.extend([Step::Text(if place == 0 { "" } else { "; " }), at(*element, Level::Whole)]);
                }
                steps.push(Step::Text("|]"));
                self.push(steps);
            }
            (Head::Call(Builtin::Get), &[array, index]) => {
                let index = at(index, Level::Whole);
                self.push([at(array, Level::Postfix), Step::Text("["), index, Step::Text("]")]);
            }
            (Head::Call(Builtin::Pair), &[first, second]) => self.push([
                Step::Text("("),
                at(first, Level::Whole),
                Step::Text(", "),
                at(second, Level::Whole),
                Step::Text(")"),
            ]),
            (Head::Call(Builtin::Operation(Operation::Negate)), &[operand]) => {
                self.push([Step::Text("-"), at(operand, Level::Power)]);
            }
            (Head::Call(Builtin::Operation(operation)), &[first, second]) => {
                self.binary(operation, first, second, level, deeper);
            }
            (Head::Call(Builtin::Compare(comparison)), &[first, second]) => {
                let symbol = Builtin::Compare(comparison).name();
                self.infix(symbol, (first, Level::Sum), (second, Level::Sum), deeper);
            }
            (Head::Call(Builtin::Not), &[operand]) => self.negation(operand, deeper),
            (Head::Call(builtin), operands) => self.call(builtin.name(), operands, deeper),
            (Head::Widen, &[operand]) => self.push([
                Step::Text("("),
                at(operand, Level::Or),
                Step::Text(" : "),
                Step::Type(self.program.type_of(id)),
                Step::Text(")"),
            ]),
            (Head::Deriv(variable), &[body]) => {
                self.push([Step::Text("deriv "), at(body, Level::Postfix), Step::Text(" "), Step::Variable(variable)]);
            }
            (head, _) => internal_bug!("{head:?} has other parts"),
        }
    }

    /// Notes the whole numbers in an expression that are read as Index.
    fn note_plain(&mut self, id: ExpressionId) {
        let parts = plain::parts(self.program, id, self.plain.contains(&id));
        self.plain.extend(parts);
    }

    fn number(&mut self, value: f64, type_id: super::TypeId) {
        self.out.push_str(&number::text(value, type_id));
    }

    fn call(&mut self, name: &'static str, operands: &[ExpressionId], indent: usize) {
        let mut steps = vec![Step::Text(name)];
        for operand in operands {
            steps.extend([Step::Text(" "), Step::Expression(*operand, Level::Postfix, indent)]);
        }
        self.push(steps);
    }

    /// Adds nested functions as one with several parameters.
    fn lambda(&mut self, id: ExpressionId, indent: usize) {
        let mut steps = vec![Step::Text("fun ")];
        let mut body = id;
        while let Expression::Lambda { parameter, body: inner } = self.program.expression(body) {
            steps.extend([
                Step::Text("("),
                Step::Variable(Variable::Local(parameter)),
                Step::Text(" : "),
                Step::Type(self.program.local(parameter).type_id),
                Step::Text(") "),
            ]);
            body = inner;
        }
        steps.extend([Step::Text("-> "), Step::Expression(body, Level::Whole, indent)]);
        self.push(steps);
    }

    /// Adds a `let` on a line of its own.
    fn binding(&mut self, local: LocalId, value: ExpressionId, body: ExpressionId, indent: usize) {
        let length = self.out.len() - self.line;
        let begun = length == indent && self.out.get(self.line..).is_some_and(|text| text.trim().is_empty());
        if !begun {
            self.line(indent);
        }
        self.push([
            Step::Text("let "),
            Step::Variable(Variable::Local(local)),
            Step::Text(" = "),
            Step::Expression(value, Level::Whole, indent + 2),
            Step::Text(" in"),
            Step::Line(indent),
            Step::Expression(body, Level::Whole, indent),
        ]);
    }

    fn conditional(
        &mut self,
        condition: ExpressionId,
        consequent: ExpressionId,
        alternative: ExpressionId,
        level: Level,
        indent: usize,
    ) {
        if level == Level::And {
            return self.infix("&&", (condition, Level::And), (consequent, Level::Comparison), indent);
        }
        if level == Level::Or {
            return self.infix("||", (condition, Level::Or), (alternative, Level::And), indent);
        }
        let at = |part| Step::Expression(part, Level::Whole, indent);
        let (then, or_else) = (Step::Text(" then "), Step::Text(" else "));
        self.push([Step::Text("if "), at(condition), then, at(consequent), or_else, at(alternative)]);
    }

    fn binary(&mut self, operation: Operation, first: ExpressionId, second: ExpressionId, level: Level, indent: usize) {
        let (left, right) = match level {
            Level::Sum => (Level::Sum, Level::Term),
            Level::Term => (Level::Term, Level::Sign),
            Level::Power => (Level::Application, Level::Sign),
            // Of a division at this level the quotient is whole.
            _ if operation == Operation::Divide => {
                return self.call(Builtin::Quotient.name(), &[first, second], indent);
            }
            _ => return self.call(Builtin::Operation(operation).name(), &[first, second], indent),
        };
        self.infix(Builtin::Operation(operation).name(), (first, left), (second, right), indent);
    }

    fn infix(
        &mut self,
        symbol: &'static str,
        (first, left): (ExpressionId, Level),
        (second, right): (ExpressionId, Level),
        indent: usize,
    ) {
        self.push([
            Step::Expression(first, left, indent),
            Step::Text(" "),
            Step::Text(symbol),
            Step::Text(" "),
            Step::Expression(second, right, indent),
        ]);
    }

    fn negation(&mut self, operand: ExpressionId, indent: usize) {
        if let Expression::Compare(Comparison::Equal, first, second) = self.program.expression(operand) {
            return self.infix("<>", (first, Level::Sum), (second, Level::Sum), indent);
        }
        self.push([Step::Text("!"), Step::Expression(operand, Level::Power, indent)]);
    }

    /// Returns the precedence with which an expression is written.
    fn level(&self, id: ExpressionId) -> Level {
        let (head, parts) = self.program.apart(id);
        match (head, &*parts) {
            (Head::Lambda(_) | Head::Let(_), _) => Level::Whole,
            (Head::If, &[_, consequent, alternative]) => {
                match (self.program.expression(consequent), self.program.expression(alternative)) {
                    (_, Expression::Boolean(false)) => Level::And,
                    (Expression::Boolean(true), _) => Level::Or,
                    (_, _) => Level::Whole,
                }
            }
            (Head::Call(Builtin::Pair), _) => Level::Atom,
            (Head::Call(Builtin::Get), _) => Level::Postfix,
            (Head::Call(Builtin::Compare(_)), _) => Level::Comparison,
            (Head::Call(Builtin::Not), &[operand]) => {
                let operand = self.program.expression(operand);
                let is_unequal = matches!(operand, Expression::Compare(Comparison::Equal, ..));
                if is_unequal { Level::Comparison } else { Level::Sign }
            }
            (Head::Call(Builtin::Operation(operation)), _) => match operation {
                Operation::Negate => Level::Sign,
                Operation::Add | Operation::Subtract => Level::Sum,
                Operation::Divide if self.program.type_of(id) == Types::INDEX => Level::Application,
                Operation::Multiply | Operation::Divide => Level::Term,
                Operation::Power => Level::Power,
                _ => Level::Application,
            },
            (Head::Application | Head::Call(_) | Head::Deriv(_), _) => Level::Application,
            (_, _) => Level::Atom,
        }
    }
}

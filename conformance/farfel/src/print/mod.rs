//! The text of a program, in spellings that are chosen at random: fixed and free layout, continuations, comments, blanks,
//! case, labels and the forms of keywords.
//!
//! - `expressions`: expressions with as few parentheses as precedence permits, and some more;
//! - [`layout`]: from statements to lines.

mod expressions;
pub mod layout;

use crate::tree::{
    Action, Block, Bound, Close, Counter, Declared, Expression, Item, Loop, Mode, Open, Place, Program, Specification,
    Statement, Subprogram, SubprogramKind, Target, Type,
};
use expressions::{Expressions, passed};
use layout::{Layout, Lines};

/// The text of a program. The same seed gives the same text.
pub fn text(program: &Program, seed: u64) -> String {
    text_in(program, Dialect::Farfel, &mut Layout::random(seed))
}

/// The text of a program in the plainest layout.
pub fn plain_text(program: &Program) -> String {
    text_in(program, Dialect::Farfel, &mut Layout::plain())
}

/// The text of a program of [`Options::ORDINARY`](crate::generate::Options::ORDINARY) for an ordinary compiler of
/// Fortran, in free form.
pub fn ordinary_text(program: &Program) -> String {
    text_in(program, Dialect::Ordinary, &mut Layout::plain())
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Farfel,
    /// Nested subprograms stand behind `CONTAINS`, and statements make zeros of arrays.
    Ordinary,
}

fn text_in(program: &Program, dialect: Dialect, layout: &mut Layout) -> String {
    let mut printer = Printer { dialect, beside: Vec::new(), lines: Lines::new(layout) };
    for unit in &program.units {
        let beside = program.units.iter().filter(|other| other.kind != SubprogramKind::Main && other.name != unit.name);
        printer.beside = beside.map(|other| other.name.clone()).collect();
        printer.unit(unit);
    }
    printer.lines.finish()
}

struct Printer<'layout> {
    dialect: Dialect,
    /// The units beside that which is printed: an ordinary compiler has to know that they are no variables.
    beside: Vec<String>,
    lines: Lines<'layout>,
}

/// The name of a type.
pub(crate) fn type_name(sort: Type) -> &'static str {
    match sort {
        Type::Real => "REAL",
        Type::Integer => "INTEGER",
        Type::Logical => "LOGICAL",
    }
}

impl Printer<'_> {
    fn unit(&mut self, unit: &Subprogram) {
        let parameters = unit.parameters.join(", ");
        let heading = match unit.kind {
            SubprogramKind::Main => Some(format!("PROGRAM {}", unit.name)),
            SubprogramKind::Subroutine if parameters.is_empty() => {
                Some(format!("SUBROUTINE {}{}", unit.name, self.lines.any(&["", "()"])))
            }
            SubprogramKind::Subroutine => Some(format!("SUBROUTINE {}({parameters})", unit.name)),
            SubprogramKind::Function(None) => Some(format!("FUNCTION {}({parameters})", unit.name)),
            SubprogramKind::Function(Some(sort)) => {
                let sort = self.type_text(sort);
                Some(format!("{sort} FUNCTION {}({parameters})", unit.name))
            }
            SubprogramKind::Statement => None,
        };
        let Some(heading) = heading else { return self.statement_function(unit) };
        self.lines.statement(None, &heading);
        self.lines.indent(1);
        for specification in &unit.specifications {
            self.specification(specification);
        }
        match self.dialect {
            Dialect::Farfel => {
                let is_short = |nested: &&Subprogram| nested.kind == SubprogramKind::Statement;
                unit.nested.iter().filter(|nested| !is_short(nested)).for_each(|nested| self.unit(nested));
                unit.nested.iter().filter(is_short).for_each(|nested| self.unit(nested));
                self.list(&unit.body);
                self.lines.indent(-1);
                self.lines.statement(None, "END");
            }
            Dialect::Ordinary => {
                let beside = std::mem::take(&mut self.beside);
                if !beside.is_empty() {
                    self.lines.statement(None, &format!("EXTERNAL {}", beside.join(", ")));
                }
                self.zeros(unit);
                self.list(&unit.body);
                if !unit.nested.is_empty() {
                    self.lines.statement(None, "CONTAINS");
                }
                unit.nested.iter().for_each(|nested| self.unit(nested));
                self.lines.indent(-1);
                let end = match unit.kind {
                    SubprogramKind::Main => "END PROGRAM",
                    SubprogramKind::Subroutine => "END SUBROUTINE",
                    SubprogramKind::Function(_) | SubprogramKind::Statement => "END FUNCTION",
                };
                self.lines.statement(None, end);
            }
        }
    }

    /// Makes zeros of the arrays of a unit.
    fn zeros(&mut self, unit: &Subprogram) {
        for specification in &unit.specifications {
            let (zero, all) = match specification {
                Specification::Typed(Type::Logical, all) => (".FALSE.", all.as_slice()),
                Specification::Typed(Type::Real | Type::Integer, all) | Specification::Dimension(all) => {
                    ("0", all.as_slice())
                }
                Specification::Constant(..) | Specification::External(_) | Specification::Intrinsic(_) => continue,
            };
            let is_local =
                |declared: &&Declared| !declared.bounds.is_empty() && !unit.parameters.contains(&declared.name);
            for declared in all.iter().filter(is_local) {
                self.lines.statement(None, &format!("{} = {zero}", declared.name));
            }
        }
    }

    fn statement_function(&mut self, unit: &Subprogram) {
        if let Some(Statement { action: Action::Assign(_, value), .. }) = unit.body.first() {
            let value = self.expression(value);
            self.lines.statement(None, &format!("{}({}) = {value}", unit.name, unit.parameters.join(", ")));
        }
    }

    fn type_text(&mut self, sort: Type) -> &'static str {
        match sort {
            Type::Real => self.lines.any(&["REAL", "REAL", "DOUBLE PRECISION"]),
            Type::Integer | Type::Logical => type_name(sort),
        }
    }

    fn specification(&mut self, specification: &Specification) {
        let text = match specification {
            Specification::Typed(sort, all) => {
                let sort = self.type_text(*sort);
                format!("{sort} {}", self.declarations(all))
            }
            Specification::Dimension(all) => format!("DIMENSION {}", self.declarations(all)),
            Specification::Constant(name, value) => format!("PARAMETER ({name} = {})", self.expression(value)),
            Specification::External(names) => format!("EXTERNAL {}", names.join(", ")),
            Specification::Intrinsic(all) => {
                let names: Vec<&str> = all.iter().map(|each| passed(*each)).collect();
                format!("INTRINSIC {}", names.join(", "))
            }
        };
        self.lines.statement(None, &text);
    }

    fn declarations(&mut self, all: &[Declared]) -> String {
        let all = all.iter().map(|declared| match declared.bounds.as_slice() {
            [] => declared.name.clone(),
            bounds => {
                let bounds: Vec<String> = bounds.iter().map(|bound| self.bound(bound)).collect();
                format!("{}({})", declared.name, bounds.join(", "))
            }
        });
        all.collect::<Vec<_>>().join(", ")
    }

    fn bound(&mut self, bound: &Bound) -> String {
        let upper = bound.upper.as_ref().map_or("*".to_owned(), |upper| self.expression(upper));
        match &bound.lower {
            Some(lower) => format!("{}:{upper}", self.expression(lower)),
            None => upper,
        }
    }

    fn expression(&mut self, expression: &Expression) -> String {
        Expressions { layout: self.lines.layout() }.text(expression)
    }

    fn expressions(&mut self, all: &[Expression]) -> String {
        let all: Vec<String> = all.iter().map(|each| self.expression(each)).collect();
        all.join(&format!(",{}", self.lines.blank()))
    }

    fn place(&mut self, place: &Place) -> String {
        match place.indices.as_slice() {
            [] => place.name.clone(),
            indices => format!("{}({})", place.name, self.expressions(indices)),
        }
    }

    fn targets(&mut self, targets: &[Target]) -> String {
        let all: Vec<String> = targets
            .iter()
            .map(|target| match target {
                Target::Place(place) => self.place(place),
                Target::Repeated(targets, counter) => {
                    format!("({}, {})", self.targets(targets), self.counter(counter))
                }
            })
            .collect();
        all.join(", ")
    }

    fn items(&mut self, items: &[Item]) -> String {
        let all: Vec<String> = items.iter().map(|item| self.item(item)).collect();
        all.join(", ")
    }

    fn list(&mut self, list: &[Statement]) {
        for statement in list {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.action {
            Action::Branches(branches) => self.branches(statement.label, branches),
            Action::Do(each) => self.repetition(statement.label, each),
            Action::While(condition, body) => {
                let condition = self.expression(condition);
                self.lines.statement(statement.label, &format!("DO WHILE ({condition})"));
                self.body(body);
                let end = self.lines.any(&["END DO", "ENDDO"]);
                self.lines.statement(None, end);
            }
            Action::Differentiate(block) => self.block(statement.label, block),
            Action::Assign(..)
            | Action::Call(..)
            | Action::Continue
            | Action::Return
            | Action::Stop
            | Action::Read(_)
            | Action::Print(_)
            | Action::If(..)
            | Action::Sign(..)
            | Action::Goto(_)
            | Action::Computed(..) => {
                let text = self.action(&statement.action);
                self.lines.statement(statement.label, &text);
            }
        }
    }

    fn body(&mut self, body: &[Statement]) {
        self.lines.indent(1);
        self.list(body);
        self.lines.indent(-1);
    }

    /// The text of a statement on one line.
    fn action(&mut self, action: &Action) -> String {
        match action {
            Action::Assign(place, value) => {
                let (place, value, blank) = (self.place(place), self.expression(value), self.lines.blank());
                format!("{place}{blank}={blank}{value}")
            }
            Action::Call(name, arguments) if arguments.is_empty() => {
                format!("CALL {name}{}", self.lines.any(&["", "()"]))
            }
            Action::Call(name, arguments) => format!("CALL {name}({})", self.expressions(arguments)),
            Action::Continue => "CONTINUE".to_owned(),
            Action::Return => "RETURN".to_owned(),
            Action::Stop => "STOP".to_owned(),
            Action::Read(targets) => format!("READ *, {}", self.targets(targets)),
            Action::Print(items) => format!("PRINT *, {}", self.items(items)),
            Action::If(condition, action) => {
                let condition = self.expression(condition);
                let action = self.action(action);
                format!("IF ({condition}) {action}")
            }
            Action::Sign(value, [negative, zero, positive]) => {
                format!("IF ({}) {negative}, {zero}, {positive}", self.expression(value))
            }
            Action::Goto(label) => format!("{} {label}", self.lines.any(&["GOTO", "GO TO"])),
            Action::Computed(labels, index) => {
                let labels: Vec<String> = labels.iter().map(u32::to_string).collect();
                let index = self.expression(index);
                format!("{} ({}), {index}", self.lines.any(&["GOTO", "GO TO"]), labels.join(", "))
            }
            // These take several lines, and are printed elsewhere.
            Action::Branches(_) | Action::Do(_) | Action::While(..) | Action::Differentiate(_) => String::new(),
        }
    }

    fn item(&mut self, item: &Item) -> String {
        match item {
            Item::Value(value) => self.expression(value),
            Item::Text(text) => format!("'{}'", text.replace('\'', "''")),
            Item::Repeated(items, counter) => format!("({}, {})", self.items(items), self.counter(counter)),
        }
    }

    fn branches(&mut self, label: Option<u32>, branches: &[(Option<Expression>, Vec<Statement>)]) {
        for (place, (condition, body)) in branches.iter().enumerate() {
            let text = match condition {
                Some(condition) => {
                    let keyword = if place == 0 { "IF" } else { self.lines.any(&["ELSE IF", "ELSEIF"]) };
                    format!("{keyword} ({}) THEN", self.expression(condition))
                }
                None => "ELSE".to_owned(),
            };
            self.lines.statement(if place == 0 { label } else { None }, &text);
            self.body(body);
        }
        let end = self.lines.any(&["END IF", "ENDIF"]);
        self.lines.statement(None, end);
    }

    fn repetition(&mut self, label: Option<u32>, each: &Loop) {
        let end = each.end.map_or(String::new(), |end| format!("{end} "));
        let (first, last) = (self.expression(&each.first), self.expression(&each.last));
        let step = each.step.as_ref().map_or(String::new(), |step| format!(", {}", self.expression(step)));
        self.lines.statement(label, &format!("DO {end}{} = {first}, {last}{step}", each.index));
        self.body(&each.body);
        if each.end.is_none() {
            let end = self.lines.any(&["END DO", "ENDDO"]);
            self.lines.statement(None, end);
        }
    }

    fn block(&mut self, label: Option<u32>, block: &Block) {
        let (name, kind) = match block.mode {
            Mode::Forward => ("ADF", "TANGENT"),
            Mode::Reverse => ("ADR", "COTANGENT"),
        };
        let opens: Vec<String> = block.opens.iter().map(|open| self.open(open, kind)).collect();
        let blank = self.lines.blank();
        self.lines.statement(label, &format!("{name}{blank}({})", opens.join(", ")));
        self.body(&block.body);
        let closes: Vec<String> = block.closes.iter().map(|close| self.close(close, kind)).collect();
        let end = self.lines.any(&["END ", "END"]);
        let closes = if closes.is_empty() { String::new() } else { format!("({})", closes.join(", ")) };
        self.lines.statement(None, &format!("{end}{name}{closes}"));
    }

    fn open(&mut self, open: &Open, kind: &str) -> String {
        match open {
            Open::Bare(name) => name.clone(),
            Open::Given(place, value) => {
                let (place, value) = (self.place(place), self.expression(value));
                format!("{kind}({place}) = {value}")
            }
            Open::Repeated(opens, counter) => {
                let opens: Vec<String> = opens.iter().map(|open| self.open(open, kind)).collect();
                format!("({}, {})", opens.join(", "), self.counter(counter))
            }
        }
    }

    fn close(&mut self, close: &Close, kind: &str) -> String {
        match close {
            Close::Taken(to, of) => {
                let (to, of) = (self.place(to), self.place(of));
                format!("{to} = {kind}({of})")
            }
            Close::Repeated(closes, counter) => {
                let closes: Vec<String> = closes.iter().map(|close| self.close(close, kind)).collect();
                format!("({}, {})", closes.join(", "), self.counter(counter))
            }
        }
    }

    fn counter(&mut self, counter: &Counter) -> String {
        let (first, last) = (self.expression(&counter.first), self.expression(&counter.last));
        let step = counter.step.as_ref().map_or(String::new(), |step| format!(", {}", self.expression(step)));
        format!("{} = {first}, {last}{step}", counter.name)
    }
}

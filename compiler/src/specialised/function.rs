//! A function of a unit as a function of C.
//!
//! Blocks are in tail position of a function, a `Bind` or a loop, so control is structured in C as well: the end of a
//! block assigns the targets of that construct, and nothing of it follows. A `Bind` is a scope, a loop `for (;;)` that
//! is left by `break`; a function returns its results.
//!
//! A function with loops keeps two counts of the machine in locals, which C compilers hold in registers: the turns that
//! are left, which it gives back where other code takes turns, and the steps taken, which it adds at its end.

use super::scope::{CELL, Scope, ctype, leaf, variable_name};
use crate::c::{Expression as C, Infix, Item, Statement as S};
use crate::rules::comparison_operator;
use crate::rules::names::program_function;
use std::collections::HashMap;
use vlad_first_order::counted_loops::whole;
use vlad_first_order::{
    Action, Block, End, Function, FunctionId, JournalAction, Kind, Operand, Statement, Storage, TapeAction, Variable,
};
use vlad_table::{Operation, internal_bug};
use vlad_values::print::Layout;

/// The C function of a function of a unit.
pub fn function(scope: &Scope<'_>, id: FunctionId) -> Item {
    Item::Function { head: scope.head(id), body: Body::of(scope, id).whole() }
}

/// The construct that a block is in tail position of.
#[derive(Clone, Copy)]
pub enum Tail<'unit> {
    Function,
    Bind {
        targets: &'unit [Variable],
    },
    Loop {
        targets: &'unit [Variable],
        state: &'unit [Variable],
    },
    /// A loop over a range.
    For {
        state: &'unit [Variable],
    },
}

pub struct Body<'unit> {
    pub scope: &'unit Scope<'unit>,
    pub id: FunctionId,
    pub function: &'unit Function,
    /// True if the turns are in a local.
    pub has_turns: bool,
    /// True if the steps are in a local.
    pub has_steps: bool,
}

impl<'unit> Body<'unit> {
    /// The body of a function of a unit.
    pub fn of(scope: &'unit Scope<'unit>, id: FunctionId) -> Body<'unit> {
        let function = scope.unit.function(id);
        let counts = function.body.all_statements().any(|statement| {
            matches!(
                statement,
                Statement::Count { .. } | Statement::Recount { .. } | Statement::Storage(Storage::CountEach { .. })
            )
        });
        let has_turns = scope.calls.has_turns(id);
        Body { scope, id, function, has_turns, has_steps: has_turns && counts }
    }

    fn whole(&self) -> Vec<S> {
        let mut statements = Vec::new();
        if self.scope.takes_structure(self.id) {
            let ctype = format!("const struct {} *", self.scope.operands_name(self.id)).into();
            statements.push(S::Define { ctype, name: "given".to_owned(), value: C::name("operands") });
            for variable in &self.function.parameters {
                self.define(*variable, C::name("given").at(0).dot(variable_name(*variable)), &mut statements);
            }
        }
        if self.scope.calls.closes_cycle(self.id) {
            statements.push(S::Evaluate(C::call("VLAD_ENTER", ["m", "depth"].map(C::name))));
        }
        if self.has_turns {
            statements.push(S::Define { ctype: "int64_t".into(), name: "turns".to_owned(), value: shared("turns") });
        }
        if self.has_steps {
            statements.push(S::integer("steps", C::Number(0)));
        }
        self.block(&self.function.body, Tail::Function, &mut statements);
        statements
    }

    pub fn block(&self, block: &'unit Block, tail: Tail<'unit>, out: &mut Vec<S>) {
        let tail_call = if matches!(tail, Tail::Function) { tail_call(block) } else { None };
        for (number, statement) in block.statements.iter().enumerate() {
            match statement {
                Statement::Call { targets, function, arguments } if tail_call == Some(number) => {
                    self.call(targets, *function, arguments, true, out);
                }
                other => self.statement(other, out),
            }
        }
        self.end(&block.end, tail, out);
    }

    pub fn end(&self, end: &'unit End, tail: Tail<'unit>, out: &mut Vec<S>) {
        match end {
            End::Yield(values) => self.yields(values, tail, out),
            End::Repeat(values) => match tail {
                Tail::Loop { state, .. } | Tail::For { state } => self.repeat(state, values, out),
                Tail::Function | Tail::Bind { .. } => {
                    internal_bug!("only the body of a loop repeats it")
                }
            },
            End::Branch { test, consequent, alternative } => {
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.block(consequent, tail, &mut then);
                self.block(alternative, tail, &mut otherwise);
                out.push(S::If { test: self.test(*test, [consequent, alternative]), then, otherwise });
            }
            End::BailOut(_) if self.scope.is_fast_path => self.leave(out),
            End::BailOut(node) => out.push(S::Evaluate(self.scope.bail_out(*node))),
        }
    }

    fn yields(&self, values: &[Operand], tail: Tail<'unit>, out: &mut Vec<S>) {
        match tail {
            Tail::Function => self.give_results(values, out),
            Tail::Bind { targets } => self.assign(targets, values, out),
            Tail::Loop { targets, .. } => {
                self.assign(targets, values, out);
                out.push(S::Break);
            }
            Tail::For { .. } => internal_bug!("a loop over a range goes on"),
        }
    }

    /// Assigns the new state of a loop, all variables at once: a value that an assignment before its own would overwrite
    /// is kept in a variable of its own.
    fn repeat(&self, state: &[Variable], values: &[Operand], out: &mut Vec<S>) {
        let mut late = Vec::new();
        for (place, (variable, value)) in state.iter().zip(values).enumerate() {
            if Operand::Variable(*variable) == *value {
                continue;
            }
            let is_overwritten = state
                .iter()
                .take(place)
                .zip(values)
                .any(|(before, new)| Operand::Variable(*before) == *value && Operand::Variable(*before) != *new);
            let value = self.value(*value, self.kind(*variable));
            let value = if is_overwritten {
                let next = format!("next{}", variable.0);
                let ctype = ctype(self.kind(*variable)).into();
                out.push(S::Define { ctype, name: next.clone(), value });
                C::Name(next)
            } else {
                value
            };
            late.push(S::Assign(name(*variable), value));
        }
        out.extend(late);
    }

    pub fn statement(&self, statement: &'unit Statement, out: &mut Vec<S>) {
        match statement {
            Statement::Operation { target, operation: Operation::Copy, first, second: _ } => {
                self.define(*target, operand(*first), out);
            }
            Statement::Operation { target, operation, first, second } => {
                self.define(*target, executed(*operation, *first, *second), out);
            }
            Statement::PositiveZero { target, operand: value } => {
                self.define(*target, operand(*value).infix(Infix::Add, C::Real(0.0)), out);
            }
            Statement::Compare { target, comparison, first, second } => {
                let [first, second] = self.compared([*first, *second]);
                let value = first.infix(comparison_operator(*comparison), second);
                self.define(*target, value, out);
            }
            Statement::Bind { targets, block } => {
                self.declare(targets, out);
                let mut inside = Vec::new();
                self.block(block, Tail::Bind { targets }, &mut inside);
                out.push(S::Scope(inside));
            }
            Statement::Loop { targets, state, initial, body } => {
                self.declare(targets, out);
                for (variable, value) in state.iter().zip(initial) {
                    self.define(*variable, self.value(*value, self.kind(*variable)), out);
                }
                let mut inside = Vec::new();
                self.block(body, Tail::Loop { targets, state }, &mut inside);
                out.push(S::Loop(inside));
            }
            Statement::Call { targets, function, arguments } => self.call(targets, *function, arguments, false, out),
            Statement::Forward { .. } | Statement::Reverse { .. } => {
                internal_bug!("C is generated for code without levels of differentiation")
            }
            Statement::Input { target, input } => {
                let function = match self.kind(*target) {
                    Kind::Real => "vlad_input_real",
                    Kind::Boolean => "vlad_input_boolean",
                    Kind::Array(_) => "vlad_input_array",
                    Kind::Cell | Kind::Integer => "vlad_input_cell",
                };
                self.define(*target, C::call(function, [C::name("m"), C::Number((*input).into())]), out);
            }
            Statement::Read { target } => self.define(*target, C::service("read_number", []), out),
            Statement::Write { template, leaves } => self.write(*template, leaves, out),
            Statement::Push { stack, values } => self.push(*stack, values, out),
            Statement::Pop { stack, targets } => self.pop(*stack, targets, out),
            Statement::Act { targets, action, operands } => self.act(targets, *action, operands, out),
            Statement::Array { .. } | Statement::Build { .. } => {
                internal_bug!("storage code has no builds and no arrays of given elements")
            }
            Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Replace { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. } => self.on_array(statement, out),
            Statement::Steps { target } => {
                let steps = match self.kind(*target) {
                    Kind::Integer => self.steps_so_far(),
                    _ => C::call("vlad_real_of", [self.steps_so_far()]),
                };
                self.define(*target, steps, out);
            }
            Statement::Recount { before, after } => {
                let steps = C::call("vlad_steps_between", [C::name("m"), operand(*before), operand(*after)]);
                out.push(S::Add(self.counter(), steps));
            }
            Statement::Cell { target, parts } => self.cell(*target, parts, out),
            Statement::Parts { targets, cell } => self.parts(targets, *cell, out),
            Statement::Count { steps } => out.push(S::Add(self.counter(), C::Number(*steps))),
            Statement::Storage(statement) => self.storage(statement, out),
        }
    }

    fn write(&self, template: u32, leaves: &[Operand], out: &mut Vec<S>) {
        let parts = leaves.iter().map(|value| leaf(self.function.kind(*value), operand(*value)));
        let leaves = if leaves.is_empty() { C::Number(0) } else { C::Literal("vlad_value", parts.collect()) };
        let layout = match self.scope.unit.written.get(template as usize).map(|line| line.layout) {
            Some(Layout::Datum) => C::name("VLAD_LAYOUT_DATUM"),
            Some(Layout::Row) => C::name("VLAD_LAYOUT_ROW"),
            Some(Layout::Text) => C::name("VLAD_LAYOUT_TEXT"),
            None => internal_bug!("every line that is written has a form"),
        };
        let template = C::Name(self.scope.written_name(template)).prefix("&");
        out.push(S::Evaluate(C::service("write_leaves", [layout, template, leaves])));
    }

    fn act(&self, targets: &[Variable], action: Action, operands: &[Operand], out: &mut Vec<S>) {
        let call = match action {
            Action::Tape(action) => on_tape(action, operands),
            Action::Accumulator(action) => self.on_accumulator(action, operands),
            Action::Memory(action) => return self.on_memory(targets, action, operands, out),
            Action::Journal(action) => on_journal(action, operands),
        };
        match targets.first() {
            Some(target) => self.define(*target, call, out),
            None => out.push(S::Evaluate(call)),
        }
    }

    pub fn declare(&self, targets: &[Variable], out: &mut Vec<S>) {
        for of in ["double", "int", "struct vlad_array", CELL, "uint64_t"] {
            let names = targets.iter().filter(|target| ctype(self.kind(**target)) == of);
            let names: Vec<String> = names.copied().map(variable_name).collect();
            if !names.is_empty() {
                out.push(S::Declare { ctype: of, names });
            }
        }
    }

    fn assign(&self, targets: &[Variable], values: &[Operand], out: &mut Vec<S>) {
        out.extend(
            targets
                .iter()
                .zip(values)
                .map(|(target, value)| S::Assign(name(*target), self.value(*value, self.kind(*target)))),
        );
    }

    /// An operand as a value of a kind: constants are integers as well.
    pub fn value(&self, value: Operand, kind: Kind) -> C {
        match kind {
            Kind::Integer => self.integer(value),
            Kind::Real | Kind::Boolean | Kind::Array(_) | Kind::Cell => operand(value),
        }
    }

    pub fn define(&self, variable: Variable, value: C, out: &mut Vec<S>) {
        let ctype = ctype(self.kind(variable)).into();
        out.push(S::Define { ctype, name: variable_name(variable), value });
    }

    pub fn kind(&self, variable: Variable) -> Kind {
        self.function.kind(Operand::Variable(variable))
    }

    /// An integer, or the integer of a real that is a whole number. In C integers are unsigned words, which are compared as signed ones.
    pub fn integer(&self, index: Operand) -> C {
        match index {
            Operand::Variable(variable) if self.kind(variable) == Kind::Integer => name(variable),
            Operand::Real(bits) if let Some(whole) = whole(bits.real()) => C::Number(whole),
            _ => C::call("vlad_whole", [operand(index)]),
        }
    }

    /// Two operands that are compared.
    pub fn compared(&self, operands: [Operand; 2]) -> [C; 2] {
        let is_integer = |operand: &Operand| self.function.kind(*operand) == Kind::Integer;
        if !operands.iter().any(is_integer) {
            return operands.map(operand);
        }
        operands.map(|operand| match operand {
            Operand::Real(bits) if bits.real() < 0.0 => self.signed(Operand::real(-bits.real())).prefix("-"),
            _ => self.signed(operand),
        })
    }

    /// An integer with its sign.
    pub fn signed(&self, integer: Operand) -> C {
        C::call("vlad_signed", [self.integer(integer)])
    }
}

/// The number of the statement of a function's block that is a call in tail position: its results are those of the function, but for
/// arrays that move when memory is released behind it.
fn tail_call(block: &Block) -> Option<usize> {
    let End::Yield(results) = &block.end else { return None };
    let (moved, behind): (HashMap<Operand, Operand>, usize) = match block.statements.last()? {
        Statement::Storage(Storage::Keep { targets, values, limit: None, .. }) => {
            (Operand::all(targets).into_iter().zip(values.iter().copied()).collect(), 2)
        }
        _ => (HashMap::new(), 1),
    };
    let number = block.statements.len().checked_sub(behind)?;
    let Statement::Call { targets, .. } = block.statements.get(number)? else { return None };
    let returned = results.iter().map(|result| moved.get(result).copied().unwrap_or(*result));
    returned.eq(Operand::all(targets)).then_some(number)
}

/// The value of an operation. The operators of IEEE 754 are those of C.
fn executed(operation: Operation, first: Operand, second: Option<Operand>) -> C {
    let infix = match operation {
        Operation::Add => Some(Infix::Add),
        Operation::Subtract => Some(Infix::Subtract),
        Operation::Multiply => Some(Infix::Multiply),
        Operation::Divide => Some(Infix::Divide),
        Operation::Negate => return operand(first).prefix("-"),
        _ => None,
    };
    match (infix, second) {
        (Some(infix), Some(second)) => operand(first).infix(infix, operand(second)),
        (Some(_) | None, second) => {
            let operands = [C::name("m"), operand(first)].into_iter().chain(second.map(operand));
            C::call(program_function(operation), operands.collect::<Vec<_>>())
        }
    }
}

pub fn operand(value: Operand) -> C {
    match value {
        Operand::Variable(variable) => name(variable),
        // No literal has the bits of an infinity or a NaN.
        Operand::Real(bits) => C::finite(bits.real()).unwrap_or_else(|| C::call("vlad_with_bits", [C::Bits(bits.0)])),
        Operand::Boolean(boolean) => C::Number(u64::from(boolean)),
    }
}

pub fn name(variable: Variable) -> C {
    C::Name(variable_name(variable))
}

/// A count that all functions share.
pub fn shared(count: &'static str) -> C {
    C::machine("first_order").dot(count)
}

/// The call of an action on the tape; operands that a node does not have are 0.
fn on_tape(action: TapeAction, operands: &[Operand]) -> C {
    let (service, count) = match action {
        TapeAction::Begin => ("tape_begin", 0),
        TapeAction::Independent => ("tape_independent", 0),
        TapeAction::Node => ("tape_node", 4),
        TapeAction::Seed => ("tape_seed", 2),
        TapeAction::Sweep => ("tape_sweep", 0),
        TapeAction::Accumulator => ("tape_accumulator", 1),
    };
    let absent = std::iter::repeat_n(Operand::real(0.0), count - operands.len().min(count));
    let operands = operands.iter().copied().chain(absent).map(operand);
    C::service(service, operands.collect::<Vec<_>>())
}

/// The call of an action on the journal.
fn on_journal(action: JournalAction, operands: &[Operand]) -> C {
    let service = match action {
        JournalAction::Begin => "begin_reads",
        JournalAction::Reads => "reads",
        JournalAction::ReadAgain => "read_again",
        JournalAction::End => "end_reads",
    };
    C::service(service, operands.iter().copied().map(operand).collect::<Vec<_>>())
}

//! Pushes and pops of records in C.
//!
//! A counted loop (`super::counted`) of which every iteration pushes one record, or pops one, and enters no other code that
//! may have records, does so in *rows*: there is room for the records of a part of its iterations, or these are in one piece,
//! before the part begins. So nothing is called for them within a part.

use super::flags::{byte, flags, is_packed, may_record};
use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::Body;
use crate::specialised::scope::RECORD;
use vlad_first_order::counted_loops::Counted;
use vlad_first_order::storage::counts::Counts;
use vlad_first_order::storage::words::{Place, places};
use vlad_first_order::{Block, Kind, Operand, Stack, Statement, Variable};
use vlad_table::internal_bug;

/// The record of each iteration of a loop.
pub struct Row<'unit> {
    /// The statement of the iteration that pushes or pops it.
    statement: &'unit Statement,
    stack: Stack,
    words: u64,
    places: Vec<Place>,
    /// True if each record is a byte.
    is_packed: bool,
    /// The name of the address of the next record.
    name: String,
}

impl<'unit> Body<'unit> {
    pub fn push(&self, stack: Stack, values: &[Operand], out: &mut Vec<S>) {
        if stack == Stack::Again {
            out.push(S::Evaluate(C::call("vlad_read_again", [C::name("m")])));
            return;
        }
        if values.is_empty() {
            return;
        }
        let (places, words) = self.places_of(values.iter().copied());
        let record = C::call("vlad_push_record", [C::name("m"), name_of(stack), C::Number(words)]);
        let mut inside = vec![S::Define { ctype: RECORD.into(), name: "record".to_owned(), value: record }];
        self.store("record", values, &places, &mut inside);
        out.push(S::Scope(inside));
    }

    pub fn pop(&self, stack: Stack, targets: &[Variable], out: &mut Vec<S>) {
        let Some(first) = targets.first() else { return };
        let (places, words) = self.places_of(targets.iter().copied().map(Operand::Variable));
        let value = match stack {
            Stack::Again => C::call("vlad_pop_again", [C::name("m"), C::Number(words)]),
            Stack::Sweeps | Stack::Calls => {
                C::call("vlad_pop_record", [C::name("m"), name_of(stack), C::Number(words)])
            }
        };
        let name = format!("record{}", first.0);
        out.push(S::Define { ctype: RECORD.into(), name: name.clone(), value });
        self.load(&name, targets, &places, out);
    }

    fn places_of(&self, values: impl Iterator<Item = Operand>) -> (Vec<Place>, u64) {
        places(&self.kinds(values))
    }

    /// The kinds of operands.
    pub fn kinds(&self, values: impl Iterator<Item = Operand>) -> Vec<Kind> {
        values.map(|value| self.function.kind(value)).collect()
    }

    /// The record of each iteration of a loop, if it has one and nothing else that needs the stacks.
    pub fn row(&self, iteration: &'unit Block, test: Variable) -> Option<Row<'unit>> {
        let is_record = |statement: &&Statement| matches!(statement, Statement::Push { .. } | Statement::Pop { .. });
        let mut count = 0;
        iteration.each_statement(&mut |statement| count += usize::from(is_record(&statement)));
        let statement = iteration.statements.iter().find(is_record).filter(|_| count == 1 && !may_record(iteration))?;
        let (stack, kinds) = match statement {
            Statement::Push { stack, values } => (*stack, self.kinds(values.iter().copied())),
            Statement::Pop { stack, targets } => (*stack, self.kinds(targets.iter().copied().map(Operand::Variable))),
            _ => return None,
        };
        let (places, words) = places(&kinds);
        let is_packed =
            stack == Stack::Sweeps && is_packed(&kinds) && self.scope.packed.get(kinds.len()) == Some(&true);
        (words > 0 && stack != Stack::Again).then(|| Row {
            statement,
            stack,
            words,
            places,
            is_packed,
            name: format!("row{}", test.0),
        })
    }

    /// Notes where the reals of records in rows are.
    pub fn note_rows(&mut self) {
        let function = self.function;
        let mut rows = Vec::new();
        function.body.each_statement(&mut |statement| {
            rows.extend(Counted::of(statement, &self.integers).and_then(|counted| self.row_of(&counted)));
        });
        for Row { statement, places, name, is_packed, .. } in rows {
            if let (Statement::Pop { targets, .. }, false) = (statement, is_packed) {
                self.definitions.add_words(&name, targets, &places);
            }
        }
    }

    /// The statements of an iteration, one of which has its record in a row.
    pub fn in_row(&self, row: &Row<'unit>, (iteration, counts): (&'unit Block, Counts), out: &mut Vec<S>) {
        for statement in &iteration.statements {
            if counts == Counts::AtOnce && matches!(statement, Statement::Count { .. }) {
                continue;
            }
            if !std::ptr::eq(row.statement, statement) {
                self.statement(statement, out);
                continue;
            }
            match statement {
                Statement::Push { values, .. } if row.is_packed => {
                    out.push(S::Assign(C::name(&row.name).at(0), byte(values)));
                    out.push(row.moved(Infix::Add));
                }
                Statement::Pop { targets, .. } if row.is_packed => {
                    out.push(row.moved(Infix::Subtract));
                    for (target, value) in flags(&row.name, targets) {
                        self.define(target, value, out);
                    }
                }
                Statement::Push { values, .. } => {
                    self.store(&row.name, values, &row.places, out);
                    out.push(row.moved(Infix::Add));
                }
                Statement::Pop { targets, .. } => {
                    out.push(row.moved(Infix::Subtract));
                    self.load(&row.name, targets, &row.places, out);
                }
                _ => {}
            }
        }
    }
}

impl Row<'_> {
    /// The statement that pushes or pops it.
    pub fn place(self) -> *const Statement {
        std::ptr::from_ref(self.statement)
    }

    fn pushes(&self) -> bool {
        matches!(self.statement, Statement::Push { .. })
    }

    fn moved(&self, direction: Infix) -> S {
        let size = if self.is_packed { 1 } else { self.words };
        S::Assign(C::name(&self.name), C::name(&self.name).infix(direction, C::Number(size)))
    }

    /// The end of a part of the iterations.
    pub fn part(&self, counter: C, bound: C) -> C {
        match self.pushes() {
            true => C::call("vlad_pushing_part", [counter, bound]),
            false if self.is_packed => C::call("vlad_flags_part", [C::name("m"), name_of(self.stack), counter, bound]),
            false => {
                let of_stack = [C::name("m"), name_of(self.stack), C::Number(self.words)];
                C::call("vlad_popping_part", of_stack.into_iter().chain([counter, bound]).collect::<Vec<_>>())
            }
        }
    }

    /// The address of the first record of a part of so many iterations.
    pub fn begin(&self, iterations: C) -> S {
        let (machine, stack) = (C::name("m"), name_of(self.stack));
        if self.is_packed {
            let function = if self.pushes() { "vlad_room_for_flags" } else { "vlad_top_of_flags" };
            let value = C::call(function, [machine, stack, iterations]);
            return S::Define { ctype: "unsigned char *".into(), name: self.name.clone(), value };
        }
        let value = match self.pushes() {
            true => C::call("vlad_room_for_records", [machine, stack, iterations, C::Number(self.words)]),
            false => C::call("vlad_top_of_records", [machine, stack]),
        };
        S::Define { ctype: RECORD.into(), name: self.name.clone(), value }
    }

    /// Notes the top of the stack after a part.
    pub fn end(&self) -> S {
        let function = match (self.is_packed, self.pushes()) {
            (false, _) => "vlad_set_top_of_records",
            (true, true) => "vlad_push_flags",
            (true, false) => "vlad_drop_flags",
        };
        S::Evaluate(C::call(function, [C::name("m"), name_of(self.stack), C::name(&self.name)]))
    }
}

/// The name of a stack of records (first_order.h).
fn name_of(stack: Stack) -> C {
    C::name(match stack {
        Stack::Sweeps => "VLAD_SWEEPS",
        Stack::Calls => "VLAD_CALLS",
        Stack::Again => internal_bug!("records that are read again are those of sweeps"),
    })
}

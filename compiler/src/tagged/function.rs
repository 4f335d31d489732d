//! Generation of one C function: its prologue, its pieces (blocks, or parts of blocks), and its exit for faults.
//!
//! A function has up to two forms. `AtOnce` takes the fuel for all steps of a piece together. The *stepwise form*, in
//! stoppable programs, tests the fuel at each row of steps. The text of a function consists of
//!
//! 1. declarations;
//! 2. the test of the fuel, which may return to the driver; in the stepwise form the dispatch to a stop point (`stops`);
//! 3. the loads of parameters and free variables;
//! 4. the pieces; a block has a label if something jumps to it;
//! 5. cold code, out of line;
//! 6. the exit for faults.

use super::analyses::regions::{EntryKind, Piece};
use super::body::{Body, Form, label};
use super::context::Context;
use super::heads::head;
use super::steps::steps;
use crate::c::{Expression as C, Infix, Item, Statement};
use std::mem;
use std::ops::Range;
use vlad_cps::{BlockId, Instruction, Variable};

/// The prototypes of all functions of a program.
pub fn prototypes<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Item> + 'c {
    forms(context).map(|(number, form)| Item::Prototype(head(context, number, form)))
}

/// Generates all functions of a program, each on demand.
pub fn functions<'c>(context: &'c Context<'_>) -> impl Iterator<Item = Item> + 'c {
    forms(context).map(|(number, form)| function(context, number, form))
}

/// The functions of a program by their numbers, in all of their forms.
fn forms<'c>(context: &'c Context<'_>) -> impl Iterator<Item = (usize, Form)> + 'c {
    (0..context.regions.functions.len()).flat_map(|number| {
        let stepwise = context.has_stepwise(number).then_some(Form::Stepwise);
        [Form::AtOnce].into_iter().chain(stepwise).map(move |form| (number, form))
    })
}

/// Generates the C function of that number in one of its forms.
fn function(context: &Context<'_>, number: usize, form: Form) -> Item {
    let mut body = Body::new(context, number, form);
    let pieces = body.nested(Body::pieces);
    let beginning = body.beginning();
    let mut statements = body.declarations();
    statements.extend(beginning);
    statements.extend(pieces);
    statements.extend(mem::take(&mut body.aside));
    statements.extend(body.end_for_faults());
    Item::Function { head: head(context, number, form), body: statements }
}

impl Body<'_, '_> {
    /// Generates the pieces of the function, in order.
    fn pieces(&mut self) {
        let pieces = &self.function.pieces;
        for (place, piece) in pieces.iter().enumerate() {
            self.next = pieces.get(place + 1).map(|piece| piece.block);
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: &Piece) {
        let block = self.block(piece.block);
        if self.labelled.contains(&piece.block) {
            self.put(Statement::Label(label(piece.block)));
        }
        let instructions = block.instructions.get(piece.instructions.clone()).unwrap_or_default();
        self.steps_ahead = steps(instructions);
        if self.form == Form::AtOnce && self.steps_ahead > 0 {
            self.put(Statement::Subtract(C::name("fuel"), C::Number(self.steps_ahead)));
        }
        self.instructions(piece.block, piece.instructions.clone());
        match piece.next_chunk {
            Some(next) => self.go_to_chunk(piece.block, next),
            None => self.end(piece.block, &block.end),
        }
    }

    /// Generates the instructions of a piece, in order.
    fn instructions(&mut self, block: BlockId, places: Range<usize>) {
        let instructions = self.block(block).instructions.get(places.clone()).unwrap_or_default();
        let taken = if places.start == 0 { self.take_part(block) } else { 0 };
        let mut steps = 0;
        for instruction in instructions.iter().skip(taken) {
            if let Instruction::Step(_) = instruction {
                steps += 1;
                continue;
            }
            self.steps(mem::take(&mut steps));
            if !self.bind_elided(block, instruction) {
                self.instruction(instruction);
            }
        }
        self.steps(steps);
    }

    /// Takes some consecutive steps. In the form `AtOnce` their fuel is taken already.
    fn steps(&mut self, count: u64) {
        self.steps_ahead -= count;
        if count > 0 && self.form == Form::Stepwise {
            self.row();
        }
    }

    fn end_for_faults(&self) -> Vec<Statement> {
        if !self.can_fail {
            return Vec::new();
        }
        let site = if self.has_site() { C::name("site") } else { C::machine("site") };
        let fuel = match self.form {
            Form::AtOnce => C::name("fuel").infix(Infix::Add, C::name("ahead")),
            Form::Stepwise => C::name("fuel"),
        };
        let stop = C::service("stop", [C::name("top"), fuel, C::name("at"), site]);
        vec![Statement::Label("fault".to_owned()), Statement::Return(stop)]
    }

    fn declarations(&self) -> Vec<Statement> {
        let mut statements = Vec::new();
        if let Some(comment) = self.description() {
            statements.push(Statement::Comment(comment));
        }
        let name = |variable: &Variable| self.context.variable_name(self.activation, *variable);
        let names: Vec<String> = self.declared.iter().map(name).collect();
        if !names.is_empty() {
            statements.push(Statement::Declare { ctype: "vlad_value", names });
        }
        if self.can_fail {
            statements.push(Statement::Declare { ctype: "uint32_t", names: vec!["at".to_owned()] });
            if self.form == Form::AtOnce {
                statements.push(Statement::Declare { ctype: "int64_t", names: vec!["ahead".to_owned()] });
            }
        }
        if self.has_site() {
            statements.push(Statement::Declare { ctype: "uint32_t", names: vec!["site".to_owned()] });
        }
        statements
    }

    /// A comment for readers of the C text: the procedure, its place in the source, and the way of entry.
    fn description(&self) -> Option<String> {
        let program = self.context.unit.program;
        let node = self.outermost()?;
        let lambda = self.activation.lambda.map(|lambda| program.lambda(lambda));
        let name = lambda.and_then(|lambda| lambda.name.as_deref());
        let name = name.unwrap_or(if lambda.is_some() { "a procedure" } else { "an expression" });
        let form = match self.form {
            Form::AtOnce => "",
            Form::Stepwise => ", step by step",
        };
        Some(format!("{name}, {}: {}{form}", self.context.place(node), entering_text(self.function.entering)))
    }
}

fn entering_text(entering: EntryKind) -> &'static str {
    match entering {
        EntryKind::Item => "from the beginning",
        EntryKind::Argument => "with its argument",
        EntryKind::Arguments => "with its arguments",
        EntryKind::Frame => "with the value of a call",
        EntryKind::Spill | EntryKind::Chunk(_) => "a later part",
    }
}

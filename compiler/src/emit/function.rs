//! One C function: what it is given, its pieces, and how it stops.
//!
//! Order of a function: declarations; the test that returns to the driver, or in a function that takes its steps one by one
//! what goes on from a point (see `points`); what it takes over; its pieces, each block under a label if something jumps
//! to it; what is rarely done, out of the way; the end for faults.

use super::context::{Context, Style};
use super::head;
use super::regions::{Crossings, Entering, Function, Piece, step, steps};
use super::rows::Row;
use crate::c::{Expression as C, Infix, Item, Statement};
use crate::foreign::Counting;
use std::collections::BTreeSet;
use std::{mem, slice};
use vlad_shared::core::ExpressionId;
use vlad_shared::cps::{Activation, Block, BlockId, Variable};
use vlad_shared::internal_bug;

/// The two forms of a C function; the second is there in stoppable programs only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A piece takes the fuel for all of its steps at once.
    AtOnce,
    /// It takes its steps one by one, and stops at the one that there is no fuel for. Everything else that it goes on to
    /// is in the other form.
    Stepwise,
}

/// A function under way.
pub struct Body<'c, 'program> {
    pub context: &'c Context<'program>,
    pub function: &'c Function,
    pub activation: &'program Activation,
    pub form: Form,
    /// The number of the function.
    pub number: usize,
    /// Whether procedures of this code have slots.
    pub has_slots: bool,
    statements: Vec<Statement>,
    /// Statements that are rarely run; each row begins with a label and ends with a jump.
    pub aside: Vec<Statement>,
    pub declared: BTreeSet<Variable>,
    /// The blocks that something jumps to.
    pub labelled: BTreeSet<BlockId>,
    /// Variables that are booleans whatever happens.
    pub booleans: BTreeSet<Variable>,
    /// The steps of the piece that come after the instruction at hand.
    pub steps_ahead: u64,
    /// The block that comes right behind the piece at hand.
    pub next: Option<BlockId>,
    /// Whether something goes to the end for faults, and to the beginning.
    can_fail: bool,
    pub loops: bool,
    /// The rows of steps ahead.
    pub rows: slice::Iter<'c, Row>,
    names: u32,
}

/// The C function of that number in a form.
pub fn function(context: &Context<'_>, number: usize, form: Form) -> Item {
    let function = context.regions.function(number);
    let activation = context.activation_of(function.head());
    let mut body = Body {
        context,
        function,
        activation,
        form,
        number,
        has_slots: activation.lambda.is_some_and(|lambda| context.has_slots(lambda)),
        statements: Vec::new(),
        aside: Vec::new(),
        declared: BTreeSet::new(),
        labelled: BTreeSet::new(),
        booleans: BTreeSet::new(),
        steps_ahead: 0,
        next: None,
        can_fail: false,
        loops: false,
        rows: context.rows.of_function(number).iter(),
        names: 0,
    };
    for (place, piece) in function.pieces.iter().enumerate() {
        body.next = function.pieces.get(place + 1).map(|piece| piece.block);
        body.piece(piece);
    }
    let pieces = mem::take(&mut body.statements);
    let beginning = body.beginning();
    let mut statements = body.declarations();
    statements.extend(beginning);
    statements.extend(pieces);
    let aside = mem::take(&mut body.aside);
    statements.extend(aside);
    statements.extend(body.end_for_faults());
    Item::Function { head: head(context, number, form), body: statements }
}

impl<'c, 'program> Body<'c, 'program> {
    /// Adds a statement.
    pub fn put(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    /// The statements that something adds.
    pub fn nested(&mut self, add: impl FnOnce(&mut Self)) -> Vec<Statement> {
        let around = mem::take(&mut self.statements);
        add(self);
        mem::replace(&mut self.statements, around)
    }

    /// A name that is new in the function.
    pub fn fresh(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// A block of the program.
    pub fn block(&self, block: BlockId) -> &'program Block {
        self.context.converted.block(block)
    }

    /// Whether the slots are at hand when a block begins.
    pub fn keeps_slots(&self, block: BlockId) -> bool {
        self.context.keeps_slots(block)
    }

    /// How its C is written. The stepwise form is run for few steps at a time, so it is short.
    pub fn style(&self) -> Style {
        match self.form {
            Form::AtOnce => self.context.style,
            Form::Stepwise => Style::Short,
        }
    }

    /// The name of this function, in the usual form.
    fn name(&self) -> C {
        C::Name(self.context.name_of(self.number))
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

    /// What is done where a fault was found: the place is noted, and the function ends.
    pub fn fail(&mut self, node: ExpressionId) -> Vec<Statement> {
        self.fail_at(C::Number(u64::from(node.0)))
    }

    /// The same at a node that is only known to the program.
    pub fn fail_at(&mut self, node: C) -> Vec<Statement> {
        self.can_fail = true;
        let mut statements = vec![Statement::Assign(C::name("at"), node)];
        if self.form == Form::AtOnce {
            statements.push(Statement::Assign(C::name("ahead"), C::Number(self.steps_ahead)));
        }
        statements.push(Statement::Goto("fault".to_owned()));
        statements
    }

    /// Notes a fault of a kind.
    pub fn fault_of(kind: &'static str) -> Statement {
        Statement::Assign(C::machine("fault").dot("kind"), C::name(kind))
    }

    /// The test whether a service has found a fault.
    pub fn check_fault(&mut self, node: ExpressionId) {
        let fail = self.fail(node);
        self.put(Statement::when(C::machine("fault").dot("kind").unlikely(), fail));
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

    /// Whether the function knows the user's application through which shipped code was entered.
    pub fn has_site(&self) -> bool {
        self.context.has_site(self.function.head())
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

    /// What the function is, for whoever reads the C text.
    fn description(&self) -> Option<String> {
        let program = self.context.program;
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

    /// The test that returns to the driver, and what the function takes over.
    fn beginning(&mut self) -> Vec<Statement> {
        self.nested(|body| {
            if body.form == Form::Stepwise {
                body.go_on_from_points();
                body.take_over();
            } else if body.loops {
                body.take_over();
                body.put(Statement::Label("again".to_owned()));
                body.ask_driver(true);
            } else {
                body.ask_driver(false);
                body.take_over();
            }
        })
    }

    /// Returns to the driver for want of fuel, or of transfers. If the parameters have been taken already they are put
    /// back first.
    fn ask_driver(&mut self, parameters_are_taken: bool) {
        let most_steps = self.function.most_steps;
        if most_steps > 0 {
            let (service, goes_on) = match self.context.counting {
                Counting::ByBlock => ("pause", self.name()),
                Counting::Stoppable => ("run_short", C::Name(self.context.entry_name(self.number)).prefix("&")),
            };
            let then = self.nested(|body| body.return_to_driver(parameters_are_taken, service, goes_on));
            let test = C::name("fuel").infix(Infix::Less, C::Number(most_steps));
            self.put(Statement::when(test.unlikely(), then));
        }
        if self.function.least_steps == 0 {
            let goes_on = self.name();
            let then = self.nested(|body| body.return_to_driver(parameters_are_taken, "pause", goes_on));
            let test = C::machine("transfers").prefix("--").infix(Infix::Less, C::Number(0));
            self.put(Statement::when(test.unlikely(), then));
        }
    }

    /// Returns to the driver by a service, which is told what goes on.
    fn return_to_driver(&mut self, parameters_are_taken: bool, service: &'static str, goes_on: C) {
        let block = self.block(self.function.head());
        let mut x = C::name("x");
        if parameters_are_taken {
            match (self.function.entering, block.parameters.as_slice()) {
                (Entering::Argument, [parameter]) => x = self.variable(*parameter),
                _ => {
                    for (place, parameter) in block.parameters.iter().enumerate() {
                        let value = self.variable(*parameter);
                        self.put(Statement::Assign(C::machine("arguments").at(place as u64), value));
                    }
                }
            }
        }
        self.tell_place(parameters_are_taken);
        let registers = [C::name("top"), C::name("fuel"), C::name("slots"), x, goes_on];
        self.put(Statement::Return(C::service(service, registers)));
    }

    /// Tells where the function stands, for a run that ends at a pause: at the first step ahead, or if there is none in it
    /// at the outermost node of its activation.
    fn tell_place(&mut self, site_is_taken: bool) {
        let instructions = self.function.pieces.iter().filter_map(|piece| {
            let block = self.block(piece.block);
            block.instructions.get(piece.instructions.clone())
        });
        let Some(node) = instructions.flatten().find_map(step).or_else(|| self.outermost()) else { return };
        let node = C::Number(u64::from(node.0));
        self.put(Statement::Assign(C::machine("paused_node"), node.clone()));
        if self.activation.is_shipped {
            let site = match self.has_site() {
                true if site_is_taken => C::name("site"),
                true => self.site_ahead(),
                false => node,
            };
            self.put(Statement::Assign(C::machine("paused_site"), site));
        }
    }

    /// The site, before the function has taken it over.
    fn site_ahead(&self) -> C {
        let id = self.function.head();
        let above_top = |place: usize| C::name("top").at(place as u64);
        let place = match self.function.entering {
            Entering::Item | Entering::Argument | Entering::Arguments => return self.site_of_caller(),
            // It is the last value below the link.
            Entering::Frame => C::name("top").infix(Infix::Subtract, C::Number(2)).prefix("*"),
            Entering::Spill => above_top(self.block(id).free.len()),
            Entering::Chunk(_) => C::name("x"),
        };
        site_in(place)
    }

    /// The outermost node of the activation.
    fn outermost(&self) -> Option<ExpressionId> {
        match self.activation.lambda {
            Some(lambda) => Some(self.context.program.lambda(lambda).body),
            None => self.context.top_of(self.function.activation),
        }
    }

    fn take_over(&mut self) {
        let id = self.function.head();
        let block = self.block(id);
        let first_parameter = block.parameters.first().copied();
        match self.function.entering {
            Entering::Item => {}
            Entering::Argument => self.take_parameter(first_parameter),
            Entering::Arguments => {
                for (place, parameter) in block.parameters.iter().enumerate() {
                    self.assign(*parameter, C::machine("arguments").at(place as u64));
                }
            }
            Entering::Frame => {
                let kept = super::ends::frame_values(self.context, id) + 1;
                self.put(Statement::Subtract(C::name("top"), C::Number(kept)));
                let mut place = self.take_row(&block.free);
                if self.keeps_slots(id) {
                    let slots = C::call("vlad_as_slots", [C::name("top").at(place)]);
                    self.put(Statement::Assign(C::name("slots"), slots));
                    place += 1;
                }
                self.take_site(place);
                self.take_parameter(first_parameter);
                return;
            }
            Entering::Spill => {
                let place = self.take_row(&block.free);
                self.take_site(place);
                self.take_parameter(first_parameter);
                return;
            }
            Entering::Chunk(chunk) => return self.take_crossings(id, chunk),
        }
        if self.has_site() {
            self.put(Statement::Assign(C::name("site"), self.site_of_caller()));
        }
        if self.has_slots && !block.needs_slots {
            self.put(drop_slots());
        }
    }

    /// The site of a procedure that has just been called.
    fn site_of_caller(&self) -> C {
        let caller = C::machine("call_node");
        let of_user = C::Number(u64::from(self.context.program.shipped_nodes));
        let test = caller.clone().infix(Infix::Less, of_user);
        C::Choice(Box::new(test), Box::new(C::machine("site")), Box::new(caller))
    }

    fn take_parameter(&mut self, parameter: Option<Variable>) {
        if let Some(parameter) = parameter {
            self.assign(parameter, C::name("x"));
        }
    }

    /// Variables from the places above top; gives the next place.
    fn take_row(&mut self, variables: &[Variable]) -> u64 {
        for (place, variable) in variables.iter().enumerate() {
            self.assign(*variable, C::name("top").at(place as u64));
        }
        variables.len() as u64
    }

    fn take_site(&mut self, place: u64) {
        self.take_site_in(C::name("top").at(place));
    }

    /// The site, if the function knows it, from a value that holds it.
    pub fn take_site_in(&mut self, value: C) {
        if self.has_site() {
            self.put(Statement::Assign(C::name("site"), site_in(value)));
        }
    }

    /// The variables that the chunks of a block that is cut hand over to each other.
    pub fn crossings(&self, block: BlockId) -> &'c Crossings {
        match self.context.regions.crossings.get(&block) {
            Some(crossings) => crossings,
            None => internal_bug!("block {} is cut", block.0),
        }
    }

    /// The place of the machine that a variable has.
    pub fn place_of(variable: Variable) -> C {
        C::machine("places").at(u64::from(variable.0))
    }

    /// Takes over what a chunk needs of earlier ones. Step by step all variables stay in their places.
    fn take_crossings(&mut self, block: BlockId, chunk: usize) {
        if self.form == Form::AtOnce {
            for variable in self.crossings(block).loaded.get(chunk).into_iter().flatten() {
                self.assign(*variable, Body::place_of(*variable));
            }
        }
        self.take_site_in(C::name("x"));
    }

    /// Gives a variable its value.
    pub fn assign(&mut self, variable: Variable, value: C) {
        let place = self.variable(variable);
        self.put(Statement::Assign(place, value));
    }
}

/// The site that a value holds.
fn site_in(value: C) -> C {
    value.dot("word").prefix("(uint32_t)")
}

/// The label of a block.
pub fn label(block: BlockId) -> String {
    format!("block{}", block.0)
}

/// Gives the slots up.
pub fn drop_slots() -> Statement {
    Statement::Evaluate(C::call("vlad_drop_slots", [C::name("m"), C::name("slots")]))
}

fn entering_text(entering: Entering) -> &'static str {
    match entering {
        Entering::Item => "from the beginning",
        Entering::Argument => "with its argument",
        Entering::Arguments => "with its arguments",
        Entering::Frame => "with the value of a call",
        Entering::Spill | Entering::Chunk(_) => "a later part",
    }
}

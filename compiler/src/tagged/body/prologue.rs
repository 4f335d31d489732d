//! The prologue of a C function: the test of the fuel, or in the stepwise form the dispatch to a stop point (see
//! `stops`); then the loads of parameters and free variables.

use super::{Body, Form, drop_slots, site_in};
use crate::c::{Expression as C, Infix, Statement};
use crate::foreign::Counting;
use crate::tagged::analyses::regions::EntryKind;
use crate::tagged::steps::step;
use vlad_cps::{BlockId, Variable};

impl Body<'_, '_> {
    /// The prologue: the test that returns to the driver, and the loads of parameters and free variables.
    pub fn beginning(&mut self) -> Vec<Statement> {
        self.nested(|body| {
            if body.form == Form::Stepwise {
                body.resume_dispatch();
                body.take_over();
            } else if body.loops {
                body.attempt();
                body.take_over();
                body.put(Statement::Label("again".to_owned()));
                body.check_fuel(true);
            } else {
                body.check_fuel(false);
                body.attempt();
                body.take_over();
            }
        })
    }

    /// The attempt to use the specialised code of a procedure that begins, as long as that is worth it.
    fn attempt(&mut self) {
        let head = self.function.head();
        let Some((number, procedure)) =
            self.activation.lambda.and_then(|lambda| self.context.unit.specialised.procedure(lambda))
        else {
            return;
        };
        let mut then = Vec::new();
        match self.function.entering {
            EntryKind::Arguments if self.block(head).parameters.len() == procedure.operands.len() => {}
            EntryKind::Argument if procedure.operands.len() == 1 => {
                then.push(Statement::Assign(C::machine("arguments").at(0), C::name("x")));
            }
            EntryKind::Arguments
            | EntryKind::Argument
            | EntryKind::Item
            | EntryKind::Frame
            | EntryKind::Spill
            | EntryKind::Chunk(_) => return,
        }
        let number = number as u64;
        let value = C::service("apply_specialised", [C::Number(number), C::name("fuel")]);
        then.push(Statement::Define { ctype: "int64_t".into(), name: "left".to_owned(), value });
        let operands = [C::name("m"), C::name("top"), C::name("left"), C::machine("arguments").at(0)];
        let is_done = C::name("left").infix(Infix::NotLess, C::Number(0));
        then.push(Statement::when(is_done, vec![Statement::Evaluate(C::call("VLAD_RETURN", operands))]));
        self.put(Statement::when(C::machine("is_attempted").at(number), then));
    }

    /// Returns to the driver if fuel or the number of transfers is exhausted. Parameters that have been loaded already
    /// are stored back first.
    fn check_fuel(&mut self, parameters_are_taken: bool) {
        let most_steps = self.function.most_steps;
        if most_steps > 0 {
            let (service, goes_on) = match self.context.unit.counting {
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

    /// Returns to the driver through a service, which is passed the function to resume.
    fn return_to_driver(&mut self, parameters_are_taken: bool, service: &'static str, goes_on: C) {
        let block = self.block(self.function.head());
        let mut x = C::name("x");
        if parameters_are_taken {
            match (self.function.entering, block.parameters.as_slice()) {
                (EntryKind::Argument, [parameter]) => x = self.variable(*parameter),
                _ => {
                    for (place, parameter) in block.parameters.iter().enumerate() {
                        let value = self.variable(*parameter);
                        self.put(Statement::Assign(C::machine("arguments").at(place as u64), value));
                    }
                }
            }
        }
        self.report_position(parameters_are_taken);
        let registers = [C::name("top"), C::name("fuel"), C::name("slots"), x, goes_on];
        self.put(Statement::Return(C::service(service, registers)));
    }

    /// Reports the function's position for a run that ends at a pause: the next step, or if the function has none the
    /// outermost node of its activation.
    fn report_position(&mut self, site_is_taken: bool) {
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

    /// The call site, before the function has loaded it.
    fn site_ahead(&self) -> C {
        let id = self.function.head();
        let above_top = |place: usize| C::name("top").at(place as u64);
        let place = match self.function.entering {
            EntryKind::Item | EntryKind::Argument | EntryKind::Arguments => return self.site_of_caller(),
            // It is the last value below the link.
            EntryKind::Frame => C::name("top").infix(Infix::Subtract, C::Number(2)).prefix("*"),
            EntryKind::Spill => above_top(self.block(id).free.len()),
            EntryKind::Chunk(_) => C::name("x"),
        };
        site_in(place)
    }

    /// The name of this function in the form `AtOnce`.
    fn name(&self) -> C {
        C::Name(self.context.name_of(self.number))
    }

    fn take_over(&mut self) {
        let id = self.function.head();
        let block = self.block(id);
        let first_parameter = block.parameters.first().copied();
        match self.function.entering {
            EntryKind::Item => {}
            EntryKind::Argument => self.take_parameter(first_parameter),
            EntryKind::Arguments => {
                for (place, parameter) in block.parameters.iter().enumerate() {
                    self.assign(*parameter, C::machine("arguments").at(place as u64));
                }
            }
            EntryKind::Frame => {
                let kept = self.context.unit.frame_values(id) + 1;
                self.put(Statement::Subtract(C::name("top"), C::Number(kept)));
                self.put(Statement::Subtract(C::machine("depth"), C::Number(1)));
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
            EntryKind::Spill => {
                let place = self.take_row(&block.free);
                self.take_site(place);
                self.take_parameter(first_parameter);
                return;
            }
            EntryKind::Chunk(chunk) => return self.take_crossings(id, chunk),
        }
        if self.has_site() {
            self.put(Statement::Assign(C::name("site"), self.site_of_caller()));
        }
        if self.has_slots && !block.needs_slots {
            self.put(drop_slots());
        }
    }

    /// The call site of a procedure that has just been called.
    fn site_of_caller(&self) -> C {
        let caller = C::machine("call_node");
        let of_user = C::Number(u64::from(self.context.unit.program.shipped_nodes));
        let test = caller.clone().infix(Infix::Less, of_user);
        C::Choice(Box::new(test), Box::new(C::machine("site")), Box::new(caller))
    }

    fn take_parameter(&mut self, parameter: Option<Variable>) {
        if let Some(parameter) = parameter {
            self.assign(parameter, C::name("x"));
        }
    }

    /// Loads variables from the storage above `top`. Returns the next free place.
    fn take_row(&mut self, variables: &[Variable]) -> u64 {
        for (place, variable) in variables.iter().enumerate() {
            self.assign(*variable, C::name("top").at(place as u64));
        }
        variables.len() as u64
    }

    fn take_site(&mut self, place: u64) {
        self.take_site_in(C::name("top").at(place));
    }

    /// Loads the variables that a chunk needs from earlier ones. In the stepwise form all variables stay in the
    /// machine.
    fn take_crossings(&mut self, block: BlockId, chunk: usize) {
        if self.form == Form::AtOnce {
            for variable in self.crossings(block).loaded.get(chunk).into_iter().flatten() {
                self.assign(*variable, Body::storage_of(*variable));
            }
        }
        self.take_site_in(C::name("x"));
    }
}

//! The ends of blocks: returns, jumps, branches, calls; the frames of continuations, and transfers without a frame.
//!
//! A transfer to another function computes its operands first, and releases or passes on the captured slots last.

use super::atoms::number_of;
use super::{Body, Form as FunctionForm, drop_slots, label};
use crate::c::{Expression as C, Infix, Statement};
use crate::tagged::analyses::elision::ElidedCall;
use crate::tagged::analyses::regions::EntryKind;
use vlad_core::{ExpressionId, LambdaId};
use vlad_cps::{Atom, BlockId, CallContinuation, End, Variable};
use vlad_table::{Form, internal_bug};

impl Body<'_, '_> {
    /// Generates the end of a block.
    pub fn end(&mut self, from: BlockId, end: &End) {
        match end {
            End::Return(value) => self.give_back(from, *value),
            End::Jump { block, arguments } => {
                let arguments = arguments.iter().map(|argument| self.owned(*argument)).collect();
                self.go_on(from, *block, arguments);
            }
            End::Branch { test, consequent, alternative } => self.branch(from, *test, *consequent, *alternative),
            End::Call { operator, operands, then, node } => self.call(from, *operator, operands, *then, *node),
            End::Enter { operator, lambda, arguments, then, node } => {
                self.enter(from, *operator, *lambda, arguments, *then, *node);
            }
        }
    }

    fn give_back(&mut self, from: BlockId, value: Atom) {
        let mut value = self.owned(value);
        if self.keeps_slots(from) {
            value = self.named("result", value);
            self.put(drop_slots());
        }
        let operands = [C::name("m"), C::name("top"), C::name("fuel"), value];
        self.put(Statement::Evaluate(C::call("VLAD_RETURN", operands)));
    }

    /// Stores a value under a new name, so that later statements cannot change it.
    fn named(&mut self, what: &str, value: C) -> C {
        let name = self.fresh(what);
        self.put(Statement::Define { ctype: "vlad_value".into(), name: name.clone(), value });
        C::Name(name)
    }

    /// Transfers to a successor of a block, with values for its parameters.
    fn go_on(&mut self, from: BlockId, to: BlockId, arguments: Vec<C>) {
        let Some(function) = self.context.regions.head(to) else {
            for (parameter, argument) in self.block(to).parameters.iter().zip(arguments) {
                self.assign(*parameter, argument);
            }
            self.drop_slots_between(from, to);
            if self.next != Some(to) {
                self.labelled.insert(to);
                self.put(Statement::Goto(label(to)));
            }
            return;
        };
        let entering = self.context.regions.function(function).entering;
        match entering {
            EntryKind::Arguments => {
                self.set_arguments(arguments);
                // Slots that the rest does not need were released at the beginning.
                let slots = if self.keeps_slots(from) { C::name("slots") } else { C::Number(0) };
                self.transfer(to, slots, C::call("vlad_nil", []));
            }
            EntryKind::Frame => {
                let x = self.only(arguments);
                let x = self.named("value", x);
                self.drop_slots_between(from, to);
                self.push_frame(to);
                self.transfer(to, C::Number(0), x);
            }
            EntryKind::Spill => {
                let x = if arguments.is_empty() { C::call("vlad_nil", []) } else { self.only(arguments) };
                let x = self.named("value", x);
                self.drop_slots_between(from, to);
                let site = self.block(to).needs_site;
                self.spill(self.block(to).free.iter().copied().zip(0..), self.block(to).free.len() as u64, site);
                let slots = if self.keeps_slots(to) { C::name("slots") } else { C::Number(0) };
                self.transfer(to, slots, x);
            }
            EntryKind::Item | EntryKind::Argument | EntryKind::Chunk(_) => {
                internal_bug!("nothing goes on to the beginning of an activation, or to a chunk")
            }
        }
    }

    fn only(&self, arguments: Vec<C>) -> C {
        match arguments.into_iter().next() {
            Some(argument) => argument,
            None => internal_bug!("a continuation is given a value"),
        }
    }

    fn drop_slots_between(&mut self, from: BlockId, to: BlockId) {
        if self.keeps_slots(from) && !self.keeps_slots(to) {
            self.put(drop_slots());
        }
    }

    /// Calls the function of a block, in tail position.
    fn transfer(&mut self, to: BlockId, slots: C, x: C) {
        let registers = [C::name("m"), C::name("top"), C::name("fuel"), slots, x];
        self.put(Statement::Return(C::call(self.context.function_name(to), registers)));
    }

    /// Ensures space for some values above `top`.
    pub fn make_room(&mut self, values: u64) {
        let left = C::machine("stack_end").infix(Infix::Subtract, C::name("top"));
        let more = C::service("more_stack", [C::name("top"), C::Number(values)]);
        let then = vec![Statement::Assign(C::name("top"), more)];
        self.put(Statement::when(left.infix(Infix::Less, C::Number(values)).unlikely(), then));
    }

    /// Stores variables above `top`, and the call site behind them.
    fn spill(&mut self, variables: impl Iterator<Item = (Variable, u64)>, places: u64, site: bool) {
        let room = places + u64::from(site);
        if room > 0 {
            self.make_room(room);
        }
        for (variable, place) in variables {
            let value = self.variable(variable);
            self.put(Statement::Assign(C::name("top").at(place), value));
        }
        if site {
            self.put(Statement::Assign(C::name("top").at(places), C::call("vlad_raw", [C::name("site")])));
        }
    }

    /// Transfers to the next chunk of a block, with the call site in place of its argument.
    pub fn go_to_chunk(&mut self, block: BlockId, next: usize) {
        if self.form == FunctionForm::AtOnce {
            let chunk = match self.function.entering {
                EntryKind::Chunk(chunk) => chunk,
                EntryKind::Item | EntryKind::Argument | EntryKind::Arguments | EntryKind::Frame | EntryKind::Spill => 0,
            };
            for variable in self.crossings(block).stored.get(chunk).into_iter().flatten() {
                let value = self.variable(*variable);
                self.put(Statement::Assign(Body::storage_of(*variable), value));
            }
        }
        let slots = if self.keeps_slots(block) { C::name("slots") } else { C::Number(0) };
        let x = if self.has_site() { C::call("vlad_raw", [C::name("site")]) } else { C::call("vlad_nil", []) };
        let registers = [C::name("m"), C::name("top"), C::name("fuel"), slots, x];
        self.put(Statement::Return(C::call(self.context.name_of(next), registers)));
    }

    /// Pushes the frame of a continuation: its free variables, the captured slots, the call site, and the link.
    fn push_frame(&mut self, to: BlockId) {
        let block = self.block(to);
        let values = self.context.unit.frame_values(to);
        self.make_room(values + 1);
        let mut place = 0;
        let mut put = |body: &mut Self, value: C| {
            body.put(Statement::Assign(C::name("top").at(place), value));
            place += 1;
        };
        for variable in &block.free {
            let value = self.variable(*variable);
            put(self, value);
        }
        if self.keeps_slots(to) {
            let code = self.activation.lambda.map_or(0, |lambda| u64::from(lambda.0));
            put(self, C::call("vlad_procedure", [C::Number(code), C::name("slots")]));
        }
        if block.needs_site {
            put(self, C::call("vlad_raw", [C::name("site")]));
        }
        let frame = C::Name(self.context.frame_name(to)).prefix("&");
        put(self, C::call("vlad_link", [C::Name(self.context.function_name(to)), frame]));
        self.put(Statement::Add(C::name("top"), C::Number(values + 1)));
        self.put(Statement::Add(C::machine("depth"), C::Number(1)));
    }

    /// Stops at a call if it is nested too deep.
    fn check_depth(&mut self, node: ExpressionId, then: CallContinuation) {
        if then == CallContinuation::Return {
            return;
        }
        let node = C::Number(u64::from(node.0));
        let site = if self.activation.is_shipped { C::name("site") } else { node.clone() };
        let operands = [C::name("m"), C::name("top"), C::name("fuel"), node, site];
        self.put(Statement::Evaluate(C::call("VLAD_NEST", operands)));
    }

    fn branch(&mut self, from: BlockId, test: Atom, consequent: BlockId, alternative: BlockId) {
        let value = self.borrowed(test);
        // The only false value is not in the heap, and booleans need no dropping.
        let is_boolean = test.moved().is_some_and(|variable| self.booleans.contains(&variable));
        let dropped = if is_boolean { None } else { self.moved(test) };
        let next = self.next.take();
        let no = self.nested(|body| body.go_on(from, alternative, Vec::new()));
        self.put(Statement::when(C::call("vlad_is_false", [value]), no));
        self.next = next;
        if let Some(value) = dropped {
            self.drop(value);
        }
        self.go_on(from, consequent, Vec::new());
    }

    /// Stores the arguments of a procedure that is entered with two or more.
    fn set_arguments(&mut self, arguments: Vec<C>) {
        for (place, argument) in arguments.into_iter().enumerate() {
            self.put(Statement::Assign(C::machine("arguments").at(place as u64), argument));
        }
    }

    /// Passes any number of arguments: a single one is returned, for `x`; two or more are stored in the machine.
    fn hand_over(&mut self, values: Vec<C>) -> C {
        match <[C; 1]>::try_from(values) {
            Ok([x]) => x,
            Err(values) => {
                self.set_arguments(values);
                C::call("vlad_nil", [])
            }
        }
    }

    /// Records the calling application, and in library code its call site.
    fn set_caller(&mut self, node: ExpressionId) {
        self.put(Statement::Assign(C::machine("call_node"), C::Number(u64::from(node.0))));
        if self.activation.is_shipped {
            self.put(Statement::Assign(C::machine("site"), C::name("site")));
        }
    }

    /// The continuation of a call: a new frame, or in tail position the current one. The slots are released unless the
    /// frame keeps them.
    fn reify(&mut self, from: BlockId, then: CallContinuation) {
        let kept = match then {
            CallContinuation::Return => false,
            CallContinuation::Continue(to) => self.keeps_slots(to),
        };
        if self.keeps_slots(from) && !kept {
            self.put(drop_slots());
        }
        if let CallContinuation::Continue(to) = then {
            self.push_frame(to);
        }
    }

    fn call(&mut self, from: BlockId, operator: Atom, operands: &[Atom], then: CallContinuation, node: ExpressionId) {
        self.put(Statement::Comment(self.context.place(node)));
        let mut values: Vec<C> = operands.iter().map(|operand| self.owned(*operand)).collect();
        let control = match operator {
            Atom::Primitive(primitive) => matches!(primitive.row().form, Form::Control(_)).then_some(primitive),
            Atom::Variable(_)
            | Atom::Moved(_)
            | Atom::Constant(_)
            | Atom::Global(_)
            | Atom::Slot(_)
            | Atom::Sibling(_) => None,
        };
        let registers = || [C::name("m"), C::name("top"), C::name("fuel")];
        // The application of any value is checked where it is known that the value is no primitive.
        let mut applies = false;
        let call = match control {
            Some(primitive) if values.len() == 3 => {
                values = values.into_iter().map(|value| self.named("operand", value)).collect();
                let operands = [C::name("top"), C::name("fuel"), number_of(primitive)].into_iter().chain(values);
                C::service("control", operands)
            }
            Some(_) | None => {
                let operator = self.owned(operator);
                let operator = self.named("operator", operator);
                let opened = self.elided_call(from);
                let tuple =
                    values.into_iter().rev().reduce(|rest, value| C::call("vlad_pair", [C::name("m"), value, rest]));
                let tuple = tuple.map(|tuple| self.named("operand", tuple));
                let operands = registers().into_iter().chain([operator]).chain(tuple);
                match opened {
                    None => {
                        applies = true;
                        C::call("vlad_call", operands.collect::<Vec<_>>())
                    }
                    Some(ElidedCall::Forward) => C::service("call_bundled", operands.skip(1)),
                    Some(ElidedCall::Reverse) => C::service("call_reversed", operands.skip(1)),
                    Some(ElidedCall::Back { is_sensitized }) => {
                        let operands = operands.chain([C::Number(is_sensitized.into())]);
                        C::call("vlad_call_back", operands.collect::<Vec<_>>())
                    }
                }
            }
        };
        self.reify(from, then);
        self.set_caller(node);
        if !applies {
            self.check_depth(node, then);
        }
        self.put(Statement::Return(call));
    }

    fn enter(
        &mut self,
        from: BlockId,
        operator: Atom,
        lambda: LambdaId,
        arguments: &[Atom],
        then: CallContinuation,
        node: ExpressionId,
    ) {
        self.put(Statement::Comment(self.context.place(node)));
        let values: Vec<C> = arguments.iter().map(|argument| self.owned(*argument)).collect();
        let values: Vec<C> = values.into_iter().map(|value| self.named("argument", value)).collect();
        let callee = self.context.unit.converted.activation(self.context.unit.converted.procedure(lambda));
        let Some(direct) = callee.direct else { internal_bug!("a procedure that is entered has an entry for it") };
        let needs_caller = callee.is_shipped && self.block(direct).needs_site;
        if then == CallContinuation::Return && self.is_own_beginning(operator, direct) {
            return self.self_tail_call(direct, values, needs_caller.then_some(node));
        }
        let slots = self.slots_of(from, operator, lambda, then);
        match (&slots, then) {
            // The slots are passed on, not released.
            (Slots::Own, CallContinuation::Return) => {}
            (Slots::Own, CallContinuation::Continue(to)) => self.push_frame(to),
            (Slots::None | Slots::Other(_), then) => self.reify(from, then),
        }
        self.check_depth(node, then);
        if needs_caller {
            self.set_caller(node);
        }
        let x = self.hand_over(values);
        let slots = match slots {
            Slots::None => C::Number(0),
            Slots::Own => C::name("slots"),
            Slots::Other(name) => C::Name(name),
        };
        self.transfer(direct, slots, x);
    }

    /// True if a call enters this function again with the slots that it has, so that it can jump to the beginning.
    fn is_own_beginning(&self, operator: Atom, direct: BlockId) -> bool {
        let is_same_procedure = match operator {
            Atom::Sibling(_) | Atom::Global(_) => true,
            Atom::Variable(_) | Atom::Moved(_) | Atom::Constant(_) | Atom::Primitive(_) | Atom::Slot(_) => false,
        };
        is_same_procedure && self.function.head() == direct && !matches!(self.function.entering, EntryKind::Chunk(_))
    }

    /// A call of the function itself in tail position. The stepwise form enters it anew, which requires the caller.
    fn self_tail_call(&mut self, direct: BlockId, values: Vec<C>, caller: Option<ExpressionId>) {
        if self.form == FunctionForm::Stepwise {
            if let Some(node) = caller {
                self.set_caller(node);
            }
            let slots = if self.keeps_slots(direct) { C::name("slots") } else { C::Number(0) };
            let x = self.hand_over(values);
            return self.transfer(direct, slots, x);
        }
        for (parameter, value) in self.block(direct).parameters.iter().zip(values) {
            self.assign(*parameter, value);
        }
        self.loops = true;
        self.put(Statement::Goto("again".to_owned()));
    }

    /// The slots of a procedure of known code.
    fn slots_of(&mut self, from: BlockId, operator: Atom, lambda: LambdaId, then: CallContinuation) -> Slots {
        if !self.context.unit.has_slots(lambda) {
            return Slots::None;
        }
        let kept = match then {
            CallContinuation::Return => false,
            CallContinuation::Continue(to) => self.keeps_slots(to),
        };
        let value = match operator {
            Atom::Sibling(_) if self.keeps_slots(from) && !kept => return Slots::Own,
            Atom::Sibling(_) => C::call("vlad_share_slots", [C::name("slots")]),
            Atom::Variable(_)
            | Atom::Moved(_)
            | Atom::Constant(_)
            | Atom::Global(_)
            | Atom::Primitive(_)
            | Atom::Slot(_) => C::call("vlad_as_slots", [self.owned(operator)]),
        };
        let name = self.fresh("callee");
        self.put(Statement::Define { ctype: "struct vlad_slots *".into(), name: name.clone(), value });
        Slots::Other(name)
    }
}

/// The slots that a procedure is entered with.
enum Slots {
    /// The procedure has none.
    None,
    /// Those of the running procedure, which does not need them any more.
    Own,
    /// Others, under a name.
    Other(String),
}

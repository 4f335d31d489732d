//! The translation of the converted program to the code that the machine runs: operands become places, argument lists
//! become moves.
//!
//! Postcondition, which [`crate::check`] checks: the operations of a block are its instructions, in their order; and
//! the reads and writes of registers follow the ownership in the converted program. Each block keeps its number, so the
//! output of `vlad show cps` is the printed form of this code, too.

use crate::code::{
    Block, Call, Code, End, EntryPoint, Index, Layout, Location, Moves, Operation, PatternStep, Procedure, SlotSource,
};
use crate::moves::{self, RegisterRange};
use vlad_ad::traps::Traps;
use vlad_core::{ExpressionId, Pattern, PatternId, Program};
use vlad_cps::{self, Atom, BlockId, CallContinuation, Converted, Instruction, Variable};
use vlad_table::primitives::PRIMITIVES;
use vlad_table::{Evaluation, Form, OnVector, Primitive, internal_bug};

/// Translates a program. In runs with traps operations have no fast path, which would not test their results.
pub fn lower<'converted>(program: &Program, converted: &'converted Converted, traps: Traps) -> Code<'converted> {
    let primitives = program.constants.len() as Index;
    let globals = primitives + PRIMITIVES.len() as Index;
    let registers = globals + program.globals.len() as Index;
    let most_variables = converted.activations.iter().map(|activation| activation.variables).max().unwrap_or(0);
    let spare = registers + most_variables;
    let layout = Layout { primitives, globals, registers, spare, end: spare };
    let mut lowering = Lowering { program, converted, layout, spares: 0, traps };
    let blocks: Vec<Block> = converted.blocks.iter().map(|block| lowering.block(block)).collect();
    let procedures = converted.procedures.iter().map(|activation| {
        let activation = converted.activation((*activation)?);
        Some(Procedure {
            whole: lowering.entry_point(activation.entry),
            parts: activation.direct.map(|block| lowering.entry_point(block)),
        })
    });
    let procedures = procedures.collect();
    let layout = Layout { end: spare + lowering.spares, ..layout };
    Code { converted, layout, blocks, procedures }
}

struct Lowering<'run> {
    program: &'run Program,
    converted: &'run Converted,
    layout: Layout,
    /// The maximal number of spare registers that any moves use.
    spares: u32,
    traps: Traps,
}

impl Lowering<'_> {
    fn register(&self, variable: Variable) -> Index {
        self.layout.registers + variable.0
    }

    fn registers(&self, variables: &[Variable]) -> Box<[Index]> {
        variables.iter().map(|variable| self.register(*variable)).collect()
    }

    fn place(&self, atom: Atom) -> Location {
        match atom {
            Atom::Variable(variable) => Location::Kept(self.register(variable)),
            Atom::Moved(variable) => Location::Moved(self.register(variable)),
            Atom::Constant(constant) => Location::Kept(constant.0),
            Atom::Global(global) => Location::Kept(self.layout.globals + global.0),
            Atom::Primitive(primitive) => Location::Kept(self.layout.primitives + primitive as Index),
            Atom::Slot(slot) => Location::Slot(slot),
            Atom::Sibling(lambda) => Location::Sibling(lambda),
        }
    }

    fn places(&self, atoms: &[Atom]) -> Box<[Location]> {
        atoms.iter().map(|atom| self.place(*atom)).collect()
    }

    fn entry_point(&self, id: BlockId) -> EntryPoint {
        let block = self.converted.block(id);
        EntryPoint { block: id, parameters: self.registers(&block.parameters), needs_slots: block.needs_slots }
    }

    fn block(&mut self, block: &vlad_cps::Block) -> Block {
        let is_step = |instruction: &Instruction| matches!(instruction, Instruction::Step(_));
        let mut operations = Vec::new();
        let mut origins = Vec::new();
        for (instruction, place) in block.instructions.iter().zip(0..) {
            if let Some(operation) = self.operation(instruction) {
                operations.push(operation);
                origins.push(place);
            }
        }
        Block {
            steps: block.instructions.iter().filter(|instruction| is_step(instruction)).count() as u64,
            operations: operations.into(),
            origins: origins.into(),
            end: self.end(&block.end),
            parameters: self.registers(&block.parameters),
            free: self.registers(&block.free),
            needs_slots: block.needs_slots,
        }
    }

    /// The operation of an instruction; none for a step, which is counted.
    fn operation(&self, instruction: &Instruction) -> Option<Operation> {
        Some(match instruction {
            Instruction::Step(_) => return None,
            Instruction::Defined { global, .. } => Operation::Defined { global: global.0 },
            Instruction::Pair { variable, first, second } => {
                Operation::Pair { to: self.register(*variable), first: self.place(*first), second: self.place(*second) }
            }
            Instruction::Close { variable, lambda, captures } => {
                Operation::Close { to: self.register(*variable), lambda: *lambda, captures: self.places(captures) }
            }
            Instruction::Tie { variables, group, captures } => {
                let members = variables.iter().zip(&self.program.group(*group).members);
                Operation::Tie {
                    members: members.map(|(variable, member)| (self.register(*variable), *member)).collect(),
                    captures: self.places(captures),
                }
            }
            Instruction::Apply { variable, primitive, operands, .. } => {
                self.application(self.register(*variable), *primitive, &self.places(operands))
            }
            Instruction::Match { variables, lambda, binder, argument, .. } => Operation::Match {
                pattern: self.pattern(self.program.lambda(*lambda).pattern, variables),
                lambda: *lambda,
                binder: *binder,
                argument: self.place(*argument),
            },
            Instruction::Drop(variable) => Operation::Drop { register: self.register(*variable) },
        })
    }

    fn application(&self, to: Index, primitive: Primitive, operands: &[Location]) -> Operation {
        match (primitive.row().form, operands) {
            (Form::Fold { operation, .. } | Form::Binary(operation), [first, second]) if self.traps == Traps::Off => {
                let Evaluation::Binary(evaluate) = operation.row().evaluation else {
                    internal_bug!("`{}` works on two reals", primitive.name());
                };
                Operation::Binary { to, primitive, evaluate, first: *first, second: *second }
            }
            (Form::Unary(operation) | Form::UnaryOrBinary(operation, _), [operand]) if self.traps == Traps::Off => {
                let Evaluation::Unary(evaluate) = operation.row().evaluation else {
                    internal_bug!("`{}` works on one real", primitive.name());
                };
                Operation::Unary { to, primitive, evaluate, operand: *operand }
            }
            (Form::Chain(comparison), [first, second]) => {
                Operation::Compare { to, primitive, comparison, first: *first, second: *second }
            }
            (Form::AgainstZero(comparison), [operand]) => {
                Operation::AgainstZero { to, primitive, comparison, operand: *operand }
            }
            (Form::OnVector(OnVector::Element), [first, second]) => {
                Operation::Element { to, primitive, first: *first, second: *second }
            }
            (Form::Ask(predicate), [operand]) => Operation::Ask { to, predicate, operand: *operand },
            (Form::First, [operand]) => Operation::First { to, operand: *operand },
            (Form::Second, [operand]) => Operation::Second { to, operand: *operand },
            // Every other form, and any other number of operands: the general operations handle all forms.
            (_, [operand]) => Operation::Apply { to, primitive, operand: *operand },
            (_, operands) => Operation::ApplyTuple { to, primitive, operands: operands.into() },
        }
    }

    fn pattern(&self, pattern: PatternId, variables: &[Variable]) -> Box<[PatternStep]> {
        let mut variables = variables.iter();
        let steps = self.program.patterns_within(pattern).map(|within| match self.program.pattern(within) {
            Pattern::Variable => match variables.next() {
                Some(variable) => PatternStep::Bind(self.register(*variable)),
                None => internal_bug!("a match binds each variable of its pattern"),
            },
            Pattern::Constant(constant) => PatternStep::Constant(constant),
            Pattern::Pair(..) => PatternStep::Pair,
        });
        steps.collect()
    }

    fn end(&mut self, end: &vlad_cps::End) -> End {
        match end {
            vlad_cps::End::Return(value) => End::Return(self.place(*value)),
            vlad_cps::End::Jump { block, arguments } => {
                End::Jump { block: *block, moves: self.moves(arguments, *block, CallContinuation::Return) }
            }
            vlad_cps::End::Branch { test, consequent, alternative } => {
                End::Branch { test: self.place(*test), consequent: *consequent, alternative: *alternative }
            }
            vlad_cps::End::Call { operator, operands, then, node } => End::Call {
                operator: self.place(*operator),
                operands: self.places(operands),
                call: self.call(*then, *node),
            },
            vlad_cps::End::Enter { operator, lambda, arguments, then, node } => {
                let Some(block) = self.converted.activation(self.converted.procedure(*lambda)).direct else {
                    internal_bug!("a procedure that is entered has a block for the parts of its argument");
                };
                End::Enter {
                    block,
                    slots: self.provision(*operator, block),
                    moves: self.moves(arguments, block, *then),
                    call: self.call(*then, *node),
                }
            }
        }
    }

    fn call(&self, then: CallContinuation, node: ExpressionId) -> Call {
        let then = match then {
            CallContinuation::Return => None,
            CallContinuation::Continue(block) => Some(block),
        };
        Call { then, node, site: (!self.program.is_shipped(node)).then_some(node) }
    }

    fn provision(&self, operator: Atom, block: BlockId) -> SlotSource {
        match (self.converted.block(block).needs_slots, self.place(operator)) {
            (false, Location::Moved(register)) => SlotSource::Drop(register),
            (false, Location::Kept(_) | Location::Slot(_) | Location::Sibling(_)) => SlotSource::Nothing,
            (true, Location::Sibling(_)) => SlotSource::Own,
            (true, place @ (Location::Kept(_) | Location::Moved(_) | Location::Slot(_))) => SlotSource::Of(place),
        }
    }

    fn moves(&mut self, arguments: &[Atom], block: BlockId, then: CallContinuation) -> Moves {
        let saved = match then {
            CallContinuation::Return => Box::default(),
            CallContinuation::Continue(then) => self.registers(&self.converted.block(then).free),
        };
        let targets = self.registers(&self.converted.block(block).parameters);
        let room = RegisterRange { registers: self.layout.registers, spare: self.layout.spare };
        let (moves, spares) = moves::sequentialize(&self.places(arguments), &targets, &saved, room);
        self.spares = self.spares.max(spares);
        moves
    }
}

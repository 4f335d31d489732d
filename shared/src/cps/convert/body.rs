//! The conversion of one activation: its blocks, its continuations, and the loop over tasks.

mod equations;
pub(super) mod packing;

use super::Conversion;
use super::observation::Observation;
use crate::core::{ExpressionId, LambdaId, Program};
use crate::cps::{Activation, ActivationId, Atom, Block, BlockId, End, Instruction, Role, Then, Variable};
use crate::internal_bug;
use packing::{Mark, Stacks};
use std::mem;

/// The number of a continuation among those of an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Continuation(usize);

impl Continuation {
    /// The continuation that the activation is called with.
    pub(super) const RETURN: Continuation = Continuation(0);
}

/// What a known continuation does with the value that it is given.
#[derive(Clone, Copy, Debug)]
enum Rest {
    /// It is the activation's own: the value is returned.
    Return,
    /// It has become a block: the value goes there.
    Block(BlockId),
    /// λ x₁. of `(e₁ e₂)`: then the operand.
    Operator { node: ExpressionId, operand: ExpressionId },
    /// An operand that is one of a row: then the next, of the second half of the tuple.
    Operand { node: ExpressionId, start: usize, rest: ExpressionId, room: usize },
    /// λ x₂. of `(e₁ e₂)`, or the last operand of a row: then the application or binding.
    LastOperand { node: ExpressionId, start: usize },
    /// λ x₁. of `(cons e₁ e₂)`.
    First { second: ExpressionId },
    /// λ x₂. of `(cons e₁ e₂)`, whose x₁ is on the stack of operands.
    Second { start: usize },
    /// λ x. of `(if e₁ e₂ e₃)`.
    Test { consequent: ExpressionId, alternative: ExpressionId },
}

/// A continuation as the conversion knows it.
#[derive(Clone, Copy, Debug)]
struct Known {
    pub(super) rest: Rest,
    /// What is given the value of the construct.
    next: Continuation,
    /// The locals and operands at the construct.
    locals: usize,
    operands: usize,
    /// The node whose value is awaited.
    awaited: ExpressionId,
    /// The outermost node of the activation whose value awaits that one.
    outermost: Option<ExpressionId>,
}

/// A block that is still to be filled.
enum Task {
    /// By converting an expression.
    Convert { block: BlockId, node: ExpressionId, then: Continuation, locals: usize, operands: usize, mark: Mark },
    /// By giving its parameter to a continuation.
    Give { block: BlockId, value: Variable, to: Continuation, mark: Mark },
}

/// What happens next to the block that is being filled.
enum Next {
    Convert(ExpressionId, Continuation),
    Give(Atom, Continuation),
    /// The block has its end.
    Done,
}

/// The conversion of one activation.
pub(super) struct Body<'conversion, 'program> {
    conversion: &'conversion mut Conversion<'program>,
    program: &'program Program,
    lambda: Option<LambdaId>,
    names: Vec<String>,
    /// For each variable the code of the procedure that it is, if that is known.
    codes: Vec<Option<LambdaId>>,
    /// The blocks so far; those not yet begun are empty.
    blocks: Vec<Block>,
    /// The blocks in the order in which they were begun, which is an order of execution.
    order: Vec<BlockId>,
    current: BlockId,
    instructions: Vec<Instruction>,
    pub(super) stacks: Stacks,
    continuations: Vec<Known>,
    tasks: Vec<Task>,
}

impl<'conversion, 'program> Body<'conversion, 'program> {
    pub(super) fn new(conversion: &'conversion mut Conversion<'program>, lambda: Option<LambdaId>) -> Self {
        let program = conversion.program;
        let returning = Known {
            rest: Rest::Return,
            next: Continuation::RETURN,
            locals: 0,
            operands: 0,
            awaited: ExpressionId(0),
            outermost: None,
        };
        Body {
            conversion,
            program,
            lambda,
            names: Vec::new(),
            codes: Vec::new(),
            blocks: Vec::new(),
            order: Vec::new(),
            current: BlockId(0),
            instructions: Vec::new(),
            stacks: Stacks::default(),
            continuations: vec![returning],
            tasks: Vec::new(),
        }
    }

    pub(super) fn new_variable(&mut self, name: &str) -> Variable {
        self.names.push(name.to_owned());
        self.codes.push(None);
        Variable(self.names.len() as u32 - 1)
    }

    pub(super) fn name(&mut self, variable: Variable, name: &str) {
        if let Some(place) = self.names.get_mut(variable.0 as usize) {
            name.clone_into(place);
        }
    }

    pub(super) fn new_block(&mut self, role: Role, parameters: Vec<Variable>) -> BlockId {
        self.blocks.push(Block {
            activation: ActivationId(u32::MAX),
            role,
            parameters,
            free: Vec::new(),
            needs_slots: false,
            needs_site: false,
            instructions: Vec::new(),
            end: End::Return(Atom::Slot(u32::MAX)),
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    pub(super) fn begin(&mut self, block: BlockId) {
        self.current = block;
        self.order.push(block);
    }

    pub(super) fn end(&mut self, end: End) {
        let instructions = mem::take(&mut self.instructions);
        let Some(block) = self.blocks.get_mut(self.current.0 as usize) else {
            internal_bug!("the block that is being filled is in the arena");
        };
        block.instructions = instructions;
        block.end = end;
    }

    /// A step, if entering the node is one.
    pub(super) fn step(&mut self, node: ExpressionId) {
        if !self.conversion.program.counts(node) {
            return;
        }
        self.observe_entry(node);
        self.instructions.push(Instruction::Step(node));
    }

    /// [e | k, n, l], and all the blocks that come of it.
    pub(super) fn convert(&mut self, node: ExpressionId, then: Continuation) {
        let mut next = Next::Convert(node, then);
        loop {
            next = match next {
                Next::Convert(node, then) => self.expression(node, then),
                Next::Give(value, to) => self.give(value, to),
                Next::Done => match self.tasks.pop() {
                    Some(Task::Convert { block, node, then, locals, operands, mark }) => {
                        self.begin(block);
                        self.stacks.return_to(mark);
                        self.stacks.locals.truncate(locals);
                        self.stacks.operands.truncate(operands);
                        Next::Convert(node, then)
                    }
                    Some(Task::Give { block, value, to, mark }) => {
                        self.begin(block);
                        self.stacks.return_to(mark);
                        self.observe_wait(to);
                        Next::Give(Atom::Variable(value), to)
                    }
                    None => return,
                },
            };
        }
    }

    /// What is asked of the conversion.
    pub(super) fn observation(&self) -> Option<&Observation> {
        self.conversion.observation.as_ref()
    }

    /// The same, to be answered.
    pub(super) fn observation_mut(&mut self) -> Option<&mut Observation> {
        self.conversion.observation.as_mut()
    }

    /// The node whose value a continuation is given, and how many locals and operands there are at the construct.
    pub(super) fn awaited_by(&self, continuation: Continuation) -> (ExpressionId, usize, usize) {
        let known = self.known(continuation);
        (known.awaited, known.locals, known.operands)
    }

    /// Moves the blocks to the program, numbered in an order of execution.
    pub(super) fn finish(self, lambda: Option<LambdaId>, entry: BlockId, direct: Option<BlockId>) -> ActivationId {
        let Body { conversion, program, blocks, order, names, .. } = self;
        let converted = &mut conversion.converted;
        let base = converted.blocks.len() as u32;
        let mut numbers = vec![BlockId(u32::MAX); blocks.len()];
        for (place, block) in order.iter().enumerate() {
            if let Some(number) = numbers.get_mut(block.0 as usize) {
                *number = BlockId(base + place as u32);
            }
        }
        let renumber = |block: BlockId| match numbers.get(block.0 as usize) {
            Some(number) if number.0 != u32::MAX => *number,
            Some(_) | None => internal_bug!("every block is begun"),
        };
        let activation = ActivationId(converted.activations.len() as u32);
        let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
        for block in &order {
            let Some(mut block) = blocks.get_mut(block.0 as usize).and_then(Option::take) else {
                internal_bug!("every block is begun once");
            };
            block.activation = activation;
            match &mut block.end {
                End::Return(_) => {}
                End::Jump { block, .. } => *block = renumber(*block),
                End::Branch { consequent, alternative, .. } => {
                    (*consequent, *alternative) = (renumber(*consequent), renumber(*alternative));
                }
                End::Call { then, .. } | End::Enter { then, .. } => {
                    if let Then::Continue(block) = then {
                        *block = renumber(*block);
                    }
                }
            }
            converted.blocks.push(block);
        }
        converted.activations.push(Activation {
            lambda,
            entry: renumber(entry),
            direct: direct.map(renumber),
            variables: names.len() as u32,
            names,
            is_shipped: lambda.is_some_and(|lambda| program.is_shipped(program.lambda(lambda).body)),
        });
        activation
    }
}

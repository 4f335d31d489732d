//! The conversion of one activation: its blocks, its continuations, and the worklist of blocks.

mod equations;
mod packing;

use crate::convert::conversion::Conversion;
use crate::convert::observation::Observation;
use crate::convert::stacks::{PackingState, Stacks};
use crate::tree::{Activation, ActivationId, Atom, Block, BlockId, CallContinuation, End, Instruction, Role, Variable};
use std::mem;
use vlad_core::{ExpressionId, LambdaId, Program};
use vlad_table::internal_bug;

/// The index of a continuation in the table of an activation's continuations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Continuation(usize);

impl Continuation {
    /// The continuation that the activation is called with.
    pub(super) const RETURN: Continuation = Continuation(0);
}

/// The work of a known continuation on the value that it receives.
#[derive(Clone, Copy, Debug)]
enum Rest {
    /// Returns the value: the continuation is the activation's own.
    Return,
    /// Jumps to a block with the value: the continuation has become a block.
    Block(BlockId),
    /// λ x₁. of `(e₁ e₂)`: converts the operand next.
    Operator { node: ExpressionId, operand: ExpressionId },
    /// An operand in a row: converts the next one, from the second half of the tuple.
    Operand { node: ExpressionId, start: usize, rest: ExpressionId, row_limit: usize },
    /// λ x₂. of `(e₁ e₂)`, or the last operand of a row: emits the application or binding.
    LastOperand { node: ExpressionId, start: usize },
    /// λ x₁. of `(cons e₁ e₂)`: converts the second half next.
    First { second: ExpressionId },
    /// λ x₂. of `(cons e₁ e₂)`, with x₁ on the operand stack.
    Second { start: usize },
    /// λ x. of `(if e₁ e₂ e₃)`: emits the branch.
    Test { consequent: ExpressionId, alternative: ExpressionId },
}

/// A continuation that the conversion knows.
#[derive(Clone, Copy, Debug)]
struct KnownContinuation {
    pub(super) rest: Rest,
    /// The continuation that receives the value of the whole construct.
    next: Continuation,
    /// The number of locals and of operands at the construct.
    locals: usize,
    operands: usize,
    /// The expression node whose value is awaited.
    awaited: ExpressionId,
    /// The outermost expression node of the activation whose value awaits that one.
    outermost: Option<ExpressionId>,
}

/// A worklist entry: a block that is still to be filled.
enum Task {
    /// Fills it by converting an expression.
    Convert {
        block: BlockId,
        node: ExpressionId,
        then: Continuation,
        locals: usize,
        operands: usize,
        mark: PackingState,
    },
    /// Fills it by passing its parameter to a continuation.
    Give { block: BlockId, value: Variable, to: Continuation, mark: PackingState },
}

/// The next action for the block that is being filled.
enum Next {
    Convert(ExpressionId, Continuation),
    Give(Atom, Continuation),
    /// None: the block has its end.
    Done,
}

/// The conversion of one activation.
pub(super) struct Body<'conversion, 'program> {
    conversion: &'conversion mut Conversion<'program>,
    program: &'program Program,
    lambda: Option<LambdaId>,
    names: Vec<String>,
    /// The code of the procedure that each variable holds, if it is known.
    codes: Vec<Option<LambdaId>>,
    /// The blocks so far; those not begun yet are empty.
    blocks: Vec<Block>,
    /// The blocks in the order in which they were begun, which is an order of execution.
    order: Vec<BlockId>,
    current: BlockId,
    instructions: Vec<Instruction>,
    pub(super) stacks: Stacks,
    continuations: Vec<KnownContinuation>,
    tasks: Vec<Task>,
}

impl<'conversion, 'program> Body<'conversion, 'program> {
    pub(super) fn new(conversion: &'conversion mut Conversion<'program>, lambda: Option<LambdaId>) -> Self {
        let program = conversion.program;
        let returning = KnownContinuation {
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

    /// Emits a step, if entering the node is one.
    pub(super) fn step(&mut self, node: ExpressionId) {
        if !self.conversion.program.counts(node) {
            return;
        }
        self.observe_entry(node);
        self.instructions.push(Instruction::Step(node));
    }

    /// [e | k, n, l], and all blocks that result from it.
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

    /// The request to observe this conversion, if there is one.
    pub(super) fn observation(&self) -> Option<&Observation> {
        self.conversion.observation.as_ref()
    }

    /// The same, for recording results.
    pub(super) fn observation_mut(&mut self) -> Option<&mut Observation> {
        self.conversion.observation.as_mut()
    }

    /// The expression node whose value a continuation receives, and the number of locals and of operands at its
    /// construct.
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
                    if let CallContinuation::Continue(block) = then {
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

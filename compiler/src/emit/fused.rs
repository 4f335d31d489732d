//! Values of the reflective basis that need not be made, since one place makes them and one place takes them apart.
//!
//! A derivative in the reflective style is `(tangent ((j* f) (bundle x x')))` or `(cdr ((cdr ((*j f) (*j x))) y'))`. Two
//! things are decided here, block by block, and both for speed alone:
//!
//! - *Opened calls*: a block that ends with the call of a procedure that it has transformed, of an operand that it has
//!   transformed, and has no other use for either; or with that of a backpropagator. The variables stand for what is
//!   inside; `bundle` looks whether the tangent conforms where it stands in the program, and the call begins the level.
//! - *Wants*: what a continuation does with the value that it is given, if it takes a part first of all. Its frame says
//!   so, and the runtime may give that part alone, with a note (`enum vlad_wants` in `machine.h`).
//!
//! Invariant: whoever cannot tell does as if nothing were fused, so the stepwise form of a function makes all values that
//! stand at its points. Blocks in chunks take no part.

use super::context::{Context, Style};
use super::function::{Body, Form as FunctionForm};
use crate::c::{Expression as C, Statement};
use std::collections::BTreeMap;
use vlad_shared::core::Pattern;
use vlad_shared::cps::liveness::{atoms, bound, end_atoms};
use vlad_shared::cps::{Atom, Block, BlockId, End, Instruction, Then, Variable};
use vlad_shared::table::Primitive;

/// What a continuation does with its value: `enum vlad_wants`, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Anything.
    Whole,
    /// `(tangent x)`.
    Tangent,
    /// `(unperturb (tangent x))`.
    PlainTangent,
    /// `(cdr x)`, or the same by a pattern.
    Second,
    /// `(cdr (unsensitize x))`.
    PlainSecond,
    /// `(cdr x)`, called at the end of the block for the second part of a pair.
    Pull,
    /// The same of the second half of a pair whose first half has uses, too.
    Operand,
}

/// A call at the end of a block whose operator and operand are not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// `((j* f) (bundle x x'))`.
    Forward,
    /// `((*j f) (*j x))`.
    Reverse,
    /// `(back y')`, of the backpropagator that a continuation with [`Wants::Pull`] was given.
    Back {
        /// Whether the operand stands for itself with the tag of a sensitivity.
        is_sensitized: bool,
    },
}

/// How a variable that is not made comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    /// For the operand of the primitive.
    Content,
    /// For the lifted primal of a bundle; and whether the tangent stands for itself with the tag of a perturbation.
    Bundle { is_perturbed: bool },
}

/// What is fused in a program.
#[derive(Clone, Debug, Default)]
pub struct Fused {
    wants: BTreeMap<BlockId, Wants>,
    calls: BTreeMap<BlockId, Call>,
}

#[derive(Clone, Debug)]
struct Call {
    opened: Opened,
    stands: BTreeMap<Variable, Stands>,
}

impl Fused {
    /// Decides what is fused.
    pub fn of(context: &Context<'_>) -> Fused {
        let mut fused = Fused::default();
        for (block, number) in context.converted.blocks.iter().zip(0..) {
            let End::Call { operator, operands, then, .. } = &block.end else { continue };
            if !matches!(operator, Atom::Primitive(_))
                && let Then::Continue(next) = then
            {
                fused.wants.insert(*next, wants(context, *next));
            }
            if !context.regions.crossings.contains_key(&BlockId(number))
                && let Some(call) = opened(block, *operator, operands)
            {
                fused.calls.insert(BlockId(number), call);
            }
        }
        let pulls = fused.wants.iter().filter(|(_, wants)| **wants == Wants::Pull);
        let calls = pulls.filter_map(|(id, _)| Some((*id, called_back(context.converted.block(*id))?)));
        fused.calls.extend(calls);
        fused
    }

    /// What a block does with its value.
    pub fn wants(&self, block: BlockId) -> Wants {
        self.wants.get(&block).copied().unwrap_or(Wants::Whole)
    }

    /// Whether the call at the end of a block is opened.
    pub fn call(&self, block: BlockId) -> Option<Opened> {
        self.calls.get(&block).map(|call| call.opened)
    }

    /// The variables of a block that are not made.
    pub fn unmade(&self, block: BlockId) -> impl Iterator<Item = Variable> {
        self.calls.get(&block).into_iter().flat_map(|call| call.stands.keys().copied())
    }

    /// How a variable of a block comes about that is not made.
    fn stands(&self, block: BlockId, variable: Variable) -> Option<Stands> {
        self.calls.get(&block)?.stands.get(&variable).copied()
    }
}

/// What a continuation does with its value first of all.
fn part(context: &Context<'_>, id: BlockId) -> Wants {
    let block = context.converted.block(id);
    if context.regions.crossings.contains_key(&id) {
        return Wants::Whole;
    }
    let Some((parameter, first, second)) = beginning(block) else { return Wants::Whole };
    let next = |primitive, variable| second.is_some_and(|next| applies(next, primitive, variable).is_some());
    if let Some(tangent) = applies(first, Primitive::TangentOf, parameter) {
        return if next(Primitive::Unperturb, tangent) { Wants::PlainTangent } else { Wants::Tangent };
    }
    if let Some(plain) = applies(first, Primitive::Unsensitize, parameter) {
        return if next(Primitive::Second, plain) { Wants::PlainSecond } else { Wants::Whole };
    }
    if applies(first, Primitive::Second, parameter).is_some() {
        return Wants::Second;
    }
    match halves(context, first, parameter) {
        Some([one, _]) if drops(block, one) => Wants::Second,
        Some(_) | None => Wants::Whole,
    }
}

/// What it does with its value altogether.
fn wants(context: &Context<'_>, id: BlockId) -> Wants {
    let part = part(context, id);
    let block = context.converted.block(id);
    let Some((parameter, first, _)) = beginning(block) else { return part };
    let back = applies(first, Primitive::Second, parameter).or(halves(context, first, parameter).map(|[_, back]| back));
    let (Some(back), End::Call { operator, then: Then::Continue(next), .. }) = (back, &block.end) else { return part };
    let is_called = *operator == Atom::Moved(back) && !block.instructions.iter().any(|one| uses(one, back));
    if context.regions.crossings.contains_key(&id) || !is_called {
        return part;
    }
    match (self::part(context, *next), part) {
        (Wants::Second | Wants::PlainSecond, Wants::Second) => Wants::Pull,
        (Wants::Second | Wants::PlainSecond, _) => Wants::Operand,
        _ => part,
    }
}

/// The parameter of a continuation, and its first two instructions.
fn beginning(block: &Block) -> Option<(Variable, &Instruction, Option<&Instruction>)> {
    let [parameter] = block.parameters.as_slice() else { return None };
    Some((*parameter, block.instructions.first()?, block.instructions.get(1)))
}

/// The variable that an instruction binds, if it applies a primitive to a variable for its last use.
fn applies(instruction: &Instruction, wanted: Primitive, operand: Variable) -> Option<Variable> {
    match instruction {
        Instruction::Apply { variable, primitive, operands, .. }
            if *primitive == wanted && operands.as_slice() == [Atom::Moved(operand)] =>
        {
            Some(*variable)
        }
        _ => None,
    }
}

/// The variables that an instruction binds to the halves of a pair, if it takes one apart for its last use and asks no more.
fn halves(context: &Context<'_>, instruction: &Instruction, pair: Variable) -> Option<[Variable; 2]> {
    let Instruction::Match { variables, lambda, argument, .. } = instruction else { return None };
    let Pattern::Pair(first, second) = context.program.pattern(context.program.lambda(*lambda).pattern) else {
        return None;
    };
    let are_variables = [first, second].iter().all(|half| context.program.pattern(*half) == Pattern::Variable);
    (are_variables && *argument == Atom::Moved(pair)).then(|| <[Variable; 2]>::try_from(variables.as_slice()).ok())?
}

/// Whether a block gives a variable up that it binds, without a use.
fn drops(block: &Block, variable: Variable) -> bool {
    block.instructions.contains(&Instruction::Drop(variable))
        && !block.instructions.iter().any(|instruction| is_read(instruction, variable))
}

/// Whether an instruction reads a variable.
fn is_read(instruction: &Instruction, variable: Variable) -> bool {
    atoms(instruction).iter().any(|atom| is_variable(*atom, variable))
}

/// Whether an instruction reads a variable or gives it up.
fn uses(instruction: &Instruction, variable: Variable) -> bool {
    is_read(instruction, variable) || *instruction == Instruction::Drop(variable)
}

fn is_variable(atom: Atom, variable: Variable) -> bool {
    match atom {
        Atom::Variable(other) | Atom::Moved(other) => other == variable,
        Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => false,
    }
}

/// Whether the call at the end of a block is opened.
fn opened(block: &Block, operator: Atom, operands: &[Atom]) -> Option<Call> {
    let ([Atom::Moved(operand)], Atom::Moved(operator)) = (operands, operator) else { return None };
    let (operand, operator) = (*operand, operator);
    let mut stands = BTreeMap::from([(operator, Stands::Content)]);
    match (sole(block, operator)?, sole(block, operand)?) {
        ((Primitive::TransformReverse, [_]), (Primitive::TransformReverse, [_])) => {
            stands.insert(operand, Stands::Content);
            Some(Call { opened: Opened::Reverse, stands })
        }
        ((Primitive::TransformForward, [_]), (Primitive::Bundle, [_, tangent])) => {
            let perturbed = tagged(block, *tangent, Primitive::Perturb);
            stands.extend(perturbed.map(|tangent| (tangent, Stands::Content)));
            stands.insert(operand, Stands::Bundle { is_perturbed: perturbed.is_some() });
            Some(Call { opened: Opened::Forward, stands })
        }
        _ => None,
    }
}

/// The call at the end of a block that calls a backpropagator.
fn called_back(block: &Block) -> Option<Call> {
    let End::Call { operands, .. } = &block.end else { return None };
    let [operand] = operands.as_slice() else { return None };
    let sensitized = tagged(block, *operand, Primitive::Sensitize);
    let stands = sensitized.map(|operand| (operand, Stands::Content)).into_iter().collect();
    Some(Call { opened: Opened::Back { is_sensitized: sensitized.is_some() }, stands })
}

/// The variable of an atom, if it is the result of a primitive that tags one operand, and has no other use.
fn tagged(block: &Block, atom: Atom, by: Primitive) -> Option<Variable> {
    let Atom::Moved(variable) = atom else { return None };
    matches!(sole(block, variable)?, (primitive, [_]) if primitive == by).then_some(variable)
}

/// The primitive whose result a variable is, and its operands, if the block binds the variable so and uses it once.
fn sole(block: &Block, variable: Variable) -> Option<(Primitive, &[Atom])> {
    let used = block.instructions.iter().flat_map(atoms).chain(end_atoms(&block.end));
    let is_sole = used.filter(|atom| is_variable(*atom, variable)).count() == 1;
    let bound = block.instructions.iter().find_map(|instruction| match instruction {
        Instruction::Apply { variable: bound, primitive, operands, .. } if *bound == variable => {
            Some((*primitive, operands.as_slice()))
        }
        _ => None,
    });
    bound.filter(|_| is_sole)
}

impl Body<'_, '_> {
    /// What a block does first with the value that it is given, if that may be a part with a note; gives how many
    /// instructions that are.
    pub fn take_part(&mut self, id: BlockId) -> usize {
        let count = match self.context.fused.wants(id) {
            Wants::Whole | Wants::Operand => return 0,
            Wants::Tangent | Wants::Second | Wants::Pull => 1,
            Wants::PlainTangent | Wants::PlainSecond => 2,
        };
        let block = self.block(id);
        let ([parameter], Some(instructions)) = (block.parameters.as_slice(), block.instructions.get(..count)) else {
            return 0;
        };
        let value = self.variable(*parameter);
        let part = match self.form {
            FunctionForm::AtOnce => C::call("vlad_without_note", [value.clone()]),
            FunctionForm::Stepwise => C::service("keep", [value.clone()]),
        };
        let then = self.nested(|body| {
            if let Some([others @ .., variable]) = instructions.last().map(bound) {
                others.iter().for_each(|other| body.assign(*other, C::call("vlad_nil", [])));
                body.assign(*variable, part);
            }
        });
        let otherwise = self.nested(|body| instructions.iter().for_each(|instruction| body.instruction(instruction)));
        self.put(Statement::If { test: C::call("vlad_is_noted", [value]), then, otherwise });
        count
    }

    /// Whether values that are not needed are made all the same.
    fn makes_all(&self) -> bool {
        self.form == FunctionForm::Stepwise || self.style() == Style::Short
    }

    /// The call at the end of a block, if it is opened.
    pub fn opened(&self, block: BlockId) -> Option<Opened> {
        if self.makes_all() { None } else { self.context.fused.call(block) }
    }

    /// Binds a variable that is not made, if the instruction does that.
    pub fn stand(&mut self, block: BlockId, instruction: &Instruction) -> bool {
        let Instruction::Apply { variable, operands, node, .. } = instruction else { return false };
        if self.makes_all() {
            return false;
        }
        match (self.context.fused.stands(block, *variable), operands.as_slice()) {
            (Some(Stands::Content), [content]) => {
                let content = self.owned(*content);
                self.assign(*variable, content);
                true
            }
            (Some(Stands::Bundle { is_perturbed }), [primal, tangent]) => {
                let parts = [self.borrowed(*primal), self.borrowed(*tangent), C::Number(is_perturbed.into())];
                self.assign(*variable, C::service("open", parts));
                self.check_fault(*node);
                for moved in [self.moved(*primal), self.moved(*tangent)].into_iter().flatten() {
                    self.drop(moved);
                }
                true
            }
            (Some(Stands::Content | Stands::Bundle { .. }) | None, _) => false,
        }
    }
}

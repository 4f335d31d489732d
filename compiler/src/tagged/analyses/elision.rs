//! Elision of values of the reflective basis that are made in one place and taken apart in one place.
//!
//! In the reflective style a derivative is `(tangent ((j* f) (bundle x x')))` or `(cdr ((cdr ((*j f) (*j x))) y'))`.
//! The analysis finds two properties of a block. Both affect only speed:
//!
//! - *Elided calls*: the block ends with the call of a transformed procedure on a transformed operand, and uses neither
//!   otherwise; or it ends with the call of a backpropagator. Then the variables hold the untransformed values. `bundle`
//!   still checks, at its place in the program, that the tangent conforms. The call begins the level.
//! - *Demands*: a continuation takes a part of its value first, and has no other use for the value. Its frame
//!   descriptor records the part, and the runtime may return that part alone, flagged (`enum vlad_wants` in `machine.h`).
//!
//! Specialised code makes none of these values. The analysis serves all other code: procedures that the specialising
//! compiler cannot type, items that bailed out, and runs that count steps. [`crate::tagged::body`] queries it in three
//! methods (`elided`), `tables` writes demands into frame descriptors, and `pull.c` computes cotangents without a
//! backpropagator.
//!
//! Invariant: elision is optional everywhere. Code that cannot use it makes all values. So the stepwise form of a
//! function makes all values that exist at its stop points. Blocks in chunks take no part.

use super::regions::Regions;
use crate::tagged::unit::Unit;
use std::collections::BTreeMap;
use vlad_ad::traps::Traps;
use vlad_core::Pattern;
use vlad_cps::liveness::{atoms, end_atoms};
use vlad_cps::{Atom, Block, BlockId, CallContinuation, End, Instruction, Variable};
use vlad_table::Primitive;

/// The part of its value that a continuation needs: `enum vlad_wants`, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// The whole value.
    Whole,
    /// `(tangent x)`.
    Tangent,
    /// `(unperturb (tangent x))`.
    PlainTangent,
    /// `(cdr x)`, or the same by a pattern.
    Second,
    /// `(cdr (unsensitize x))`.
    PlainSecond,
    /// `(cdr x)`, which the end of the block calls, in order to take the second part of the resulting pair.
    Pull,
    /// The same call of the second half of a pair whose first half has uses, too.
    Operand,
}

/// A call at the end of a block whose transformed operator and operand are elided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElidedCall {
    /// `((j* f) (bundle x x'))`.
    Forward,
    /// `((*j f) (*j x))`.
    Reverse,
    /// `(back y')`, of the backpropagator that a continuation with [`Demand::Pull`] was given.
    Back {
        /// True if the operand is `(sensitize y')` and the variable holds `y'` without the tag.
        is_sensitized: bool,
    },
}

/// The content of a variable whose value is elided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElidedContent {
    /// The operand of the primitive, without the tag.
    Content,
    /// The lifted primal of a bundle. `is_perturbed` is true if the tangent is held without the tag of a perturbation.
    Bundle { is_perturbed: bool },
}

/// The elisions of a program.
#[derive(Clone, Debug, Default)]
pub struct Elisions {
    demands: BTreeMap<BlockId, Demand>,
    calls: BTreeMap<BlockId, Call>,
}

#[derive(Clone, Debug)]
struct Call {
    kind: ElidedCall,
    contents: BTreeMap<Variable, ElidedContent>,
}

/// Decides which values are elided: none in a program with traps, since operations on their reals are elided with them.
pub fn elisions(unit: Unit<'_>, regions: &Regions) -> Elisions {
    let mut elisions = Elisions::default();
    if unit.traps != Traps::Off {
        return elisions;
    }
    for (block, number) in unit.converted.blocks.iter().zip(0..) {
        let End::Call { operator, operands, then, .. } = &block.end else { continue };
        if !matches!(operator, Atom::Primitive(_))
            && let CallContinuation::Continue(next) = then
        {
            elisions.demands.insert(*next, demand(unit, regions, *next));
        }
        if !regions.crossings.contains_key(&BlockId(number))
            && let Some(call) = elided_call(block, *operator, operands)
        {
            elisions.calls.insert(BlockId(number), call);
        }
    }
    let pulls = elisions.demands.iter().filter(|(_, demand)| **demand == Demand::Pull);
    let calls = pulls.filter_map(|(id, _)| Some((*id, called_back(unit.converted.block(*id))?)));
    elisions.calls.extend(calls);
    elisions
}

impl Elisions {
    /// Returns the part of its value that a continuation needs.
    pub fn demand(&self, block: BlockId) -> Demand {
        self.demands.get(&block).copied().unwrap_or(Demand::Whole)
    }

    /// Returns the kind of the call at the end of a block, if its operator and operand are elided.
    pub fn call(&self, block: BlockId) -> Option<ElidedCall> {
        self.calls.get(&block).map(|call| call.kind)
    }

    /// The variables of a block whose values are elided.
    pub fn elided(&self, block: BlockId) -> impl Iterator<Item = Variable> {
        self.calls.get(&block).into_iter().flat_map(|call| call.contents.keys().copied())
    }

    /// The content of a variable of a block, if its value is elided.
    pub fn content(&self, block: BlockId, variable: Variable) -> Option<ElidedContent> {
        self.calls.get(&block)?.contents.get(&variable).copied()
    }
}

/// The part of its value that a continuation takes first; `Whole` if there is none.
fn part(unit: Unit<'_>, regions: &Regions, id: BlockId) -> Demand {
    let block = unit.converted.block(id);
    if regions.crossings.contains_key(&id) {
        return Demand::Whole;
    }
    let Some((parameter, first, second)) = beginning(block) else { return Demand::Whole };
    let next = |primitive, variable| second.is_some_and(|next| applies(next, primitive, variable).is_some());
    if let Some(tangent) = applies(first, Primitive::TangentOf, parameter) {
        return if next(Primitive::Unperturb, tangent) { Demand::PlainTangent } else { Demand::Tangent };
    }
    if let Some(plain) = applies(first, Primitive::Unsensitize, parameter) {
        return if next(Primitive::Second, plain) { Demand::PlainSecond } else { Demand::Whole };
    }
    if applies(first, Primitive::Second, parameter).is_some() {
        return Demand::Second;
    }
    match halves(unit, first, parameter) {
        Some([one, _]) if drops(block, one) => Demand::Second,
        Some(_) | None => Demand::Whole,
    }
}

/// The part of its value that a continuation needs, with regard to a call of that part at the end of the block.
fn demand(unit: Unit<'_>, regions: &Regions, id: BlockId) -> Demand {
    let part = part(unit, regions, id);
    let block = unit.converted.block(id);
    let Some((parameter, first, _)) = beginning(block) else { return part };
    let back = applies(first, Primitive::Second, parameter).or(halves(unit, first, parameter).map(|[_, back]| back));
    let (Some(back), End::Call { operator, then: CallContinuation::Continue(next), .. }) = (back, &block.end) else {
        return part;
    };
    let is_called = *operator == Atom::Moved(back) && !block.instructions.iter().any(|one| uses(one, back));
    if regions.crossings.contains_key(&id) || !is_called {
        return part;
    }
    match (self::part(unit, regions, *next), part) {
        (Demand::Second | Demand::PlainSecond, Demand::Second) => Demand::Pull,
        (Demand::Second | Demand::PlainSecond, _) => Demand::Operand,
        _ => part,
    }
}

/// The parameter of a continuation, and its first two instructions.
fn beginning(block: &Block) -> Option<(Variable, &Instruction, Option<&Instruction>)> {
    let [parameter] = block.parameters.as_slice() else { return None };
    Some((*parameter, block.instructions.first()?, block.instructions.get(1)))
}

/// Returns the variable that an instruction binds, if it applies the wanted primitive to the last use of a variable.
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

/// Returns the variables that an instruction binds to the halves of a pair, if it destructures the last use of the pair
/// and its pattern tests nothing else.
fn halves(unit: Unit<'_>, instruction: &Instruction, pair: Variable) -> Option<[Variable; 2]> {
    let Instruction::Match { variables, lambda, argument, .. } = instruction else { return None };
    let Pattern::Pair(first, second) = unit.program.pattern(unit.program.lambda(*lambda).pattern) else {
        return None;
    };
    let are_variables = [first, second].iter().all(|half| unit.program.pattern(*half) == Pattern::Variable);
    (are_variables && *argument == Atom::Moved(pair)).then(|| <[Variable; 2]>::try_from(variables.as_slice()).ok())?
}

/// Returns true if a block drops a variable that it binds, without reading it.
fn drops(block: &Block, variable: Variable) -> bool {
    block.instructions.contains(&Instruction::Drop(variable))
        && !block.instructions.iter().any(|instruction| is_read(instruction, variable))
}

/// Returns true if an instruction reads a variable.
fn is_read(instruction: &Instruction, variable: Variable) -> bool {
    atoms(instruction).iter().any(|atom| is_variable(*atom, variable))
}

/// Returns true if an instruction reads or drops a variable.
fn uses(instruction: &Instruction, variable: Variable) -> bool {
    is_read(instruction, variable) || *instruction == Instruction::Drop(variable)
}

fn is_variable(atom: Atom, variable: Variable) -> bool {
    match atom {
        Atom::Variable(other) | Atom::Moved(other) => other == variable,
        Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => false,
    }
}

/// Returns the call at the end of a block with the content of its variables, if they can be elided.
fn elided_call(block: &Block, operator: Atom, operands: &[Atom]) -> Option<Call> {
    let ([Atom::Moved(operand)], Atom::Moved(operator)) = (operands, operator) else { return None };
    let (operand, operator) = (*operand, operator);
    let mut contents = BTreeMap::from([(operator, ElidedContent::Content)]);
    match (sole(block, operator)?, sole(block, operand)?) {
        ((Primitive::TransformReverse, [_]), (Primitive::TransformReverse, [_])) => {
            contents.insert(operand, ElidedContent::Content);
            Some(Call { kind: ElidedCall::Reverse, contents })
        }
        ((Primitive::TransformForward, [_]), (Primitive::Bundle, [_, tangent])) => {
            let perturbed = tagged(block, *tangent, Primitive::Perturb);
            contents.extend(perturbed.map(|tangent| (tangent, ElidedContent::Content)));
            contents.insert(operand, ElidedContent::Bundle { is_perturbed: perturbed.is_some() });
            Some(Call { kind: ElidedCall::Forward, contents })
        }
        _ => None,
    }
}

/// Returns the call of a backpropagator at the end of a block, with the content of its operand if that is elided.
fn called_back(block: &Block) -> Option<Call> {
    let End::Call { operands, .. } = &block.end else { return None };
    let [operand] = operands.as_slice() else { return None };
    let sensitized = tagged(block, *operand, Primitive::Sensitize);
    let contents = sensitized.map(|operand| (operand, ElidedContent::Content)).into_iter().collect();
    Some(Call { kind: ElidedCall::Back { is_sensitized: sensitized.is_some() }, contents })
}

/// Returns the variable of an atom, if it is the result of a primitive that tags one operand, and has no other use.
fn tagged(block: &Block, atom: Atom, by: Primitive) -> Option<Variable> {
    let Atom::Moved(variable) = atom else { return None };
    matches!(sole(block, variable)?, (primitive, [_]) if primitive == by).then_some(variable)
}

/// Returns the primitive that computes a variable, with its operands, if the block binds the variable so and uses it
/// once.
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

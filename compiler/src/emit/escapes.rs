//! Which procedures can be called by who does not know their code.
//!
//! A procedure that is only ever called where its code is known, and that has a block for its arguments, needs no entry
//! that takes them as one value: most loops, and most definitions of two or more parameters.

use super::context::Context;
use std::collections::BTreeMap;
use vlad_shared::core::LambdaId;
use vlad_shared::cps::liveness::{atoms, end_atoms};
use vlad_shared::cps::{Atom, Block, End, Instruction, Variable};

/// The variables that are bound to procedures, with their codes; of one activation at a time.
type Codes = BTreeMap<Variable, LambdaId>;

/// For each lambda whether a procedure of that code is used in any way but being called where its code is known.
pub fn escaping(context: &Context<'_>) -> Vec<bool> {
    let mut escaping = vec![false; context.program.lambdas.len()];
    let mut codes = Codes::new();
    let mut activation = None;
    for block in &context.converted.blocks {
        if activation.replace(block.activation) != Some(block.activation) {
            codes.clear();
        }
        note_codes(context, block, &mut codes);
        if context.definition(block.activation).is_some() {
            // The value goes to the definition, whose uses are seen elsewhere.
            continue;
        }
        for atom in block.instructions.iter().flat_map(atoms).chain(used_at_the_end(&block.end)) {
            let lambda = match atom {
                Atom::Variable(variable) | Atom::Moved(variable) => codes.get(&variable).copied(),
                Atom::Global(global) => context.procedure(global),
                Atom::Sibling(lambda) => Some(lambda),
                Atom::Constant(_) | Atom::Primitive(_) | Atom::Slot(_) => None,
            };
            if let Some(escapes) = lambda.and_then(|lambda| escaping.get_mut(lambda.0 as usize)) {
                *escapes = true;
            }
        }
    }
    escaping
}

fn note_codes(context: &Context<'_>, block: &Block, codes: &mut Codes) {
    for instruction in &block.instructions {
        match instruction {
            Instruction::Close { variable, lambda, .. } => {
                codes.insert(*variable, *lambda);
            }
            Instruction::Tie { variables, group, .. } => {
                let members = &context.program.group(*group).members;
                codes.extend(variables.iter().copied().zip(members.iter().copied()));
            }
            Instruction::Step(_)
            | Instruction::Defined { .. }
            | Instruction::Pair { .. }
            | Instruction::Apply { .. }
            | Instruction::Match { .. }
            | Instruction::Drop(_) => {}
        }
    }
}

/// What the end of a block uses, but for the operator of a call to known code.
fn used_at_the_end(end: &End) -> Vec<Atom> {
    match end {
        End::Enter { arguments, .. } => arguments.clone(),
        End::Return(_) | End::Jump { .. } | End::Branch { .. } | End::Call { .. } => end_atoms(end),
    }
}

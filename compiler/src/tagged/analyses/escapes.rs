//! Escape analysis: finds the procedures that can reach call sites without known callees.
//!
//! A procedure with a direct entry (a block for separate arguments) needs no entry for one tuple if all its call sites
//! know it. This holds for most loops, and for most definitions of two or more parameters.

use super::globals::Globals;
use crate::tagged::unit::Unit;
use std::collections::BTreeMap;
use vlad_core::LambdaId;
use vlad_cps::liveness::{atoms, end_atoms};
use vlad_cps::{Atom, Block, End, Instruction, Variable};

/// The code of each variable that is bound to a procedure, within one activation at a time.
type Codes = BTreeMap<Variable, LambdaId>;

/// The lambdas whose procedures escape.
#[derive(Clone, Debug)]
pub struct Escapes {
    /// For each lambda, true if its procedures escape.
    escaping: Vec<bool>,
}

impl Escapes {
    /// Returns true if procedures of that code reach call sites that do not know their code.
    pub fn escapes(&self, lambda: LambdaId) -> bool {
        self.escaping.get(lambda.0 as usize).copied().unwrap_or(true)
    }
}

/// Finds the lambdas whose procedures escape: are used in any way other than a call where their code is known.
pub fn escapes(unit: Unit<'_>, globals: &Globals) -> Escapes {
    let mut escaping = vec![false; unit.program.lambdas.len()];
    let mut codes = Codes::new();
    let mut activation = None;
    for block in &unit.converted.blocks {
        if activation.replace(block.activation) != Some(block.activation) {
            codes.clear();
        }
        note_codes(unit, block, &mut codes);
        if unit.definition(block.activation).is_some() {
            // The value goes to the definition alone, whose uses are visited as globals.
            continue;
        }
        for atom in block.instructions.iter().flat_map(atoms).chain(used_at_the_end(&block.end)) {
            let lambda = match atom {
                Atom::Variable(variable) | Atom::Moved(variable) => codes.get(&variable).copied(),
                Atom::Global(global) => globals.procedure(global),
                Atom::Sibling(lambda) => Some(lambda),
                Atom::Constant(_) | Atom::Primitive(_) | Atom::Slot(_) => None,
            };
            if let Some(escapes) = lambda.and_then(|lambda| escaping.get_mut(lambda.0 as usize)) {
                *escapes = true;
            }
        }
    }
    Escapes { escaping }
}

fn note_codes(unit: Unit<'_>, block: &Block, codes: &mut Codes) {
    for instruction in &block.instructions {
        match instruction {
            Instruction::Close { variable, lambda, .. } => {
                codes.insert(*variable, *lambda);
            }
            Instruction::Tie { variables, group, .. } => {
                let members = &unit.program.group(*group).members;
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

/// The atoms that the end of a block uses, except the operator of a call to known code.
fn used_at_the_end(end: &End) -> Vec<Atom> {
    match end {
        End::Enter { arguments, .. } => arguments.clone(),
        End::Return(_) | End::Jump { .. } | End::Branch { .. } | End::Call { .. } => end_atoms(end),
    }
}

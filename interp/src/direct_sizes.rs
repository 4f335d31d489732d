//! Direct expressions: those that call no procedure of the program, and the greatest number of steps that each takes.
//!
//! Direct expressions nest at most `DEEPEST` levels deep, so their evaluation by recursion takes bounded host stack.

use vlad_core::{Expression, ExpressionId, Program, Reference};
use vlad_table::{Form, OnVector, Primitive};

/// The greatest nesting depth of the nodes of a direct expression.
const DEEPEST: u32 = 12;

/// The greatest number of steps of each node if it is direct, else 0.
#[derive(Clone, Debug)]
pub struct DirectSizes {
    direct_sizes: Vec<u32>,
}

impl DirectSizes {
    /// The sizes of the nodes of a program.
    pub fn of(program: &Program) -> DirectSizes {
        let nodes = program.expressions.len() as u32;
        DirectSizes {
            direct_sizes: (0..nodes)
                .map(|node| direct_size(program, ExpressionId(node), DEEPEST).unwrap_or(0))
                .collect(),
        }
    }

    /// No node is direct.
    pub fn none() -> DirectSizes {
        DirectSizes { direct_sizes: Vec::new() }
    }

    /// The greatest number of steps of a node if it is direct, else 0.
    #[inline]
    pub fn get(&self, node: ExpressionId) -> u32 {
        self.direct_sizes.get(node.0 as usize).copied().unwrap_or(0)
    }
}

/// The greatest number of steps of a node, if it is direct and nests no deeper than `depth`.
fn direct_size(program: &Program, node: ExpressionId, depth: u32) -> Option<u32> {
    let depth = depth.checked_sub(1)?;
    match program.expression(node) {
        Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) => Some(1),
        Expression::Application { operator, operand } => {
            plain_primitive(program, operator)?;
            Some(2 + direct_size(program, operand, depth)?)
        }
        Expression::Cons { first, second } => {
            Some(1 + direct_size(program, first, depth)? + direct_size(program, second, depth)?)
        }
        Expression::If { test, consequent, alternative } => {
            let test = direct_size(program, test, depth)?;
            let branches = direct_size(program, consequent, depth)?.max(direct_size(program, alternative, depth)?);
            Some(1 + test + branches)
        }
        Expression::Let { .. } | Expression::Letrec { .. } => None,
    }
}

/// The primitive that an operator names, unless it calls procedures, or may work in place.
fn plain_primitive(program: &Program, operator: ExpressionId) -> Option<Primitive> {
    let Expression::Variable(Reference::Primitive(primitive)) = program.expression(operator) else {
        return None;
    };
    // A vector can be reused if nothing else refers to it; here the environment does.
    let is_other =
        matches!(primitive.row().form, Form::Control(_) | Form::OnVector(OnVector::Replace | OnVector::Append));
    (!is_other).then_some(primitive)
}

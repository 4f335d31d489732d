//! The parts of a program with output that are rewritten.
//!
//! A rule may drop, repeat and reorder total terms, but no output. So an item in which something may write stays as it is written, but for
//! its largest *silent* parts. A silent part is data. It has no `write`, no function whose definition writes, and no function that is
//! bound outside of it, since that one may write. Each silent part is rewritten as the body of a definition whose parameters are its
//! free variables.
//!
//! In a program without `write` every item is silent.

use super::terms;
use crate::builtins::Builtin;
use crate::typed::{ExpressionId, GlobalId, Head, Item, Program, Type, TypeId};
use rustc_hash::FxHashSet;

/// The size from which on a definition is not rewritten.
pub const LARGEST: usize = 20_000;

/// The least size of a part that is rewritten.
const LEAST_PART: usize = 4;

/// The definitions that write.
pub struct Output {
    /// The functions in which something writes.
    functions: FxHashSet<GlobalId>,
    /// True if something in the program writes.
    is_any: bool,
}

/// The extent to which an item is rewritten.
pub enum Extent {
    /// As a whole.
    Whole,
    /// These parts of it.
    Parts(Vec<ExpressionId>),
}

impl Output {
    /// Finds the functions of a program that write.
    pub fn of(program: &Program) -> Output {
        let mut output = Output { functions: FxHashSet::default(), is_any: false };
        for item in &program.items {
            let value = match *item {
                Item::Define(global) => program.global(global).value,
                Item::Expression(id) => id,
            };
            if output.is_in(program, value) {
                output.is_any = true;
                if let Item::Define(global) = *item
                    && !program.types.is_data(program.global(global).type_id)
                {
                    output.functions.insert(global);
                }
            }
        }
        output
    }

    /// Returns true if a function writes.
    pub fn is_of(&self, global: GlobalId) -> bool {
        self.functions.contains(&global)
    }

    /// Returns the extent to which the value of an item is rewritten.
    pub fn extent(&self, program: &Program, value: ExpressionId) -> Extent {
        let takes_functions = self.is_any && has_parameter_of_functions(program, program.type_of(value));
        if !takes_functions && !self.is_in(program, value) {
            return Extent::Whole;
        }
        if terms::size(program, value, LARGEST) >= LARGEST {
            return Extent::Parts(vec![]);
        }
        let mut found = vec![];
        program.walk(value, |id, _| {
            if program.types.is_data(program.type_of(id)) && self.is_silent(program, id) {
                if terms::size(program, id, LEAST_PART) >= LEAST_PART {
                    found.push(id);
                }
                return false;
            }
            true
        });
        Extent::Parts(found)
    }

    /// Returns true if an expression has a `write`, or a function that writes.
    fn is_in(&self, program: &Program, root: ExpressionId) -> bool {
        program.any(root, |head| self.writes(head))
    }

    fn writes(&self, head: Head) -> bool {
        head == Head::Call(Builtin::Write) || matches!(head, Head::Global(global) if self.functions.contains(&global))
    }

    /// Returns true if nothing in an expression can write.
    fn is_silent(&self, program: &Program, root: ExpressionId) -> bool {
        let (mut is_silent, mut bound) = (true, FxHashSet::default());
        // Binders come before the expressions that they bind in.
        program.walk(root, |_, head| {
            bound.extend(head.bound());
            if let Head::Local(local) = head {
                is_silent &= bound.contains(&local) || program.types.is_data(program.local(local).type_id);
            }
            is_silent &= !self.writes(head);
            is_silent
        });
        is_silent
    }
}

/// Returns true if one of the parameters of a function has functions in it.
fn has_parameter_of_functions(program: &Program, type_id: TypeId) -> bool {
    let mut rest = type_id;
    while let Type::Function(parameter, result) = program.types.get(rest) {
        if !program.types.is_data(parameter) {
            return true;
        }
        rest = result;
    }
    false
}

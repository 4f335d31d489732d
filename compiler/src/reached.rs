//! Reachability: removes the bodies of defined procedures that nothing refers to, since they are not worth the C
//! compiler's time. A program that includes a library has many.
//!
//! An unreachable procedure is never called and never compared, so any code can replace its own: a constant. All
//! numbers - of nodes, lambdas, definitions - stay the same, and so do the steps, since a definition of a procedure is
//! one step whatever its body is.

use std::borrow::Cow;
use vlad_core::{
    Constant, Expression, ExpressionId, GlobalId, Item, Lambda, LambdaId, Pattern, PatternId, Program, Reference,
};
use vlad_table::internal_bug;

/// Returns the program with constants for the bodies of the defined procedures that it cannot reach.
pub fn reached(program: &Program) -> Cow<'_, Program> {
    let codes = program.known_definitions();
    let mut walk = Walk { program, codes: &codes, is_reached: vec![false; codes.len()], pending: Vec::new() };
    for item in &program.items {
        match *item {
            Item::Define(_, node) if program.procedure_at(node).is_some() => {}
            Item::Define(_, node) | Item::Expression(node) => walk.pending.push(node),
        }
    }
    walk.go();
    let unreached: Vec<LambdaId> = codes
        .iter()
        .zip(&walk.is_reached)
        .filter(|(_, is_reached)| !**is_reached)
        .filter_map(|(code, _)| *code)
        .collect();
    if unreached.is_empty() { Cow::Borrowed(program) } else { Cow::Owned(without(program, &unreached)) }
}

/// Returns the program with the bodies of some procedures replaced.
fn without(program: &Program, unreached: &[LambdaId]) -> Program {
    let mut program = program.clone();
    let constant = program.constants.add(Constant::Nil);
    let anything = PatternId(program.patterns.len() as u32);
    for code in unreached {
        let body = ExpressionId(program.expressions.len() as u32);
        let Some(lambda) = program.lambdas.get_mut(code.0 as usize) else {
            internal_bug!("lambda {} is in the arena", code.0);
        };
        program.expressions.push(Expression::Constant(constant));
        program.spans.push(lambda.span);
        *lambda = Lambda { pattern: anything, body, ..lambda.clone() };
    }
    program.patterns.push(Pattern::Variable);
    program.pattern_spans.extend(program.lambdas.first().map(|lambda| lambda.span));
    program.pattern_names.push("x".to_owned());
    program
}

/// A traversal of the reachable code, with a worklist.
struct Walk<'all> {
    program: &'all Program,
    /// The code of each definition that is written as a procedure.
    codes: &'all [Option<LambdaId>],
    is_reached: Vec<bool>,
    pending: Vec<ExpressionId>,
}

impl Walk<'_> {
    fn go(&mut self) {
        let program = self.program;
        while let Some(node) = self.pending.pop() {
            if let Expression::Variable(reference) = program.expression(node) {
                self.refer(reference);
            }
            self.pending.extend(program.parts_and_bodies(node));
        }
    }

    fn refer(&mut self, reference: Reference) {
        let Reference::Global(GlobalId(global)) = reference else { return };
        let Some(is_reached) = self.is_reached.get_mut(global as usize) else {
            internal_bug!("global {global} is in the arena");
        };
        if !std::mem::replace(is_reached, true) {
            let code = self.codes.get(global as usize).copied().flatten();
            self.pending.extend(code.map(|code| self.program.lambda(code).body));
        }
    }
}

//! Reachability: removes the bodies of defined procedures that nothing refers to, and the items that have specialised
//! code, since they are not worth the C compiler's time. A program that includes a library has many.
//!
//! The blocks of a specialised item are never run: if its code gives it up, the run begins again with other code. Its
//! value may hold procedures of its text; so it stays where code that is not specialised may refer to it.
//!
//! An unreachable procedure is never called and never compared, so any code can replace its own: a constant. All
//! numbers - of nodes, lambdas, definitions - stay the same, and so do the steps, since a definition of a procedure is
//! one step whatever its body is.

use std::borrow::Cow;
use vlad_core::{Constant, Expression, ExpressionId, GlobalId, Item, Lambda, LambdaId, Pattern, PatternId, Program};
use vlad_first_order::Unit;
use vlad_table::{Primitive, internal_bug};

/// Returns for each definition whether items without units refer to it, themselves or by other definitions.
pub fn reached_definitions(program: &Program, units: &[Option<Unit>]) -> Vec<bool> {
    walk(program, units).0
}

/// Returns true if a procedure, or a definition that it reaches, refers to one of some primitives.
pub fn reaches_primitive(program: &Program, lambda: LambdaId, is_one: impl Fn(Primitive) -> bool) -> bool {
    let reached = program.reached(vec![program.lambda(lambda).body], &program.definitions());
    reached.primitives.into_iter().any(is_one)
}

/// Returns the program with constants for the bodies of the defined procedures that it cannot reach, and for the items
/// that have units and are referred to by none without.
pub fn reached<'program>(program: &'program Program, units: &[Option<Unit>]) -> Cow<'program, Program> {
    let codes = program.known_definitions();
    let (all_reached, specialised) = walk(program, units);
    let is_reached = |global: Option<GlobalId>| {
        global.is_some_and(|global| all_reached.get(global.0 as usize).copied().unwrap_or(false))
    };
    let lambdas = codes.iter().zip(&all_reached).filter(|(_, is_reached)| !**is_reached);
    let lambdas: Vec<LambdaId> = lambdas.filter_map(|(code, _)| *code).collect();
    let unreached = specialised.into_iter().filter(|(global, _)| !is_reached(*global));
    let items: Vec<ExpressionId> = unreached.map(|(_, node)| node).collect();
    if lambdas.is_empty() && items.is_empty() {
        return Cow::Borrowed(program);
    }
    Cow::Owned(without(program, &lambdas, &items))
}

/// Returns for each definition whether the code of items without units reaches it, and the items with units.
fn walk(program: &Program, units: &[Option<Unit>]) -> (Vec<bool>, Vec<(Option<GlobalId>, ExpressionId)>) {
    let has_unit = |item: usize| units.get(item).is_some_and(Option::is_some);
    let (mut specialised, mut pending) = (Vec::new(), Vec::new());
    for (number, item) in program.items.iter().enumerate() {
        match *item {
            Item::Define(_, node) if program.procedure_at(node).is_some() => {}
            Item::Define(global, node) if has_unit(number) => specialised.push((Some(global), node)),
            Item::Expression(node) if has_unit(number) => specialised.push((None, node)),
            Item::Define(_, node) | Item::Expression(node) => pending.push(node),
        }
    }
    (program.reached(pending, &program.definitions()).definitions, specialised)
}

/// Returns the program with constants for the bodies of some procedures and for some items.
fn without(program: &Program, lambdas: &[LambdaId], items: &[ExpressionId]) -> Program {
    let mut program = program.clone();
    let constant = program.constants.add(Constant::Nil);
    let anything = PatternId(program.patterns.len() as u32);
    for code in lambdas {
        let body = ExpressionId(program.expressions.len() as u32);
        let Some(lambda) = program.lambdas.get_mut(code.0 as usize) else {
            internal_bug!("lambda {} is in the arena", code.0);
        };
        program.expressions.push(Expression::Constant(constant));
        program.spans.push(lambda.span);
        *lambda = Lambda { pattern: anything, body, ..lambda.clone() };
    }
    for node in items {
        match program.expressions.get_mut(node.0 as usize) {
            Some(expression) => *expression = Expression::Constant(constant),
            None => internal_bug!("expression {} is in the arena", node.0),
        }
    }
    program.patterns.push(Pattern::Variable);
    program.pattern_spans.extend(program.lambdas.first().map(|lambda| lambda.span));
    program.pattern_names.push("x".to_owned());
    program
}

//! Cases of an index: an array whose elements test their index becomes a choice between elements that do not. Of class X.
//!
//! ```text
//! build n (fun j -> c[j = 2, j = 7])   ~>   build n (fun j -> if j = 2 then c[true, false]
//!                                                              else if j = 7 then c[false, true] else c[false, false])
//! ```
//!
//! Jacobians by forward mode have such elements. In each case the one-hot tangents are constants, so most of the element vanishes. A test
//! against a local of an inner loop is a case within that loop. The index has to be used in tests alone, and what it is tested against
//! has to be total. The code grows with the number of cases, which is bounded.

use super::search::{self, Search};
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::one_hot;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Build, ExpressionId, LocalId, Program};
use vlad_table::primitives::Comparison;

/// The most cases of an index.
const MOST_CASES: usize = 24;

/// The size of all cases together at most.
const LARGEST: usize = 30_000;

/// The deepest expression around a test of the index.
const DEEPEST: usize = 120;

/// Makes cases of the index of one array, if there is one that is tested, with so many expressions at most.
pub fn split(program: &mut Program, context: &mut Context, search: &mut Search, room: usize) -> Option<Step> {
    // A case takes more than its size: both sides of its test are made, and what is around the test.
    let largest = LARGEST.min(room / 4);
    search.visit(program, search::BUILDS, |program, path, before| {
        let Build { size, index, element } = program.as_build(before)?;
        let count = tested_cases(program, context, index, element)?;
        if !(2..=MOST_CASES).contains(&count) || terms::size(program, element, largest) * (count + 1) > largest {
            return None;
        }
        let element = cases(program, index, element, DEEPEST)?;
        let function = program.like(program.repeated(before)?).lambda(index, element);
        let after = program.like(before).build_with(size, function);
        Some(Step::at(path, ("cases of an index", Class::Exact), before, after))
    })
}

/// Returns the sides that an index is tested against, one for each test.
fn tests(program: &Program, index: LocalId, root: ExpressionId) -> Vec<ExpressionId> {
    let mut sides = vec![];
    program.walk(root, |id, _| {
        sides.extend(one_hot::tested(program, index, id));
        true
    });
    sides
}

/// Returns the number of the sides that an index is tested against, if it is used for nothing else and they are total.
fn tested_cases(program: &mut Program, context: &mut Context, index: LocalId, body: ExpressionId) -> Option<usize> {
    context.facts.enter_all(program, body);
    let tests = tests(program, index, body);
    if tests.is_empty() || terms::uses(program, body, index).count != tests.len() {
        return None;
    }
    let mut sides: Vec<ExpressionId> = vec![];
    for side in tests {
        if !sides.iter().any(|other| terms::same(program, *other, side)) {
            sides.push(side);
        }
    }
    let count = sides.len();
    sides.into_iter().all(|side| context.is_total(program, side)).then_some(count)
}

/// Makes cases within a term: of all tests against what is bound outside of it, and within its parts of the others. None if the term is
/// too deep. Recursion is bounded by the depth.
fn cases(program: &mut Program, index: LocalId, term: ExpressionId, depth: usize) -> Option<ExpressionId> {
    let depth = depth.checked_sub(1)?;
    let sides = tests(program, index, term);
    if sides.is_empty() {
        return Some(term);
    }
    let bound = terms::bound_in(program, term);
    let outer = sides.into_iter().find(|side| !terms::mentions(program, *side, &bound));
    if let Some(side) = outer {
        let consequent = program.copy_replacing(term, index, side);
        let alternative = without(program, index, side, term);
        let alternative = cases(program, index, alternative, depth)?;
        let (first, second) = (terms::local(program, index, side), program.copy(side));
        let mut build = program.like(term);
        let condition = build.compare(Comparison::Equal, first, second);
        return Some(build.choice(condition, consequent, alternative));
    }
    let parts: Option<Vec<ExpressionId>> =
        program.parts(term).into_iter().map(|part| cases(program, index, part, depth)).collect();
    Some(terms::with_parts(program, term, &parts?))
}

/// A term where an index is not equal to something.
fn without(program: &mut Program, index: LocalId, side: ExpressionId, term: ExpressionId) -> ExpressionId {
    let term = program.copy(term);
    terms::replace(program, term, |program, id| {
        let other = one_hot::tested(program, index, id)?;
        terms::same(program, other, side).then(|| program.like(id).boolean(false))
    })
}

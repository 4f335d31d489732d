//! Speculative guards: many guarded products become plain ones, with one test for all of them.
//!
//! If the guard of a product with a marked result ([`Marks`]) matters, the plain product is NaN: one factor is zero, the other an
//! infinity or NaN. Most operations keep a NaN ([`Facts::keeps_nan`](vlad_table::Facts)). A *region* is a run of statements of a
//! block in which values that depend on guarded products go through such operations only. It is computed with plain products first.
//! If no value that leaves the region and depends on products is NaN, no guard with an influence on these values was active: they are
//! those of the guarded products, but for signs of zeros that are not observed. Otherwise the region is computed again with guards.
//! Decisions inside a region do not depend on products, so both computations take the same paths.
//!
//! Additions to accumulators in memory ([`super::accumulation`]) are moved behind the region, in their order. No
//! load of an accumulator that stood behind one of them is in the region. Other effects, and calls, end regions. Steps are counted in
//! the first computation only. The second one contains no regions, so code does not double with each nesting; the pass
//! [`super::super::sharing::common`] computes once what the two have in common.

use super::accumulation::is_accumulation;
use super::zero_signs::Marks;
use crate::effects::Effect;
use crate::elementwise::is_elementwise;
use crate::variables::{reads, with_new_variables};
use crate::{Block, End, Function, FunctionId, Kind, MOST_DEPTH, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::{Comparison, Operation};

/// The iterations that a loop is supposed to have.
const ITERATIONS: usize = 8;

/// Computes guarded products in regions.
pub fn guard_by_region(unit: &mut Unit) {
    let marks = Marks::of(unit);
    for (id, function) in unit.numbered_mut() {
        let body = std::mem::take(&mut function.body);
        let depth = body.depth();
        let reads = reads(&body);
        let mut regions = Regions { function, marks: &marks, id, reads, may_nest: depth + 3 <= MOST_DEPTH };
        let body = regions.block(body);
        function.body = body;
    }
}

struct Regions<'unit> {
    function: &'unit mut Function,
    marks: &'unit Marks,
    id: FunctionId,
    /// The number of times that each variable is read.
    reads: HashMap<Variable, usize>,
    may_nest: bool,
}

/// The variables that depend on plain products.
type Tainted = HashSet<Variable>;

/// The statements of a region, in the order of the block.
#[derive(Default)]
struct Region(Vec<Part>);

/// A statement of a region, or three of them that are one accumulation; with their place in the block.
enum Part {
    Statement(usize, Statement),
    Accumulation(Vec<Statement>),
}

impl Region {
    fn accumulates(&self) -> bool {
        self.0.iter().any(|part| matches!(part, Part::Accumulation(_)))
    }
}

impl Regions<'_> {
    fn block(&mut self, block: Block) -> Block {
        let Block { statements, mut end } = block;
        let last_uses = last_uses(&statements, &end);
        let (mut region, mut tainted) = (Region::default(), Tainted::new());
        let mut code = Vec::with_capacity(statements.len());
        let mut rest = statements.into_iter();
        let mut place = 0;
        while let Some(statement) = rest.as_slice().first() {
            if !region.0.is_empty() && rest.as_slice().get(..3).is_some_and(|next| is_accumulation(next, &self.reads)) {
                region.0.push(Part::Accumulation(rest.by_ref().take(3).collect()));
                place += 3;
                continue;
            }
            let mut is_taken = self.takes(statement, &mut tainted);
            if !is_taken || region.accumulates() && loads(statement) {
                self.close(std::mem::take(&mut region), &tainted, &last_uses, &mut code);
                tainted.clear();
                is_taken = self.takes(statement, &mut tainted);
            }
            let Some(mut statement) = rest.next() else { break };
            if is_taken {
                region.0.push(Part::Statement(place, statement));
            } else {
                tainted.clear();
                // Packed instructions test each factor in less time than the results.
                if !is_elementwise(self.function, &statement)
                    && let Some(block) = statement.block_mut()
                {
                    let inner = std::mem::take(block);
                    *block = self.block(inner);
                }
                code.push(statement);
            }
            place += 1;
        }
        self.close(region, &tainted, &last_uses, &mut code);
        if let End::Branch { consequent, alternative, .. } = &mut end {
            for block in [consequent, alternative] {
                let inner = std::mem::take(&mut **block);
                **block = self.block(inner);
            }
        }
        Block { statements: code, end }
    }

    /// Returns true if a statement can be part of a region; adds the variables that depend on products. Arrays are arguments, or of
    /// earlier statements: their elements do not depend on products of the region.
    fn takes(&self, statement: &Statement, tainted: &mut Tainted) -> bool {
        match statement.effect() {
            Effect::Value => self.takes_value(statement, tainted),
            Effect::Nested | Effect::Repeated => self.takes_nested(statement, tainted),
            Effect::Load => !statement.operands().iter().any(|operand| is_tainted(operand, tainted)),
            Effect::Count => true,
            Effect::Structure
            | Effect::Call
            | Effect::Replace
            | Effect::Changing
            | Effect::Store
            | Effect::Steps
            | Effect::Recount
            | Effect::Records
            | Effect::World => false,
        }
    }

    fn takes_value(&self, statement: &Statement, tainted: &mut Tainted) -> bool {
        let depends = statement.operands().iter().any(|operand| is_tainted(operand, tainted));
        let is_kept = match statement {
            Statement::Operation { operation, .. } => {
                self.is_product(statement) || depends && operation.row().facts.keeps_nan
            }
            Statement::PositiveZero { .. } => depends,
            _ => false,
        };
        if is_kept {
            tainted.extend(statement.targets());
        }
        is_kept || !depends
    }

    fn takes_nested(&self, statement: &Statement, tainted: &mut Tainted) -> bool {
        let mut ends = Ends { yields: vec![false; statement.targets().len()], repeats: Vec::new() };
        match statement {
            Statement::Bind { targets, block } => {
                let is_taken = self.takes_block(block, tainted, &mut ends);
                taint(targets, &ends.yields, tainted);
                is_taken
            }
            Statement::Loop { targets, state, initial, body } => {
                let mut of_state: Vec<bool> = initial.iter().map(|operand| is_tainted(operand, tainted)).collect();
                loop {
                    taint(state, &of_state, tainted);
                    ends.yields.fill(false);
                    ends.repeats.clone_from(&of_state);
                    if !self.takes_block(body, tainted, &mut ends) {
                        return false;
                    }
                    if ends.repeats == of_state {
                        taint(targets, &ends.yields, tainted);
                        return true;
                    }
                    of_state.clone_from(&ends.repeats);
                }
            }
            _ => false,
        }
    }

    fn takes_block(&self, block: &Block, tainted: &mut Tainted, ends: &mut Ends) -> bool {
        let depends = |operands: &[Operand], tainted: &Tainted, joined: &mut [bool]| {
            for (operand, joined) in operands.iter().zip(joined) {
                *joined |= is_tainted(operand, tainted);
            }
        };
        if !block.statements.iter().all(|statement| self.takes(statement, tainted)) {
            return false;
        }
        match &block.end {
            End::Yield(operands) => depends(operands, tainted, &mut ends.yields),
            End::Repeat(operands) => depends(operands, tainted, &mut ends.repeats),
            End::Branch { consequent, alternative, .. } => {
                return self.takes_block(consequent, tainted, ends) && self.takes_block(alternative, tainted, ends);
            }
            End::BailOut(_) => {}
        }
        true
    }

    /// Returns true for a guarded product with a marked result.
    fn is_product(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Operation { operation: Operation::GuardedMultiply, target, .. }
            if self.marks.is_marked(self.id, *target))
    }

    /// The number of guarded products with marked results that a statement executes, if loops run [`ITERATIONS`] times.
    fn products(&self, statement: &Statement) -> usize {
        match statement {
            Statement::Loop { body, .. } => self.products_of(body).saturating_mul(ITERATIONS),
            Statement::Bind { block, .. } => self.products_of(block),
            other => usize::from(self.is_product(other)),
        }
    }

    fn products_of(&self, block: &Block) -> usize {
        let statements = block.statements.iter().map(|statement| self.products(statement));
        let blocks = block.end.blocks().into_iter().flatten().map(|block| self.products_of(block));
        statements.chain(blocks).fold(0, usize::saturating_add)
    }

    /// Appends the code of a region, if it saves tests; else its statements as they are.
    fn close(
        &mut self,
        Region(mut parts): Region,
        tainted: &Tainted,
        last_uses: &HashMap<Variable, usize>,
        code: &mut Vec<Statement>,
    ) {
        let depends = |regions: &Self, part: &Part| match part {
            Part::Statement(_, statement) => {
                regions.products(statement) > 0 || statement.targets().iter().any(|target| tainted.contains(target))
            }
            Part::Accumulation(_) => false,
        };
        let first = parts.iter().position(|part| depends(self, part));
        let last = parts.iter().rposition(|part| depends(self, part));
        let (Some(first), Some(last)) = (first, last) else {
            code.extend(parts.into_iter().flat_map(Part::into_statements));
            return;
        };
        let after = parts.split_off(last + 1);
        let inside = parts.split_off(first);
        code.extend(parts.into_iter().flat_map(Part::into_statements));
        let end = inside.last().map_or(0, |part| if let Part::Statement(place, _) = part { *place } else { 0 });
        let accumulated: HashSet<Operand> = inside.iter().flat_map(Part::accumulated).collect();
        let statements = || {
            inside.iter().filter_map(|part| match part {
                Part::Statement(_, statement) => Some(statement),
                Part::Accumulation(_) => None,
            })
        };
        let leaves = |target: &Variable| {
            last_uses.get(target).is_some_and(|last| *last > end) || accumulated.contains(&Operand::Variable(*target))
        };
        let exits: Vec<Variable> =
            statements().flat_map(|statement| statement.targets()).copied().filter(leaves).collect();
        let tested: Vec<Variable> = exits.iter().filter(|exit| tainted.contains(exit)).copied().collect();
        let products = statements().map(|statement| self.products(statement)).fold(0, usize::saturating_add);
        if self.may_nest && !tested.is_empty() && products >= tested.len() {
            let (mut part, mut late) = (Vec::new(), Vec::new());
            for inner in inside {
                match inner {
                    Part::Statement(_, statement) => part.push(statement),
                    Part::Accumulation(accumulation) => late.extend(accumulation),
                }
            }
            code.push(self.region(part, exits, &tested));
            code.extend(late);
        } else {
            code.extend(inside.into_iter().flat_map(Part::into_statements));
        }
        code.extend(after.into_iter().flat_map(Part::into_statements));
    }

    /// The two computations of a region.
    fn region(&mut self, part: Vec<Statement>, exits: Vec<Variable>, tested: &[Variable]) -> Statement {
        let end = End::Yield(Operand::all(&exits));
        let mut guarded = Block { statements: part.clone(), end: end.clone() };
        guarded.remove_counts();
        with_new_variables(self.function, &mut guarded);
        let mut plain = Block { statements: part, end };
        plain.change_statements(&mut |statement| {
            if self.is_product(statement)
                && let Statement::Operation { operation, .. } = statement
            {
                *operation = Operation::Multiply;
            }
        });
        let new = with_new_variables(self.function, &mut plain);
        // A sum is NaN if a term is.
        let mut sum: Option<Operand> = None;
        for exit in tested {
            let term = Operand::Variable(new.get(exit).copied().unwrap_or(*exit));
            sum = Some(match sum {
                None => term,
                Some(first) => {
                    let target = self.function.fresh(Kind::Real);
                    let operation = Operation::Add;
                    plain.statements.push(Statement::Operation { target, operation, first, second: Some(term) });
                    Operand::Variable(target)
                }
            });
        }
        let first = sum.unwrap_or(Operand::real(0.0));
        let target = self.function.fresh(Kind::Boolean);
        plain.statements.push(Statement::Compare { target, comparison: Comparison::Equal, first, second: first });
        let (consequent, alternative) = (Block { statements: Vec::new(), end: plain.end }, Box::new(guarded));
        let end = End::Branch { test: Operand::Variable(target), consequent: Box::new(consequent), alternative };
        Statement::Bind { targets: exits, block: Block { statements: plain.statements, end } }
    }
}

impl Part {
    fn into_statements(self) -> Vec<Statement> {
        match self {
            Part::Statement(_, statement) => vec![statement],
            Part::Accumulation(statements) => statements,
        }
    }

    /// The operands of an accumulation.
    fn accumulated(&self) -> Vec<Operand> {
        match self {
            Part::Statement(..) => Vec::new(),
            Part::Accumulation(statements) => statements.iter().flat_map(Statement::operands).collect(),
        }
    }
}

/// Returns true if a statement reads accumulators.
fn loads(statement: &Statement) -> bool {
    statement.with_inner().any(|inner| inner.effect() == Effect::Load)
}

/// The results and the next state of a block that depend on products, on any path.
struct Ends {
    yields: Vec<bool>,
    repeats: Vec<bool>,
}

fn is_tainted(operand: &Operand, tainted: &Tainted) -> bool {
    matches!(operand, Operand::Variable(variable) if tainted.contains(variable))
}

fn taint(variables: &[Variable], depends: &[bool], tainted: &mut Tainted) {
    tainted.extend(variables.iter().zip(depends).filter(|(_, depends)| **depends).map(|(variable, _)| *variable));
}

/// For each variable that is read in a block, the place of the last statement that reads it; that of the end is after
/// all statements.
fn last_uses(statements: &[Statement], end: &End) -> HashMap<Variable, usize> {
    let mut last = HashMap::new();
    for (place, statement) in statements.iter().enumerate() {
        last.extend(statement.variables_read().map(|variable| (variable, place)));
    }
    last.extend(end.variables_read().map(|variable| (variable, statements.len())));
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind::Real;
    use crate::Leaf;
    use crate::build::Building;
    use crate::differentiate::remove_levels;
    use crate::evaluate::{Limits, Script, evaluate};
    use crate::text::print::print;

    #[test]
    fn a_region_is_tested_at_its_exits_and_computed_again_with_guards() {
        // The derivative of x y z along given tangents.
        let mut building = Building::default();
        let product = building.declare("product", &[Real, Real, Real], &[Real]);
        building.define(product, |code, p| {
            let first = code.binary(Operation::Multiply, p[0], p[1]);
            End::Yield(vec![code.binary(Operation::Multiply, first, p[2])])
        });
        building.entry(&[Real], |code| {
            let x = [code.read(), code.read(), code.read()];
            let tangents = [Some(code.read()), Some(code.read()), Some(code.read())];
            End::Yield(vec![code.forward(product, &x, &tangents)[1]])
        });
        let mut unit = building.finish();
        remove_levels(&mut unit).unwrap();
        guard_by_region(&mut unit);
        let text = print(&unit, None);
        let derivative = text.split("function").last().unwrap();
        assert_eq!(derivative.matches("= guarded* ").count(), 4, "{text}");
        let infinity = f64::INFINITY;
        for (input, expected) in [
            ([2.0, 3.0, 5.0, 1.0, 1.0, 1.0], 31.0),
            // Infinity times the tangent 0 is 0.
            ([infinity, 3.0, 5.0, 1.0, 0.0, 0.0], 15.0),
            ([infinity, 3.0, 5.0, 1.0, 1.0, 0.0], infinity),
        ] {
            let mut script = Script { input: input.into_iter().rev().collect(), output: Vec::new() };
            let evaluated = evaluate(&unit, &[], &mut script, Limits { depth: 20, statements: 100 }).unwrap();
            assert_eq!(evaluated.results, [Leaf::Real(expected)], "{text}");
        }
    }
}

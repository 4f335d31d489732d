//! Values that a reverse sweep computes although its record has them: they are read from the record.
//!
//! The sweep computes coefficients from values of the primal: 1/x, say, of the x that a square root was taken of. The primal often
//! computes the same value, and if the sweep reads that too, it is in the record. A place of a layout is *derived* if in every push its
//! value is the same expression in values of other places and constants. A sweep that computes this expression of the targets of a pop
//! gets the target of the derived place.
//!
//! No bit changes: the same operations were executed on the same operands. A push that has no value for a derived place
//! ([`Operand::UNREAD`]) has none for one of the places that it derives from either, so the expression is not read there.

use super::shared_fields::{Layout, Pushes, layout_of_targets, pushes};
use crate::{Function, FunctionTable, Operand, Statement, Unit, Variable};
use std::collections::HashMap;
use vlad_table::Operation;

/// The greatest depth of an expression that is looked for.
const MOST_OPERATIONS_DEEP: usize = 4;

/// The most places of a layout that is looked at.
const MOST_PLACES: usize = 1000;

/// The operations of a function by their targets.
type Definitions = HashMap<Variable, (Operation, Operand, Option<Operand>)>;

/// An expression in places of a layout.
#[derive(Clone, Debug, PartialEq)]
enum Expression {
    Place(usize),
    Constant(Operand),
    Operation(Operation, Box<Expression>, Option<Box<Expression>>),
}

/// Reads from records what sweeps would compute again.
pub fn read_recorded(unit: &mut Unit) {
    let pushes = pushes(unit);
    if pushes.is_empty() {
        return;
    }
    let definitions: FunctionTable<Definitions> = unit.functions.iter().map(definitions).collect();
    let derived: HashMap<Layout, Vec<(usize, Expression)>> = pushes
        .keys()
        .map(|layout| (layout.clone(), derived_places(layout, &pushes, &definitions)))
        .filter(|(_, derived)| !derived.is_empty())
        .collect();
    if derived.is_empty() {
        return;
    }
    for function in &mut unit.functions {
        let mut body = std::mem::take(&mut function.body);
        let mut known = Known {
            function,
            derived: &derived,
            numbers: HashMap::new(),
            values: HashMap::new(),
            replaced: HashMap::new(),
        };
        body.rewrite(&mut |statement, code| code.extend(known.needed(statement)));
        let replaced = known.replaced;
        body.substitute(&replaced);
        function.body = body;
    }
}

fn definitions(function: &Function) -> Definitions {
    let statements = function.body.all_statements();
    let operations = statements.filter_map(|statement| match statement {
        Statement::Operation { target, operation, first, second } => Some((*target, (*operation, *first, *second))),
        _ => None,
    });
    operations.collect()
}

/// The derived places of a layout with their expressions. Each follows those that its expression has.
fn derived_places(
    layout: &Layout,
    pushes: &Pushes,
    definitions: &FunctionTable<Definitions>,
) -> Vec<(usize, Expression)> {
    let rows = pushes.get(layout).map_or(&[][..], Vec::as_slice);
    if layout.len() > MOST_PLACES {
        return Vec::new();
    }
    let mut derived: Vec<(usize, Expression)> = Vec::new();
    for place in 0..layout.len() {
        let first = rows.iter().find_map(|(function, values)| {
            let value = values.get(place).filter(|value| **value != Operand::UNREAD)?;
            expression(*value, (place, values), &definitions[*function], 0)
                .filter(|found| (0..layout.len()).any(|place| found.has(place)))
        });
        let Some(found) = first else { continue };
        let holds = rows.iter().all(|(function, values)| match values.get(place) {
            Some(&Operand::UNREAD) => found.is_unread(values),
            Some(value) => found.is(*value, values, &definitions[*function]),
            None => false,
        });
        if holds {
            derived.push((place, found));
        }
    }
    in_order(derived)
}

/// Sorts derived places so that each follows those that its expression has. The values of a push are computed one after
/// another, so there is such an order.
fn in_order(mut derived: Vec<(usize, Expression)>) -> Vec<(usize, Expression)> {
    let mut sorted: Vec<(usize, Expression)> = Vec::new();
    while !derived.is_empty() {
        let waiting: Vec<usize> = derived.iter().map(|(place, _)| *place).collect();
        let (ready, rest): (Vec<_>, Vec<_>) =
            derived.into_iter().partition(|(_, expression)| !waiting.iter().any(|place| expression.has(*place)));
        if ready.is_empty() {
            break;
        }
        sorted.extend(ready);
        derived = rest;
    }
    sorted
}

/// The expression of an operand in the values of a push; that of a place itself is its operation.
fn expression(
    operand: Operand,
    (place, values): (usize, &[Operand]),
    definitions: &Definitions,
    depth: usize,
) -> Option<Expression> {
    let variable = match operand {
        Operand::Variable(variable) => variable,
        constant @ (Operand::Real(_) | Operand::Boolean(_)) => return Some(Expression::Constant(constant)),
    };
    if depth > 0
        && let Some(other) = values.iter().position(|value| *value == operand)
    {
        return (other != place).then_some(Expression::Place(other));
    }
    if depth == MOST_OPERATIONS_DEEP {
        return None;
    }
    let (operation, first, second) = definitions.get(&variable)?;
    let part = |operand| expression(operand, (place, values), definitions, depth + 1).map(Box::new);
    let first = part(*first)?;
    let second = match second {
        Some(second) => Some(part(*second)?),
        None => None,
    };
    Some(Expression::Operation(*operation, first, second))
}

impl Expression {
    /// True if an operand is computed by this expression of the values of a push.
    fn is(&self, operand: Operand, values: &[Operand], definitions: &Definitions) -> bool {
        match (self, operand) {
            (Expression::Place(place), _) => values.get(*place) == Some(&operand),
            (Expression::Constant(constant), _) => *constant == operand,
            (Expression::Operation(operation, first, second), Operand::Variable(variable)) => {
                definitions.get(&variable).is_some_and(|(other, other_first, other_second)| {
                    operation == other
                        && first.is(*other_first, values, definitions)
                        && match (second, other_second) {
                            (Some(second), Some(other)) => second.is(*other, values, definitions),
                            (None, None) => true,
                            _ => false,
                        }
                })
            }
            (Expression::Operation(..), Operand::Real(_) | Operand::Boolean(_)) => false,
        }
    }

    /// True if one of the places has no value in a push.
    fn is_unread(&self, values: &[Operand]) -> bool {
        values.iter().enumerate().any(|(place, value)| *value == Operand::UNREAD && self.has(place))
    }

    fn has(&self, place: usize) -> bool {
        match self {
            Expression::Place(own) => *own == place,
            Expression::Constant(_) => false,
            Expression::Operation(_, first, second) => {
                first.has(place) || second.as_ref().is_some_and(|second| second.has(place))
            }
        }
    }
}

/// The number of a value: equal expressions of targets have one number.
type Number = usize;

/// The expressions of a function in the targets of its pops.
struct Known<'unit> {
    function: &'unit Function,
    derived: &'unit HashMap<Layout, Vec<(usize, Expression)>>,
    /// The expressions of derived places and their parts, with the targets that have their values.
    numbers: HashMap<Key, (Number, Option<Variable>)>,
    /// The numbers of variables.
    values: HashMap<Variable, Number>,
    /// Variables that are read from records instead.
    replaced: HashMap<Variable, Operand>,
}

/// An operation on terms.
type Key = (Operation, Term, Option<Term>);

/// An operand, or the number of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Term {
    Operand(Operand),
    Number(Number),
}

impl Known<'_> {
    /// The statement, unless a record has its value.
    fn needed(&mut self, statement: Statement) -> Option<Statement> {
        if let Statement::Pop { targets, .. } = &statement {
            self.pop(targets);
        }
        if let Statement::Operation { target, operation, first, second } = &statement {
            let key = (*operation, self.term(*first), second.map(|second| self.term(second)));
            if let Some((number, recorded)) = self.numbers.get(&key).copied() {
                self.values.insert(*target, number);
                if let Some(recorded) = recorded {
                    self.replaced.insert(*target, Operand::Variable(recorded));
                    return None;
                }
            }
        }
        Some(statement)
    }

    fn term(&self, operand: Operand) -> Term {
        match operand {
            Operand::Variable(variable) => {
                self.values.get(&variable).map_or(Term::Operand(operand), |n| Term::Number(*n))
            }
            Operand::Real(_) | Operand::Boolean(_) => Term::Operand(operand),
        }
    }

    /// Numbers the expressions of the derived places in the targets of a pop.
    fn pop(&mut self, targets: &[Variable]) {
        let derived = self.derived;
        for (place, expression) in derived.get(&layout_of_targets(self.function, targets)).into_iter().flatten() {
            let Some(target) = targets.get(*place) else { continue };
            if let Some(key) = self.key(expression, targets) {
                let next = self.numbers.len();
                let (number, recorded) = self.numbers.entry(key).or_insert((next, None));
                *recorded = Some(*target);
                self.values.insert(*target, *number);
            }
        }
    }

    /// The key of an operation on targets, whose parts get numbers.
    fn key(&mut self, expression: &Expression, targets: &[Variable]) -> Option<Key> {
        let Expression::Operation(operation, first, second) = expression else { return None };
        let first = self.term_of(first, targets)?;
        let second = match second {
            Some(second) => Some(self.term_of(second, targets)?),
            None => None,
        };
        Some((*operation, first, second))
    }

    fn term_of(&mut self, expression: &Expression, targets: &[Variable]) -> Option<Term> {
        match expression {
            Expression::Place(place) => targets.get(*place).map(|target| self.term(Operand::Variable(*target))),
            Expression::Constant(constant) => Some(Term::Operand(*constant)),
            Expression::Operation(..) => {
                let key = self.key(expression, targets)?;
                let next = self.numbers.len();
                Some(Term::Number(self.numbers.entry(key).or_insert((next, None)).0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;
    use crate::Kind::Real;
    use crate::Stack;
    use crate::build::Building;
    use crate::differentiate::remove_levels;
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;

    #[test]
    fn random_units_keep_their_bits() {
        compare(Dials::default(), 0..400, |unit| {
            let is_done = remove_levels(unit).is_ok();
            tidy(unit);
            read_recorded(unit);
            is_done
        });
    }

    /// The operations that remain after pushes of x, 1/x and -(1/x · 1/x), and of what a second path has.
    fn remaining(second: [Operand; 3]) -> String {
        let mut building = Building::default();
        building.entry(&[Real, Real], |code| {
            let x = code.read();
            let one = Operand::real(1.0);
            let reciprocal = code.binary(Operation::Divide, one, x);
            let square = code.binary(Operation::Multiply, reciprocal, reciprocal);
            let less = code.unary(Operation::Negate, square);
            code.push(Statement::Push { stack: Stack::Sweeps, values: vec![x, reciprocal, less] });
            code.push(Statement::Push { stack: Stack::Sweeps, values: second.to_vec() });
            code.pop(&[Real; 3]);
            let popped = code.pop(&[Real; 3]);
            let again = code.binary(Operation::Divide, one, popped[0]);
            let square = code.binary(Operation::Multiply, again, popped[1]);
            let less = code.unary(Operation::Negate, square);
            End::Yield(vec![again, less])
        });
        let mut unit = building.finish();
        read_recorded(&mut unit);
        crate::check::check(&unit).unwrap();
        tidy(&mut unit);
        let text = print(&unit, None);
        text.split_once("pop\n").unwrap().1.to_owned()
    }

    #[test]
    fn what_the_record_has_is_not_computed() {
        let after = remaining([Operand::UNREAD; 3]);
        assert!(!after.contains('/') && !after.contains('*') && !after.contains("negate"), "{after}");
    }

    #[test]
    fn what_another_push_does_not_have_is_computed() {
        let zero = Operand::real(0.0);
        for second in [[zero; 3], [zero, Operand::UNREAD, Operand::UNREAD]] {
            let after = remaining(second);
            assert!(after.contains('/') && after.contains('*') && after.contains("negate"), "{after}");
        }
    }
}

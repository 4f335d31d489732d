//! Records of reverse sweeps without values that are recorded twice, constants, and values that are not read.
//!
//! A record is pushed and popped with values of the same kinds. So all pushes and pops of one list of kinds, a *layout*, are changed
//! together. If two places of a layout have one operand in every push, the second place is left out, and its targets are those of
//! the first. Places with one constant in every push are left out too, and places whose targets are not read after any pop. Values
//! are only taken from another place of the same record, so no bit changes.
//!
//! Code reads a target only if the path of the primal that it sweeps over has the value. Other paths push [`Operand::UNREAD`], which
//! may be any value. So two places of which no push has both values can be one ([`share_places`]). This hides what is known of the
//! values, so it is done last.

use crate::passes::shape::loop_state::retain;
use crate::{Function, FunctionId, Kind, Operand, Stack, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};

/// The kinds of the values of a record.
pub type Layout = Vec<Kind>;

/// The pushes of each layout: the function and the values.
pub type Pushes = HashMap<Layout, Vec<(FunctionId, Vec<Operand>)>>;

/// Leaves places out of records that have the values of other ones.
pub fn share_records(unit: &mut Unit) {
    share(unit, |one, other| one == other || other == Operand::UNREAD);
}

/// Makes one of places of records that never have values at once.
pub fn share_places(unit: &mut Unit) {
    share(unit, |one, other| one == other || other == Operand::UNREAD || one == Operand::UNREAD);
}

/// Replaces the values that nobody reads by zeros, once no pass asks for them any more.
pub fn fill_unread(unit: &mut Unit) {
    for function in &mut unit.functions {
        let mut zero = |operand: &mut Operand| {
            if *operand == Operand::UNREAD {
                *operand = Operand::real(0.0);
            }
        };
        function.body.rename(&mut zero, &mut |_| {});
    }
}

/// Leaves places out. `agree` tells of the values of two places in one push whether the second place can be the first.
fn share(unit: &mut Unit, agree: fn(Operand, Operand) -> bool) {
    let are_read = read_places(unit);
    let mut places: HashMap<Layout, Vec<Place>> = HashMap::new();
    let mut changed: HashMap<Layout, Vec<Vec<Operand>>> = HashMap::new();
    for (layout, pushes) in pushes(unit) {
        let mut rows: Vec<Vec<Operand>> = pushes.into_iter().map(|(_, values)| values).collect();
        let of_layout = places_of(&layout, &mut rows, are_read.get(&layout).map_or(&[], Vec::as_slice), agree);
        if of_layout.iter().enumerate().any(|(number, place)| *place != Place::Own(number)) {
            places.insert(layout.clone(), of_layout);
            changed.insert(layout, rows);
        }
    }
    if places.is_empty() {
        return;
    }
    for rows in changed.values_mut() {
        rows.reverse();
    }
    for function in &mut unit.functions {
        let mut values = HashMap::new();
        let mut body = std::mem::take(&mut function.body);
        body.rewrite(&mut |statement, code| {
            code.extend(changed_statement(function, statement, &places, &mut changed, &mut values));
        });
        body.substitute(&values);
        function.body = body;
    }
}

/// The pushes of a unit, in the order of its code.
pub fn pushes(unit: &Unit) -> Pushes {
    let mut pushes = Pushes::new();
    for (id, function) in unit.numbered() {
        for statement in function.body.all_statements() {
            if let Statement::Push { values, .. } = statement {
                pushes.entry(layout_of_values(function, values)).or_default().push((id, values.clone()));
            }
        }
    }
    pushes
}

/// For each place of each layout that is popped whether a target of it is read.
fn read_places(unit: &Unit) -> HashMap<Layout, Vec<bool>> {
    let mut are_read: HashMap<Layout, Vec<bool>> = HashMap::new();
    for function in &unit.functions {
        let read: HashSet<Variable> = function.body.all_operands().filter_map(Operand::variable).collect();
        for statement in function.body.all_statements() {
            if let Statement::Pop { targets, .. } = statement {
                let layout = layout_of_targets(function, targets);
                let are_read = are_read.entry(layout).or_insert_with(|| vec![false; targets.len()]);
                are_read.iter_mut().zip(targets).for_each(|(is_read, target)| *is_read |= read.contains(target));
            }
        }
    }
    are_read
}

/// The layout of a push.
pub fn layout_of_values(function: &Function, values: &[Operand]) -> Layout {
    values.iter().map(|value| function.kind(*value)).collect()
}

/// The layout of a pop.
pub fn layout_of_targets(function: &Function, targets: &[Variable]) -> Layout {
    function.kinds(targets)
}

/// The knowledge of a place of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// The first place that has its values.
    Own(usize),
    /// A constant.
    Constant(Operand),
    /// Nobody reads it.
    Unread,
}

/// Returns the places of a layout, and writes into the rows, its pushes, what places get from those that become one with
/// them.
fn places_of(
    layout: &Layout,
    rows: &mut [Vec<Operand>],
    are_read: &[bool],
    agree: fn(Operand, Operand) -> bool,
) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for (number, kind) in layout.iter().enumerate() {
        let column: Vec<Operand> = rows.iter().filter_map(|row| row.get(number).copied()).collect();
        let mut values = column.iter().copied().filter(|value| *value != Operand::UNREAD);
        let first = values.next();
        let is_one = values.all(|value| Some(value) == first);
        let earlier = (0..number).find(|earlier| {
            places.get(*earlier) == Some(&Place::Own(*earlier))
                && layout.get(*earlier) == Some(kind)
                && rows.iter().zip(&column).all(|(row, value)| row.get(*earlier).is_some_and(|one| agree(*one, *value)))
        });
        let place = match (first, earlier) {
            _ if are_read.get(number) != Some(&true) => Place::Unread,
            // It may be read on a path that bails out.
            (None, _) if kind.is_array() => Place::Own(number),
            (None, _) => Place::Constant(Operand::UNREAD),
            (Some(constant @ (Operand::Real(_) | Operand::Boolean(_))), _) if is_one => Place::Constant(constant),
            (_, Some(earlier)) => {
                for (row, value) in rows.iter_mut().zip(column) {
                    if let Some(one) = row.get_mut(earlier)
                        && *one == Operand::UNREAD
                    {
                        *one = value;
                    }
                }
                Place::Own(earlier)
            }
            _ => Place::Own(number),
        };
        places.push(place);
    }
    places
}

/// A push or a pop of the places that are left; none if there is none. The rows are the values of the pushes that follow, the
/// next one last.
fn changed_statement(
    function: &Function,
    mut statement: Statement,
    places: &HashMap<Layout, Vec<Place>>,
    rows: &mut HashMap<Layout, Vec<Vec<Operand>>>,
    values: &mut HashMap<Variable, Operand>,
) -> Option<Statement> {
    if let Statement::Push { stack: Stack::Sweeps, values: pushed } = &mut statement {
        let layout = layout_of_values(function, pushed);
        if let Some((places, row)) = places.get(&layout).zip(rows.get_mut(&layout).and_then(Vec::pop)) {
            *pushed = row;
            keep_own(pushed, places);
            return (!pushed.is_empty()).then_some(statement);
        }
    }
    if let Statement::Pop { targets, .. } = &mut statement
        && let Some(places) = places.get(&layout_of_targets(function, targets))
    {
        for (place, target) in places.iter().zip(targets.iter()) {
            let value = match place {
                Place::Own(own) => targets.get(*own).copied().map(Operand::Variable),
                Place::Constant(constant) => Some(*constant),
                Place::Unread => None,
            };
            values.extend(value.filter(|value| *value != Operand::Variable(*target)).map(|value| (*target, value)));
        }
        keep_own(targets, places);
        return (!targets.is_empty()).then_some(statement);
    }
    Some(statement)
}

/// Keeps the items of the places that are not left out.
fn keep_own<T>(items: &mut Vec<T>, places: &[Place]) {
    retain(items, |place| places.get(place) == Some(&Place::Own(place)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;
    use crate::Kind::{Boolean, Real};
    use crate::build::Building;
    use crate::differentiate::remove_levels;
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use vlad_table::{Comparison, Operation};

    #[test]
    fn random_units_keep_their_bits() {
        compare(Dials::default(), 0..400, |unit| {
            let is_done = remove_levels(unit).is_ok();
            tidy(unit);
            share_records(unit);
            is_done
        });
    }

    #[test]
    fn places_that_are_always_equal_and_constants_are_left_out() {
        let mut building = Building::default();
        building.entry(&[Real, Real, Real], |code| {
            let (x, y) = (code.read(), code.read());
            let one = Operand::real(1.0);
            code.push(Statement::Push { stack: Stack::Sweeps, values: vec![x, y, x, one, y, y] });
            code.push(Statement::Push { stack: Stack::Sweeps, values: vec![y, y, y, one, x, one] });
            code.push(Statement::Push { stack: Stack::Sweeps, values: vec![one, Operand::Boolean(true)] });
            code.pop(&[Real, Boolean]);
            let upper = code.pop(&[Real; 6]);
            let lower = code.pop(&[Real; 6]);
            let sum = code.binary(Operation::Add, upper[2], upper[3]);
            let is_less = code.compare(Comparison::Less, lower[0], upper[4]);
            let chosen = code.bind(&[Real], |code| {
                code.branch(is_less, |_| End::Yield(vec![lower[1]]), |_| End::Yield(vec![lower[4]]))
            })[0];
            End::Yield(vec![sum, chosen, lower[3]])
        });
        let mut unit = building.finish();
        share_records(&mut unit);
        let text = print(&unit, None);
        let pushes: Vec<&str> = text.lines().filter(|line| line.contains("push")).map(str::trim).collect();
        assert_eq!(pushes, ["push r0 r1 r1", "push r1 r1 r0"], "{text}");
        crate::check::check(&unit).unwrap();
    }

    #[test]
    fn values_of_different_paths_have_one_place() {
        let mut building = Building::default();
        building.entry(&[Real, Real, Real], |code| {
            let (x, y) = (code.read(), code.read());
            code.push(Statement::Push { stack: Stack::Sweeps, values: vec![x, Operand::UNREAD, y, Operand::UNREAD] });
            code.push(Statement::Push { stack: Stack::Sweeps, values: vec![Operand::UNREAD, y, x, Operand::UNREAD] });
            let upper = code.pop(&[Real; 4]);
            let lower = code.pop(&[Real; 4]);
            End::Yield(vec![upper[1], lower[0], lower[2]])
        });
        let mut unit = building.finish();
        let pushes = |unit: &Unit| {
            let text = print(unit, None);
            text.lines().filter(|line| line.contains("push")).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
        };
        share_records(&mut unit);
        assert!(pushes(&unit).iter().all(|push| push.split(' ').count() == 4), "{}", print(&unit, None));
        share_places(&mut unit);
        assert_eq!(pushes(&unit), ["push r0 r1", "push r1 r0"]);
        crate::check::check(&unit).unwrap();
    }
}

//! Records of reverse sweeps: values that are recorded twice, constants, and values that nobody reads are left out.
//!
//! A record that is popped has been pushed with values of the same kinds; so the pushes and pops of one list of kinds, a
//! *layout*, are changed together. If two places of a layout have one operand in every push, the second place is left
//! out, and its targets are those of the first; so is a place with one constant in every push, and one whose targets are
//! not read after any pop.

use crate::first_order::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};

/// The kinds of the values of a record.
pub(super) type Layout = Vec<Kind>;

/// Leaves places out of records.
pub fn share_records(unit: &mut Unit) {
    let mut places: HashMap<Layout, Vec<Place>> = HashMap::new();
    let mut are_read: HashMap<Layout, Vec<bool>> = HashMap::new();
    for function in &unit.functions {
        let read = read_variables(function);
        function.body.each_statement(&mut |statement| {
            if let Statement::Pop { targets } = statement {
                let layout = layout_of_targets(function, targets);
                let are_read = are_read.entry(layout).or_insert_with(|| vec![false; targets.len()]);
                for (is_read, target) in are_read.iter_mut().zip(targets) {
                    *is_read |= read.contains(target);
                }
            }
            if let Statement::Push { values } = statement {
                let layout = layout_of_values(function, values);
                match places.get_mut(&layout) {
                    Some(places) => restrict(places, values),
                    None => {
                        places.insert(layout, places_of(values));
                    }
                }
            }
        });
    }
    for (layout, places) in &mut places {
        leave_out_unread(places, are_read.get(layout).map_or(&[], Vec::as_slice));
    }
    places.retain(|_, places| places.iter().enumerate().any(|(number, place)| *place != Place::Own(number)));
    if places.is_empty() {
        return;
    }
    for function in &mut unit.functions {
        let mut body =
            std::mem::replace(&mut function.body, Block { statements: Vec::new(), end: End::Yield(Vec::new()) });
        let mut values = HashMap::new();
        change(function, &mut body, &places, &mut values);
        body.rename(
            &mut |operand| {
                if let Operand::Variable(variable) = operand
                    && let Some(value) = values.get(variable)
                {
                    *operand = *value;
                }
            },
            &mut |_| {},
        );
        function.body = body;
    }
}

/// The layout of a push.
pub(super) fn layout_of_values(function: &Function, values: &[Operand]) -> Layout {
    values.iter().map(|value| function.kind(*value)).collect()
}

/// The layout of a pop.
pub(super) fn layout_of_targets(function: &Function, targets: &[Variable]) -> Layout {
    targets.iter().map(|target| function.kind(Operand::Variable(*target))).collect()
}

/// The knowledge of a place of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// The first place that always has the same operand.
    Own(usize),
    /// A constant.
    Constant(Operand),
    /// Nobody reads it.
    Unread,
}

fn places_of(values: &[Operand]) -> Vec<Place> {
    let place = |value: &Operand| match value {
        Operand::Variable(_) => Place::Own(values.iter().position(|other| other == value).unwrap_or(0)),
        constant @ (Operand::Real(_) | Operand::Boolean(_)) => Place::Constant(*constant),
    };
    values.iter().map(place).collect()
}

/// Restricts what is known of the places to what holds of a further push.
fn restrict(places: &mut [Place], values: &[Operand]) {
    let before = places.to_vec();
    for (number, value) in values.iter().enumerate() {
        let is_same = |other: &usize| before.get(*other) == before.get(number) && values.get(*other) == Some(value);
        let restricted = match before.get(number) {
            Some(Place::Constant(constant)) if constant == value => Place::Constant(*constant),
            _ => Place::Own((0..number).find(is_same).unwrap_or(number)),
        };
        if let Some(place) = places.get_mut(number) {
            *place = restricted;
        }
    }
}

/// Leaves the places out that are not read, and that no place is equal to which is read.
fn leave_out_unread(places: &mut [Place], are_read: &[bool]) {
    let own = |place: &Place| if let Place::Own(own) = place { Some(*own) } else { None };
    let read: HashSet<usize> =
        places.iter().zip(are_read).filter(|(_, is_read)| **is_read).filter_map(|(place, _)| own(place)).collect();
    for place in places.iter_mut() {
        if own(place).is_some_and(|own| !read.contains(&own)) {
            *place = Place::Unread;
        }
    }
}

/// The variables that a function reads.
fn read_variables(function: &Function) -> HashSet<Variable> {
    let mut read = HashSet::new();
    function.body.clone().rename(
        &mut |operand| {
            if let Operand::Variable(variable) = operand {
                read.insert(*variable);
            }
        },
        &mut |_| {},
    );
    read
}

fn change(
    function: &Function,
    block: &mut Block,
    places: &HashMap<Layout, Vec<Place>>,
    values: &mut HashMap<Variable, Operand>,
) {
    block.statements.retain_mut(|statement| {
        match statement {
            Statement::Push { values: pushed } => {
                if let Some(places) = places.get(&layout_of_values(function, pushed)) {
                    keep_own(pushed, places);
                    return !pushed.is_empty();
                }
            }
            Statement::Pop { targets } => {
                if let Some(places) = places.get(&layout_of_targets(function, targets)) {
                    for (place, target) in places.iter().zip(targets.iter()) {
                        let value = match place {
                            Place::Own(own) => targets.get(*own).copied().map(Operand::Variable),
                            Place::Constant(constant) => Some(*constant),
                            Place::Unread => None,
                        };
                        values.extend(
                            value.filter(|value| *value != Operand::Variable(*target)).map(|value| (*target, value)),
                        );
                    }
                    keep_own(targets, places);
                    return !targets.is_empty();
                }
            }
            _ => {}
        }
        if let Some(inner) = statement.block_mut() {
            change(function, inner, places, values);
        }
        true
    });
    for inner in block.end.blocks_mut().into_iter().flatten() {
        change(function, inner, places, values);
    }
}

/// Keeps the items of the places that are not left out.
fn keep_own<T>(items: &mut Vec<T>, places: &[Place]) {
    super::state::retain(items, |place| places.get(place) == Some(&Place::Own(place)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_order::End;
    use crate::first_order::Kind::{Boolean, Real};
    use crate::first_order::build::Building;
    use crate::first_order::differentiate::remove_levels;
    use crate::first_order::passes::tidy::tidy;
    use crate::first_order::print::print;
    use crate::first_order::random::{Dials, compare};
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
            code.push(Statement::Push { values: vec![x, y, x, one, y, y] });
            code.push(Statement::Push { values: vec![y, y, y, one, x, one] });
            code.push(Statement::Push { values: vec![one, Operand::Boolean(true)] });
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
        crate::first_order::check::check(&unit).unwrap();
    }
}

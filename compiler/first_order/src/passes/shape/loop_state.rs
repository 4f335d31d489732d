//! The state of loops without the variables that are copies of other operands.
//!
//! A variable that begins as e, and is given e or itself by every repeat, is e. Variables that begin as one operand, and
//! are given one operand by every repeat - up to variables of which the same holds -, are one: the coarsest such partition
//! of the state is found by refinement. Values are only moved, so no bit changes at any level.

use crate::{Block, End, Operand, Statement, Variable};
use std::collections::HashMap;

/// The number of rounds of refinement, each of which takes time in proportion to the state: a loop that shifts n values
/// needs n. After as many rounds no variable counts as a copy.
const MOST_ROUNDS: usize = 40;

/// Takes copies out of the state of a loop.
pub fn reduce_state(statement: &mut Statement) {
    let Statement::Loop { state, initial, body, .. } = statement else { return };
    while reduce(state, initial, body) {}
}

/// Takes copies out of a state; returns true if there were any.
fn reduce(state: &mut Vec<Variable>, initial: &mut Vec<Operand>, body: &mut Block) -> bool {
    let repeats: Vec<Vec<Operand>> = body.repeats().map(<[Operand]>::to_vec).collect();
    let copies: Vec<Option<Operand>> = classes(state, std::slice::from_ref(initial), &repeats)
        .into_iter()
        .zip(0..)
        .map(|(class, place)| {
            let (variable, begins) = (state.get(place)?, initial.get(place)?);
            let never_changes = repeats.iter().all(|next| {
                next.get(place).is_some_and(|next| next == begins || *next == Operand::Variable(*variable))
            });
            match state.get(class) {
                _ if never_changes => Some(*begins),
                Some(first) if class != place => Some(Operand::Variable(*first)),
                Some(_) | None => None,
            }
        })
        .collect();
    if copies.iter().all(Option::is_none) {
        return false;
    }
    let values: HashMap<Variable, Operand> =
        state.iter().zip(&copies).filter_map(|(variable, copy)| Some((*variable, (*copy)?))).collect();
    let keep = |place: usize| copies.get(place) == Some(&None);
    retain_state((state, initial, body), keep);
    // A copy may be of a variable that is a copy itself.
    let replace = |operand: &mut Operand| {
        while let Operand::Variable(variable) = operand
            && let Some(value) = values.get(variable)
        {
            *operand = *value;
        }
    };
    body.rename(&mut { replace }, &mut |_| {});
    true
}

/// For each variable of a state, the first one that always has the same value, given the values with which the state may
/// begin, and those that it gets from itself.
pub fn classes(state: &[Variable], initial: &[Vec<Operand>], repeats: &[Vec<Operand>]) -> Vec<usize> {
    let places: HashMap<Variable, usize> = state.iter().copied().zip(0..).collect();
    let mut classes = vec![0; state.len()];
    for _ in 0..MOST_ROUNDS {
        // An operand as the class of a variable of the state, or as itself.
        let class = |operand: Operand| match operand {
            Operand::Variable(variable) => match places.get(&variable).and_then(|place| classes.get(*place)) {
                Some(class) => Err(*class),
                None => Ok(operand),
            },
            Operand::Real(_) | Operand::Boolean(_) => Ok(operand),
        };
        let mut first: HashMap<_, usize> = HashMap::new();
        let mut refined = Vec::with_capacity(classes.len());
        for place in 0..state.len() {
            let next: Vec<_> = repeats.iter().map(|next| next.get(place).copied().map(class)).collect();
            let begins: Vec<_> = initial.iter().map(|initial| initial.get(place).copied()).collect();
            let key = (classes.get(place).copied(), begins, next);
            refined.push(*first.entry(key).or_insert(place));
        }
        if refined == classes {
            return classes;
        }
        classes = refined;
    }
    (0..state.len()).collect()
}

/// Keeps the variables at some places of the state of a loop with a body.
pub fn retain_state(
    (state, initial, body): (&mut Vec<Variable>, &mut Vec<Operand>, &mut Block),
    keep: impl Fn(usize) -> bool,
) {
    retain(state, &keep);
    retain(initial, &keep);
    body.change_leaves(&mut |leaf| {
        if let End::Repeat(next) = &mut leaf.end {
            retain(next, &keep);
        }
    });
}

/// Keeps the results at some places of what a block yields.
pub fn retain_results(targets: &mut Vec<Variable>, block: &mut Block, keep: impl Fn(usize) -> bool) {
    retain(targets, &keep);
    block.change_leaves(&mut |leaf| {
        if let End::Yield(values) = &mut leaf.end {
            retain(values, &keep);
        }
    });
}

/// Keeps the elements at some places.
pub fn retain<T>(list: &mut Vec<T>, keep: impl Fn(usize) -> bool) {
    let mut place = 0;
    list.retain(|_| {
        place += 1;
        keep(place - 1)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::build::Building;
    use crate::text::print::print;
    use vlad_table::{Comparison, Operation};

    /// Powers of x, one of them twice, beside the constants x and 2, which change places with their copies.
    #[test]
    fn copies_are_no_state() {
        let mut building = Building::default();
        building.entry(&[Kind::Real; 3], |code| {
            let (x, two) = (code.read(), Operand::real(2.0));
            let initial = [x, two, x, x, x, two, x];
            End::Yield(code.run_loop(&[Kind::Real; 3], &initial, |code, s| {
                let ends = code.compare(Comparison::Less, s[3], Operand::real(1.0));
                code.branch(
                    ends,
                    |_| End::Yield(vec![s[2], s[3], s[4]]),
                    |code| {
                        let product = code.binary(Operation::Multiply, s[2], s[0]);
                        let other = code.binary(Operation::Multiply, s[5], s[6]);
                        End::Repeat(vec![s[6], two, product, product, other, s[1], x])
                    },
                )
            }))
        });
        let mut unit = building.finish();
        for function in &mut unit.functions {
            function.body.change_statements(&mut |statement| reduce_state(statement));
        }
        let expected = "\
entry function entry_0 () real real real
  r0 = read
  r11 r12 r13 = loop r3 := r0, r5 := r0
    b8 = r3 < 1
    if b8
      yield r3 r3 r5
    else
      r9 = * r3 r0
      r10 = * 2 r0
      repeat r9 r10
  yield r11 r12 r13
";
        assert_eq!(print(&unit, None), expected);
    }
}

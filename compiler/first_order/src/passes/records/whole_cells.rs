//! Records of cells in place of their parts: cells do not change, so the parts of a recorded cell can be read again.
//!
//! If some values of a layout are the same parts of one cell in each push, the cell is recorded, and each pop reads its parts. This is
//! done only if it saves memory, and only in records that have cells already: other records do not keep cells alive.

use super::shared_fields::{self, Layout, Pushes, layout_of_targets, layout_of_values, pushes};
use crate::passes::shape::loop_state::retain;
use crate::{Function, FunctionId, FunctionTable, Kind, Operand, Statement, Unit, Variable};
use std::collections::HashMap;

/// The booleans of a record that take a word.
const FLAGS_OF_A_WORD: usize = 64;

/// A part of a cell.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    cell: Variable,
    /// Its number.
    number: usize,
    /// The kinds of the parts that are read with it.
    kinds: Vec<Kind>,
}

/// The parts of cells that the variables of each function are.
type PartsOf = FunctionTable<HashMap<Variable, Part>>;

/// A change of a layout: the places that are parts of a cell, each with the number of the part.
#[derive(Debug)]
struct Change {
    parts: Vec<(usize, usize)>,
    /// The place of the cell, if it is recorded anyway.
    cell: Option<usize>,
    /// The cell of each push, in the order of the code; the next one last once the changes are made.
    cells: Vec<Variable>,
    kinds: Vec<Kind>,
}

/// Makes one of places of records that never have values at once, and of parts of a cell.
pub fn share_places(unit: &mut Unit) {
    shared_fields::share_places(unit);
    record_cells(unit);
}

/// Records cells in place of their parts.
fn record_cells(unit: &mut Unit) {
    let has_cell = |layout: &Layout| layout.contains(&Kind::Cell);
    // A cell may be a part of another one that is recorded. Each round makes records smaller.
    loop {
        let parts_of: PartsOf = unit.functions.iter().map(parts_of).collect();
        let found: Pushes = pushes(unit).into_iter().filter(|(layout, _)| has_cell(layout)).collect();
        let mut changes: HashMap<Layout, Change> = HashMap::new();
        for (layout, rows) in found {
            if let Some(change) = best_change(&layout, &rows, &parts_of) {
                changes.insert(layout, change);
            }
        }
        if changes.is_empty() {
            return;
        }
        changes.values_mut().for_each(|change| change.cells.reverse());
        for function in &mut unit.functions {
            let mut body = std::mem::take(&mut function.body);
            let mut renamed = HashMap::new();
            body.rewrite(&mut |statement, code| change(function, statement, &mut changes, &mut renamed, code));
            body.substitute(&renamed);
            function.body = body;
        }
    }
}

fn parts_of(function: &Function) -> HashMap<Variable, Part> {
    let mut found = HashMap::new();
    for statement in function.body.all_statements() {
        if let Statement::Parts { targets, cell: Operand::Variable(cell) } = statement {
            let kinds: Vec<Kind> = targets.iter().map(|target| function.kind((*target).into())).collect();
            let part = |number| Part { cell: *cell, number, kinds: kinds.clone() };
            found.extend(targets.iter().enumerate().map(|(number, target)| (*target, part(number))));
        }
    }
    found
}

/// The words of values of some kinds.
fn words(kinds: impl Iterator<Item = Kind>) -> usize {
    let (mut words, mut flags) = (0, 0_usize);
    for kind in kinds {
        match kind {
            Kind::Real | Kind::Cell | Kind::Integer => words += 1,
            Kind::Array(_) => words += 2,
            Kind::Boolean => flags += 1,
        }
    }
    words + flags.div_ceil(FLAGS_OF_A_WORD)
}

/// The change of a layout that saves most, if one saves anything.
fn best_change(layout: &Layout, rows: &[(FunctionId, Vec<Operand>)], parts_of: &PartsOf) -> Option<Change> {
    let (function, first) = rows.first()?;
    let mut cells: Vec<Variable> =
        first.iter().filter_map(|value| part_of(parts_of, *function, *value)).map(|part| part.cell).collect();
    cells.sort_unstable();
    cells.dedup();
    let before = words(layout.iter().copied());
    let with_words = cells.into_iter().filter_map(|cell| {
        let change = change_for(cell, rows, parts_of)?;
        let stays = |place: &usize| !change.parts.iter().any(|(part, _)| part == place);
        let kept = (0..layout.len()).filter(stays).filter_map(|place| layout.get(place).copied());
        let made = change.cell.is_none().then_some(Kind::Cell);
        Some((words(kept.chain(made)), change))
    });
    let (after, change) = with_words.min_by_key(|(words, _)| *words)?;
    (after < before).then_some(change)
}

fn part_of(parts_of: &PartsOf, function: FunctionId, value: Operand) -> Option<&Part> {
    parts_of[function].get(&value.variable()?)
}

/// The change by which the first push records a cell.
fn change_for(cell: Variable, rows: &[(FunctionId, Vec<Operand>)], parts_of: &PartsOf) -> Option<Change> {
    let (function, first) = rows.first()?;
    let mut kinds: Option<Vec<Kind>> = None;
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (place, value) in first.iter().enumerate() {
        let part = part_of(parts_of, *function, *value).filter(|part| part.cell == cell);
        let Some(part) = part else { continue };
        if *kinds.get_or_insert_with(|| part.kinds.clone()) == part.kinds
            && parts.iter().all(|(_, number)| *number != part.number)
        {
            parts.push((place, part.number));
        }
    }
    let kinds = kinds?;
    let mut cells = Vec::with_capacity(rows.len());
    for (function, row) in rows {
        let found = |(place, number): &(usize, usize)| {
            let part = part_of(parts_of, *function, *row.get(*place)?)?;
            (part.number == *number && part.kinds == kinds).then_some(part.cell)
        };
        let cell = parts.iter().find_map(found)?;
        let agrees = |part: &(usize, usize)| found(part) == Some(cell) || row.get(part.0) == Some(&Operand::UNREAD);
        parts.retain(agrees);
        cells.push(cell);
    }
    // A place may have been the only one that told the cell of a push before.
    let tells = |(function, row): &(FunctionId, Vec<Operand>), cell: Variable| {
        parts.iter().any(|(place, _)| {
            row.get(*place).and_then(|value| part_of(parts_of, *function, *value)).is_some_and(|part| part.cell == cell)
        })
    };
    if !rows.iter().zip(&cells).all(|(row, cell)| tells(row, *cell)) {
        return None;
    }
    let is_cell = |place: &usize| {
        rows.iter().zip(&cells).all(|((_, row), cell)| row.get(*place) == Some(&Operand::Variable(*cell)))
    };
    let recorded = (0..first.len()).find(is_cell);
    Some(Change { parts, cell: recorded, cells, kinds })
}

fn change(
    function: &mut Function,
    mut statement: Statement,
    changes: &mut HashMap<Layout, Change>,
    renamed: &mut HashMap<Variable, Operand>,
    code: &mut Vec<Statement>,
) {
    let mut after = None;
    if let Statement::Push { values, .. } = &mut statement
        && let Some(change) = changes.get_mut(&layout_of_values(function, values))
        && let Some(cell) = change.cells.pop()
    {
        change.keep_others(values);
        values.extend(change.cell.is_none().then_some(Operand::Variable(cell)));
    }
    if let Statement::Pop { targets, .. } = &mut statement
        && let Some(change) = changes.get(&layout_of_targets(function, targets))
    {
        let recorded = change.cell.and_then(|place| targets.get(place)).copied();
        let popped = targets.clone();
        change.keep_others(targets);
        let cell = recorded.unwrap_or_else(|| function.fresh(Kind::Cell));
        targets.extend(recorded.is_none().then_some(cell));
        let parts = function.fresh_all(&change.kinds);
        for (place, number) in &change.parts {
            let part = parts.get(*number).copied().map(Operand::Variable);
            renamed.extend(popped.get(*place).copied().zip(part));
        }
        after = Some(Statement::Parts { targets: parts, cell: cell.into() });
    }
    code.push(statement);
    code.extend(after);
}

impl Change {
    /// Keeps the items of the places that are no parts of the cell.
    fn keep_others<T>(&self, items: &mut Vec<T>) {
        retain(items, |place| !self.parts.iter().any(|(part, _)| *part == place));
    }
}

#[cfg(test)]
mod tests {
    use super::record_cells;
    use crate::build::{Building, Code};
    use crate::check::check;
    use crate::text::print::print;
    use crate::{End, Kind, Operand, Stack, Statement};
    use vlad_table::Operation;

    const KINDS: [Kind; 3] = [Kind::Boolean, Kind::Real, Kind::Cell];

    /// Pushes values, pops them, and returns sums of them, and the code after the pass.
    fn recorded(write: impl FnOnce(&mut Code<'_>, &[Operand], Operand) -> Vec<Vec<Operand>>) -> String {
        let mut building = Building::default();
        building.entry(&[Kind::Real], |code| {
            let real = code.read();
            let last = code.fresh(Kind::Cell);
            code.push(Statement::Cell { target: last, parts: Vec::new() });
            let cell = code.fresh(Kind::Cell);
            code.push(Statement::Cell { target: cell, parts: vec![Operand::Boolean(true), real, last.into()] });
            let targets = KINDS.map(|kind| code.fresh(kind));
            code.push(Statement::Parts { targets: targets.to_vec(), cell: cell.into() });
            let parts = targets.map(Operand::Variable);
            let rows = write(code, &parts, cell.into());
            let mut sum = real;
            for values in rows.clone() {
                code.push(Statement::Push { stack: Stack::Sweeps, values });
            }
            for values in rows {
                let kinds: Vec<Kind> = values.iter().map(|value| code.kind(*value)).collect();
                for (popped, kind) in code.pop(&kinds).into_iter().zip(kinds) {
                    if kind == Kind::Real {
                        sum = code.binary(Operation::Add, sum, popped);
                    }
                }
            }
            End::Yield(vec![sum])
        });
        let mut unit = building.finish();
        record_cells(&mut unit);
        check(&unit).unwrap();
        let text = print(&unit, None);
        text.lines()
            .filter(|line| ["push", "= pop", "parts"].iter().any(|word| line.contains(word)))
            .fold(String::new(), |all, line| all + line.trim() + "\n")
    }

    #[test]
    fn cells_are_recorded_in_place_of_parts() {
        let text = recorded(|_, parts, _| vec![vec![parts[1], Operand::real(2.0), parts[2], parts[0]]]);
        let expected = "\
b3 r4 c5 = parts c2
push 2 c2
r6 c10 = pop
b11 r12 c13 = parts c10
";
        assert_eq!(renumbered(&text), renumbered(expected));
    }

    #[test]
    fn a_cell_that_is_recorded_anyway_has_its_parts() {
        let text = recorded(|_, parts, cell| vec![vec![cell, parts[1]]]);
        assert!(text.contains("push c2\n"), "{text}");
    }

    #[test]
    fn records_without_cells_or_of_other_parts_stay() {
        let alone = recorded(|_, parts, _| vec![vec![parts[1], parts[0]]]);
        assert!(alone.contains("push r4 b3\n"), "{alone}");
        let other = recorded(|_, parts, _| {
            let (zero, row) = (Operand::real(0.0), vec![parts[1], parts[2]]);
            vec![row, vec![zero, parts[2]]]
        });
        assert!(other.contains("push r4 c5\npush 0 c5\n"), "{other}");
        // What no sweep reads is no obstacle.
        let unread = recorded(|_, parts, _| vec![vec![parts[1], parts[2]], vec![Operand::UNREAD, parts[2]]]);
        assert!(unread.contains("push c2\npush c2\n"), "{unread}");
    }

    /// The text with the numbers of variables left out.
    fn renumbered(text: &str) -> String {
        let mut words: Vec<String> = Vec::new();
        for line in text.lines() {
            let of_line = line.split(' ').map(|word| match word.get(..1) {
                Some(kind @ ("r" | "b" | "c")) if word.len() > 1 && word[1..].parse::<u32>().is_ok() => kind.to_owned(),
                _ => word.to_owned(),
            });
            words.extend(of_line);
            words.push("\n".to_owned());
        }
        words.join(" ")
    }
}

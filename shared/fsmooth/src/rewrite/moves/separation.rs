//! Separation of two nested loops: terms that do not depend on both indices leave the inner loop. Of class X.
//!
//! ```text
//! build m (fun j -> build n (fun k -> let x = a[k] in let y = b[j] in c[j, k, x, y, d]))
//!   ~>  let e = d in let t = build n (fun k -> let x = a[k] in (x, ...)) in
//!       build m (fun j -> let y = b[j] in build (length t) (fun k -> let x = fst t[k] in c[j, k, x, y, e]))
//! ```
//!
//! In a Jacobian by forward mode j is the input and k the output. The function itself is then computed once for each output, in a table,
//! and only tangents remain in the inner loop. Everything that moves has to be total, since loops may be empty and branches may not be
//! taken. A chain of `let`s moves as a whole, while [`super::motion`] moves one term. A `let` may bind the inner loop, and make the row of
//! its variable.

use super::search::{self, Search};
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Build, Expression, ExpressionId, LocalId, Program, Types};
use rustc_hash::FxHashMap;

/// The deepest chain of `let`s and branches in the inner loop.
const DEEPEST: usize = 160;

/// The most columns of a table.
const MOST_COLUMNS: usize = 64;

/// The largest element of the inner loop.
const LARGEST: usize = 4_000;

/// Separates two loops, if there are two of which the outer one makes rows.
pub fn separated(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    search.visit(program, search::BUILDS, |program, path, before| {
        let after = separate(program, context, before)?;
        Some(Step::at(path, ("separation of loops", Class::Exact), before, after))
    })
}

fn separate(program: &mut Program, context: &mut Context, before: ExpressionId) -> Option<ExpressionId> {
    let Build { size: rows, index: row, element: made } = program.as_build(before)?;
    // The inner loop may make what the row is made of.
    let (inner, made_of_it) = if let Expression::Let { local, value, body } = program.expression(made) {
        (value, Some((local, body)))
    } else {
        (made, None)
    };
    let Build { size: count, index: column, element: body } = program.as_build(inner)?;
    let is_separable = terms::size(program, body, LARGEST) < LARGEST
        && !terms::mentions(program, count, &[row])
        && terms::mentions(program, body, &[row]);
    if !is_separable {
        return None;
    }
    let depends = FxHashMap::from_iter([(row, Depends::ROW), (column, Depends::COLUMN)]);
    let mut separation = Separation { program, depends, constants: vec![], by_row: vec![] };
    let mut element = separation.node(body, &mut vec![], DEEPEST)?;
    let Separation { constants, by_row, .. } = separation;
    let width = element.place_columns(program, 0);
    if width > MOST_COLUMNS || width == 0 && constants.is_empty() && by_row.is_empty() {
        return None;
    }
    let (mut size, mut table) = (count, None);
    if width > 0 {
        let tuple = element.tuple(program, &mut vec![None; width]);
        let value = program.like(inner).build(Build { size: count, index: column, element: tuple });
        // Locals are bound at one place.
        let value = program.copy(value);
        program.keep_together(program.as_build(value)?.index);
        let local = terms::fresh(program, "t", value);
        let measured = terms::local(program, local, count);
        size = program.like(count).length(measured);
        table = Some((local, value));
    }
    let body = element.body(program, (table.map(|(local, _)| local), column, width));
    let mut element = program.like(inner).build(Build { size, index: column, element: body });
    if let Some((local, body)) = made_of_it {
        element = program.like(body).let_in(local, element, body);
    }
    element = bound(program, &by_row, element);
    let outer = program.like(before).build(Build { size: rows, index: row, element });
    let moved: Vec<(LocalId, ExpressionId)> = constants.into_iter().chain(table).collect();
    let after = bound(program, &moved, outer);
    debug_assert!(
        terms::free_locals(program, after).iter().all(|local| terms::mentions(program, before, &[*local])),
        "what is moved takes with it what it uses"
    );
    // All that has moved is evaluated, though loops be empty and branches not taken.
    for (local, value) in &moved {
        if !context.is_total_outside(program, *value) {
            return None;
        }
        context.facts.set_value(*local, *value);
    }
    by_row.iter().all(|(_, value)| context.is_total(program, *value)).then_some(after)
}

/// A term within `let`s.
fn bound(program: &mut Program, lets: &[(LocalId, ExpressionId)], body: ExpressionId) -> ExpressionId {
    program.like(body).bind(lets.iter().copied(), body)
}

/// The loops whose indices a term depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Depends {
    row: bool,
    column: bool,
}

impl Depends {
    const NONE: Depends = Depends { row: false, column: false };
    const ROW: Depends = Depends { row: true, column: false };
    const COLUMN: Depends = Depends { row: false, column: true };
    const BOTH: Depends = Depends { row: true, column: true };
}

/// A part of the element of the inner loop: `let`s, and what is behind them.
struct Node {
    steps: Vec<Let>,
    end: End,
}

/// A `let` of an element.
struct Let {
    local: LocalId,
    value: ExpressionId,
    role: Role,
}

/// The use of a `let` of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It depends on the row, and stays.
    Own,
    /// It is computed for the table, and again for each element: an index.
    Both,
    /// It is computed for the table alone. If others need it, it is a column with a number.
    Column(Option<usize>),
}

enum End {
    Value(ExpressionId),
    Branch(ExpressionId, Box<Node>, Box<Node>),
}

/// The terms that have been taken out of elements, with their locals.
type Taken = Vec<(ExpressionId, LocalId)>;

struct Separation<'program> {
    program: &'program mut Program,
    /// The locals that depend on a loop.
    depends: FxHashMap<LocalId, Depends>,
    /// The terms that depend on neither loop.
    constants: Vec<(LocalId, ExpressionId)>,
    /// Those that depend on the row alone.
    by_row: Vec<(LocalId, ExpressionId)>,
}

impl Separation<'_> {
    fn depends(&self, id: ExpressionId) -> Depends {
        terms::free_locals(self.program, id).iter().fold(Depends::NONE, |sum, local| {
            let one = self.depends.get(local).copied().unwrap_or_default();
            Depends { row: sum.row || one.row, column: sum.column || one.column }
        })
    }

    /// Takes an element apart; none if it is too deep. Recursion is bounded by the depth.
    fn node(&mut self, term: ExpressionId, taken: &mut Taken, depth: usize) -> Option<Node> {
        let (mut steps, mut term, mut depth) = (vec![], term, depth);
        while let Expression::Let { local, value, body } = self.program.expression(term) {
            depth = depth.checked_sub(1)?;
            self.step((local, value), taken, &mut steps);
            term = body;
        }
        if let Expression::If { condition, consequent, alternative } = self.program.expression(term)
            && !self.depends(condition).row
        {
            let known = taken.len();
            let consequent = Box::new(self.node(consequent, taken, depth.checked_sub(1)?)?);
            taken.truncate(known);
            let alternative = Box::new(self.node(alternative, taken, depth.checked_sub(1)?)?);
            taken.truncate(known);
            return Some(Node { steps, end: End::Branch(condition, consequent, alternative) });
        }
        let end = End::Value(self.extracted(term, taken, &mut steps));
        Some(Node { steps, end })
    }

    fn step(&mut self, (local, value): (LocalId, ExpressionId), taken: &mut Taken, steps: &mut Vec<Let>) {
        let depends = self.depends(value);
        let is_number = self.program.type_of(value) == Types::DOUBLE;
        if depends != Depends::NONE {
            self.depends.insert(local, depends);
        }
        match depends {
            Depends::NONE => self.constants.push((local, value)),
            Depends::ROW if is_number => self.by_row.push((local, value)),
            Depends::COLUMN => {
                let role = if is_number { Role::Column(None) } else { Role::Both };
                steps.push(Let { local, value, role });
            }
            Depends { .. } => {
                // It stays in the inner loop, and with it all that uses it.
                self.depends.insert(local, Depends::BOTH);
                let value = self.extracted(value, taken, steps);
                steps.push(Let { local, value, role: Role::Own });
            }
        }
    }

    /// Returns a term with locals in place of its greatest parts that do not depend on both loops.
    fn extracted(&mut self, term: ExpressionId, taken: &mut Taken, steps: &mut Vec<Let>) -> ExpressionId {
        // What depends on something bound within the term stays where it is.
        let inside = terms::bound_in(self.program, term);
        let mut parts = vec![];
        let separation = &*self;
        separation.program.walk(term, |id, _| {
            let depends = separation.depends(id);
            let is_of_both = depends.row && depends.column;
            let is_part = separation.program.type_of(id) == Types::DOUBLE
                && !terms::is_atom(separation.program.expression(id))
                && !is_of_both
                && !terms::mentions(separation.program, id, &inside);
            if is_part {
                parts.push((id, depends));
            }
            !is_part
        });
        for (part, depends) in parts {
            if taken.iter().any(|(known, _)| terms::same(self.program, *known, part)) {
                continue;
            }
            let local = terms::fresh(self.program, "e", part);
            taken.push((part, local));
            let value = self.program.copy(part);
            if depends != Depends::NONE {
                self.depends.insert(local, depends);
            }
            match depends {
                Depends::NONE => self.constants.push((local, value)),
                Depends::ROW => self.by_row.push((local, value)),
                Depends { .. } => steps.push(Let { local, value, role: Role::Column(None) }),
            }
        }
        terms::replace(self.program, term, |program, id| {
            if terms::is_atom(program.expression(id)) || program.type_of(id) != Types::DOUBLE {
                return None;
            }
            let local = taken.iter().find(|(known, _)| terms::same(program, *known, id)).map(|(_, local)| *local)?;
            Some(terms::local(program, local, id))
        })
    }
}

impl Node {
    /// Returns true if what is computed for each element uses a local, from a step on.
    fn uses(&self, program: &Program, local: LocalId, from: usize) -> bool {
        let mentions = |id| terms::mentions(program, id, &[local]);
        let mut of_each = self.steps.iter().skip(from).filter(|step| !matches!(step.role, Role::Column(_)));
        of_each.any(|step| mentions(step.value))
            || match &self.end {
                End::Value(value) => mentions(*value),
                End::Branch(condition, consequent, alternative) => {
                    mentions(*condition) || consequent.uses(program, local, 0) || alternative.uses(program, local, 0)
                }
            }
    }

    /// Gives numbers to columns from a first one on, and returns the number behind the last one.
    fn place_columns(&mut self, program: &Program, first: usize) -> usize {
        let mut next = first;
        for place in 0..self.steps.len() {
            let is_used = self
                .steps
                .get(place)
                .is_some_and(|step| matches!(step.role, Role::Column(_)) && self.uses(program, step.local, place + 1));
            if is_used && let Some(step) = self.steps.get_mut(place) {
                step.role = Role::Column(Some(next));
                next += 1;
            }
        }
        if let End::Branch(_, consequent, alternative) = &mut self.end {
            next = consequent.place_columns(program, next).max(alternative.place_columns(program, next));
        }
        next
    }

    /// The element of the table: its `let`s and branches around the tuple of the columns.
    fn tuple(&self, program: &mut Program, columns: &mut Vec<Option<LocalId>>) -> ExpressionId {
        let before = columns.clone();
        for step in &self.steps {
            if let Role::Column(Some(number)) = step.role
                && let Some(column) = columns.get_mut(number)
            {
                *column = Some(step.local);
            }
        }
        let inner = match &self.end {
            End::Value(like) => pairs(program, columns, *like),
            End::Branch(condition, one, other) => {
                let consequent = one.tuple(program, columns);
                let alternative = other.tuple(program, columns);
                program.like(*condition).choice(*condition, consequent, alternative)
            }
        };
        *columns = before;
        let of_table = self.steps.iter().filter(|step| step.role != Role::Own);
        let lets: Vec<(LocalId, ExpressionId)> = of_table.map(|step| (step.local, step.value)).collect();
        bound(program, &lets, inner)
    }

    /// The element that is left, which reads columns of the table.
    fn body(&self, program: &mut Program, (table, index, width): (Option<LocalId>, LocalId, usize)) -> ExpressionId {
        let inner = match &self.end {
            End::Value(value) => *value,
            End::Branch(condition, one, other) => {
                let consequent = one.body(program, (table, index, width));
                let alternative = other.body(program, (table, index, width));
                let own = program.copy(*condition);
                program.like(*condition).choice(own, consequent, alternative)
            }
        };
        let mut lets = vec![];
        for step in &self.steps {
            match (step.role, table) {
                (Role::Own | Role::Both, _) => lets.push((step.local, step.value)),
                (Role::Column(Some(number)), Some(table)) => {
                    lets.push((step.local, read(program, (table, index), (number, width), step.value)));
                }
                (Role::Column(_), _) => {}
            }
        }
        bound(program, &lets, inner)
    }
}

/// The pair, of pairs, of some numbers; those that are not needed are 0.
fn pairs(program: &mut Program, columns: &[Option<LocalId>], like: ExpressionId) -> ExpressionId {
    match columns {
        [] | [None] => program.like(like).number(0.0),
        [Some(column)] => terms::local(program, *column, like),
        _ => {
            let (one, other) = columns.split_at(columns.len() / 2);
            let (one, other) = (pairs(program, one, like), pairs(program, other, like));
            program.like(like).pair(one, other)
        }
    }
}

/// A column of an element of a table.
fn read(
    program: &mut Program,
    (table, index): (LocalId, LocalId),
    (number, width): (usize, usize),
    like: ExpressionId,
) -> ExpressionId {
    let mut build = program.like(like);
    let (array, index) = (build.local(table), build.local(index));
    let mut read = build.get(array, index);
    let (mut number, mut width) = (number, width);
    while width > 1 {
        let half = width / 2;
        let is_first = number < half;
        (number, width) = if is_first { (number, half) } else { (number - half, width - half) };
        read = if is_first { build.first(read) } else { build.second(read) };
    }
    read
}

//! The sizes of results, which a caller can ask for before a call: code that computes the lengths of the arrays that an
//! export returns in place of these arrays.
//!
//! It is the code of the export with other results, from which the making of arrays is removed of which nothing but the length
//! is needed. So it costs little where sizes follow from those of operands, and as much as the call where they
//! depend on what the call computes. What is removed may fail in the call; then there are sizes all the same.

use super::outputs::{Output, Vector};
use crate::first_order::template::{Step, Template};
use crate::first_order::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::{Comparison, Operation};

/// A size of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// It is known.
    Known(u64),
    /// A result of the code, by its number.
    Leaf(usize),
}

/// The sizes of the results of an export.
#[derive(Debug)]
pub struct Sizes {
    /// The code that computes sizes.
    pub unit: Unit,
    /// The sizes of each vector, and the numbers of rows and columns of each matrix, in order.
    pub sizes: Vec<Vec<Size>>,
}

/// A size that code computes: the length of a leaf of the value, or of the rows of a matrix.
#[derive(Clone, Copy)]
enum Wanted {
    Length(usize),
    Width(usize),
}

/// The code for the sizes of the results of a unit, before its levels are removed; none if no result has a size.
pub fn sizes(unit: &Unit, outputs: &[Output]) -> Option<Sizes> {
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut want = |of: Wanted| {
        wanted.push(of);
        Size::Leaf(wanted.len() - 1)
    };
    let sizes = outputs.iter().filter_map(|output| match output {
        Output::Real(_) | Output::Boolean(_) => None,
        Output::Vector(Vector::Leaf(leaf)) => Some(vec![want(Wanted::Length(*leaf))]),
        Output::Vector(Vector::Elements(elements)) => Some(vec![Size::Known(elements.len() as u64)]),
        Output::Matrix(leaf) => Some(vec![want(Wanted::Length(*leaf)), want(Wanted::Width(*leaf))]),
        Output::Rows(rows) => {
            let width = match rows.first() {
                None => Size::Known(0),
                Some(Vector::Elements(elements)) => Size::Known(elements.len() as u64),
                Some(Vector::Leaf(leaf)) => want(Wanted::Length(*leaf)),
            };
            Some(vec![Size::Known(rows.len() as u64), width])
        }
    });
    let sizes: Vec<Vec<Size>> = sizes.collect();
    if sizes.is_empty() {
        return None;
    }
    let mut unit = unit.clone();
    let entry = unit.entry?;
    let function = unit.functions.get_mut(entry.0 as usize)?;
    replace_results(function, &wanted);
    remove_arrays(function);
    let leaves = std::iter::repeat_n(Step::RealLeaf, wanted.len());
    let pairs = std::iter::repeat_n(Step::Pair, wanted.len());
    unit.result = Template::of([Step::Nil].into_iter().chain(leaves).chain(pairs).collect());
    if wanted.is_empty() {
        unit.result = Template::of(vec![Step::Nil]);
    }
    Some(Sizes { unit, sizes })
}

/// Lets a function return sizes.
fn replace_results(function: &mut Function, wanted: &[Wanted]) {
    let arrays = arrays(function);
    let mut body = std::mem::replace(&mut function.body, Block { statements: Vec::new(), end: End::Yield(Vec::new()) });
    let mut fresh = |kind: Kind| {
        function.variables.push(kind);
        Variable(function.variables.len() as u32 - 1)
    };
    body.change_leaves(&mut |leaf| {
        let End::Yield(values) = &leaf.end else { return };
        let values = values.clone();
        let mut sizes = Vec::new();
        for wanted in wanted {
            let (Wanted::Length(place) | Wanted::Width(place)) = *wanted;
            let Some(array) = values.get(place).copied() else { continue };
            let known = match array {
                Operand::Variable(variable) => arrays.get(&variable),
                Operand::Real(_) | Operand::Boolean(_) => None,
            };
            let length = match known {
                Some(known) => known.length,
                None => {
                    let target = fresh(Kind::Real);
                    leaf.statements.push(Statement::Length { target, array });
                    Operand::Variable(target)
                }
            };
            let width = known.and_then(|known| known.width).map(|width| match width {
                Width::Known(width) => width,
                Width::Length(array) => {
                    let target = fresh(Kind::Real);
                    leaf.statements.push(Statement::Length { target, array });
                    Operand::Variable(target)
                }
            });
            sizes.push(match (wanted, width) {
                (Wanted::Length(_), _) => length,
                (Wanted::Width(_), width) => width_of(leaf, &mut fresh, (array, length, width)),
            });
        }
        leaf.end = End::Yield(sizes);
    });
    function.body = body;
    function.results = wanted.iter().map(|_| Kind::Real).collect();
}

/// The width of a matrix, that of its first row, which may be known if there is one.
fn width_of(
    leaf: &mut Block,
    fresh: &mut impl FnMut(Kind) -> Variable,
    (array, length, width): (Operand, Operand, Option<Operand>),
) -> Operand {
    let (target, test) = (fresh(Kind::Real), fresh(Kind::Boolean));
    leaf.statements.push(Statement::Compare {
        target: test,
        comparison: Comparison::Less,
        first: Operand::real(0.0),
        second: length,
    });
    let mut statements = Vec::new();
    let width = width.unwrap_or_else(|| {
        let (row, width) = (fresh(Kind::REALS), fresh(Kind::Real));
        statements.push(Statement::Element { target: row, array, index: Operand::real(0.0) });
        statements.push(Statement::Length { target: width, array: Operand::Variable(row) });
        Operand::Variable(width)
    });
    let consequent = Box::new(Block { statements, end: End::Yield(vec![width]) });
    let alternative = Box::new(Block { statements: Vec::new(), end: End::Yield(vec![Operand::real(0.0)]) });
    let end = End::Branch { test: Operand::Variable(test), consequent, alternative };
    leaf.statements.push(Statement::Bind { targets: vec![target], block: Block { statements: Vec::new(), end } });
    Operand::Variable(target)
}

/// The sizes of an array that a function makes, as operands that are visible where the array is.
struct Array {
    length: Operand,
    /// The length of its elements, if they are arrays.
    width: Option<Width>,
}

/// The length of all elements of an array, in terms of what is visible where the array is.
#[derive(Clone, Copy, PartialEq)]
enum Width {
    /// A number.
    Known(Operand),
    /// The length of another array.
    Length(Operand),
}

/// The arrays that a function makes with sizes that are known before.
fn arrays(function: &Function) -> HashMap<Variable, Array> {
    let mut found: HashMap<Variable, Array> = HashMap::new();
    function.body.each_statement(&mut |statement| match statement {
        Statement::Build { targets, length, index, body } => {
            for (place, target) in targets.iter().enumerate() {
                let width = width((*index, body), place, &found);
                found.insert(*target, Array { length: *length, width });
            }
        }
        Statement::Array { target, elements } => {
            let length = Operand::real(elements.len() as f64);
            found.insert(*target, Array { length, width: None });
        }
        _ => {}
    });
    found
}

/// The length of the arrays that the body of a build yields, if all have one that does not depend on the index.
fn width((index, body): (Variable, &Block), place: usize, before: &HashMap<Variable, Array>) -> Option<Width> {
    let mut inside = Inside { made: HashMap::new(), others: HashSet::from([index]), before };
    body.each_statement(&mut |statement| {
        inside.others.extend(statement.inner_variables());
        inside.made.extend(statement.targets().iter().map(|target| (*target, statement)));
    });
    let mut widths = Vec::new();
    body.each_leaf(&mut |leaf| match &leaf.end {
        End::Yield(values) => widths.push(values.get(place).and_then(|row| inside.length_of(*row))),
        End::BailOut(_) => {}
        End::Repeat(_) | End::Branch { .. } => widths.push(None),
    });
    let first = widths.first().copied().flatten()?;
    widths.iter().all(|width| *width == Some(first)).then_some(first)
}

/// The variables inside of the body of a build.
struct Inside<'unit> {
    made: HashMap<Variable, &'unit Statement>,
    /// The states of loops and the indices of builds.
    others: HashSet<Variable>,
    /// The arrays outside.
    before: &'unit HashMap<Variable, Array>,
}

/// The length of an array: found, or a number that is to be found.
enum Length {
    Width(Option<Width>),
    Number(Operand),
}

impl Inside<'_> {
    /// The length of an array, if it is the same in all iterations. Statements refer to those before them, so this ends.
    fn length_of(&self, array: Operand) -> Option<Width> {
        let mut length = self.begin(array);
        loop {
            let number = match length {
                Length::Width(width) => return width,
                Length::Number(number) => number,
            };
            let Operand::Variable(variable) = number else { return Some(Width::Known(number)) };
            length = match self.made.get(&variable) {
                None => return (!self.others.contains(&variable)).then_some(Width::Known(number)),
                Some(Statement::Operation { operation: Operation::Copy, first, .. }) => Length::Number(*first),
                Some(Statement::Length { array, .. }) => self.begin(*array),
                Some(_) => return None,
            };
        }
    }

    /// The length of an array as the statement has it that makes the array.
    fn begin(&self, array: Operand) -> Length {
        let Operand::Variable(variable) = array else { return Length::Width(None) };
        match self.made.get(&variable) {
            None => Length::Width((!self.others.contains(&variable)).then_some(Width::Length(array))),
            Some(Statement::Build { length, .. }) => Length::Number(*length),
            Some(Statement::Array { elements, .. }) => Length::Number(Operand::real(elements.len() as f64)),
            Some(Statement::Element { array: Operand::Variable(of), .. }) => {
                Length::Width(self.before.get(of).and_then(|array| array.width))
            }
            Some(_) => Length::Width(None),
        }
    }
}

/// Removes from simplified code for sizes what only then turns out to be the making of arrays with known lengths.
pub fn reduce(unit: &mut Unit) {
    let Some(function) = unit.entry.and_then(|entry| unit.functions.get_mut(entry.0 as usize)) else { return };
    let known = arrays(function);
    let mut rows: HashMap<Variable, Width> = HashMap::new();
    function.body.each_statement(&mut |statement| {
        if let Statement::Element { target, array: Operand::Variable(array), .. } = statement
            && let Some(width) = known.get(array).and_then(|array| array.width)
        {
            rows.insert(*target, width);
        }
    });
    function.body.change_statements(&mut |statement| {
        if let Statement::Length { target, array: Operand::Variable(row) } = statement
            && let Some(width) = rows.get(row)
        {
            let target = *target;
            *statement = match *width {
                Width::Length(array) => Statement::Length { target, array },
                Width::Known(first) => Statement::Operation { target, operation: Operation::Copy, first, second: None },
            };
        }
    });
    remove_arrays(function);
}

/// Removes the making of arrays that nothing reads, and loops and calls for them, also where they may fail.
fn remove_arrays(function: &mut Function) {
    let known = arrays(function);
    function.body.change_statements(&mut |statement| {
        if let Statement::Length { target, array: Operand::Variable(array) } = statement
            && let Some(Array { length, .. }) = known.get(array)
        {
            let (target, first) = (*target, *length);
            *statement = Statement::Operation { target, operation: Operation::Copy, first, second: None };
        }
    });
    loop {
        let mut read = HashSet::new();
        note_read(&function.body, &mut read);
        let before = function.body.size();
        remove_unread(&mut function.body, &read);
        if function.body.size() == before {
            return;
        }
    }
}

/// Notes the variables that a block reads, whose depth is bounded.
fn note_read(block: &Block, read: &mut HashSet<Variable>) {
    let mut note = |operand: &Operand| {
        if let Operand::Variable(variable) = operand {
            read.insert(*variable);
        }
    };
    block.statements.iter().flat_map(Statement::operands).for_each(|operand| note(&operand));
    match &block.end {
        End::Yield(values) | End::Repeat(values) => values.iter().for_each(note),
        End::Branch { test, .. } => note(test),
        End::BailOut(_) => {}
    }
    for inner in block.statements.iter().filter_map(Statement::block).chain(block.end.blocks().into_iter().flatten()) {
        note_read(inner, read);
    }
}

fn remove_unread(block: &mut Block, read: &HashSet<Variable>) {
    block.statements.retain(|statement| {
        let makes_values = match statement {
            Statement::Build { targets, body, .. } => !targets.is_empty() && is_pure(body),
            Statement::Loop { targets, body, .. } => !targets.is_empty() && is_pure(body),
            Statement::Array { .. } | Statement::Element { .. } | Statement::Operation { .. } => true,
            _ => false,
        };
        !makes_values || statement.targets().iter().any(|target| read.contains(target))
    });
    for inner in block.statements.iter_mut().filter_map(Statement::block_mut) {
        remove_unread(inner, read);
    }
    for inner in block.end.blocks_mut().into_iter().flatten() {
        remove_unread(inner, read);
    }
}

/// Returns true if a block changes nothing that other code sees.
fn is_pure(block: &Block) -> bool {
    let mut is_pure = true;
    block.each_statement(&mut |statement| {
        is_pure &= !matches!(
            statement,
            Statement::Push { .. }
                | Statement::Pop { .. }
                | Statement::Tape { .. }
                | Statement::Store { .. }
                | Statement::Write { .. }
                | Statement::Read { .. }
        );
    });
    is_pure
}

//! The sizes of results, which a caller can query before a call.
//!
//! The code for sizes is the code of the export, with the lengths of the returned arrays as its results. Arrays of
//! which only the length is read are not made. So the query costs little if sizes follow from those of operands, and as
//! much as the call if they depend on computed values. Removed code may fail in the call; the query still succeeds.

use super::outputs::{Array as Source, Output};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use vlad_first_order::template::{Step, Template};
use vlad_first_order::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use vlad_table::{Comparison, Operation};

/// A size of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A constant.
    Known(u64),
    /// A result of the code for sizes, by its number.
    Leaf(usize),
}

/// The sizes of the results of an export.
#[derive(Debug)]
pub struct Sizes {
    /// The code that computes sizes.
    pub unit: Unit,
    /// The sizes of each array, in order.
    pub sizes: Vec<Vec<Size>>,
}

/// A query for the sizes of a leaf of the value, an array with `rank` dimensions.
#[derive(Clone, Copy)]
struct Wanted {
    leaf: usize,
    rank: usize,
}

/// The code for the sizes of the results of a unit without levels; none if no result is an array.
pub fn sizes(unit: &Unit, outputs: &[Output]) -> Option<Sizes> {
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut count = 0;
    let mut want = |leaf: usize, rank: usize| {
        wanted.push(Wanted { leaf, rank });
        count += rank;
        count - rank..count
    };
    let sizes = outputs.iter().filter_map(|output| match output {
        Output::Real(_) | Output::Boolean(_) => None,
        Output::Array { array, rank } => Some(sizes_of_source(array, *rank as usize, &mut want)),
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
    let leaves = std::iter::repeat_n(Step::RealLeaf, count);
    let pairs = std::iter::repeat_n(Step::Pair, count);
    unit.result = Template::of([Step::Nil].into_iter().chain(leaves).chain(pairs).collect());
    Some(Sizes { unit, sizes })
}

/// The sizes of an array of a result. All parts have the sizes of the first one.
fn sizes_of_source(mut array: &Source, rank: usize, want: &mut impl FnMut(usize, usize) -> Range<usize>) -> Vec<Size> {
    let mut sizes = Vec::new();
    loop {
        match array {
            Source::Leaf(leaf) => sizes.extend(want(*leaf, rank - sizes.len()).map(Size::Leaf)),
            Source::Elements(elements) => {
                sizes.push(Size::Known(elements.len() as u64));
                // An array of more dimensions has separate elements only if it is empty.
                sizes.resize(rank, Size::Known(0));
            }
            Source::Parts(parts) => {
                sizes.push(Size::Known(parts.len() as u64));
                if let Some(first) = parts.first() {
                    array = first;
                    continue;
                }
            }
        }
        return sizes;
    }
}

/// Replaces the results of a function by sizes.
fn replace_results(function: &mut Function, wanted: &[Wanted]) {
    let (arrays, kinds) = (arrays(function), function.results.clone());
    let mut body = std::mem::replace(&mut function.body, Block { statements: Vec::new(), end: End::Yield(Vec::new()) });
    let mut fresh = |kind: Kind| {
        function.variables.push(kind);
        Variable(function.variables.len() as u32 - 1)
    };
    body.change_leaves(&mut |leaf| {
        let End::Yield(values) = &leaf.end else { return };
        let values = values.clone();
        let mut sizes = Vec::new();
        for Wanted { leaf: place, rank } in wanted {
            let (Some(array), Some(kind)) = (values.get(*place).copied(), kinds.get(*place)) else { continue };
            let known = match array {
                Operand::Variable(variable) => arrays.get(&variable),
                Operand::Real(_) | Operand::Boolean(_) => None,
            };
            let mut length = match known {
                Some(known) => known.length,
                None => length_of(&mut leaf.statements, &mut fresh, array),
            };
            sizes.push(length);
            let mut parts = Vec::new();
            let mut kind = *kind;
            for depth in 1..*rank {
                kind = kind.element().unwrap_or(Kind::REALS);
                parts.push(kind);
                let width = known.and_then(|known| known.width(depth)).map(|width| match width {
                    Width::Known(width) => width,
                    Width::Length(array) => length_of(&mut leaf.statements, &mut fresh, array),
                });
                length = width_of(leaf, &mut fresh, (array, &parts), (length, width));
                sizes.push(length);
            }
        }
        leaf.end = End::Yield(sizes);
    });
    function.body = body;
    function.results = wanted.iter().flat_map(|wanted| std::iter::repeat_n(Kind::Real, wanted.rank)).collect();
}

/// Measures an array.
fn length_of(statements: &mut Vec<Statement>, fresh: &mut impl FnMut(Kind) -> Variable, array: Operand) -> Operand {
    let target = fresh(Kind::Real);
    statements.push(Statement::Length { target, array });
    Operand::Variable(target)
}

/// The length of the parts of an array at a depth: `width` if it is known, else the length of the first part, else 0 if
/// there is none. `parts` are the kinds of the parts down to this depth, and `length` is the length of the arrays
/// around them.
fn width_of(
    leaf: &mut Block,
    fresh: &mut impl FnMut(Kind) -> Variable,
    (array, parts): (Operand, &[Kind]),
    (length, width): (Operand, Option<Operand>),
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
        let first = parts.iter().fold(array, |array, kind| {
            let first = fresh(*kind);
            statements.push(Statement::Element { target: first, array, index: Operand::real(0.0) });
            Operand::Variable(first)
        });
        length_of(&mut statements, fresh, first)
    });
    let consequent = Box::new(Block { statements, end: End::Yield(vec![width]) });
    let alternative = Box::new(Block { statements: Vec::new(), end: End::Yield(vec![Operand::real(0.0)]) });
    let end = End::Branch { test: Operand::Variable(test), consequent, alternative };
    leaf.statements.push(Statement::Bind { targets: vec![target], block: Block { statements: Vec::new(), end } });
    Operand::Variable(target)
}

/// The sizes of an array that a function makes, as operands in the scope of the array.
struct Array {
    length: Operand,
    /// The known lengths of its parts: of its elements, if they are arrays, of their elements, and so on.
    widths: Widths,
}

/// Lengths of the parts of an array, by depth. Lengths at greater depths are unknown.
type Widths = Vec<Option<Width>>;

impl Array {
    /// The length of the parts at a depth, from 1 on.
    fn width(&self, depth: usize) -> Option<Width> {
        self.widths.get(depth.checked_sub(1)?).copied().flatten()
    }
}

/// The common length of the elements of an array, in the scope of the array.
#[derive(Clone, Copy, PartialEq)]
enum Width {
    /// A number.
    Known(Operand),
    /// The length of another array.
    Length(Operand),
}

/// The arrays that a function makes with sizes that are known before they are made.
fn arrays(function: &Function) -> HashMap<Variable, Array> {
    let mut found: HashMap<Variable, Array> = HashMap::new();
    for statement in function.body.all_statements() {
        match statement {
            Statement::Build { targets, length, index, body } => {
                for (place, target) in targets.iter().enumerate() {
                    let widths = widths(function, (*index, body), place, &found);
                    found.insert(*target, Array { length: *length, widths });
                }
            }
            Statement::Array { target, elements } => {
                let length = Operand::real(elements.len() as f64);
                found.insert(*target, Array { length, widths: Vec::new() });
            }
            _ => {}
        }
    }
    found
}

/// The length of the arrays that the body of a build yields, and the lengths of their parts. A length is known if it is
/// the same for all indices. The recursion is as deep as the array has dimensions.
fn widths(
    function: &Function,
    (index, body): (Variable, &Block),
    place: usize,
    before: &HashMap<Variable, Array>,
) -> Widths {
    let mut inside = Inside { function, made: HashMap::new(), others: HashSet::from([index]), before };
    for statement in body.all_statements() {
        inside.others.extend(statement.inner_variables());
        inside.made.extend(statement.targets().iter().map(|target| (*target, statement)));
    }
    let mut all = Vec::new();
    for leaf in body.leaves() {
        match &leaf.end {
            End::Yield(values) => all.push(values.get(place).map(|part| inside.sizes_of(*part)).unwrap_or_default()),
            End::BailOut(_) => {}
            End::Repeat(_) | End::Branch { .. } => all.push(Vec::new()),
        }
    }
    common(all)
}

/// The lengths that are the same in all lists.
fn common(all: Vec<Widths>) -> Widths {
    let agree = |before: Widths, next: Widths| {
        before.into_iter().zip(next).map(|(one, other)| one.filter(|_| one == other)).collect()
    };
    all.into_iter().reduce(agree).unwrap_or_default()
}

/// The variables inside the body of a build.
struct Inside<'unit> {
    function: &'unit Function,
    made: HashMap<Variable, &'unit Statement>,
    /// The states of loops and the indices of builds.
    others: HashSet<Variable>,
    /// The arrays outside.
    before: &'unit HashMap<Variable, Array>,
}

/// The length of an array during the search: found, or equal to an operand that is examined next.
enum Length {
    Width(Option<Width>),
    Number(Operand),
}

impl Inside<'_> {
    /// The length of an array and the lengths of its parts; nothing for other values.
    fn sizes_of(&self, array: Operand) -> Widths {
        let Operand::Variable(variable) = array else { return Vec::new() };
        if !self.function.kind(array).is_array() {
            return Vec::new();
        }
        let widths = match self.made.get(&variable) {
            None => self.before.get(&variable).map(|array| array.widths.clone()),
            Some(Statement::Build { targets, index, body, .. }) => {
                let place = targets.iter().position(|target| *target == variable);
                let of_place = |place| widths(self.function, (*index, body), place, self.before);
                let outside = |width: Option<Width>| width.and_then(|width| self.outside(self.length(width)));
                place.map(|place| of_place(place).into_iter().map(outside).collect())
            }
            Some(Statement::Element { array: Operand::Variable(of), .. }) => {
                self.before.get(of).map(|array| array.widths.iter().skip(1).copied().collect())
            }
            // The lengths of the elements are given in the outer scope already.
            Some(Statement::Array { elements, .. }) => {
                Some(common(elements.iter().map(|element| self.sizes_of(*element)).collect()))
            }
            Some(_) => None,
        };
        std::iter::once(self.outside(self.begin(array))).chain(widths.unwrap_or_default()).collect()
    }

    /// The beginning of the search for a length that is given in the inner scope.
    fn length(&self, width: Width) -> Length {
        match width {
            Width::Known(number) => Length::Number(number),
            Width::Length(array) => self.begin(array),
        }
    }

    /// The length in the outer scope, if it is the same in all iterations. Statements refer to earlier ones, so the
    /// search ends.
    fn outside(&self, mut length: Length) -> Option<Width> {
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

    /// The beginning of the search for an array's length: the length in the statement that makes the array.
    fn begin(&self, array: Operand) -> Length {
        let Operand::Variable(variable) = array else { return Length::Width(None) };
        match self.made.get(&variable) {
            None => Length::Width((!self.others.contains(&variable)).then_some(Width::Length(array))),
            Some(Statement::Build { length, .. }) => Length::Number(*length),
            Some(Statement::Array { elements, .. }) => Length::Number(Operand::real(elements.len() as f64)),
            Some(Statement::Element { array: Operand::Variable(of), .. }) => {
                Length::Width(self.before.get(of).and_then(|array| array.width(1)))
            }
            Some(_) => Length::Width(None),
        }
    }
}

/// Removes arrays from simplified code for sizes, once more: simplification makes further lengths known.
pub fn reduce(unit: &mut Unit) {
    let Some(function) = unit.entry.and_then(|entry| unit.functions.get_mut(entry.0 as usize)) else { return };
    let known = arrays(function);
    // The sizes of elements, beginning with their length.
    let mut parts: HashMap<Variable, Widths> = HashMap::new();
    for statement in function.body.all_statements() {
        if let Statement::Element { target, array: Operand::Variable(array), .. } = statement {
            let of_part = parts.get(array).and_then(|sizes| sizes.get(1..));
            if let Some(sizes) = known.get(array).map(|array| array.widths.as_slice()).or(of_part) {
                let sizes = sizes.to_vec();
                parts.insert(*target, sizes);
            }
        }
    }
    function.body.change_statements(&mut |statement| {
        if let Statement::Length { target, array: Operand::Variable(part) } = statement
            && let Some(width) = parts.get(part).and_then(|sizes| sizes.first().copied().flatten())
        {
            let target = *target;
            *statement = match width {
                Width::Length(array) => Statement::Length { target, array },
                Width::Known(first) => Statement::Operation { target, operation: Operation::Copy, first, second: None },
            };
        }
    });
    remove_arrays(function);
}

/// Removes arrays that nothing reads and the loops that make them, even if these may fail.
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

/// Collects the variables that a block reads. The depth of blocks is bounded.
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
            Statement::Build { targets, body, .. } => !targets.is_empty() && body.changes_nothing(),
            Statement::Loop { targets, body, .. } => !targets.is_empty() && body.changes_nothing(),
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

//! Definitions of data: vectors that are constants, and the files that the command reads as data.
//!
//! The code of an item that reads data is made for their shape, so that it is short whatever their number, and serves other data
//! of the shape: new data in the same files need no compiler. Where no code can be made without their elements, these are constants
//! in it.

use super::Analysis;
use super::assumed::Assumed;
use super::specialiser::{Elements, Global, Specialiser};
use super::values::reason::Reason;
use vlad_core::{Constant, ConstantId, Expression, GlobalId, Item, Program};
use vlad_first_order::kind::MOST_RANK;

/// The greatest length of vectors of data that are vectors of parts. Loops over others are loops, with indices that are not known.
const MOST_PARTS: usize = 16;

/// The greatest number of reals and booleans of data that are vectors of parts.
const MOST_SCALARS: usize = 64;

/// The scalars of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scalar {
    Real,
    Boolean,
}

/// Returns the shape of the value of an item that defines data: a constant that a file of data defines, or a vector that is
/// long. Data files are at most some hundred arrays deep, as are quoted constants, which bounds the recursion.
pub fn shape_of(program: &Program, item: Item) -> Option<Assumed> {
    let Item::Define(_, node) = item else { return None };
    let Expression::Constant(constant) = program.expression(node) else { return None };
    let is_file = program.sources.is_data(program.span(node).file);
    match long_array(program, constant) {
        Some(shape) => Some(shape),
        None if is_file => parts(program, constant),
        None => None,
    }
}

/// The shape of an array that is too long for a vector of parts.
fn long_array(program: &Program, constant: ConstantId) -> Option<Assumed> {
    let mut longest = 0;
    let (rank, scalar) = rank(program, constant, &mut longest)?;
    let is_long = longest > MOST_PARTS || scalars(program, constant) > MOST_SCALARS;
    match (rank, scalar?) {
        (0, _) => None,
        (rank, Scalar::Real) if is_long => Some(Assumed::Array(rank)),
        (rank, Scalar::Boolean) if is_long => Some(Assumed::Booleans(rank)),
        _ => None,
    }
}

/// The number of dimensions and the scalars of a constant whose elements are alike, and the greatest length within it. Vectors without
/// elements are like all of their rank and more.
fn rank(program: &Program, constant: ConstantId, longest: &mut usize) -> Option<(u32, Option<Scalar>)> {
    match program.constant(constant) {
        Constant::Real(_) => Some((0, Some(Scalar::Real))),
        Constant::Boolean(_) => Some((0, Some(Scalar::Boolean))),
        Constant::Nil | Constant::Pair(..) => None,
        Constant::Vector(elements) => {
            *longest = (*longest).max(elements.len());
            let mut all: (u32, Option<Scalar>) = (0, None);
            for element in elements {
                let of_element = rank(program, *element, longest)?;
                all = match (all, of_element) {
                    ((a, None), (b, scalar)) if a <= b => (b, scalar),
                    ((a, scalar), (b, None)) if b <= a && b > 0 => (a, scalar),
                    (a, b) if a == b => a,
                    _ => return None,
                };
            }
            (all.0 < u32::from(MOST_RANK)).then_some((all.0 + 1, all.1))
        }
    }
}

fn scalars(program: &Program, constant: ConstantId) -> usize {
    match program.constant(constant) {
        Constant::Vector(elements) => elements.iter().map(|element| scalars(program, *element)).sum(),
        Constant::Nil | Constant::Boolean(_) | Constant::Real(_) | Constant::Pair(..) => 1,
    }
}

/// The shape of a constant, with its vectors as vectors of parts where they are short.
fn parts(program: &Program, constant: ConstantId) -> Option<Assumed> {
    match program.constant(constant) {
        Constant::Real(_) => Some(Assumed::Real),
        Constant::Boolean(_) => Some(Assumed::Boolean),
        Constant::Nil | Constant::Pair(..) => None,
        Constant::Vector(elements) => {
            let part = |element: &ConstantId| long_array(program, *element).or_else(|| parts(program, *element));
            elements.iter().map(part).collect::<Option<Vec<Assumed>>>().map(Assumed::Vector)
        }
    }
}

impl Analysis<'_> {
    /// Has the elements of all data known, for code that other data will not reach.
    #[must_use]
    pub fn with_elements_of_data(mut self) -> Self {
        self.specialiser.elements = Elements::Known;
        self
    }

    /// Returns true if the code of an item has elements of data in it.
    pub fn depends_on_data(&self) -> bool {
        self.depends_on_data
    }

    /// Returns true if a definition is one of data.
    pub fn is_data(&self, global: GlobalId) -> bool {
        matches!(self.specialiser.globals.get(global.0 as usize), Some(Global::Data { .. }))
    }
}

impl Specialiser<'_> {
    /// The knowledge about a definition of data; none if the item is no such one, or its shape is too large.
    pub(super) fn data(&mut self, item: Item) -> Result<Option<Global>, Reason> {
        let Some(shape) = shape_of(self.program, item) else { return Ok(None) };
        let Expression::Constant(constant) = self.program.expression(item.node()) else { return Ok(None) };
        Ok(Some(Global::Data { shape: shape.value(&mut self.domain)?, constant }))
    }
}

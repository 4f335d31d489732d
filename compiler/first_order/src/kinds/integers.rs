//! The operations on integers: words of 64 bits that wrap around, of which some tests take the sign into account.
//!
//! One row for each says its operands, its result and its meaning. The C is in `vlad_compiler::specialised`.

use super::kind::Kind;

/// An operation on integers, or between integers and other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerOperation {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The second or the third operand: if the first one, a boolean, is true or false.
    Choose,
    /// The index that times a factor is the operand, given the inverse of the factor's odd part modulo 2^64, and the number of
    /// its twos. If there is none it is above all indices.
    Solve(u64, u32),
    /// The integer of a real that is a whole number.
    Whole,
    /// The number of whole numbers from 0 below a real.
    Bound,
    /// The integer of a real that is a whole number of moderate size, of less than 2^40; 0 of any other one.
    Moderate,
    /// The same of an integer.
    ModerateInteger,
    /// An integer, or 0 if it is negative.
    NotNegative,
    /// The remainder of a division by a size, which is not negative; the greatest integer if the size is 0.
    Remainder,
    /// The real of such a remainder: not a number if the size was 0.
    RealOfRemainder,
    /// True if an integer, the first operand, has the value of a real.
    Equals,
    /// True if two integers are the same.
    Same,
    /// The real of an integer, which has a sign.
    Real,
    /// The bits of a real.
    Bits,
    /// The number of whole periods among turns that are left, given the turns of one, the steps of one, and the steps before; 0 if all these
    /// steps together were more than reals can tell apart.
    Periods,
    /// True if the first integer is below the second one, without signs.
    Below,
    /// True if the first integer is less than the second one, with signs.
    Less,
    /// True if the first integer is not below the second one, without signs.
    NotBelow,
    /// True if the operand, a boolean, is false.
    Not,
    /// True if both operands, which are booleans, are true.
    Both,
    /// The operand, a boolean that is nearly always true.
    Likely,
}

impl IntegerOperation {
    /// The kinds of the operands.
    pub fn operands(self) -> &'static [Kind] {
        use IntegerOperation as O;
        match self {
            O::Add | O::Subtract | O::Multiply | O::Below | O::NotBelow | O::Less | O::Same | O::Remainder => {
                &[Kind::Integer, Kind::Integer]
            }
            O::Choose => &[Kind::Boolean, Kind::Integer, Kind::Integer],
            O::Solve(..) | O::Real | O::ModerateInteger | O::NotNegative | O::RealOfRemainder => &[Kind::Integer],
            O::Whole | O::Bound | O::Moderate | O::Bits => &[Kind::Real],
            O::Periods => &[Kind::Integer; 4],
            O::Equals => &[Kind::Integer, Kind::Real],
            O::Both => &[Kind::Boolean, Kind::Boolean],
            O::Not | O::Likely => &[Kind::Boolean],
        }
    }

    /// The kind of the result.
    pub fn result(self) -> Kind {
        use IntegerOperation as O;
        match self {
            O::Add
            | O::Subtract
            | O::Multiply
            | O::Choose
            | O::Solve(..)
            | O::Whole
            | O::Bound
            | O::Moderate
            | O::ModerateInteger
            | O::NotNegative
            | O::Remainder
            | O::Bits
            | O::Periods => Kind::Integer,
            O::Real | O::RealOfRemainder => Kind::Real,
            O::Equals | O::Same | O::Below | O::NotBelow | O::Less | O::Not | O::Both | O::Likely => Kind::Boolean,
        }
    }
}

/// Gives the operations their names in the text of a unit.
macro_rules! names_of_operations {
    ($($operation:ident $name:literal),*) => {
        impl IntegerOperation {
            /// The name, for readers.
            pub fn name(self) -> &'static str {
                match self {
                    IntegerOperation::Solve(..) => "solve",
                    $(IntegerOperation::$operation => $name),*
                }
            }

            /// The operation of a name, unless it has fields.
            pub fn named(name: &str) -> Option<IntegerOperation> {
                match name {
                    $($name => Some(IntegerOperation::$operation),)*
                    _ => None,
                }
            }
        }
    };
}

names_of_operations! {
    Add "add",
    Subtract "subtract",
    Multiply "multiply",
    Choose "choose",
    Whole "whole",
    Bound "bound",
    Moderate "moderate",
    ModerateInteger "moderate-integer",
    NotNegative "not-negative",
    Remainder "remainder",
    RealOfRemainder "real-of-remainder",
    Equals "equals",
    Same "same",
    Real "real",
    Bits "bits",
    Periods "periods",
    Below "below",
    NotBelow "not-below",
    Not "not",
    Less "less",
    Both "both",
    Likely "likely"
}

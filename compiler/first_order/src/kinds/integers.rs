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

/// Gives each operation its name in the text of a unit, the kinds of its operands, and that of its result.
macro_rules! rows {
    ($($operation:ident $name:literal [$($operand:ident)*] $result:ident),* $(,)?) => {
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

            /// The kinds of the operands.
            pub fn operands(self) -> &'static [Kind] {
                match self {
                    IntegerOperation::Solve(..) => &[Kind::Integer],
                    $(IntegerOperation::$operation => &[$(Kind::$operand),*]),*
                }
            }

            /// The kind of the result.
            pub fn result(self) -> Kind {
                match self {
                    IntegerOperation::Solve(..) => Kind::Integer,
                    $(IntegerOperation::$operation => Kind::$result),*
                }
            }
        }
    };
}

rows! {
    Add "add" [Integer Integer] Integer,
    Subtract "subtract" [Integer Integer] Integer,
    Multiply "multiply" [Integer Integer] Integer,
    Choose "choose" [Boolean Integer Integer] Integer,
    Whole "whole" [Real] Integer,
    Bound "bound" [Real] Integer,
    Moderate "moderate" [Real] Integer,
    ModerateInteger "moderate-integer" [Integer] Integer,
    NotNegative "not-negative" [Integer] Integer,
    Remainder "remainder" [Integer Integer] Integer,
    RealOfRemainder "real-of-remainder" [Integer] Real,
    Equals "equals" [Integer Real] Boolean,
    Same "same" [Integer Integer] Boolean,
    Real "real" [Integer] Real,
    Bits "bits" [Real] Integer,
    Periods "periods" [Integer Integer Integer Integer] Integer,
    Below "below" [Integer Integer] Boolean,
    Less "less" [Integer Integer] Boolean,
    NotBelow "not-below" [Integer Integer] Boolean,
    Not "not" [Boolean] Boolean,
    Both "both" [Boolean Boolean] Boolean,
    Likely "likely" [Boolean] Boolean,
}

//! The primitives of core that operations lower to.

use crate::fsmooth::builtins::ReverseOperator;
use vlad_core::notes::Spellings;
use vlad_table::Primitive;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// The names of primitives in messages, where they are not those of the language.
pub(super) const SPELLINGS: Spellings = &[
    ("get", "v[i]"),
    ("vector-length", "length"),
    ("of-length", "ofLength"),
    ("car", "fst"),
    ("cdr", "snd"),
    ("not", "!"),
    ("expt", "**"),
    ("j*", "jvp"),
    ("*j", "vjp"),
    ("checkpoint-*j", "vjpCheckpoint"),
    ("=", "=="),
];

/// Returns the primitive of an operation.
pub(super) fn of(operation: Operation) -> Primitive {
    match operation {
        Operation::Add => Primitive::Add,
        // Of one operand it is the sign.
        Operation::Subtract | Operation::Negate => Primitive::Subtract,
        Operation::Multiply => Primitive::Multiply,
        Operation::Divide => Primitive::Divide,
        Operation::SquareRoot => Primitive::SquareRoot,
        Operation::Exponential => Primitive::Exponential,
        Operation::Logarithm => Primitive::Logarithm,
        Operation::Sine => Primitive::Sine,
        Operation::Cosine => Primitive::Cosine,
        Operation::Tangent => Primitive::Tangent,
        Operation::ArcSine => Primitive::ArcSine,
        Operation::ArcCosine => Primitive::ArcCosine,
        // Of two operands it is the angle of a point.
        Operation::ArcTangent | Operation::ArcTangent2 => Primitive::ArcTangent,
        Operation::HyperbolicSine => Primitive::HyperbolicSine,
        Operation::HyperbolicCosine => Primitive::HyperbolicCosine,
        Operation::HyperbolicTangent => Primitive::HyperbolicTangent,
        Operation::Power => Primitive::Power,
        Operation::Absolute => Primitive::Absolute,
        Operation::Maximum => Primitive::Maximum,
        Operation::Minimum => Primitive::Minimum,
        Operation::Floor => Primitive::Floor,
        Operation::Ceiling => Primitive::Ceiling,
        Operation::Round => Primitive::Round,
        Operation::Truncate => Primitive::Truncate,
        Operation::Modulo => Primitive::Modulo,
        Operation::ErrorFunction => Primitive::ErrorFunction,
        Operation::ComplementaryErrorFunction => Primitive::ComplementaryErrorFunction,
        Operation::LogGamma => Primitive::LogGamma,
        Operation::Polygamma => Primitive::Polygamma,
        Operation::LogarithmOfOnePlus => Primitive::LogarithmOfOnePlus,
        Operation::ExponentialMinusOne => Primitive::ExponentialMinusOne,
        Operation::InverseHyperbolicSine => Primitive::InverseHyperbolicSine,
        Operation::InverseHyperbolicCosine => Primitive::InverseHyperbolicCosine,
        Operation::InverseHyperbolicTangent => Primitive::InverseHyperbolicTangent,
        Operation::Hypotenuse => Primitive::Hypotenuse,
        Operation::CubeRoot => Primitive::CubeRoot,
        Operation::BinaryExponential => Primitive::BinaryExponential,
        Operation::BinaryLogarithm => Primitive::BinaryLogarithm,
        Operation::DecimalLogarithm => Primitive::DecimalLogarithm,
        Operation::Gamma => Primitive::Gamma,
        Operation::GuardedMultiply | Operation::Copy => internal_bug!("{operation:?} is no primitive"),
    }
}

/// Returns the primitive of a comparison.
pub(super) fn of_comparison(comparison: Comparison) -> Primitive {
    match comparison {
        Comparison::Equal => Primitive::Equal,
        Comparison::Less => Primitive::Less,
        Comparison::Greater => Primitive::Greater,
        Comparison::NotGreater => Primitive::NotGreater,
        Comparison::NotLess => Primitive::NotLess,
    }
}

/// Returns the primitive of an operator of reverse mode.
pub(super) fn of_reverse(operator: ReverseOperator) -> Primitive {
    match operator {
        ReverseOperator::Reverse => Primitive::Reverse,
        ReverseOperator::Checkpoint => Primitive::Checkpoint,
    }
}

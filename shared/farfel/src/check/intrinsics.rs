//! The intrinsic functions: names, operands, results.

use crate::syntax::tree::Type;

/// The operation of an intrinsic function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their names are those of the functions
pub enum Operation {
    Abs,
    Sqrt,
    Exp,
    Log,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Erf,
    Erfc,
    Max,
    Min,
    Mod,
    Sign,
    Dim,
    Truncate,
    Nearest,
    Convert,
    Product,
}

/// The operands that a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Reals; an integer literal may stand for one.
    Reals,
    /// Integers.
    Integers,
    /// Numbers, all of one type, which is that of the result unless the function has one.
    Numbers,
}

/// An intrinsic function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intrinsic {
    /// Its name.
    pub name: &'static str,
    /// Its operation.
    pub operation: Operation,
    /// Its operands.
    pub operands: Operands,
    /// The least number of operands, and the greatest; none if there is no bound.
    pub count: (usize, Option<usize>),
    /// The type of its result; none if it is that of the operands.
    pub result: Option<Type>,
}

const fn of(
    name: &'static str,
    operation: Operation,
    operands: Operands,
    count: usize,
    result: Option<Type>,
) -> Intrinsic {
    Intrinsic { name, operation, operands, count: (count, Some(count)), result }
}

const fn many(name: &'static str, operation: Operation, operands: Operands, result: Option<Type>) -> Intrinsic {
    Intrinsic { name, operation, operands, count: (2, None), result }
}

const REAL: Option<Type> = Some(Type::Real);
const INTEGER: Option<Type> = Some(Type::Integer);

/// The intrinsic functions.
pub const INTRINSICS: [Intrinsic; 70] = [
    of("ABS", Operation::Abs, Operands::Numbers, 1, None),
    of("IABS", Operation::Abs, Operands::Integers, 1, INTEGER),
    of("DABS", Operation::Abs, Operands::Reals, 1, REAL),
    of("SQRT", Operation::Sqrt, Operands::Reals, 1, REAL),
    of("DSQRT", Operation::Sqrt, Operands::Reals, 1, REAL),
    of("EXP", Operation::Exp, Operands::Reals, 1, REAL),
    of("DEXP", Operation::Exp, Operands::Reals, 1, REAL),
    of("LOG", Operation::Log, Operands::Reals, 1, REAL),
    of("ALOG", Operation::Log, Operands::Reals, 1, REAL),
    of("DLOG", Operation::Log, Operands::Reals, 1, REAL),
    of("LOG10", Operation::Log10, Operands::Reals, 1, REAL),
    of("ALOG10", Operation::Log10, Operands::Reals, 1, REAL),
    of("DLOG10", Operation::Log10, Operands::Reals, 1, REAL),
    of("SIN", Operation::Sin, Operands::Reals, 1, REAL),
    of("DSIN", Operation::Sin, Operands::Reals, 1, REAL),
    of("COS", Operation::Cos, Operands::Reals, 1, REAL),
    of("DCOS", Operation::Cos, Operands::Reals, 1, REAL),
    of("TAN", Operation::Tan, Operands::Reals, 1, REAL),
    of("DTAN", Operation::Tan, Operands::Reals, 1, REAL),
    of("ASIN", Operation::Asin, Operands::Reals, 1, REAL),
    of("DASIN", Operation::Asin, Operands::Reals, 1, REAL),
    of("ACOS", Operation::Acos, Operands::Reals, 1, REAL),
    of("DACOS", Operation::Acos, Operands::Reals, 1, REAL),
    of("ATAN", Operation::Atan, Operands::Reals, 1, REAL),
    of("DATAN", Operation::Atan, Operands::Reals, 1, REAL),
    of("ATAN2", Operation::Atan2, Operands::Reals, 2, REAL),
    of("DATAN2", Operation::Atan2, Operands::Reals, 2, REAL),
    of("SINH", Operation::Sinh, Operands::Reals, 1, REAL),
    of("DSINH", Operation::Sinh, Operands::Reals, 1, REAL),
    of("COSH", Operation::Cosh, Operands::Reals, 1, REAL),
    of("DCOSH", Operation::Cosh, Operands::Reals, 1, REAL),
    of("TANH", Operation::Tanh, Operands::Reals, 1, REAL),
    of("DTANH", Operation::Tanh, Operands::Reals, 1, REAL),
    of("ERF", Operation::Erf, Operands::Reals, 1, REAL),
    of("ERFC", Operation::Erfc, Operands::Reals, 1, REAL),
    many("MAX", Operation::Max, Operands::Numbers, None),
    many("AMAX1", Operation::Max, Operands::Reals, REAL),
    many("DMAX1", Operation::Max, Operands::Reals, REAL),
    many("MAX0", Operation::Max, Operands::Integers, INTEGER),
    many("AMAX0", Operation::Max, Operands::Integers, REAL),
    many("MAX1", Operation::Max, Operands::Reals, INTEGER),
    many("MIN", Operation::Min, Operands::Numbers, None),
    many("AMIN1", Operation::Min, Operands::Reals, REAL),
    many("DMIN1", Operation::Min, Operands::Reals, REAL),
    many("MIN0", Operation::Min, Operands::Integers, INTEGER),
    many("AMIN0", Operation::Min, Operands::Integers, REAL),
    many("MIN1", Operation::Min, Operands::Reals, INTEGER),
    of("MOD", Operation::Mod, Operands::Numbers, 2, None),
    of("AMOD", Operation::Mod, Operands::Reals, 2, REAL),
    of("DMOD", Operation::Mod, Operands::Reals, 2, REAL),
    of("SIGN", Operation::Sign, Operands::Numbers, 2, None),
    of("ISIGN", Operation::Sign, Operands::Integers, 2, INTEGER),
    of("DSIGN", Operation::Sign, Operands::Reals, 2, REAL),
    of("DIM", Operation::Dim, Operands::Numbers, 2, None),
    of("IDIM", Operation::Dim, Operands::Integers, 2, INTEGER),
    of("DDIM", Operation::Dim, Operands::Reals, 2, REAL),
    of("DPROD", Operation::Product, Operands::Reals, 2, REAL),
    of("INT", Operation::Truncate, Operands::Numbers, 1, INTEGER),
    of("IFIX", Operation::Truncate, Operands::Reals, 1, INTEGER),
    of("IDINT", Operation::Truncate, Operands::Reals, 1, INTEGER),
    of("AINT", Operation::Truncate, Operands::Reals, 1, REAL),
    of("DINT", Operation::Truncate, Operands::Reals, 1, REAL),
    of("NINT", Operation::Nearest, Operands::Reals, 1, INTEGER),
    of("IDNINT", Operation::Nearest, Operands::Reals, 1, INTEGER),
    of("ANINT", Operation::Nearest, Operands::Reals, 1, REAL),
    of("DNINT", Operation::Nearest, Operands::Reals, 1, REAL),
    of("REAL", Operation::Convert, Operands::Numbers, 1, REAL),
    of("FLOAT", Operation::Convert, Operands::Integers, 1, REAL),
    of("SNGL", Operation::Convert, Operands::Reals, 1, REAL),
    of("DBLE", Operation::Convert, Operands::Numbers, 1, REAL),
];

/// Returns the intrinsic function of a name.
pub fn named(name: &str) -> Option<Intrinsic> {
    INTRINSICS.into_iter().find(|intrinsic| intrinsic.name == name)
}

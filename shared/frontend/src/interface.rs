//! Interfaces of exports: the types of procedures that programs in other languages call, as the types of a program tell
//! them.

/// The type of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its operands, at least one.
    pub operands: Vec<DataType>,
    /// Its result.
    pub result: DataType,
}

/// The type of data that programs in other languages can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataType {
    /// A real.
    Real,
    /// A boolean.
    Boolean,
    /// A vector of reals.
    Vector,
    /// A vector of vectors of reals, which have one length.
    Matrix,
    /// A pair.
    Pair(Box<DataType>, Box<DataType>),
}

impl DataType {
    /// The type of a pair.
    pub fn pair(first: DataType, second: DataType) -> DataType {
        DataType::Pair(Box::new(first), Box::new(second))
    }
}

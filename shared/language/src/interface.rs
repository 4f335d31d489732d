//! Interfaces of exports: the types of procedures that programs in other languages call, as the types of a program tell
//! them; and the structure of the data that procedures take.

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
    /// An array of reals of so many dimensions, at least one: a vector of arrays of one dimension less, which have the same sizes.
    Array(u32),
    /// A pair.
    Pair(Box<DataType>, Box<DataType>),
}

impl DataType {
    /// The type of a pair.
    pub fn pair(first: DataType, second: DataType) -> DataType {
        DataType::Pair(Box::new(first), Box::new(second))
    }
}

/// The structure of data, as the types of a program tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Structure {
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// An array of data of one structure.
    Array(Box<Structure>),
    /// A pair.
    Pair(Box<Structure>, Box<Structure>),
}

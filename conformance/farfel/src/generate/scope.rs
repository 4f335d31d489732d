//! Names in scope with their uses.

use crate::tree::{Intrinsic, Type};
use std::collections::BTreeSet;

/// A variable, by the number of its unit and its name.
pub type VariableKey = (u32, String);

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The number of the unit that owns it.
    pub unit: u32,
    /// The type.
    pub sort: Type,
    /// The bounds of an array.
    pub bounds: Option<Vec<(i64, i64)>>,
    /// False for the index of a loop that is being executed, and for constants.
    pub is_assignable: bool,
    /// True for an array whose last bound is `*`: it has no size of its own.
    pub is_assumed: bool,
    /// The least and the greatest value, if they are known: those of an index.
    pub range: Option<(i64, i64)>,
}

impl Variable {
    /// The key.
    pub fn key(&self) -> VariableKey {
        (self.unit, self.name.clone())
    }

    /// The number of elements of an array.
    pub fn size(&self) -> i64 {
        self.bounds.iter().flatten().map(|(lower, upper)| upper - lower + 1).product()
    }
}

/// The signatures of subprograms that are given to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// A real function of a real, which it does not assign.
    OfOne,
    /// A real function of two reals, which it does not assign.
    OfTwo,
    /// A subroutine of a real, which it assigns.
    Changes,
}

/// A parameter of a subprogram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A scalar; true if the subprogram assigns it.
    Scalar(Type, bool),
    /// An array of reals with so many elements at least; true if the subprogram assigns elements.
    Array(i64, bool),
    /// A subprogram.
    Procedure(Signature),
    /// An integer that the bounds of the array behind it refer to.
    Extent(i64),
    /// A number of activations of the subprogram by itself.
    Depth,
}

/// A subprogram in scope.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// The name.
    pub name: String,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The type of the result of a function.
    pub result: Option<Type>,
    /// The variables of units around it that it uses, or may use by subprograms that it calls.
    pub uses: BTreeSet<VariableKey>,
    /// True if it assigns variables of units around it, assigns parameters, reads or prints.
    pub has_effects: bool,
    /// True for a parameter: it may be any subprogram with its signature.
    pub is_parameter: bool,
}

impl Procedure {
    /// Returns true if it can be given to a parameter with a signature.
    pub fn suits(&self, signature: Signature) -> bool {
        let real = |assigned| Parameter::Scalar(Type::Real, assigned);
        match signature {
            Signature::OfOne => self.result == Some(Type::Real) && self.parameters == [real(false)],
            Signature::OfTwo => self.result == Some(Type::Real) && self.parameters == [real(false), real(false)],
            Signature::Changes => self.result.is_none() && self.parameters == [real(true)],
        }
    }
}

/// A unit that is being generated.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The number.
    pub number: u32,
    /// The variables of its own.
    pub variables: Vec<Variable>,
    /// The subprograms nested in it, and its parameters that are subprograms.
    pub procedures: Vec<Procedure>,
    /// The names that it declares and that stand for nothing that may be used.
    pub hidden: BTreeSet<String>,
    /// The variables of units around it that it uses.
    pub uses: BTreeSet<VariableKey>,
    /// True once it has effects beyond its own variables.
    pub has_effects: bool,
    /// The subprograms that it calls.
    pub called: BTreeSet<String>,
    /// The variables for counters that were made for it: their names and if they are declared.
    pub counters: Vec<(String, bool)>,
    /// True while a block of differentiation is generated.
    pub in_block: bool,
    /// True in the main program.
    pub is_main: bool,
    /// The intrinsic functions that it gives to subprograms.
    pub passed: Vec<Intrinsic>,
    /// The depth of loops.
    pub loops: u32,
}

//! The entities of a program: variables with their owners and kinds, and the meanings of names.

use crate::check::intrinsics::Intrinsic;
use crate::program::units::UnitId;
use crate::syntax::tree::{ExprId, Type};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vlad_core::source::Span;
use vlad_language::names::NameId;
use vlad_table::internal_bug;

/// The number of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A number that belongs to a dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// A constant.
    Known(f64),
    /// A hidden variable, which gets the value of an expression when the subprogram is entered.
    Computed(VarId, ExprId),
    /// The bound of the array given.
    Assumed,
}

/// A dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    /// The lower bound.
    pub lower: Extent,
    /// The upper bound.
    pub upper: Extent,
}

/// A kind of variable.
#[derive(Clone, Debug, PartialEq)]
pub enum VarKind {
    /// A number or a truth value.
    Scalar(Type),
    /// An array.
    Array(Type, Vec<Dimension>),
    /// A parameter that is a procedure, with the type of its result if it is a function.
    Procedure(Type),
    /// The stack of frames.
    State,
    /// The number of frames below that of a subprogram.
    Depth,
}

/// The origin of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// A parameter, by its place.
    Parameter(usize),
    /// The result of a function.
    Result,
    /// A declaration.
    Declared,
    /// Use without declaration.
    Implicit,
    /// `PARAMETER`, with the value.
    Constant(ExprId),
    /// The index of a list in a statement of differentiation, or made by a pass.
    Hidden,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name in Fortran.
    pub name: NameId,
    /// The subprogram that it belongs to.
    pub owner: UnitId,
    /// Its kind.
    pub kind: VarKind,
    /// Its origin.
    pub origin: Origin,
    /// The place of its first occurrence.
    pub span: Span,
}

/// The meaning of a name in a scope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entity {
    /// A variable.
    Variable(VarId),
    /// A subprogram.
    Unit(UnitId),
    /// An intrinsic function that is declared as such.
    Intrinsic(Intrinsic),
}

/// A procedure that is called or passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A subprogram.
    Unit(UnitId),
    /// A parameter.
    Parameter(VarId),
}

/// The meaning of an expression that is a name, alone or with a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// No name, or one that has been reported.
    None,
    /// A variable: a scalar, or a whole array.
    Variable(VarId),
    /// An element of an array.
    Element(VarId),
    /// A call.
    Call(Callee),
    /// A procedure as an argument.
    Procedure(Callee),
    /// A call of an intrinsic function.
    Intrinsic(Intrinsic),
}

/// The scope of a subprogram.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The names that it declares.
    pub names: FxHashMap<NameId, Entity>,
    /// The variables of its parameters.
    pub parameters: Vec<VarId>,
    /// The variable of its result.
    pub result: Option<VarId>,
    /// The types of names by first letter; none under `IMPLICIT NONE`.
    pub letters: Option<[Option<Type>; 26]>,
    /// The names declared with a type only, where the type may be that of a procedure.
    pub typed: FxHashMap<NameId, (Type, Span)>,
    /// The variables that belong to it, in the order in which they were made.
    pub own: Vec<VarId>,
}

/// The entities of a program.
#[derive(Debug, Default)]
pub struct Entities {
    /// The variables.
    pub vars: Vec<Var>,
    /// The scope of each subprogram.
    pub scopes: Vec<Scope>,
    /// The meaning of each expression.
    pub meanings: Vec<Meaning>,
    /// The type of each expression; none for whole arrays, procedures, and where an error has been reported.
    pub types: Vec<Option<Type>>,
    /// The subprograms that may be given for each parameter that is a procedure.
    pub flows: FxHashMap<VarId, BTreeSet<UnitId>>,
}

impl Entities {
    /// Adds a variable.
    pub fn add(&mut self, var: Var) -> VarId {
        let id = VarId(self.vars.len() as u32);
        if let Some(scope) = self.scopes.get_mut(var.owner.0 as usize) {
            scope.own.push(id);
        }
        self.vars.push(var);
        id
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Var {
        match self.vars.get(id.0 as usize) {
            Some(var) => var,
            None => internal_bug!("variable {} exists", id.0),
        }
    }

    /// The scope of a subprogram.
    pub fn scope(&self, unit: UnitId) -> &Scope {
        match self.scopes.get(unit.0 as usize) {
            Some(scope) => scope,
            None => internal_bug!("subprogram {} has a scope", unit.0),
        }
    }

    /// The scope of a subprogram, to be changed.
    pub fn scope_mut(&mut self, unit: UnitId) -> &mut Scope {
        match self.scopes.get_mut(unit.0 as usize) {
            Some(scope) => scope,
            None => internal_bug!("subprogram {} has a scope", unit.0),
        }
    }

    /// Returns the meaning of an expression.
    pub fn meaning(&self, id: ExprId) -> Meaning {
        self.meanings.get(id.0 as usize).copied().unwrap_or(Meaning::None)
    }

    /// Sets the meaning of an expression.
    pub fn set_meaning(&mut self, id: ExprId, meaning: Meaning) {
        if let Some(place) = self.meanings.get_mut(id.0 as usize) {
            *place = meaning;
        }
    }

    /// Returns the type of an expression.
    pub fn type_of(&self, id: ExprId) -> Option<Type> {
        self.types.get(id.0 as usize).copied().flatten()
    }

    /// Returns true if a variable is an array.
    pub fn is_array(&self, id: VarId) -> bool {
        matches!(self.var(id).kind, VarKind::Array(..))
    }

    /// Returns true if a variable is a procedure.
    pub fn is_procedure(&self, id: VarId) -> bool {
        matches!(self.var(id).kind, VarKind::Procedure(_))
    }

    /// Returns the type of a variable's values.
    pub fn element_type(&self, id: VarId) -> Type {
        match self.var(id).kind {
            VarKind::Scalar(kind) | VarKind::Array(kind, _) | VarKind::Procedure(kind) => kind,
            VarKind::State | VarKind::Depth => Type::Integer,
        }
    }

    /// Returns the subprograms that a call may call.
    pub fn targets(&self, callee: Callee) -> Vec<UnitId> {
        match callee {
            Callee::Unit(unit) => vec![unit],
            Callee::Parameter(var) => {
                self.flows.get(&var).map(|units| units.iter().copied().collect()).unwrap_or_default()
            }
        }
    }
}

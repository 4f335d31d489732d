//! The kinds of numbers, I (Index) and D (Double) with I <= D, and their least solution.
//!
//! A type has a variable for each number in it. Values flow from one type to another, which makes inequalities between
//! variables. A variable is D if D flows into it, and I if it flows into I; both is an error. Of the others, those are I
//! into which I flows, with all that flow into such; the rest is D.

use crate::typed::fold::{Compound, Seen, compound, fold};
use crate::typed::{Type, TypeId, Types};
use vlad_core::numbers::Table;
use vlad_core::source::Span;
use vlad_table::internal_bug;

/// A variable, or one of the kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub u32);

impl Kind {
    /// I.
    pub const INDEX: Kind = Kind(0);
    /// D.
    pub const DOUBLE: Kind = Kind(1);
}

vlad_core::numbers! {
    /// The number of a type with kinds.
    KindedId;
}

/// A type with a kind for each number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinded {
    /// A number.
    Number(Kind),
    /// A boolean.
    Boolean,
    /// An array.
    Array(KindedId),
    /// A pair.
    Pair(KindedId, KindedId),
    /// A function.
    Function(KindedId, KindedId),
}

compound!(Kinded, KindedId);

/// The role of the expression whose value flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is the index of an element.
    Index,
    /// It is the size of a built array.
    Size,
    /// It is the number of iterations.
    Count,
    /// It is the length that an array is to have.
    Length,
    /// It is an operand of `quotient`.
    Operand,
    /// It is a variable by which an expression is differentiated.
    Variable,
    /// It has a written type.
    Annotation,
    /// Any other one.
    Flow,
}

/// An inequality: one kind is at most the other.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The lesser kind.
    pub from: Kind,
    /// The greater kind.
    pub to: Kind,
    /// The expression whose value flows.
    pub span: Span,
    /// Its role.
    pub role: Role,
    /// If this is an inequality of the interface of a definition, what demands an Index within the definition.
    pub inner: Option<Demand>,
}

/// An expression that has to be an Index.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// The expression.
    pub span: Span,
    /// The role that demands it.
    pub role: Role,
}

/// The kinds of an item.
#[derive(Debug)]
pub struct Kinds {
    pub(super) types: Table<KindedId, Kinded>,
    pub(super) count: u32,
    pub(super) edges: Vec<Edge>,
}

/// The kinds that an item's variables have been given.
#[derive(Debug)]
pub struct Solution {
    pub(super) doubles: Vec<bool>,
}

/// A Double that flows into an Index.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    /// The inequality that demands an Index.
    pub demand: Edge,
    /// The expression that is a Double.
    pub source: Span,
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds { types: Table::default(), count: 2, edges: vec![] }
    }
}

impl Kinds {
    /// Adds a type, whose parts are there.
    pub fn add(&mut self, kinded: Kinded) -> KindedId {
        self.types.push(kinded)
    }

    /// Adds a variable.
    pub fn variable(&mut self) -> Kind {
        self.count += 1;
        Kind(self.count - 1)
    }

    /// Adds a number with a variable of its own.
    pub fn number(&mut self) -> KindedId {
        let kind = self.variable();
        self.add(Kinded::Number(kind))
    }

    /// A type.
    pub fn get(&self, id: KindedId) -> Kinded {
        self.types[id]
    }

    /// Returns the parameter and the result of a function.
    pub fn function(&self, id: KindedId) -> (KindedId, KindedId) {
        let Kinded::Function(parameter, result) = self.get(id) else {
            internal_bug!("kinded type {} is a function", id.0)
        };
        (parameter, result)
    }

    /// Returns the element of an array.
    pub fn element(&self, id: KindedId) -> KindedId {
        let Kinded::Array(element) = self.get(id) else { internal_bug!("kinded type {} is an array", id.0) };
        element
    }

    /// Returns the parts of a pair.
    pub fn pair(&self, id: KindedId) -> (KindedId, KindedId) {
        let Kinded::Pair(first, second) = self.get(id) else { internal_bug!("kinded type {} is a pair", id.0) };
        (first, second)
    }

    /// Adds a type with new variables.
    pub fn fresh(&mut self, types: &Types, id: TypeId) -> KindedId {
        self.made(types, id, |kinds, _| kinds.variable())
    }

    /// Adds a written type with the kinds that it has.
    pub fn fixed(&mut self, types: &Types, id: TypeId) -> KindedId {
        self.made(types, id, |kinds, id| match id {
            Types::INDEX => Kind::INDEX,
            Types::NUMBER => kinds.variable(),
            _ => Kind::DOUBLE,
        })
    }

    /// Adds a type whose numbers are all D.
    pub fn continuous(&mut self, types: &Types, id: TypeId) -> KindedId {
        self.made(types, id, |_, _| Kind::DOUBLE)
    }

    /// Adds a type of the structure of another one; its size as a tree is bounded.
    fn made(&mut self, types: &Types, id: TypeId, kind: impl Fn(&mut Kinds, TypeId) -> Kind) -> KindedId {
        let see = |kinds: &mut Kinds, id| match types.get(id) {
            Type::Double | Type::Index => {
                let kind = kind(kinds, id);
                Seen::Known(kinds.add(Kinded::Number(kind)))
            }
            seen => seen.parts().map_or_else(|| Seen::Known(kinds.add(Kinded::Boolean)), Seen::Of),
        };
        fold(self, id, see, |kinds, _, parts| kinds.add(parts.into()))
    }

    /// Adds an inequality.
    pub fn at_most(&mut self, from: Kind, to: Kind, span: Span, role: Role) {
        self.add_edge(Edge { from, to, span, role, inner: None });
    }

    fn add_edge(&mut self, edge: Edge) {
        // What flows into D is not bounded, but I that flows into a variable counts.
        if edge.from != edge.to && edge.to != Kind::DOUBLE {
            self.edges.push(edge);
        }
    }

    /// Adds the inequalities of a value that flows from one type to another one of the same shape.
    pub fn flow(&mut self, from: KindedId, to: KindedId, span: Span, role: Role) {
        if let (Kinded::Number(from), Kinded::Number(to)) = (self.get(from), self.get(to)) {
            return self.at_most(from, to, span, role);
        }
        let mut pending = vec![(from, to)];
        while let Some((from, to)) = pending.pop() {
            if from == to {
                continue;
            }
            match (self.get(from), self.get(to)) {
                (Kinded::Number(from), Kinded::Number(to)) => self.at_most(from, to, span, role),
                (Kinded::Boolean, Kinded::Boolean) => {}
                (from, to) => match from.parts().zip(to.parts()).and_then(|(from, to)| from.zip(to)) {
                    Some(Compound::Function((parameter, taken), result)) => {
                        pending.extend([result, (taken, parameter)]);
                    }
                    Some(parts) => pending.extend(parts.into_iter().rev()),
                    None => internal_bug!("values flow between types of one shape"),
                },
            }
        }
    }

    /// Returns the kinds in a type, in the order in which they occur.
    pub fn leaves(&self, id: KindedId) -> Vec<Kind> {
        let (mut pending, mut leaves) = (vec![id], vec![]);
        while let Some(id) = pending.pop() {
            let kinded = self.get(id);
            if let Kinded::Number(kind) = kinded {
                leaves.push(kind);
            }
            pending.extend(kinded.parts().into_iter().flat_map(|parts| parts.into_iter().rev()));
        }
        leaves
    }

    /// Returns the number of variables and kinds.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// Adds the type of a definition at a use, with new variables.
    pub fn instantiate(&mut self, interface: &Interface, span: Span) -> KindedId {
        let mut variables = vec![Kind::INDEX, Kind::DOUBLE];
        for _ in 2..interface.count {
            variables.push(self.variable());
        }
        let of = |kind: Kind| variables.get(kind.0 as usize).copied().unwrap_or(Kind::DOUBLE);
        for InterfaceEdge { from, to, demand } in &interface.edges {
            self.add_edge(Edge { from: of(*from), to: of(*to), span, role: Role::Flow, inner: *demand });
        }
        let base = self.types.len() as u32;
        let moved = |id: KindedId| KindedId(id.0 + base);
        for kinded in interface.types.iter() {
            let scalar = if let Kinded::Number(kind) = *kinded { Kinded::Number(of(kind)) } else { *kinded };
            self.add(kinded.parts().map_or(scalar, |parts| parts.map(moved).into()));
        }
        KindedId(self.types.len() as u32 - 1)
    }

    /// Returns the types that a solution makes of all types with kinds.
    pub fn types(&self, solution: &Solution, types: &mut Types) -> Table<KindedId, TypeId> {
        let mut made: Table<KindedId, TypeId> = Table::default();
        for kinded in self.types.iter() {
            let of = |id: KindedId| made[id];
            let scalar = match *kinded {
                Kinded::Number(kind) if solution.is_double(kind) => Type::Double,
                Kinded::Number(_) => Type::Index,
                _ => Type::Boolean,
            };
            let new = types.add(kinded.parts().map_or(scalar, |parts| parts.map(of).into()));
            made.push(new);
        }
        made
    }
}

impl Solution {
    /// Returns true if a kind is D.
    pub fn is_double(&self, kind: Kind) -> bool {
        self.doubles.get(kind.0 as usize) != Some(&false)
    }
}

/// The kinds of a definition as its uses see them.
#[derive(Debug)]
pub struct Interface {
    pub(super) types: Table<KindedId, Kinded>,
    pub(super) count: u32,
    pub(super) edges: Vec<InterfaceEdge>,
}

/// An inequality between kinds of an interface.
#[derive(Clone, Copy, Debug)]
pub struct InterfaceEdge {
    /// The lesser kind.
    pub from: Kind,
    /// The greater kind.
    pub to: Kind,
    /// If that is I, the place in the definition that demands it; none in the library.
    pub demand: Option<Demand>,
}

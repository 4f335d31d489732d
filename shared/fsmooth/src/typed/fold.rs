//! The fold over types: the result for a type from the results for its parts, in constant stack.
//!
//! Types of programs, shapes, and types with kinds are all made of arrays, pairs and functions ([`Compound`]) above scalars.

use std::iter::{Chain, Once, once};
use std::option;
use vlad_table::internal_bug;

/// A type with parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compound<P> {
    /// An array of elements.
    Array(P),
    /// A pair.
    Pair(P, P),
    /// A function from one to the other.
    Function(P, P),
}

impl<P> Compound<P> {
    /// Returns the same with something else in the place of each part, from the first.
    pub fn map<Q>(self, mut of: impl FnMut(P) -> Q) -> Compound<Q> {
        match self {
            Compound::Array(element) => Compound::Array(of(element)),
            Compound::Pair(first, second) => Compound::Pair(of(first), of(second)),
            Compound::Function(parameter, result) => Compound::Function(of(parameter), of(result)),
        }
    }
}

impl<P> IntoIterator for Compound<P> {
    type Item = P;
    type IntoIter = Chain<Once<P>, option::IntoIter<P>>;

    /// The parts, from the first.
    fn into_iter(self) -> Self::IntoIter {
        match self {
            Compound::Array(element) => once(element).chain(None),
            Compound::Pair(first, second) | Compound::Function(first, second) => once(first).chain(Some(second)),
        }
    }
}

/// The result for a type, or the parts from whose results it is made.
#[derive(Clone, Copy, Debug)]
pub enum Seen<P, R> {
    /// The result is known.
    Known(R),
    /// It is made of those of the parts.
    Of(Compound<P>),
}

/// Gives a type the conversions from and to its parts.
macro_rules! compound {
    ($whole:ty, $part:ty) => {
        impl From<$crate::typed::fold::Compound<$part>> for $whole {
            fn from(parts: $crate::typed::fold::Compound<$part>) -> $whole {
                use $crate::typed::fold::Compound;
                match parts {
                    Compound::Array(element) => <$whole>::Array(element),
                    Compound::Pair(first, second) => <$whole>::Pair(first, second),
                    Compound::Function(parameter, result) => <$whole>::Function(parameter, result),
                }
            }
        }

        impl $whole {
            /// Returns the parts of a type that has some.
            pub fn parts(self) -> Option<$crate::typed::fold::Compound<$part>> {
                use $crate::typed::fold::Compound;
                if let Self::Array(element) = self {
                    return Some(Compound::Array(element));
                }
                if let Self::Pair(first, second) = self {
                    return Some(Compound::Pair(first, second));
                }
                if let Self::Function(parameter, result) = self {
                    return Some(Compound::Function(parameter, result));
                }
                None
            }
        }
    };
}
pub(crate) use compound;

/// Returns the result for a type. `see` gives that of a scalar, and of a type whose result has been made before; `make` makes that of
/// another type of the results for its parts, of which the first one is made first.
pub fn fold<C, P: Copy, R>(
    context: &mut C,
    root: P,
    mut see: impl FnMut(&mut C, P) -> Seen<P, R>,
    mut make: impl FnMut(&mut C, P, Compound<R>) -> R,
) -> R {
    enum Step<P> {
        See(P),
        Make(P, Compound<P>),
    }
    if let Seen::Known(result) = see(context, root) {
        return result;
    }
    let (mut steps, mut done) = (vec![Step::See(root)], vec![]);
    while let Some(step) = steps.pop() {
        match step {
            Step::See(id) => match see(context, id) {
                Seen::Known(result) => done.push(result),
                Seen::Of(parts) => {
                    steps.push(Step::Make(id, parts));
                    let before = steps.len();
                    steps.extend(parts.into_iter().map(Step::See));
                    if let Some(parts) = steps.get_mut(before..) {
                        parts.reverse();
                    }
                }
            },
            Step::Make(id, parts) => {
                let count = parts.into_iter().count();
                let mut own = done.split_off(done.len().saturating_sub(count)).into_iter();
                let results = parts.map(|_| {
                    let Some(result) = own.next() else { internal_bug!("parts of a type are made before it") };
                    result
                });
                let result = make(context, id, results);
                done.push(result);
            }
        }
    }
    let Some(whole) = done.pop() else { internal_bug!("the type itself is made last") };
    whole
}

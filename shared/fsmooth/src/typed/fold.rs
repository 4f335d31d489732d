//! The fold over types: the result for a type from the results for its parts, in constant stack. Texts of types.
//!
//! Types of programs, shapes, and types with kinds are all made of arrays, pairs and functions ([`Compound`]) above scalars.

use rustc_hash::FxHashMap;
use std::hash::Hash;
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

impl<P> Compound<P> {
    /// Returns the pairs of parts of two of one form.
    pub fn zip<Q>(self, other: Compound<Q>) -> Option<Compound<(P, Q)>> {
        match (self, other) {
            (Compound::Array(one), Compound::Array(other)) => Some(Compound::Array((one, other))),
            (Compound::Pair(a, b), Compound::Pair(c, d)) => Some(Compound::Pair((a, c), (b, d))),
            (Compound::Function(a, b), Compound::Function(c, d)) => Some(Compound::Function((a, c), (b, d))),
            (Compound::Array(_) | Compound::Pair(..) | Compound::Function(..), _) => None,
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
                    steps.extend(parts.into_iter().rev().map(Step::See));
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

/// Returns the result for a type as [`fold`] does, and the same one for the same type again. `make` makes that of a compound type.
pub fn fold_once<C, P: Copy + Eq + Hash, R: Copy>(
    context: &mut C,
    known: &mut FxHashMap<P, R>,
    root: P,
    mut see: impl FnMut(&mut C, P) -> Seen<P, R>,
    mut make: impl FnMut(&mut C, Compound<R>) -> R,
) -> R {
    let see = |(context, known): &mut (&mut C, &mut FxHashMap<P, R>), id| match known.get(&id) {
        Some(result) => Seen::Known(*result),
        None => {
            let seen = see(context, id);
            if let Seen::Known(result) = seen {
                known.insert(id, result);
            }
            seen
        }
    };
    fold(&mut (context, known), root, see, |(context, known), id, parts| {
        let made = make(context, parts);
        known.insert(id, made);
        made
    })
}

/// The place of a type within another one, which decides if it stands in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Whole,
    Parameter,
    Factor,
}

/// Returns the text of a type; `see` gives that of a scalar. An ellipsis stands for the end of a text that is longer than the given length,
/// and for compound types that are nested deeper than so many levels: the parameters of a function stand side by side.
pub fn text<P: Copy>(root: P, (longest, deepest): (usize, usize), mut see: impl FnMut(P) -> Seen<P, String>) -> String {
    enum Step<P> {
        Text(&'static str),
        Type(P, Place, usize),
    }
    let mut text = String::new();
    let mut steps = vec![Step::Type(root, Place::Whole, 0)];
    while let Some(step) = steps.pop() {
        if text.len() > longest {
            text.push_str("...");
            break;
        }
        let (id, place, depth) = match step {
            Step::Text(literal) => {
                text.push_str(literal);
                continue;
            }
            Step::Type(id, place, depth) => (id, place, depth),
        };
        let mut infix = |from: Place, parts: [Step<P>; 3]| {
            let (open, close) = if place >= from { ("(", ")") } else { ("", "") };
            text.push_str(open);
            steps.push(Step::Text(close));
            steps.extend(parts.into_iter().rev());
        };
        match see(id) {
            Seen::Known(scalar) => text.push_str(&scalar),
            Seen::Of(_) if depth == deepest => text.push_str("..."),
            Seen::Of(Compound::Array(element)) => {
                text.push_str("Array<");
                steps.extend([Step::Text(">"), Step::Type(element, Place::Whole, depth + 1)]);
            }
            Seen::Of(Compound::Pair(first, second)) => {
                let [first, second] = [first, second].map(|part| Step::Type(part, Place::Factor, depth + 1));
                infix(Place::Factor, [first, Step::Text(" * "), second]);
            }
            Seen::Of(Compound::Function(parameter, result)) => {
                let parameter = Step::Type(parameter, Place::Parameter, depth + 1);
                infix(Place::Parameter, [parameter, Step::Text(" => "), Step::Type(result, Place::Whole, depth)]);
            }
        }
    }
    text
}

//! The fold over types: the result for a type from the results for its parts, in constant stack.
//!
//! Types of programs, shapes, and types with kinds are all made of arrays, pairs and functions ([`Compound`]) above scalars.

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
        impl From<$crate::fsmooth::typed::fold::Compound<$part>> for $whole {
            fn from(parts: $crate::fsmooth::typed::fold::Compound<$part>) -> $whole {
                use $crate::fsmooth::typed::fold::Compound;
                match parts {
                    Compound::Array(element) => <$whole>::Array(element),
                    Compound::Pair(first, second) => <$whole>::Pair(first, second),
                    Compound::Function(parameter, result) => <$whole>::Function(parameter, result),
                }
            }
        }

        impl $whole {
            /// Returns the parts of a type that has some.
            pub fn parts(self) -> Option<$crate::fsmooth::typed::fold::Compound<$part>> {
                use $crate::fsmooth::typed::fold::Compound;
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
                    match parts {
                        Compound::Array(element) => steps.push(Step::See(element)),
                        Compound::Pair(first, second) | Compound::Function(first, second) => {
                            steps.extend([Step::See(second), Step::See(first)]);
                        }
                    }
                }
            },
            Step::Make(id, parts) => {
                let mut part = || done.pop().unwrap_or_else(|| internal_bug!("parts of a type are made before it"));
                let last = part();
                let results = match parts {
                    Compound::Array(_) => Compound::Array(last),
                    Compound::Pair(..) => Compound::Pair(part(), last),
                    Compound::Function(..) => Compound::Function(part(), last),
                };
                done.push(make(context, id, results));
            }
        }
    }
    let Some(whole) = done.pop() else { internal_bug!("the type itself is made last") };
    whole
}

//! Tables by definitions at the types of their generics. Most definitions have no generics, and stand in order there.

use super::monomorphic::Request;
use rustc_hash::FxHashMap;

/// A value for each of some requests.
#[derive(Debug)]
pub(super) struct ByRequest<T> {
    /// Those of definitions without generics, by the number of the definition.
    plain: Vec<Option<T>>,
    generic: FxHashMap<Request, T>,
}

impl<T> ByRequest<T> {
    /// No values, for so many definitions.
    pub fn new(definitions: usize) -> ByRequest<T> {
        ByRequest { plain: (0..definitions).map(|_| None).collect(), generic: FxHashMap::default() }
    }

    /// The value of a request, if there is one.
    pub fn get(&self, request: &Request) -> Option<&T> {
        let (definition, generics) = request;
        if generics.is_empty() {
            self.plain.get(definition.0 as usize).and_then(Option::as_ref)
        } else {
            self.generic.get(request)
        }
    }

    /// Sets the value of a request.
    pub fn insert(&mut self, request: Request, value: T) {
        let (definition, generics) = &request;
        if !generics.is_empty() {
            self.generic.insert(request, value);
        } else if let Some(place) = self.plain.get_mut(definition.0 as usize) {
            *place = Some(value);
        }
    }

    /// Removes the value of a request, and returns it.
    pub fn remove(&mut self, request: &Request) -> Option<T> {
        let (definition, generics) = request;
        if generics.is_empty() {
            self.plain.get_mut(definition.0 as usize).and_then(Option::take)
        } else {
            self.generic.remove(request)
        }
    }
}

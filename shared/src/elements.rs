//! Which elements of lists and vectors an error is about, found among the pending frames when it has happened.
//!
//! Nothing counts elements while a program runs. But a call that waits tells how far its procedure has got: in the frame of a
//! frame machine (`build`, `ifold`) stands the number of the iteration, and `map`, which is not tail-recursive, has a frame for
//! each element that it has been through. Procedures that go through a list by tail calls leave nothing to be found.

use crate::core::{Expression, ExpressionId, LambdaId, Program, Reference};
use crate::library;
use crate::pending::{PendingFrame, entered_at};
use crate::prelude;
use crate::whereabouts::Whereabouts;

/// The most calls that an error tells of, the innermost ones.
const MOST_CALLS: usize = 3;

/// The most indices that are told of one call, the innermost ones: calls within one another at one place are one.
const MOST_INDICES: usize = 8;

/// One way through elements that is under way: a call at some place, and those within it that were entered at the same place.
struct Traversal<'error> {
    site: ExpressionId,
    name: &'error str,
    /// The innermost first.
    indices: Vec<u64>,
}

/// A procedure that calls itself for the elements that are left, and how often it has done so.
struct Recursion {
    procedure: LambdaId,
    site: ExpressionId,
    calls: u64,
}

/// The elements that are found in frames.
pub(crate) struct Elements<'error> {
    program: &'error Program,
    whereabouts: &'error Whereabouts,
    definition_codes: &'error [Option<LambdaId>],
    /// The node of the frame before.
    inner: ExpressionId,
    recursion: Option<Recursion>,
    traversals: Vec<Traversal<'error>>,
}

impl<'error> Elements<'error> {
    /// Those around a node, whose frames are still to come. The site is that of the node.
    pub(crate) fn around(
        program: &'error Program,
        whereabouts: &'error Whereabouts,
        definition_codes: &'error [Option<LambdaId>],
        node: ExpressionId,
        site: ExpressionId,
    ) -> Elements<'error> {
        let mut elements =
            Elements { program, whereabouts, definition_codes, inner: node, recursion: None, traversals: Vec::new() };
        elements.begin(node, Some(site));
        elements
    }

    /// Takes the next frame, from the innermost on.
    pub(crate) fn frame(&mut self, frame: &PendingFrame) {
        let awaited = frame.awaiting.awaited;
        let is_of_inner = self.whereabouts.contains(awaited, self.inner);
        self.inner = frame.awaiting.node;
        if !is_of_inner && let Some(recursion) = self.recursion.take() {
            if self.calls_itself(awaited, recursion.procedure) {
                self.recursion = Some(Recursion { calls: recursion.calls + 1, ..recursion });
                return;
            }
            self.end(&recursion);
        }
        match (frame.iteration, frame.site) {
            (Some(iteration), Some(site)) => self.add(site, None, iteration),
            (Some(_), None) => {}
            (None, _) if is_of_inner => {}
            (None, site) => self.begin(awaited, site),
        }
    }

    /// Begins to count the calls of a procedure by itself, if a node is part of one that has a frame for each element.
    fn begin(&mut self, node: ExpressionId, site: Option<ExpressionId>) {
        if self.program.is_prelude(node)
            && let Some(name) = self.whereabouts.definition(self.program, node)
            && prelude::RECURSIVE.contains(&name)
            && let Some(procedure) = self.whereabouts.procedure(node)
        {
            self.recursion = Some(Recursion { procedure, site: site.unwrap_or(node), calls: 0 });
        }
    }

    /// Notes what the calls of a procedure by itself come to.
    fn end(&mut self, recursion: &Recursion) {
        let body = self.program.lambda(recursion.procedure).body;
        let definition = self.whereabouts.definition(self.program, body);
        self.add(recursion.site, definition, recursion.calls);
    }

    /// Notes an index in the elements that the program's call at a site goes through. If that does not name a procedure that
    /// does so, it may be known which one it is.
    fn add(&mut self, site: ExpressionId, definition: Option<&'error str>, index: u64) {
        if let Some(last) = self.traversals.last_mut()
            && last.site == site
        {
            if last.indices.len() <= MOST_INDICES {
                last.indices.push(index);
            }
            return;
        }
        let entered = entered_at(self.program, self.definition_codes, site).filter(|name| is_elementwise(name));
        // One more than is told, which takes what belongs to none of them.
        if let Some(name) = entered.or(definition)
            && self.traversals.len() <= MOST_CALLS
        {
            self.traversals.push(Traversal { site, name, indices: vec![index] });
        }
    }

    /// Whether a node is a call of a procedure, by name, within it.
    fn calls_itself(&self, node: ExpressionId, procedure: LambdaId) -> bool {
        let Expression::Application { operator, .. } = self.program.expression(node) else { return false };
        let Expression::Variable(reference) = self.program.expression(operator) else { return false };
        let code = match reference {
            Reference::Global(global) => self.definition_codes.get(global.0 as usize).copied().flatten(),
            Reference::Sibling(place) => {
                let group = self.program.lambda(procedure).group;
                group.and_then(|(group, _)| self.program.group(group).members.get(place as usize).copied())
            }
            Reference::Local(_) | Reference::Slot(_) | Reference::Primitive(_) => None,
        };
        code == Some(procedure) && self.whereabouts.procedure(node) == Some(procedure)
    }

    /// The elements in words, if there are any.
    pub(crate) fn told(mut self) -> Option<String> {
        if let Some(recursion) = self.recursion.take() {
            self.end(&recursion);
        }
        let told: Vec<String> = self.traversals.iter().take(MOST_CALLS).map(|traversal| traversal.told()).collect();
        (!told.is_empty()).then(|| format!("at {}", told.join(", within ")))
    }
}

impl Traversal<'_> {
    fn told(&self) -> String {
        let Traversal { name, indices, .. } = self;
        if let [index] = indices.as_slice() {
            return format!("index {index} of `{name}`");
        }
        let mut path: Vec<String> = indices.iter().take(MOST_INDICES).map(u64::to_string).collect();
        path.reverse();
        let omitted = if indices.len() > MOST_INDICES { "... " } else { "" };
        format!("index ({omitted}{}) of `{name}`", path.join(" "))
    }
}

/// Whether a procedure of the prelude or of a library goes through the elements of what it is given, in order.
fn is_elementwise(name: &str) -> bool {
    let of_libraries = library::LIBRARIES.iter().flat_map(|library| library.elementwise);
    prelude::FRAME_MACHINES.iter().chain(&prelude::RECURSIVE).chain(of_libraries).any(|known| *known == name)
}

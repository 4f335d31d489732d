//! The indices of the elements of lists and vectors at which an error occurred, derived from the pending frames.
//!
//! Nothing counts elements while a program runs. But a waiting call shows the progress of its procedure: the frame of a
//! loop procedure of the prelude (`build`, `ifold`) holds the index of the iteration, and `map`, which is not
//! tail-recursive, has a frame for each element that it has passed. Procedures that traverse a list by tail calls leave
//! no trace.

use super::frames::{PendingFrame, entered_at};
use vlad_core::node_ranges::NodeRanges;
use vlad_core::{Expression, ExpressionId, LambdaId, Program, Reference};

/// The most calls that an error reports, the innermost ones.
const MOST_CALLS: usize = 3;

/// The most indices reported for one call, the innermost ones; nested calls at one call site count as one call.
const MOST_INDICES: usize = 8;

/// A traversal of elements in progress: a call at some call site, and the calls within it that were entered at the same
/// site.
struct Traversal<'error> {
    site: ExpressionId,
    name: &'error str,
    /// The innermost first.
    indices: Vec<u64>,
}

/// A procedure that calls itself for the remaining elements, and the number of these calls.
struct Recursion {
    procedure: LambdaId,
    site: ExpressionId,
    calls: u64,
}

/// The elements found in the frames of an error.
pub(crate) struct Elements<'error> {
    program: &'error Program,
    whereabouts: &'error NodeRanges,
    known_definitions: &'error [Option<LambdaId>],
    /// The node of the previous, inner frame.
    inner: ExpressionId,
    recursion: Option<Recursion>,
    traversals: Vec<Traversal<'error>>,
}

impl<'error> Elements<'error> {
    /// Begins the search at a node with its call site; the frames around it follow.
    pub(crate) fn around(
        program: &'error Program,
        whereabouts: &'error NodeRanges,
        known_definitions: &'error [Option<LambdaId>],
        node: ExpressionId,
        site: ExpressionId,
    ) -> Elements<'error> {
        let mut elements =
            Elements { program, whereabouts, known_definitions, inner: node, recursion: None, traversals: Vec::new() };
        elements.begin(node, Some(site));
        elements
    }

    /// Adds the next frame; frames come innermost first.
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

    /// Begins to count the recursive calls of a procedure, if a node belongs to one that has a frame for each element.
    fn begin(&mut self, node: ExpressionId, site: Option<ExpressionId>) {
        if self.program.is_prelude(node)
            && let Some(name) = self.whereabouts.definition(self.program, node)
            && self.program.elementwise.recursive.contains(&name)
            && let Some(procedure) = self.whereabouts.procedure(node)
            && (0..self.program.prelude_nodes).any(|node| self.calls_itself(ExpressionId(node), procedure))
        {
            self.recursion = Some(Recursion { procedure, site: site.unwrap_or(node), calls: 0 });
        }
    }

    /// Records the number of recursive calls as an index.
    fn end(&mut self, recursion: &Recursion) {
        let body = self.program.lambda(recursion.procedure).body;
        let definition = self.whereabouts.definition(self.program, body);
        self.add(recursion.site, definition, recursion.calls);
    }

    /// Records an index for the traversal by the program's call at a call site. If the call does not name a procedure
    /// that traverses elements, the definition, if it is known, names it.
    fn add(&mut self, site: ExpressionId, definition: Option<&'error str>, index: u64) {
        if let Some(last) = self.traversals.last_mut()
            && last.site == site
        {
            if last.indices.len() <= MOST_INDICES {
                last.indices.push(index);
            }
            return;
        }
        let entered = entered_at(self.program, self.known_definitions, site)
            .map(|(name, _)| name)
            .filter(|name| self.program.elementwise.contains(name));
        // One more than is reported: it collects the indices that belong to no reported call.
        if let Some(name) = entered.or(definition)
            && self.traversals.len() <= MOST_CALLS
        {
            self.traversals.push(Traversal { site, name, indices: vec![index] });
        }
    }

    /// Returns true if a node is a call of a procedure, by name, within that procedure.
    fn calls_itself(&self, node: ExpressionId, procedure: LambdaId) -> bool {
        let Expression::Application { operator, .. } = self.program.expression(node) else { return false };
        let Expression::Variable(reference) = self.program.expression(operator) else { return false };
        let code = match reference {
            Reference::Global(global) => self.known_definitions.get(global.0 as usize).copied().flatten(),
            Reference::Sibling(place) => {
                let group = self.program.lambda(procedure).group;
                group.and_then(|(group, _)| self.program.group(group).members.get(place as usize).copied())
            }
            Reference::Local(_) | Reference::Slot(_) | Reference::Primitive(_) => None,
        };
        code == Some(procedure) && self.whereabouts.procedure(node) == Some(procedure)
    }

    /// Describes the elements in words, if there are any.
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

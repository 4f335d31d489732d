//! Instances: the types at which each definition is used, found from the last item to the first.
//!
//! A definition is used by later items only. So when the instances of a definition are walked, all of them are known,
//! and they tell the instances of the definitions before it.

use super::kinds::{Conflict, Demand, Interface, Kind, KindedId, Kinds, Role, Solution};
use super::monomorphic::{Monomorphic, Request};
use super::reach::{Adjacency, Direction};
use super::walk::{WalkContext, Walked, walk};
use crate::infer::unification::state::{MOST_ERRORS, Scheme, Shaped};
use crate::scoped::{Body, DefinitionId, Output, Scoped, ScopedId, ScopedItem, ScopedTree, ScopedVariable};
use crate::typed::types::MOST_PARTS;
use crate::typed::{Origin, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use vlad_core::diagnostic::{Diagnostic, Kind as DiagnosticKind, Report};
use vlad_core::numbers::Table;
use vlad_core::source::Span;
use vlad_table::internal_bug;

/// The greatest number of expressions in all instances beyond the first of each definition.
const MOST_EXPRESSIONS: usize = 1 << 21;

/// The greatest number of parts of the types of all expressions.
const MOST_TYPES: usize = 1 << 26;

/// An item, with the kinds of its variables.
struct Solved {
    walked: Box<Walked>,
    solution: Solution,
}

/// An item at its types.
#[derive(Debug)]
pub(crate) struct Instance {
    /// The kinds of its expressions.
    pub walked: Box<Walked>,
    /// The types of `walked`.
    pub types: Table<KindedId, TypeId>,
    /// The definition, if it is none of an expression, with the type of this instance.
    pub key: Option<Key>,
}

/// An instance of a definition: at the types of its generics, with a type.
pub(crate) type Key = (Request, TypeId);

/// Finds all instances, in the order of the items. Errors are reported.
pub(crate) fn instances(tree: &ScopedTree, shaped: &Shaped, types: &mut Types, report: &mut Report) -> Vec<Instance> {
    let mut finder = Finder {
        tree,
        shaped,
        types,
        report,
        interfaces: FxHashMap::default(),
        solved: FxHashMap::default(),
        requested: Table::filled(tree.definitions.len(), vec![]),
        expressions: 0,
        parts: 0,
        is_exhausted: false,
        refused: FxHashSet::default(),
    };
    // In order, so that errors are those of the first item that has them.
    for item in &shaped.sound {
        if let ScopedItem::Define(definition) = *item {
            finder.check(definition);
        }
    }
    let mut found = vec![];
    for item in shaped.sound.iter().rev() {
        match *item {
            ScopedItem::Expression(body) => found.extend(finder.expression(body)),
            ScopedItem::Define(definition) => {
                let mut own = finder.definition(definition);
                own.reverse();
                found.append(&mut own);
            }
        }
    }
    found.reverse();
    found
}

struct Finder<'run> {
    tree: &'run ScopedTree,
    shaped: &'run Shaped,
    types: &'run mut Types,
    report: &'run mut Report,
    interfaces: FxHashMap<Request, Rc<Interface>>,
    /// The definitions whose interfaces are known, until an instance takes them.
    solved: FxHashMap<Request, Solved>,
    /// The instances that are used, for each definition in the order in which they were found.
    requested: Table<DefinitionId, Vec<Key>>,
    /// The number of expressions walked, and of the parts of their types.
    expressions: usize,
    parts: usize,
    is_exhausted: bool,
    /// The definitions whose kinds have an error.
    refused: FxHashSet<DefinitionId>,
}

impl Finder<'_> {
    /// Returns the types of the generics where nothing uses a definition.
    fn unused(&mut self, definition: DefinitionId) -> Request {
        let mut monomorphic = Monomorphic::default();
        let generics = self.shaped.unused[definition]
            .iter()
            .map(|shape| monomorphic.of(&self.shaped.shapes, self.types, *shape))
            .collect();
        (definition, generics)
    }

    fn body(&self, definition: DefinitionId) -> Body {
        let Some(body) = self.tree.definition(definition).value else {
            internal_bug!("a sound definition has a value")
        };
        body
    }

    fn monomorphic(&self, (definition, generics): &Request) -> Monomorphic {
        let shapes = match &self.shaped.schemes[*definition] {
            Scheme::Known { generics, .. } => generics.as_slice(),
            Scheme::Refused => &[],
        };
        Monomorphic::new(&self.shaped.shapes, shapes, generics)
    }

    /// Checks the kinds of a definition, whether or not it is used.
    fn check(&mut self, definition: DefinitionId) {
        let request = self.unused(definition);
        self.interface(request);
    }

    /// Makes an interface known, and those that it depends on.
    fn interface(&mut self, request: Request) {
        let mut pending = vec![request];
        while let Some(request) = pending.last().cloned() {
            if self.interfaces.contains_key(&request) {
                pending.pop();
                continue;
            }
            let body = self.body(request.0);
            let mut monomorphic = self.monomorphic(&request);
            let missing = self.missing(body, &mut monomorphic);
            if !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            pending.pop();
            let origin = self.tree.definition(request.0).origin;
            let interface = match self.walk(body, &mut monomorphic) {
                Some(walked) => {
                    let forward = Adjacency::new(&walked.kinds, Direction::Forward);
                    let (solution, conflicts) = walked.kinds.solve(&forward);
                    if !conflicts.is_empty() && self.refused.insert(request.0) {
                        self.conflicts(&conflicts);
                    }
                    let root = walked.expression(body.root);
                    let interface = match self.tree.definition(request.0).output {
                        Output::None | Output::WhenCalled => walked.kinds.interface(&forward, root, origin),
                        Output::WhenEvaluated => self.decided_interface(&walked, &solution, root, origin),
                    };
                    self.solved.insert(request.clone(), Solved { walked, solution });
                    interface
                }
                None => {
                    self.refused.insert(request.0);
                    let mut kinds = Kinds::default();
                    let shape = monomorphic.of_expression(self.shaped, self.types, body.root);
                    let small = if self.types.parts(shape) > MOST_PARTS { Types::DOUBLE } else { shape };
                    let whole = kinds.continuous(self.types, small);
                    let forward = Adjacency::new(&kinds, Direction::Forward);
                    kinds.interface(&forward, whole, origin)
                }
            };
            self.interfaces.insert(request, Rc::new(interface));
        }
    }

    /// Returns the interface of a definition whose kinds its uses do not decide.
    fn decided_interface(&mut self, walked: &Walked, solution: &Solution, root: KindedId, origin: Origin) -> Interface {
        let types = walked.kinds.types(solution, self.types);
        let mut kinds = Kinds::default();
        let whole = kinds.fixed(self.types, types[root]);
        let forward = Adjacency::new(&kinds, Direction::Forward);
        kinds.interface(&forward, whole, origin)
    }

    /// Returns the definitions that an item uses whose interfaces are not known.
    fn missing(&mut self, body: Body, monomorphic: &mut Monomorphic) -> Vec<Request> {
        let mut missing = vec![];
        for id in body.expressions() {
            let Some(definition) = used(self.tree, id) else { continue };
            let request = monomorphic.request(self.shaped, self.types, id, definition);
            if !self.interfaces.contains_key(&request) {
                missing.push(request);
            }
        }
        missing
    }

    /// Returns a definition with its kinds where nothing but itself decides them: what its interface was made of, if no
    /// other instance has taken that.
    fn solved(&mut self, body: Body, request: &Request) -> Option<Solved> {
        if let Some(solved) = self.solved.remove(request) {
            return Some(solved);
        }
        let mut monomorphic = self.monomorphic(request);
        let walked = self.walk(body, &mut monomorphic)?;
        self.solution(walked)
    }

    /// Walks an item; none if a limit is exceeded, which is reported once.
    fn walk(&mut self, body: Body, monomorphic: &mut Monomorphic) -> Option<Box<Walked>> {
        if self.is_exhausted {
            return None;
        }
        for id in body.expressions() {
            let shape = monomorphic.of_expression(self.shaped, self.types, id);
            let parts = self.types.parts(shape);
            self.parts += parts as usize;
            if parts > MOST_PARTS {
                let message = format!("this type has more than {MOST_PARTS} parts");
                self.exhausted(id, message);
                return None;
            }
            self.expressions += 1;
        }
        // Each definition is walked for its interface, and for every instance but the first that has this interface.
        if self.expressions > 3 * self.tree.count() + MOST_EXPRESSIONS || self.parts > MOST_TYPES {
            let message = "the definitions used here have too many instances at different types".to_owned();
            self.exhausted(body.root, message);
            return None;
        }
        let context =
            WalkContext { tree: self.tree, shaped: self.shaped, types: self.types, interfaces: &self.interfaces };
        Some(Box::new(walk(context, body, monomorphic)))
    }

    fn exhausted(&mut self, id: ScopedId, message: String) {
        self.is_exhausted = true;
        self.report.push(Diagnostic::new(DiagnosticKind::Limit, self.tree.span(id), message));
    }

    /// Reports the first conflicts that differ in their places.
    fn conflicts(&mut self, conflicts: &[Conflict]) {
        let mut told: Vec<(Span, Span)> = vec![];
        for Conflict { demand, source } in conflicts {
            let places = (*source, demand.span);
            if told.len() == MOST_ERRORS || told.contains(&places) {
                continue;
            }
            told.push(places);
            let role = role_text(demand.role);
            let (message, hint) = match demand.role {
                Role::Variable => (
                    format!("{role}: expected `Double`, found `Index`"),
                    "a derivative is by a Double; indices, sizes and counts do not vary",
                ),
                Role::Operand => (
                    format!("{role}: expected `Index`, found `Double`"),
                    "the quotient of Doubles is a / b; its whole part is floor (a / b)",
                ),
                Role::Index | Role::Size | Role::Count | Role::Length | Role::Annotation | Role::Flow => (
                    format!("{role}: expected `Index`, found `Double`"),
                    "indices, sizes and counts are made of loop indices, lengths and whole numbers, by + - * abs min max modulo quotient",
                ),
            };
            let (place, other, label) = match demand.role {
                Role::Flow => (*source, demand.span, "an Index is expected here"),
                Role::Index
                | Role::Size
                | Role::Count
                | Role::Length
                | Role::Operand
                | Role::Variable
                | Role::Annotation => (demand.span, *source, "a Double comes from here"),
            };
            let diagnostic = Diagnostic::new(DiagnosticKind::Type, place, message).with_hint(hint);
            let diagnostic = if place == other { diagnostic } else { diagnostic.with_label(other, label) };
            self.report.push(match demand.inner {
                Some(inner) => diagnostic.with_label(inner.span, inner.label()),
                None => diagnostic,
            });
        }
    }

    fn expression(&mut self, body: Body) -> Option<Instance> {
        let mut monomorphic = Monomorphic::default();
        for request in self.missing(body, &mut monomorphic) {
            self.interface(request);
        }
        let walked = self.walk(body, &mut monomorphic)?;
        let solved = self.solution(walked)?;
        Some(self.instance(solved, None))
    }

    /// Returns the instances of a definition.
    fn definition(&mut self, definition: DefinitionId) -> Vec<Instance> {
        if self.refused.contains(&definition) {
            return vec![];
        }
        let body = self.body(definition);
        let requested = std::mem::take(&mut self.requested[definition]);
        if requested.is_empty() && self.tree.definition(definition).origin == Origin::Library {
            return vec![];
        }
        let mut found = vec![];
        if requested.is_empty() {
            let request = self.unused(definition);
            if let Some(solved) = self.solved(body, &request) {
                let mut instance = self.instance(solved, None);
                instance.key = Some((request, instance.type_of(body.root)));
                found.push(instance);
            }
        }
        for key in requested {
            let Some(solved) = self.solved(body, &key.0) else { break };
            let Some(solved) = self.decided(solved, key.1) else { continue };
            found.push(self.instance(solved, Some(key)));
        }
        found
    }

    /// Returns a definition with the kinds of its interface as uses have decided them.
    fn decided(&mut self, solved: Solved, type_id: TypeId) -> Option<Solved> {
        let Solved { mut walked, solution } = solved;
        let (root, span) = (walked.expression(walked.body.root), self.tree.span(walked.body.root));
        let fixed = walked.kinds.fixed(self.types, type_id);
        let leaves: Vec<(Kind, Kind)> = walked.kinds.leaves(root).into_iter().zip(walked.kinds.leaves(fixed)).collect();
        // What is D without a reason flows into nothing that is I, so with a reason it changes no other kind.
        if leaves.iter().all(|(leaf, kind)| *kind == Kind::DOUBLE && solution.is_double(*leaf)) {
            return Some(Solved { walked, solution });
        }
        for (leaf, kind) in leaves {
            walked.kinds.at_most(leaf, kind, span, Role::Flow);
            walked.kinds.at_most(kind, leaf, span, Role::Flow);
        }
        self.solution(walked)
    }

    /// Solves the kinds of an item; none if there are conflicts, which are reported.
    fn solution(&mut self, walked: Box<Walked>) -> Option<Solved> {
        let forward = Adjacency::new(&walked.kinds, Direction::Forward);
        let (solution, conflicts) = walked.kinds.solve(&forward);
        self.conflicts(&conflicts);
        conflicts.is_empty().then_some(Solved { walked, solution })
    }

    /// Makes an instance, and notes those that it uses.
    fn instance(&mut self, Solved { walked, solution }: Solved, key: Option<Key>) -> Instance {
        let types = walked.kinds.types(&solution, self.types);
        let instance = Instance { walked, types, key };
        for id in instance.walked.body.expressions() {
            if let Some(key) = instance.use_of(id)
                && !self.requested[key.0.0].contains(&key)
            {
                self.requested[key.0.0].push(key);
            }
        }
        instance
    }
}

impl Instance {
    /// The type of an expression.
    pub fn type_of(&self, id: ScopedId) -> TypeId {
        self.solved(self.walked.expression(id))
    }

    /// The type of a type with kinds.
    pub fn solved(&self, kinded: KindedId) -> TypeId {
        self.types[kinded]
    }

    /// Returns the instance that an expression is a use of.
    pub fn use_of(&self, id: ScopedId) -> Option<Key> {
        let (request, kinded) = self.walked.uses.get(&id)?;
        Some((request.clone(), self.solved(*kinded)))
    }
}

impl Demand {
    /// Returns the label of the place.
    fn label(self) -> String {
        match self.role {
            Role::Index | Role::Size | Role::Count | Role::Length | Role::Operand => {
                format!("it becomes {} here", role_text(self.role))
            }
            Role::Annotation => "the type Index is written here".to_owned(),
            Role::Variable | Role::Flow => "an Index is expected here".to_owned(),
        }
    }
}

/// Returns the role of an expression as messages name it.
fn role_text(role: Role) -> &'static str {
    match role {
        Role::Index => "the index of an element",
        Role::Size => "the size of an array",
        Role::Count => "the number of iterations",
        Role::Length => "the length of an array",
        Role::Operand => "an operand of `quotient`",
        Role::Variable => "the variable of `deriv`",
        Role::Annotation => "its type is written",
        Role::Flow => "a value that becomes an index, a size or a count",
    }
}

/// Returns the definition that an expression uses.
fn used(tree: &ScopedTree, id: ScopedId) -> Option<DefinitionId> {
    if let Scoped::Definition(definition) | Scoped::Deriv(_, ScopedVariable::Definition(definition), _) = tree.get(id) {
        return Some(definition);
    }
    None
}

//! Patterns of pairs, as `fst` and `snd` of a variable that has no name in the text.
//!
//! ```text
//! fun (a, b) i -> e        is  fun p i -> let a = fst p in let b = snd p in e
//! let (a, (b, c)) = e in f  is  let p = e in let a = fst p in let q = snd p in let b = fst q in let c = snd q in f
//! ```
//!
//! At the top level each of these is a definition. A projection stands where its pattern does, and so does its operand: by this
//! messages know it ([`ScopedTree::is_of_pattern`](super::ScopedTree::is_of_pattern)).

use super::annotation::written;
use super::resolver::Resolver;
use super::walk::{Make, Step, Walk};
use super::{Body, Scoped, ScopedLocal, ScopedLocalId};
use crate::builtins::Builtin;
use crate::lists::List;
use crate::syntax::tree::{Binding, BindingId, PatternId, SurfaceId, Target, Tree, WrittenTypeId};
use crate::typed::{Origin, TypeId};
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::names::{NameId, Names};
use vlad_table::internal_bug;

/// Returns the name of a variable that a pattern takes apart. It is that of a function of the language, and so is not printed as it is.
fn pair_name(names: &Names) -> NameId {
    let Some(name) = names.find(Builtin::Pair.name()) else {
        internal_bug!("the names of the functions of the language are known")
    };
    name
}

/// A pair that a pattern takes apart: the local, the span of the pattern, its parts.
type Whole = (ScopedLocalId, Span, [PatternId; 2]);

/// The steps around an expression that sees the names of patterns.
struct Around {
    before: Vec<Step>,
    after: Vec<Step>,
}

impl Resolver<'_> {
    /// Defines the names of a pattern: a pair has a definition that nothing names, and its parts are those of that.
    pub(super) fn define_parts(&mut self, surface: &Tree, (target, span): (Target, Span), value: Body, origin: Origin) {
        let name = pair_name(self.names);
        let mut pending = vec![(target, span, value)];
        while let Some((target, span, value)) = pending.pop() {
            let (first, second) = match target {
                Target::Name(name) => {
                    self.define((name, span), value, origin);
                    continue;
                }
                Target::Pair(first, second) => (first, second),
            };
            let id = self.define((name, span), value, Origin::Pattern);
            for (part, projection) in [(second, Builtin::Second), (first, Builtin::First)] {
                let part = surface.patterns[part];
                let whole = self.tree.add(Scoped::Definition(id), span);
                let first = whole.0;
                let operands = self.tree.add_operands([whole]);
                let mut root = self.tree.add(Scoped::Call(projection, operands, span), part.span);
                if let Some(annotation) = part.annotation {
                    let Resolver { types, names, report, .. } = &mut *self;
                    root = match written(surface, names, annotation, types, report) {
                        Some(type_id) => self.tree.add(Scoped::Annotated(root, type_id), part.span),
                        None => self.tree.add(Scoped::Unknown, part.span),
                    };
                }
                let locals = self.tree.locals.len() as u32;
                let value = Body { root, first, first_local: locals, end_local: locals };
                pending.push((part.target, part.span, value));
            }
        }
    }
}

impl Walk<'_, '_> {
    /// Schedules nested functions of one parameter each.
    pub(super) fn function(&mut self, parameters: List, body: Step, annotation: Option<WrittenTypeId>, span: Span) {
        let parameters = self.surface.parameters.get(parameters).to_vec();
        let named =
            parameters.iter().flat_map(|parameter| self.surface.named(parameter.target, parameter.span)).collect();
        self.check_names(named, "parameter");
        let (mut wholes, mut locals) = (vec![], vec![]);
        for parameter in parameters {
            let annotation = parameter.annotation.and_then(|written_type| self.annotation(written_type));
            locals.push(self.local((parameter.target, parameter.span), annotation, &mut wholes));
        }
        let Around { before, after } = self.taken_apart(wholes, span);
        let bind = locals.iter().filter_map(|(name, local)| Some(Step::Bind((*name)?, *local)));
        let annotated = annotation.map(|annotation| Step::Make(Make::Annotated(annotation), span));
        let steps: Vec<Step> = bind.chain(before).chain([body]).chain(annotated).chain(after).collect();
        let ends = locals.iter().rev().flat_map(|(name, local)| {
            name.map(Step::Unbind).into_iter().chain([Step::Make(Make::Lambda(*local), span)])
        });
        self.push(steps.into_iter().chain(ends));
    }

    /// Schedules a `let`.
    pub(super) fn binding(&mut self, binding: BindingId, body: SurfaceId, span: Span) {
        let Binding { target, span: place, .. } = self.surface.bindings[binding];
        self.check_names(self.surface.named(target, place), "variable");
        let mut wholes = vec![];
        let (name, local) = self.local((target, place), None, &mut wholes);
        let Around { before, after } = self.taken_apart(wholes, span);
        let steps = [Step::Value(binding), Step::BindValue(name, local)].into_iter().chain(before);
        let steps = steps.chain([Step::Visit(body)]).chain(after);
        self.push(steps.chain(name.map(Step::Unbind)).chain([Step::Make(Make::Let(local), span)]));
    }

    /// Reports names that patterns bind twice.
    fn check_names(&mut self, names: Vec<(NameId, Span)>, role: &str) {
        let mut first_places: FxHashMap<NameId, Span> = FxHashMap::default();
        for (name, span) in names {
            if !self.resolver.is_wildcard(name)
                && let Some(first) = first_places.insert(name, span)
            {
                let message = format!("the {role} `{}` is named twice", self.resolver.names.text(name));
                let diagnostic = Diagnostic::new(Kind::Duplicate, span, message);
                self.resolver.report.push(diagnostic.with_label(first, "named here first"));
            }
        }
    }

    /// Adds the local of a target, and notes a pair that is taken apart.
    fn local(
        &mut self,
        (target, span): (Target, Span),
        annotation: Option<TypeId>,
        wholes: &mut Vec<Whole>,
    ) -> (Option<NameId>, ScopedLocalId) {
        let name = if let Target::Name(name) = target { Some(name) } else { None };
        let text = name.unwrap_or_else(|| pair_name(self.resolver.names));
        let local = self.resolver.tree.locals.push(ScopedLocal { name: text, span, annotation, value: None });
        if let Target::Pair(first, second) = target {
            wholes.push((local, span, [first, second]));
        }
        (name, local)
    }

    /// Returns the steps that bind the parts of pairs, in the order of the text, around an expression with a span.
    fn taken_apart(&mut self, wholes: Vec<Whole>, span: Span) -> Around {
        let (mut before, mut bound) = (vec![], vec![]);
        let mut pending = wholes;
        pending.reverse();
        while let Some((whole, place, parts)) = pending.pop() {
            let mut inner = vec![];
            for (part, projection) in parts.into_iter().zip([Builtin::First, Builtin::Second]) {
                let part = self.surface.patterns[part];
                let call = Make::Call(projection, 1, place);
                before.extend([Step::Local(whole, place), Step::Make(call, part.span)]);
                before.extend(part.annotation.map(|written| Step::Make(Make::Annotated(written), part.span)));
                let (name, local) = self.local((part.target, part.span), None, &mut inner);
                before.push(Step::BindValue(name, local));
                bound.push((name, local));
            }
            pending.extend(inner.into_iter().rev());
        }
        let after = bound
            .into_iter()
            .rev()
            .flat_map(|(name, local)| name.map(Step::Unbind).into_iter().chain([Step::Make(Make::Let(local), span)]));
        Around { before, after: after.collect() }
    }
}

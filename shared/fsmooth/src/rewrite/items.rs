//! The rewriting of items: each by itself, as a whole, or in the parts that cannot write ([`output`](super::output)).

use super::output::Extent;
use super::{Rewriting, Rewritten, Verdict, globals, normal, reverse_forms, terms};
use crate::typed::{Expression, ExpressionId, GlobalId, Item, Origin, Program};
use rustc_hash::FxHashMap;

impl Rewriting {
    /// Rewrites an item, and notes what later ones need to know of it.
    pub(super) fn item(&mut self, program: &mut Program, item: Item) -> Vec<Rewritten> {
        let value = match item {
            Item::Define(global) => program.global(global).value,
            Item::Expression(id) => id,
        };
        match self.output.extent(program, value) {
            Extent::Whole => self.whole(program, item, value).into_iter().collect(),
            Extent::Parts(parts) => self.parts(program, (item, value), &parts),
        }
    }

    /// Rewrites an item as a whole.
    fn whole(&mut self, program: &mut Program, item: Item, value: ExpressionId) -> Option<Rewritten> {
        let rewritten = self.value(program, item, value);
        if let Some(rewritten) = &rewritten
            && rewritten.verdict == Verdict::Taken
        {
            let new = self.guarded(program, value, rewritten);
            put(program, item, new);
        }
        let value = match &rewritten {
            Some(rewritten) => with_reverse_forms(program, value, rewritten),
            None => value,
        };
        if let Item::Define(global) = item {
            self.note(program, global, value);
        }
        rewritten
    }

    /// Rewrites parts of an item, each as the body of a definition whose parameters are its free variables.
    fn parts(
        &mut self,
        program: &mut Program,
        (item, value): (Item, ExpressionId),
        parts: &[ExpressionId],
    ) -> Vec<Rewritten> {
        let (mut all, mut replaced) = (vec![], FxHashMap::default());
        for part in parts {
            let span = program.span(*part);
            let parameters = terms::free_locals(program, *part).into_iter().rev();
            let function = parameters.fold(*part, |body, parameter| program.at(span).lambda(parameter, body));
            let Some(rewritten) = self.value(program, item, function) else { continue };
            if rewritten.verdict == Verdict::Taken {
                let new = self.guarded(program, function, &rewritten);
                replaced.insert(*part, normal::parameters(program, new).1);
            }
            all.push(rewritten);
        }
        let new = terms::replace(program, value, |_, id| replaced.get(&id).copied());
        put(program, item, new);
        if let Item::Define(global) = item {
            self.note(program, global, value);
        }
        all
    }

    /// Notes what later items need to know of a definition, with its value as they see it.
    fn note(&mut self, program: &Program, global: GlobalId, value: ExpressionId) {
        if matches!(program.expression(value), Expression::Lambda { .. }) && !self.output.is_of(global) {
            self.functions.insert(global, value);
        } else if program.global(global).origin == Origin::Lifted {
            self.lifted.insert(global, value);
        }
    }

    /// Returns the value of an item with its new body, behind the test of its assumptions.
    fn guarded(&mut self, program: &mut Program, value: ExpressionId, rewritten: &Rewritten) -> ExpressionId {
        let old = rewritten.derivation.from;
        let mut body = rewritten.derivation.to;
        if let Some(condition) = rewritten.test {
            let alternative = program.copy(old);
            let alternative = globals::bound(program, &self.lifted, alternative);
            body = program.like(old).choice(condition, body, alternative);
            self.guards.insert(body);
        }
        with_body(program, value, body)
    }
}

/// Gives an item a new value.
fn put(program: &mut Program, item: Item, new: ExpressionId) {
    match item {
        Item::Define(global) => program.set_value(global, new),
        Item::Expression(old) => {
            // The file of its span tells the input of a session that prints it.
            if program.span(new).file != program.span(old).file {
                program.set_span(new, program.span(old));
            }
            if let Some(place) = program.items.iter_mut().find(|other| **other == Item::Expression(old)) {
                *place = Item::Expression(new);
            }
        }
    }
}

/// Returns the value of a definition with another body.
fn with_body(program: &mut Program, value: ExpressionId, body: ExpressionId) -> ExpressionId {
    let mut around = vec![];
    let mut id = value;
    while let Expression::Lambda { parameter, body: inner } = program.expression(id) {
        around.push((id, parameter));
        id = inner;
    }
    around.into_iter().rev().fold(body, |body, (id, parameter)| program.like(id).lambda(parameter, body))
}

/// Returns the value of a definition as others see it: with gradients by reverse mode, if its rewriting has taken these.
fn with_reverse_forms(program: &mut Program, value: ExpressionId, rewritten: &Rewritten) -> ExpressionId {
    let Rewritten { derivation, verdict, .. } = rewritten;
    let is_taken = *verdict == Verdict::Taken && derivation.steps.iter().any(|step| step.rule == reverse_forms::NAME);
    match reverse_forms::put(program, derivation.from) {
        Some((body, _)) if is_taken => with_body(program, value, body),
        Some(_) | None => value,
    }
}

//! Application of a rule of the table: an instance of its pattern in a typed tree, and the term that its template makes of it.
//!
//! The caller checks the side conditions between the two. Copies have locals of their own, so every local stays bound at one place.

use super::notation::Term;
use crate::builder::Builder;
use crate::builtins::Builtin;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Head, LocalId, Program, Side, TypeId, Types};
use rustc_hash::FxHashMap;

/// An instance of a pattern.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// The instance of each metavariable, with the operands that it has in the pattern.
    metavariables: FxHashMap<usize, (ExpressionId, Vec<Operand>)>,
    /// The local that each variable of the pattern stands for.
    bound: FxHashMap<usize, LocalId>,
}

/// An operand of a metavariable in a pattern: a variable, or a side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Operand {
    local: LocalId,
    side: Option<Side>,
}

impl Instance {
    /// Returns the instance of a metavariable.
    pub fn metavariable(&self, place: usize) -> Option<ExpressionId> {
        self.metavariables.get(&place).map(|(id, _)| *id)
    }

    /// Sets the local that a variable stands for.
    #[cfg(test)]
    pub fn bind(&mut self, place: usize, local: LocalId) {
        self.bound.insert(place, local);
    }

    /// Sets the instance of a metavariable, with the locals that are its operands.
    #[cfg(test)]
    pub fn set(&mut self, place: usize, id: ExpressionId, operands: &[LocalId]) {
        let operands = operands.iter().map(|local| Operand { local: *local, side: None }).collect();
        self.metavariables.insert(place, (id, operands));
    }
}

/// Matches a pattern with an expression.
pub fn instance(program: &Program, pattern: &Term, id: ExpressionId) -> Option<Instance> {
    let mut instance = Instance::default();
    matches(program, pattern, id, &mut instance).then_some(instance)
}

/// Patterns are a few levels deep, so matching may recurse.
fn matches(program: &Program, pattern: &Term, id: ExpressionId, instance: &mut Instance) -> bool {
    let expression = program.expression(id);
    match pattern {
        Term::Meta(place, operands) => metavariable(program, *place, operands, id, instance),
        Term::Bound(place) => match (expression, instance.bound.get(place)) {
            (Expression::Local(local), Some(bound)) => local == *bound,
            (_, _) => false,
        },
        Term::Double(number) => is_number(program, id, *number, Types::DOUBLE),
        Term::Index(number) => is_number(program, id, *number, Types::INDEX),
        Term::Boolean(value) => expression == Expression::Boolean(*value),
        Term::Function(place, body) => {
            let Expression::Lambda { parameter, body: found } = expression else { return false };
            instance.bound.insert(*place, parameter);
            matches(program, body, found, instance)
        }
        Term::Let(place, value, body) => {
            let Expression::Let { local, value: found_value, body: found_body } = expression else { return false };
            if !matches(program, value, found_value, instance) {
                return false;
            }
            instance.bound.insert(*place, local);
            matches(program, body, found_body, instance)
        }
        Term::Construct(construct, parts) => {
            let (head, found) = program.apart(id);
            // Binders of a function come before the parts that are checked against them.
            head == *construct
                && found.len() == parts.len()
                && parts.iter().zip(found).all(|(part, found)| matches(program, part, found, instance))
        }
    }
}

fn is_number(program: &Program, id: ExpressionId, number: f64, type_id: TypeId) -> bool {
    let is_equal = matches!(program.expression(id), Expression::Number(found) if found.to_bits() == number.to_bits());
    is_equal && program.type_of(id) == type_id
}

fn metavariable(program: &Program, place: usize, operands: &[Term], id: ExpressionId, instance: &mut Instance) -> bool {
    let mut found = vec![];
    for operand in operands {
        let (term, side) = match operand {
            Term::Construct(head, parts) => match (head, &**parts) {
                (Head::Call(Builtin::First), [part]) => (part, Some(Side::First)),
                (Head::Call(Builtin::Second), [part]) => (part, Some(Side::Second)),
                (_, _) => return false,
            },
            other => (other, None),
        };
        let Term::Bound(place) = term else { return false };
        match instance.bound.get(place) {
            Some(local) => found.push(Operand { local: *local, side }),
            None => return false,
        }
    }
    if let Some((earlier, _)) = instance.metavariables.get(&place) {
        return terms::same(program, *earlier, id);
    }
    let hidden: Vec<LocalId> = instance.bound.values().copied().collect();
    if !hidden.is_empty() && !mentions_only(program, id, &hidden, &found) {
        return false;
    }
    instance.metavariables.insert(place, (id, found));
    true
}

/// Returns true if a tree mentions those of the hidden locals only that are operands, and these only as such.
fn mentions_only(program: &Program, root: ExpressionId, hidden: &[LocalId], operands: &[Operand]) -> bool {
    let mut is_fine = true;
    program.walk(root, |id, head| {
        if projection(program, id).is_some_and(|operand| operands.contains(&operand)) {
            return false;
        }
        if let Head::Local(local) = head
            && hidden.contains(&local)
        {
            is_fine &= operands.contains(&Operand { local, side: None });
        }
        is_fine
    });
    is_fine
}

/// Returns `fst s` and `snd s` as an operand.
fn projection(program: &Program, id: ExpressionId) -> Option<Operand> {
    let (side, pair) = program.as_projection(id)?;
    let Expression::Local(local) = program.expression(pair) else { return None };
    Some(Operand { local, side: Some(side) })
}

/// The making of a term from a template.
pub struct Making<'making> {
    program: &'making mut Program,
    instance: &'making Instance,
    /// The expression that the term replaces: the term has its type, and new parts its span.
    replaced: ExpressionId,
    /// The metavariables that have been used: further uses are copies.
    used: Vec<usize>,
    /// The variables that have been bound anew, since a second binder needs a local of its own.
    bound: Vec<usize>,
    /// The locals of variables that the template alone binds.
    added: FxHashMap<usize, LocalId>,
}

/// Makes the term of a template; none if it has no type, which a rule that is well formed excludes.
pub fn make(
    program: &mut Program,
    template: &Term,
    instance: &Instance,
    replaced: ExpressionId,
) -> Option<ExpressionId> {
    let mut making = Making { program, instance, replaced, used: vec![], bound: vec![], added: FxHashMap::default() };
    making.term(template, &FxHashMap::default())
}

impl Making<'_> {
    /// Makes a term, in which some locals stand for those of the pattern.
    fn term(&mut self, template: &Term, renamed: &FxHashMap<LocalId, LocalId>) -> Option<ExpressionId> {
        match template {
            Term::Meta(place, operands) => self.metavariable(*place, operands, renamed),
            Term::Bound(place) => {
                let local = self.added.get(place).or_else(|| self.instance.bound.get(place))?;
                let local = renamed.get(local).copied().unwrap_or(*local);
                Some(terms::local(self.program, local, self.replaced))
            }
            Term::Double(number) => Some(self.build().number(*number)),
            Term::Index(number) => Some(self.build().index(*number)),
            Term::Boolean(value) => Some(self.build().boolean(*value)),
            Term::Function(place, body) => {
                let old = *self.instance.bound.get(place)?;
                let type_id = self.program.local(old).type_id;
                let (local, renamed) = self.bind(*place, old, type_id, renamed);
                let body = self.term(body, &renamed)?;
                Some(self.build().lambda(local, body))
            }
            Term::Let(place, value, body) => {
                let value = self.term(value, renamed)?;
                let Some(old) = self.instance.bound.get(place).copied() else {
                    let local = terms::fresh(self.program, "t", value);
                    self.added.insert(*place, local);
                    let body = self.term(body, renamed)?;
                    return Some(self.build().let_in(local, value, body));
                };
                let type_id = self.program.type_of(value);
                let (local, renamed) = self.bind(*place, old, type_id, renamed);
                let body = self.term(body, &renamed)?;
                Some(self.build().let_in(local, value, body))
            }
            Term::Construct(construct, parts) => {
                let made: Option<Vec<ExpressionId>> = parts.iter().map(|part| self.term(part, renamed)).collect();
                self.construct(*construct, &made?)
            }
        }
    }

    fn build(&mut self) -> Builder<'_> {
        self.program.like(self.replaced)
    }

    /// Returns the local that a template binds for one of the pattern: itself, if it is not bound yet.
    fn bind(
        &mut self,
        place: usize,
        old: LocalId,
        type_id: TypeId,
        renamed: &FxHashMap<LocalId, LocalId>,
    ) -> (LocalId, FxHashMap<LocalId, LocalId>) {
        let mut renamed = renamed.clone();
        let described = self.program.local(old).clone();
        if self.bound.contains(&place) || described.type_id != type_id {
            let local = self.program.add_local(described.name, type_id, described.span);
            renamed.insert(old, local);
            return (local, renamed);
        }
        self.bound.push(place);
        renamed.remove(&old);
        (old, renamed)
    }

    fn metavariable(
        &mut self,
        place: usize,
        operands: &[Term],
        renamed: &FxHashMap<LocalId, LocalId>,
    ) -> Option<ExpressionId> {
        let (id, expected) = self.instance.metavariables.get(&place)?.clone();
        if expected.len() != operands.len() {
            return None;
        }
        let mut body = id;
        if self.used.contains(&place) {
            body = self.program.copy(id);
        } else {
            self.used.push(place);
        }
        let mut bindings = vec![];
        for (expected, operand) in expected.iter().zip(operands) {
            let is_itself = match (expected, operand) {
                (Operand { local, side: None }, Term::Bound(place)) => {
                    self.instance.bound.get(place) == Some(local) && !renamed.contains_key(local)
                }
                (_, _) => false,
            };
            if is_itself {
                continue;
            }
            let value = self.term(operand, renamed)?;
            body = self.replace_operand(body, *expected, value, &mut bindings);
        }
        Some(self.build().bind(bindings, body))
    }

    /// Puts a value in the place of an operand: an atom itself, and else a local that is bound to it.
    fn replace_operand(
        &mut self,
        body: ExpressionId,
        operand: Operand,
        value: ExpressionId,
        bindings: &mut Vec<(LocalId, ExpressionId)>,
    ) -> ExpressionId {
        let mut atom = value;
        if !terms::is_atom(self.program.expression(value)) {
            let name = self.program.local(operand.local).name.clone();
            let local = terms::fresh(self.program, &name, value);
            bindings.push((local, value));
            atom = terms::local(self.program, local, value);
        }
        terms::replace(self.program, body, |program, id| {
            let is_operand = match operand.side {
                None => program.is_local(id, operand.local),
                Some(_) => projection(program, id) == Some(operand),
            };
            is_operand.then(|| {
                let (expression, type_id, span) = (program.expression(atom), program.type_of(atom), program.span(id));
                program.add(expression, type_id, span)
            })
        })
    }

    /// Makes a construct of its parts, with the type that it has.
    fn construct(&mut self, construct: Head, parts: &[ExpressionId]) -> Option<ExpressionId> {
        let mut build = self.build();
        let Head::Call(builtin) = construct else {
            return Some(match (construct, parts) {
                (Head::Application, &[function, argument]) => build.apply(function, argument),
                (Head::If, &[condition, consequent, alternative]) => build.choice(condition, consequent, alternative),
                (_, _) => return None,
            });
        };
        Some(match (builtin, parts) {
            (Builtin::Build, &[size, function]) => build.build_with(size, function),
            (Builtin::Ifold, &[function, start, count]) => build.ifold_with(function, start, count),
            (Builtin::Get, &[array, index]) => build.get(array, index),
            (Builtin::Length, &[array]) => build.length(array),
            (Builtin::OfLength, &[array, length]) => build.of_length(array, length),
            (Builtin::Pair, &[first, second]) => build.pair(first, second),
            (Builtin::First, &[pair]) => build.first(pair),
            (Builtin::Second, &[pair]) => build.second(pair),
            (Builtin::Not, &[operand]) => build.not(operand),
            (Builtin::Operation(operation), &[operand]) => build.unary(operation, operand),
            (Builtin::Operation(operation), &[first, second]) => build.binary(operation, first, second),
            (Builtin::Compare(comparison), &[first, second]) => build.compare(comparison, first, second),
            (_, _) => return None,
        })
    }
}

//! D: an expression that computes, in place of each Double, the pair of a value and a tangent (Shaikhha et al. 2018,
//! figure 6).
//!
//! ```text
//! D (f e)                    =  (D f) (D e)                   D-App
//! D (fun x -> e)             =  fun x' -> D e                 D-Abs
//! D x                        =  x'                            D-Var
//! D (let x = e1 in e2)       =  let x' = D e1 in D e2         D-Let
//! D (if e1 then e2 else e3)  =  if D e1 then D e2 else D e3   D-If
//! D (build n f)              =  build (D n) (D f)             D-Build
//! D (ifold f z n)            =  ifold (D f) (D z) (D n)       D-IFold
//! D (e1[e2])                 =  (D e1)[D e2]                  D-Get
//! D (length e)               =  length (D e)                  D-Length
//! D (e1, e2)                 =  (D e1, D e2)                  D-Pair
//! D (fst e)                  =  fst (D e)                     D-Fst, D-Snd
//! D (e : T)                  =  (i, 0.0) for each index i of D e that is widened
//! ```
//!
//! Indices, sizes and booleans stay plain, where the paper has pairs with a second part that is never used: so
//! conditions, sizes and indices need no `fst`, and comparisons take primals. Operations on Doubles are in
//! [`super::scalar`].

use crate::builtins::Builtin;
use crate::differentiation::by_type::Rule;
use crate::differentiation::{Differentiation, by_type, scalar};
use crate::typed::{Expression, ExpressionId, GlobalId, Head, LocalId, Origin, Type, TypeId, Types, Variable};
use rustc_hash::FxHashSet;
use vlad_core::source::Span;
use vlad_table::internal_bug;

enum Step {
    Visit(ExpressionId),
    Make(ExpressionId, usize),
}

impl Differentiation<'_> {
    /// D of an expression. Its free locals have their duals in `self.dual_locals`, and the globals that it names in
    /// `self.dual_globals`.
    pub(super) fn dual(&mut self, root: ExpressionId) -> ExpressionId {
        let mut steps = vec![Step::Visit(root)];
        let mut done = vec![];
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(id) => {
                    let (head, parts) = self.program.apart(id);
                    if let Some(bound) = head.bound() {
                        self.rebind(bound);
                    }
                    steps.push(Step::Make(id, parts.len()));
                    steps.extend(parts.into_iter().rev().map(Step::Visit));
                }
                Step::Make(id, count) => {
                    let duals = done.split_off(done.len().saturating_sub(count));
                    let made = self.construct(id, &duals);
                    done.push(made);
                }
            }
        }
        let Some(dual) = done.pop() else { internal_bug!("D of an expression is one expression") };
        dual
    }

    /// Makes the dual of a local, under its name and a prime.
    fn rebind(&mut self, local: LocalId) {
        let local_data = self.program.local(local).clone();
        let type_id = self.dual_type(local_data.type_id);
        let name = if type_id == local_data.type_id { local_data.name } else { primed(&local_data.name).into() };
        let dual = self.program.add_local(name, type_id, local_data.span);
        self.dual_locals.insert(local, dual);
    }

    fn dual_local(&self, local: LocalId) -> LocalId {
        let Some(dual) = self.dual_locals.get(&local) else { internal_bug!("local {} has a dual", local.0) };
        *dual
    }

    /// D of one construct, of its parts' D. It commutes with a construct that only moves values, or computes with indices.
    fn construct(&mut self, id: ExpressionId, duals: &[ExpressionId]) -> ExpressionId {
        let ((head, parts), type_id, span) = (self.program.apart(id), self.program.type_of(id), self.program.span(id));
        let is_double = type_id == Types::DOUBLE;
        match (head, duals) {
            (Head::Number(bits), _) if is_double => {
                let mut build = self.program.at(span);
                let (primal, tangent) = (build.number(f64::from_bits(bits)), build.number(0.0));
                build.pair(primal, tangent)
            }
            (Head::Call(Builtin::Operation(operation)), _) if is_double => {
                scalar::operation(&mut self.program.at(span), operation, duals)
            }
            (Head::Call(Builtin::Compare(comparison)), [first, second])
                if parts.iter().any(|operand| self.program.type_of(*operand) == Types::DOUBLE) =>
            {
                let mut build = self.program.at(span);
                let (first, second) = (scalar::primal(&mut build, *first), scalar::primal(&mut build, *second));
                build.compare(comparison, first, second)
            }
            (Head::Global(global), _) => {
                let variable = self.dual_global(global);
                self.program.at(span).variable(variable)
            }
            (Head::Widen, [dual]) => {
                let from = parts.first().map_or(type_id, |operand| self.program.type_of(*operand));
                self.widened(*dual, (from, type_id), span)
            }
            (
                Head::Deriv(_)
                | Head::Call(Builtin::Derivative(_) | Builtin::Forward | Builtin::Reverse(_) | Builtin::Write),
                _,
            ) => internal_bug!("an expression that D follows has no operator of differentiation and writes nothing"),
            (head, duals) => {
                let type_id = self.dual_type(type_id);
                let head = head.with_local(|local| self.dual_local(local));
                let expression = self.program.together(head, duals);
                self.program.add(expression, type_id, span)
            }
        }
    }

    /// D of a widened value, of the D of the value.
    fn widened(&mut self, dual: ExpressionId, (from, to): (TypeId, TypeId), span: Span) -> ExpressionId {
        if (from, to) == (Types::INDEX, Types::DOUBLE) {
            let mut build = self.program.at(span);
            let (primal, tangent) = (build.add(Expression::Widen(dual), Types::DOUBLE), build.number(0.0));
            return build.pair(primal, tangent);
        }
        if let Some(variable) = self.program.as_variable(dual) {
            return by_type::follow_widening(self, span, &Rule::Widen, (from, to), &[variable]);
        }
        let mut build = self.program.at(span);
        let binding = build.binding("narrow", dual);
        let wide = by_type::follow_widening(self, span, &Rule::Widen, (from, to), &[Variable::Local(binding.local)]);
        self.program.at(span).bind([binding], wide)
    }

    /// The type of D of an expression.
    pub(super) fn dual_type(&mut self, type_id: TypeId) -> TypeId {
        if let Some(dual) = self.dual_types.get(&type_id) {
            return *dual;
        }
        let dual = self.program.types.dual(type_id);
        self.dual_types.insert(type_id, dual);
        dual
    }

    fn dual_global(&self, global: GlobalId) -> Variable {
        if let Some(local) = self.named_globals.get(&global) {
            return Variable::Local(*local);
        }
        let Some(dual) = self.dual_globals.get(&global) else {
            internal_bug!("`{}` has a dual", self.program.global(global).name)
        };
        Variable::Global(*dual)
    }

    /// Makes the duals of the globals that an expression names, and of those that these name, as globals of their own.
    /// Those that may vary have a dual in the expression itself.
    pub(super) fn make_dual_globals(&mut self, root: ExpressionId) {
        let mut needed: FxHashSet<GlobalId> = FxHashSet::default();
        let mut pending: Vec<GlobalId> = self.free(&[root]).globals.into_iter().collect();
        pending.retain(|global| !self.named_globals.contains_key(global));
        while let Some(global) = pending.pop() {
            if !self.dual_globals.contains_key(&global)
                && needed.insert(global)
                && self.is_function_over_doubles(self.program.global(global).type_id)
            {
                pending.extend(self.free(&[self.program.global(global).value]).globals);
            }
        }
        let mut needed: Vec<GlobalId> = needed.into_iter().collect();
        needed.sort_by_key(|global| self.places.get(global).copied());
        for global in needed {
            self.make_dual_global(global);
        }
    }

    /// Makes the dual of a global, whose value names globals that have theirs: D of a function; data with zero tangents;
    /// the global itself if it has no Doubles.
    fn make_dual_global(&mut self, global: GlobalId) {
        let mut data = self.program.global(global).clone();
        let type_id = data.type_id;
        data.type_id = self.dual_type(type_id);
        if data.type_id == type_id {
            self.dual_globals.insert(global, global);
            return;
        }
        data.value = if self.is_function_over_doubles(type_id) {
            let named = std::mem::take(&mut self.named_globals);
            let value = self.dual(data.value);
            self.named_globals = named;
            value
        } else {
            data.origin = Origin::Lifted;
            by_type::follow(self, data.span, &Rule::Lift, type_id, &[Variable::Global(global)])
        };
        data.name = primed(&data.name).into();
        let dual = self.program.add_global(data);
        self.dual_globals.insert(global, dual);
        self.define(dual);
    }

    /// Returns true if a type is that of a function over Doubles: variables of such types are differentiated through.
    pub(super) fn is_function_over_doubles(&mut self, type_id: TypeId) -> bool {
        matches!(self.program.types.get(type_id), Type::Function(..)) && self.dual_type(type_id) != type_id
    }
}

/// The name of a dual.
pub(super) fn primed(name: &str) -> String {
    format!("{name}'")
}

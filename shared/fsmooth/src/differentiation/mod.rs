//! Differentiation of F-smooth: a pass that replaces `deriv`, `diff`, `grad`, `jacob`, `vdiff`, `mdiff`, `mgrad` and
//! `hessian` by code without them (Shaikhha et al. 2018, section 3).
//!
//! ```text
//! typed tree  --differentiate-->  typed tree without `Deriv` and `Derivative`
//! ```
//!
//! The operators are defined by D ([`dual`]), which makes of an expression one that computes with pairs of values and
//! tangents, and by code that follows types ([`by_type`]):
//!
//! ```text
//! deriv e x  =  let v' = lift v in ... over x (let x' = seed x in exit (D e))     for the other free variables v
//! diff f e   =  let x = e in exit (D f (x, 1.0))                                   and so vdiff, mdiff
//! grad f e   =  let x = e in over x (exit (D f (seed x)))                          and so jacob, mgrad
//! ```
//!
//! `over x` is one `build` for each array that x is made of; their indices are the place of the 1 in `seed x` (algorithm 1).
//! Nested operators are replaced from the inside. So each has a level of its own, and tangents are not confused.
//!
//! D of a global function f is a global f', made once and defined before the first item that needs it; a global of
//! data has a copy with zero tangents, but where some `deriv` of the same item is by this global: there it is treated as a
//! local, since it varies where an expression names it. A local function that an operator names gets its D beside it.
//!
//! All results have the bits of the operator `j*` (report, parts 8 and 9), to which `jvp` is compiled. An expression
//! that D cannot follow, because it applies a function that is a parameter from outside, or uses `jvp`, `vjp` or `write`, is
//! differentiated by `jvp` itself, and so is one whose D would be too large. Calls of functions that differentiate their
//! parameters are replaced by their definitions before ([`exposure`]).
//!
//! Beside a gradient stands the one by reverse mode ([`reverse`]), which rewriting may take instead.

mod by_type;
mod dual;
mod exposure;
mod forward;
mod operators;
mod reverse;
mod scalar;
mod show;
#[cfg(test)]
mod tests;
mod transparency;

use crate::typed::{Expression, ExpressionId, GlobalId, Head, Item, LocalId, Program, TypeId, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

pub use show::shown;

/// Replaces the operators of differentiation in a program.
pub fn differentiate(program: &mut Program) {
    if program.has(|expression| matches!(expression, Expression::Deriv { .. } | Expression::Derivative { .. })) {
        differentiate_with(program, None);
    }
}

/// Replaces the operators of differentiation in a program, defines D of the functions of a name, and returns each of
/// them with that; without it if D cannot follow it.
fn differentiate_with(program: &mut Program, wanted: Option<&str>) -> Vec<(GlobalId, Option<GlobalId>)> {
    let items = std::mem::take(&mut program.items);
    let mut pass = Differentiation::new(program);
    let mut duals = vec![];
    for item in items {
        match item {
            Item::Define(global) => {
                pass.expose(pass.program.global(global).value);
                let template = pass.template(global);
                pass.has_met_parameter = false;
                pass.eliminate(pass.program.global(global).value);
                if let Some(template) = template.filter(|_| pass.has_met_parameter) {
                    pass.templates.insert(global, template);
                }
                pass.define(global);
                if Some(&*pass.program.global(global).name) == wanted {
                    duals.push((global, pass.dual_of(global)));
                }
            }
            Item::Expression(id) => {
                pass.expose(id);
                pass.eliminate(id);
                pass.items.push(item);
            }
        }
    }
    pass.program.items = pass.items;
    duals
}

/// The binding of a local function.
#[derive(Clone, Copy, Debug)]
enum Bound {
    /// It is the parameter of a lambda.
    Parameter,
    /// It has a value.
    Value(ExpressionId),
    /// It is the dual of another local function.
    Dual(LocalId),
}

struct Differentiation<'program> {
    program: &'program mut Program,
    /// The new items.
    items: Vec<Item>,
    /// The place of each global among the new items.
    places: FxHashMap<GlobalId, usize>,
    /// The duals of globals.
    dual_globals: FxHashMap<GlobalId, GlobalId>,
    /// The duals, in the expression that is differentiated, of globals that may vary where it names them.
    named_globals: FxHashMap<GlobalId, LocalId>,
    /// The globals by which `deriv` differentiates in the current item.
    variables: FxHashSet<GlobalId>,
    /// The duals of locals: of those that the expression that is differentiated binds, and of its free ones.
    dual_locals: FxHashMap<LocalId, LocalId>,
    /// The duals of local functions that operators have named, which stand beside them.
    dual_functions: FxHashMap<LocalId, LocalId>,
    /// The bindings of local functions.
    bound: FxHashMap<LocalId, Bound>,
    dual_types: FxHashMap<TypeId, TypeId>,
    /// The globals that D cannot follow.
    opaque: FxHashSet<GlobalId>,
    /// The definitions of functions that differentiate their parameters, as they were.
    templates: FxHashMap<GlobalId, ExpressionId>,
    /// True if an operator of the current item names a function that is a parameter.
    has_met_parameter: bool,
}

enum Step {
    Enter(ExpressionId),
    Leave(ExpressionId),
}

impl Differentiation<'_> {
    fn new(program: &mut Program) -> Differentiation<'_> {
        Differentiation {
            program,
            items: vec![],
            places: FxHashMap::default(),
            dual_globals: FxHashMap::default(),
            named_globals: FxHashMap::default(),
            variables: FxHashSet::default(),
            dual_locals: FxHashMap::default(),
            dual_functions: FxHashMap::default(),
            bound: FxHashMap::default(),
            dual_types: FxHashMap::default(),
            opaque: FxHashSet::default(),
            templates: FxHashMap::default(),
            has_met_parameter: false,
        }
    }

    /// Adds the definition of a global to the items.
    fn define(&mut self, global: GlobalId) {
        self.places.insert(global, self.items.len());
        self.items.push(Item::Define(global));
        self.note_transparency(global);
    }

    /// Defines the dual of a global function, if D can follow it.
    fn dual_of(&mut self, global: GlobalId) -> Option<GlobalId> {
        let data = self.program.global(global).clone();
        let name = self.program.add(Expression::Global(global), data.type_id, data.span);
        if !self.is_function_over_doubles(data.type_id) || !self.is_transparent(&[name], None) {
            return None;
        }
        self.named_globals.clear();
        self.make_dual_globals(name);
        self.dual_globals.get(&global).copied()
    }

    /// Replaces the operators in an expression, from the inside.
    fn eliminate(&mut self, root: ExpressionId) {
        self.note_variables(root);
        let mut steps = vec![Step::Enter(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id) => {
                    if let Expression::Lambda { parameter, .. } = self.program.expression(id) {
                        self.note_function(parameter, Bound::Parameter);
                    } else if let Expression::Let { local, value, .. } = self.program.expression(id) {
                        self.note_function(local, Bound::Value(value));
                    }
                    steps.push(Step::Leave(id));
                    steps.extend(self.program.parts(id).into_iter().rev().map(Step::Enter));
                }
                Step::Leave(id) => self.leave(id),
            }
        }
    }

    /// Records the globals by which an expression differentiates.
    fn note_variables(&mut self, root: ExpressionId) {
        self.variables.clear();
        self.program.walk(root, |_, head| {
            if let Head::Deriv(Variable::Global(global)) = head {
                self.variables.insert(global);
            }
            true
        });
    }

    fn note_function(&mut self, local: LocalId, bound: Bound) {
        if self.is_function_over_doubles(self.program.local(local).type_id) {
            self.bound.insert(local, bound);
        }
    }

    fn leave(&mut self, id: ExpressionId) {
        let expression = self.program.expression(id);
        let replacement = if let Expression::Deriv { body, variable } = expression {
            self.deriv(id, body, variable)
        } else if let Expression::Derivative { operator, function, point } = expression {
            self.derivative(id, operator, function, point)
        } else if let Expression::Let { local, value, body } = expression
            && self.dual_functions.contains_key(&local)
        {
            self.with_dual_functions(local, value, body)
        } else {
            return;
        };
        if let Some(form) = self.program.reverse_forms.remove(&replacement) {
            self.program.reverse_forms.insert(id, form);
        }
        let replacement = self.program.expression(replacement);
        self.program.set(id, replacement);
    }
}

//! Code that follows a type: dual values made of plain ones, and the results of operators.
//!
//! With v of the type T, an array is taken apart by `build (length v) (fun i -> ... v[i] ...)`, a pair by
//! `(... fst v ..., ... snd v ...)`. At the Doubles stands one of these, at booleans and indices the value itself:
//!
//! | [`Rule`] | at a Double v | algorithm 1 |
//! |---|---|---|
//! | `Lift` | (v, 0.0) | DUAL with ZERO |
//! | `Seed` | (v, 1.0) at the place of the 1, (v, 0.0) elsewhere | DUAL with ONEHOT |
//! | `OneHot` | 1.0 at one place, 0.0 elsewhere | ONEHOT |
//! | `Zip` | (v, w) | vectorZip, matrixZip |
//! | `Exit` | (fst v, snd v + 0.0), of a dual v | |
//! | `Widen` | (i, 0.0), of an index i | |
//!
//! The addition at an exit makes +0 of -0 (report, rule 5b).

use crate::builder::{Access, Binding, Builder, Projection};
use crate::differentiation::Differentiation;
use crate::typed::{Expression, ExpressionId, LocalId, Type, TypeId, Types, Variable};
use vlad_core::source::Span;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// The code that stands for the Doubles of a value.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// The value with a zero tangent.
    Lift,
    /// The value with a one-hot tangent.
    Seed(Vec<Projection>),
    /// A one-hot tangent.
    OneHot(Vec<Projection>),
    /// Primal and tangent, of two values.
    Zip,
    /// A dual value without negative zeros in its tangents.
    Exit,
    /// A dual value of a wider type.
    Widen,
}

enum Step {
    /// Takes apart a value of a type (and of the type that it is widened to), to which some steps have led.
    Visit { from: TypeId, to: TypeId, values: Vec<Access>, place: Vec<Projection> },
    /// Makes an array of the code of its element.
    Array { bindings: Vec<Binding>, array: Access, index: LocalId },
    /// Makes a pair of the code of its parts.
    Pair,
    /// Applies a function to the code of its argument.
    Argument { function: Access, parameter: LocalId, from: TypeId, to: TypeId },
    /// Makes a function of the code of its result.
    Function { result: Binding, parameter: LocalId },
}

/// Returns code that follows a type, for variables of that type. `Zip` takes two.
pub(super) fn follow(
    pass: &mut Differentiation,
    span: Span,
    rule: &Rule,
    type_id: TypeId,
    variables: &[Variable],
) -> ExpressionId {
    follow_widening(pass, span, rule, (type_id, type_id), variables)
}

/// Returns the code that stands for a variable that is widened; of `Widen`, a dual value.
pub(super) fn follow_widening(
    pass: &mut Differentiation,
    span: Span,
    rule: &Rule,
    types: (TypeId, TypeId),
    variables: &[Variable],
) -> ExpressionId {
    let leaf: Leaf<'_> = &mut |pass, values, place| number(&mut pass.program.at(span), rule, values, place);
    let same = if matches!(rule, Rule::Widen) { Same::Kept } else { Same::Followed };
    Walk { pass, span, leaf, name: "j", same, steps: vec![], done: vec![] }.run(types, variables)
}

/// Returns the results of code that is made for each Double of a variable, in the shape of the variable; a boolean of
/// it stands for itself. The code is made for a place: the steps that lead to the Double.
pub(super) fn over(
    pass: &mut Differentiation,
    span: Span,
    (variable, type_id): (Variable, TypeId),
    mut make: impl FnMut(&mut Differentiation, &[Projection]) -> ExpressionId,
) -> ExpressionId {
    let leaf: Leaf<'_> = &mut |pass, _, place| make(pass, place);
    let walk = Walk { pass, span, leaf, name: "i", same: Same::Followed, steps: vec![], done: vec![] };
    walk.run((type_id, type_id), &[variable])
}

/// The maker of the code of a Double, for the same part of all values and the steps that lead there.
type Leaf<'walk> = &'walk mut dyn FnMut(&mut Differentiation, &[Access], &[Projection]) -> ExpressionId;

/// The treatment of parts that are not widened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Same {
    Followed,
    Kept,
}

/// A walk through a value, in constant stack.
struct Walk<'walk, 'program> {
    pass: &'walk mut Differentiation<'program>,
    span: Span,
    leaf: Leaf<'walk>,
    /// The name of indices.
    name: &'static str,
    same: Same,
    steps: Vec<Step>,
    done: Vec<ExpressionId>,
}

impl Walk<'_, '_> {
    fn run(mut self, (from, to): (TypeId, TypeId), variables: &[Variable]) -> ExpressionId {
        let values = variables.iter().map(|variable| Access::of(self.pass.program, *variable)).collect();
        self.steps.push(Step::Visit { from, to, values, place: vec![] });
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Visit { from, to, values, place } => self.visit((from, to), values, &place),
                Step::Array { bindings, array, index } => {
                    let (body, mut build) = (self.pop(), self.pass.program.at(self.span));
                    let array = array.read(&mut build);
                    let built = build.build_like(array, index, body);
                    self.done.push(build.bind(bindings, built));
                }
                Step::Pair => {
                    let (second, first) = (self.pop(), self.pop());
                    self.done.push(self.pass.program.at(self.span).pair(first, second));
                }
                Step::Argument { function, parameter, from, to } => {
                    let (argument, mut build) = (self.pop(), self.pass.program.at(self.span));
                    let function = function.read(&mut build);
                    let applied = build.apply(function, argument);
                    let result = build.binding("result", applied);
                    let values = vec![Access::of(build.program, Variable::Local(result.local))];
                    self.steps.push(Step::Function { result, parameter });
                    self.steps.push(Step::Visit { from, to, values, place: vec![] });
                }
                Step::Function { result, parameter } => {
                    let (body, mut build) = (self.pop(), self.pass.program.at(self.span));
                    let body = build.bind([result], body);
                    self.done.push(build.lambda(parameter, body));
                }
            }
        }
        self.pop()
    }

    fn pop(&mut self) -> ExpressionId {
        let Some(done) = self.done.pop() else { internal_bug!("the parts of a value are made before it") };
        done
    }

    fn visit(&mut self, (from, to): (TypeId, TypeId), values: Vec<Access>, place: &[Projection]) {
        let types = &self.pass.program.types;
        match (types.get(from), types.get(to)) {
            (_, _) if from == to && self.same == Same::Kept => self.first(&values),
            (Type::Double | Type::Index, Type::Double) => {
                let made = (self.leaf)(self.pass, &values, place);
                self.done.push(made);
            }
            (Type::Array(from), Type::Array(to)) => {
                let mut build = self.pass.program.at(self.span);
                let short: Vec<_> = values.into_iter().map(|value| value.shortened(&mut build)).collect();
                let (short, bindings): (Vec<Access>, Vec<Option<Binding>>) = short.into_iter().unzip();
                let Some(array) = short.first().cloned() else { internal_bug!("a value is followed") };
                let index = build.fresh(self.name, Types::INDEX);
                self.steps.push(Step::Array { bindings: bindings.into_iter().flatten().collect(), array, index });
                self.part(Projection::Index(index), (from, to), &short, place);
            }
            (Type::Pair(first, second), Type::Pair(to_first, to_second)) => {
                self.steps.push(Step::Pair);
                self.part(Projection::Second, (second, to_second), &values, place);
                self.part(Projection::First, (first, to_first), &values, place);
            }
            (Type::Function(parameter, result), Type::Function(to_parameter, to_result)) => {
                let Some(function) = values.into_iter().next() else { internal_bug!("a value is followed") };
                let dual = self.pass.program.types.dual(to_parameter);
                let local = self.pass.program.at(self.span).fresh("argument", dual);
                let values = vec![Access::of(self.pass.program, Variable::Local(local))];
                self.steps.push(Step::Argument { function, parameter: local, from: result, to: to_result });
                self.steps.push(Step::Visit { from: to_parameter, to: parameter, values, place: vec![] });
            }
            (Type::Double | Type::Index | Type::Boolean | Type::Array(_) | Type::Pair(..) | Type::Function(..), _) => {
                self.first(&values)
            }
        }
    }

    fn first(&mut self, values: &[Access]) {
        let Some(value) = values.first() else { internal_bug!("a value is followed") };
        self.done.push(value.read(&mut self.pass.program.at(self.span)));
    }

    fn part(&mut self, projection: Projection, (from, to): (TypeId, TypeId), values: &[Access], place: &[Projection]) {
        let values = values.iter().map(|value| value.part(self.pass.program, projection)).collect();
        let place = place.iter().copied().chain([projection]).collect();
        self.steps.push(Step::Visit { from, to, values, place });
    }
}

/// The code of a rule for a Double at a place.
fn number(build: &mut Builder, rule: &Rule, values: &[Access], place: &[Projection]) -> ExpressionId {
    let Some(first) = values.first() else { internal_bug!("a value is followed") };
    let (primal, tangent) = match rule {
        Rule::OneHot(seed) => return one_hot(build, seed, place),
        Rule::Lift => (first.read(build), build.number(0.0)),
        Rule::Seed(seed) => (first.read(build), one_hot(build, seed, place)),
        Rule::Zip => {
            let Some(second) = values.get(1) else { internal_bug!("two values are zipped") };
            (first.read(build), second.read(build))
        }
        Rule::Exit => {
            let (whole, again) = (first.read(build), first.read(build));
            let (primal, tangent) = (build.first(whole), build.second(again));
            (primal, without_negative_zero(build, tangent))
        }
        Rule::Widen => {
            let index = first.read(build);
            (build.add(Expression::Widen(index), Types::DOUBLE), build.number(0.0))
        }
    };
    build.pair(primal, tangent)
}

/// The tangent of a number at a place: 1.0 at the place of the seed, 0.0 elsewhere.
fn one_hot(build: &mut Builder, seed: &[Projection], place: &[Projection]) -> ExpressionId {
    let mut indices = vec![];
    for (number, own) in place.iter().enumerate() {
        match (seed.get(number), own) {
            (Some(Projection::Index(seeded)), Projection::Index(own)) => indices.push((*seeded, *own)),
            (Some(Projection::First), Projection::First) | (Some(Projection::Second), Projection::Second) => {}
            (_, _) => return build.number(0.0),
        }
    }
    let mut condition = None;
    for (seeded, own) in indices {
        let (seeded, own) = (build.local(seeded), build.local(own));
        let equal = build.compare(Comparison::Equal, seeded, own);
        condition = Some(match condition {
            Some(others) => build.both(others, equal),
            None => equal,
        });
    }
    let one = build.number(1.0);
    let Some(condition) = condition else { return one };
    let zero = build.number(0.0);
    build.choice(condition, one, zero)
}

/// t + 0.0, unless t is a number that is no negative zero.
pub(super) fn without_negative_zero(build: &mut Builder, tangent: ExpressionId) -> ExpressionId {
    if let Expression::Number(value) = build.program.expression(tangent)
        && (value != 0.0 || value.is_sign_positive())
    {
        return tangent;
    }
    let zero = build.number(0.0);
    build.binary(Operation::Add, tangent, zero)
}

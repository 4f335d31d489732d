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
use crate::typed::{Expression, ExpressionId, LocalId, Program, Type, TypeId, Types, Variable};
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

/// The direction of the derivative within a value: the tangent of each Double of it.
#[derive(Clone, Debug)]
enum Direction {
    /// All of them are 0.
    Zero,
    /// One of them is 1 if, for each pair, the two indices are equal; so many steps have led to the value.
    OneHot(Vec<(LocalId, LocalId)>, usize),
}

enum Step {
    /// Takes apart a value of a type (and of the type that it is widened to).
    Visit { from: TypeId, to: TypeId, values: Vec<Access>, direction: Direction },
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
    program: &mut Program,
    span: Span,
    rule: &Rule,
    type_id: TypeId,
    variables: &[Variable],
) -> ExpressionId {
    follow_widening(program, span, rule, (type_id, type_id), variables)
}

/// Returns a dual value that is widened, for a variable.
pub(super) fn widen(program: &mut Program, span: Span, types: (TypeId, TypeId), variable: Variable) -> ExpressionId {
    follow_widening(program, span, &Rule::Widen, types, &[variable])
}

fn follow_widening(
    program: &mut Program,
    span: Span,
    rule: &Rule,
    (from, to): (TypeId, TypeId),
    variables: &[Variable],
) -> ExpressionId {
    let values = variables.iter().map(|variable| Access::of(program, *variable)).collect();
    let direction = match rule {
        Rule::Seed(_) | Rule::OneHot(_) => Direction::OneHot(vec![], 0),
        Rule::Lift | Rule::Zip | Rule::Exit | Rule::Widen => Direction::Zero,
    };
    let mut walk = Walk { build: program.at(span), rule, steps: vec![], done: vec![] };
    walk.steps.push(Step::Visit { from, to, values, direction });
    walk.run()
}

/// Returns the results of code that is made for each Double of a variable, in the shape of the variable; a boolean of
/// it stands for itself. The code is made for a place: the steps that lead to the Double.
pub(super) fn over(
    pass: &mut Differentiation,
    span: Span,
    (variable, type_id): (Variable, TypeId),
    mut make: impl FnMut(&mut Differentiation, &[Projection]) -> ExpressionId,
) -> ExpressionId {
    enum Step {
        Visit(TypeId, Access, Vec<Projection>),
        Array(Option<Binding>, Access, LocalId),
        Pair,
    }
    let mut steps = vec![Step::Visit(type_id, Access::of(pass.program, variable), vec![])];
    let mut done: Vec<ExpressionId> = vec![];
    while let Some(step) = steps.pop() {
        match step {
            Step::Visit(type_id, value, place) => {
                let mut build = pass.program.at(span);
                match build.program.types.get(type_id) {
                    Type::Double => done.push(make(pass, &place)),
                    Type::Index | Type::Boolean | Type::Function(..) => done.push(value.read(&mut build)),
                    Type::Array(element) => {
                        let (array, binding) = value.shortened(&mut build);
                        let index = build.fresh("i", Types::INDEX);
                        let part = array.part(build.program, Projection::Index(index));
                        steps.push(Step::Array(binding, array, index));
                        let place = place.into_iter().chain([Projection::Index(index)]).collect();
                        steps.push(Step::Visit(element, part, place));
                    }
                    Type::Pair(first, second) => {
                        steps.push(Step::Pair);
                        for (projection, part_type) in [(Projection::Second, second), (Projection::First, first)] {
                            let part = value.part(build.program, projection);
                            let place = place.iter().copied().chain([projection]).collect();
                            steps.push(Step::Visit(part_type, part, place));
                        }
                    }
                }
            }
            Step::Array(binding, array, index) => {
                let Some(body) = done.pop() else { internal_bug!("an element is made before its array") };
                let mut build = pass.program.at(span);
                let array = array.read(&mut build);
                let built = build.build_like(array, index, body);
                done.push(build.bind(binding, built));
            }
            Step::Pair => {
                let (Some(second), Some(first)) = (done.pop(), done.pop()) else {
                    internal_bug!("the parts of a pair are made before it")
                };
                done.push(pass.program.at(span).pair(first, second));
            }
        }
    }
    let Some(whole) = done.pop() else { internal_bug!("the whole is made last") };
    whole
}

struct Walk<'walk> {
    build: Builder<'walk>,
    rule: &'walk Rule,
    steps: Vec<Step>,
    done: Vec<ExpressionId>,
}

impl Walk<'_> {
    fn run(mut self) -> ExpressionId {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Visit { from, to, values, direction } => self.visit(from, to, values, direction),
                Step::Array { bindings, array, index } => {
                    let (body, array) = (self.pop(), array.read(&mut self.build));
                    let built = self.build.build_like(array, index, body);
                    let bound = self.build.bind(bindings, built);
                    self.done.push(bound);
                }
                Step::Pair => {
                    let (second, first) = (self.pop(), self.pop());
                    let pair = self.build.pair(first, second);
                    self.done.push(pair);
                }
                Step::Argument { function, parameter, from, to } => {
                    let (argument, function) = (self.pop(), function.read(&mut self.build));
                    let applied = self.build.apply(function, argument);
                    let result = self.build.binding("result", applied);
                    let values = vec![Access::of(self.build.program, Variable::Local(result.local))];
                    self.steps.push(Step::Function { result, parameter });
                    self.steps.push(Step::Visit { from, to, values, direction: Direction::Zero });
                }
                Step::Function { result, parameter } => {
                    let body = self.pop();
                    let body = self.build.bind([result], body);
                    let function = self.build.lambda(parameter, body);
                    self.done.push(function);
                }
            }
        }
        self.pop()
    }

    fn pop(&mut self) -> ExpressionId {
        let Some(done) = self.done.pop() else { internal_bug!("the parts of a value are made before it") };
        done
    }

    fn visit(&mut self, from: TypeId, to: TypeId, values: Vec<Access>, direction: Direction) {
        let is_same = matches!(self.rule, Rule::Widen) && from == to;
        match (self.build.program.types.get(from), self.build.program.types.get(to)) {
            (_, _) if is_same => self.first(&values),
            (Type::Double | Type::Index, Type::Double) => self.number(&values, &direction),
            (Type::Array(from), Type::Array(to)) => self.array((from, to), values, direction),
            (Type::Pair(first, second), Type::Pair(to_first, to_second)) => {
                self.steps.push(Step::Pair);
                self.part(Projection::Second, (second, to_second), &values, &direction);
                self.part(Projection::First, (first, to_first), &values, &direction);
            }
            (Type::Function(parameter, result), Type::Function(to_parameter, to_result)) => {
                let Some(function) = values.into_iter().next() else { internal_bug!("a value is followed") };
                let dual = self.build.program.types.dual(to_parameter);
                let local = self.build.fresh("argument", dual);
                let values = vec![Access::of(self.build.program, Variable::Local(local))];
                self.steps.push(Step::Argument { function, parameter: local, from: result, to: to_result });
                self.steps.push(Step::Visit { from: to_parameter, to: parameter, values, direction: Direction::Zero });
            }
            (Type::Double | Type::Index | Type::Boolean | Type::Array(_) | Type::Pair(..) | Type::Function(..), _) => {
                self.first(&values)
            }
        }
    }

    fn first(&mut self, values: &[Access]) {
        let Some(value) = values.first() else { internal_bug!("a value is followed") };
        let read = value.read(&mut self.build);
        self.done.push(read);
    }

    fn array(&mut self, (from, to): (TypeId, TypeId), values: Vec<Access>, direction: Direction) {
        let mut bindings = vec![];
        let mut short = vec![];
        for value in values {
            let (value, binding) = value.shortened(&mut self.build);
            short.push(value);
            bindings.extend(binding);
        }
        let Some(array) = short.first().cloned() else { internal_bug!("a value is followed") };
        let index = self.build.fresh("j", Types::INDEX);
        self.steps.push(Step::Array { bindings, array, index });
        self.part(Projection::Index(index), (from, to), &short, &direction);
    }

    fn part(&mut self, projection: Projection, (from, to): (TypeId, TypeId), values: &[Access], direction: &Direction) {
        let values = values.iter().map(|value| value.part(self.build.program, projection)).collect();
        let direction = self.direction_of_part(projection, direction);
        self.steps.push(Step::Visit { from, to, values, direction });
    }

    fn direction_of_part(&self, projection: Projection, direction: &Direction) -> Direction {
        let (Direction::OneHot(equal, steps), Rule::Seed(place) | Rule::OneHot(place)) = (direction, self.rule) else {
            return Direction::Zero;
        };
        match (place.get(*steps), projection) {
            (Some(Projection::Index(seeded)), Projection::Index(own)) => {
                let mut equal = equal.clone();
                equal.push((*seeded, own));
                Direction::OneHot(equal, steps + 1)
            }
            (Some(Projection::First), Projection::First) | (Some(Projection::Second), Projection::Second) => {
                Direction::OneHot(equal.clone(), steps + 1)
            }
            (
                Some(Projection::Index(_) | Projection::First | Projection::Second) | None,
                Projection::Index(_) | Projection::First | Projection::Second,
            ) => Direction::Zero,
        }
    }

    fn number(&mut self, values: &[Access], direction: &Direction) {
        let build = &mut self.build;
        let (first, second) = (values.first(), values.get(1));
        let Some(first) = first else { internal_bug!("a value is followed") };
        let made = match self.rule {
            Rule::Lift | Rule::Seed(_) => {
                let (primal, tangent) = (first.read(build), one_hot(build, direction));
                build.pair(primal, tangent)
            }
            Rule::OneHot(_) => one_hot(build, direction),
            Rule::Zip => {
                let Some(second) = second else { internal_bug!("two values are zipped") };
                let (primal, tangent) = (first.read(build), second.read(build));
                build.pair(primal, tangent)
            }
            Rule::Exit => {
                let (whole, again) = (first.read(build), first.read(build));
                let (primal, tangent) = (build.first(whole), build.second(again));
                let tangent = without_negative_zero(build, tangent);
                build.pair(primal, tangent)
            }
            Rule::Widen => {
                let index = first.read(build);
                let (primal, tangent) = (build.add(Expression::Widen(index), Types::DOUBLE), build.number(0.0));
                build.pair(primal, tangent)
            }
        };
        self.done.push(made);
    }
}

/// The tangent of a number: 1.0 at one place, 0.0 elsewhere.
fn one_hot(build: &mut Builder, direction: &Direction) -> ExpressionId {
    let Direction::OneHot(equal, _) = direction else { return build.number(0.0) };
    let mut condition = None;
    for (seeded, own) in equal {
        let (seeded, own) = (build.local(*seeded), build.local(*own));
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

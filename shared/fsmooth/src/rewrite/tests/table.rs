//! Every row of the table on random instances: the values before and after, as its class promises.

use super::agree;
use super::evaluate::{Evaluator, Outcome, Scope, Value};
use crate::builtins::Builtin;
use crate::rewrite::facts::totality::{Assuming, Context};
use crate::rewrite::normal::{Budget, Normalising};
use crate::rewrite::rules::fission::Pairs;
use crate::rewrite::rules::matching::{self, Instance};
use crate::rewrite::rules::notation::Term;
use crate::rewrite::rules::{Class, Rule, rules};
use crate::typed::Head;
use crate::typed::check::check;
use crate::typed::{Expression, ExpressionId, Item, LocalId, Program, Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_core::source::{FileId, Span};
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// The number of instances that are tried for each rule.
const TRIALS: u64 = 600;

/// The number of those to which a rule has to apply.
const LEAST: usize = 20;

/// Reads the declared types of the metavariables.
fn declared(program: &mut Program, variables: &str) -> Vec<TypeId> {
    let mut types = vec![];
    for group in variables.split(';') {
        let Some((names, type_text)) = group.split_once(':') else { panic!("`{group}` declares a type") };
        let mut arrows: Vec<&str> = type_text.split("=>").map(str::trim).collect();
        let mut type_id = arrows.pop().map_or(Types::DOUBLE, |text| data_type(program, text));
        for parameter in arrows.into_iter().rev() {
            let from = data_type(program, parameter);
            type_id = program.types.function(from, type_id);
        }
        types.extend(names.split_whitespace().map(|_| type_id));
    }
    types
}

fn data_type(program: &mut Program, text: &str) -> TypeId {
    match text {
        "Double" => Types::DOUBLE,
        "Index" => Types::INDEX,
        "Bool" => Types::BOOLEAN,
        "Vector" => Types::VECTOR,
        "Double * Double" => program.types.pair(Types::DOUBLE, Types::DOUBLE),
        other => panic!("`{other}` is not expected"),
    }
}

/// A random instance of a rule in the making.
struct Maker<'maker> {
    program: &'maker mut Program,
    random: fastrand::Rng,
    types: Vec<TypeId>,
    instance: Instance,
    bound: FxHashMap<usize, LocalId>,
}

impl Maker<'_> {
    fn add(&mut self, expression: Expression, type_id: TypeId) -> ExpressionId {
        self.program.add(expression, type_id, NOWHERE)
    }

    /// The type of a term, as far as binders need it.
    fn type_of(&self, term: &Term) -> TypeId {
        match term {
            Term::Meta(place, operands) => {
                let mut type_id = self.types[*place];
                for _ in operands {
                    let Type::Function(_, result) = self.program.types.get(type_id) else { panic!("a function") };
                    type_id = result;
                }
                type_id
            }
            Term::Let(_, _, body) => self.type_of(body),
            Term::Double(_) => Types::DOUBLE,
            other => panic!("the type of {other:?} is not needed"),
        }
    }

    /// Gives the variables that a pattern binds their types.
    fn bind(&mut self, term: &Term) {
        match term {
            Term::Let(place, value, body) => {
                self.bind(value);
                let type_id = self.type_of(value);
                self.local(*place, type_id);
                self.bind(body);
            }
            Term::Construct(Head::Call(Builtin::Build), parts) => {
                if let [_, Term::Function(index, body)] = parts.as_slice() {
                    self.local(*index, Types::INDEX);
                    self.bind(body);
                }
            }
            Term::Construct(Head::Call(Builtin::Ifold), parts) => {
                if let [Term::Function(state, step), start, _] = parts.as_slice()
                    && let Term::Function(index, body) = &**step
                {
                    let type_id = self.type_of(start);
                    self.local(*state, type_id);
                    self.local(*index, Types::INDEX);
                    self.bind(body);
                }
            }
            Term::Construct(Head::Application, parts) => {
                if let [Term::Function(parameter, body), argument] = parts.as_slice() {
                    let type_id = self.type_of(argument);
                    self.local(*parameter, type_id);
                    self.bind(body);
                } else {
                    parts.iter().for_each(|part| self.bind(part));
                }
            }
            Term::Construct(_, parts) => parts.iter().for_each(|part| self.bind(part)),
            Term::Function(_, body) => self.bind(body),
            Term::Meta(..) | Term::Bound(_) | Term::Double(_) | Term::Index(_) | Term::Boolean(_) => {}
        }
    }

    fn local(&mut self, place: usize, type_id: TypeId) {
        let local = self.program.add_local("x", type_id, NOWHERE);
        self.bound.insert(place, local);
        self.instance.bind(place, local);
    }

    /// Gives the metavariables of a pattern their instances.
    fn fill(&mut self, term: &Term) {
        match term {
            Term::Meta(place, operands) => {
                if self.instance.metavariable(*place).is_some() {
                    return;
                }
                let locals: Vec<LocalId> = operands
                    .iter()
                    .map(|operand| match operand {
                        Term::Bound(place) => self.bound[place],
                        other => panic!("{other:?} is no variable"),
                    })
                    .collect();
                let type_id = self.type_of(term);
                let id = match self.program.types.get(type_id) {
                    Type::Function(..) => self.function(type_id, &locals),
                    _data => self.term(type_id, &locals, 3),
                };
                self.instance.set(*place, id, &locals);
            }
            Term::Let(_, value, body) => {
                self.fill(value);
                self.fill(body);
            }
            Term::Construct(_, parts) => parts.iter().for_each(|part| self.fill(part)),
            Term::Function(_, body) => self.fill(body),
            Term::Bound(_) | Term::Double(_) | Term::Index(_) | Term::Boolean(_) => {}
        }
    }

    fn function(&mut self, type_id: TypeId, locals: &[LocalId]) -> ExpressionId {
        let Type::Function(from, to) = self.program.types.get(type_id) else { return self.term(type_id, locals, 3) };
        let parameter = self.program.add_local("y", from, NOWHERE);
        let inner: Vec<LocalId> = locals.iter().copied().chain([parameter]).collect();
        let body = self.function(to, &inner);
        self.add(Expression::Lambda { parameter, body }, type_id)
    }

    /// A random term over some locals.
    fn term(&mut self, type_id: TypeId, locals: &[LocalId], depth: usize) -> ExpressionId {
        let usable: Vec<LocalId> =
            locals.iter().copied().filter(|local| self.program.local(*local).type_id == type_id).collect();
        if !usable.is_empty() && self.random.bool() {
            let local = usable[self.random.usize(0..usable.len())];
            return self.add(Expression::Local(local), type_id);
        }
        match self.program.types.get(type_id) {
            Type::Double => self.double(locals, depth),
            Type::Index => {
                let number = self.random.usize(0..4) as f64;
                self.add(Expression::Number(number), Types::INDEX)
            }
            Type::Boolean => {
                if depth == 0 || self.random.usize(0..3) == 0 {
                    let value = self.random.bool();
                    return self.add(Expression::Boolean(value), Types::BOOLEAN);
                }
                let kind = if self.random.bool() { Types::DOUBLE } else { Types::INDEX };
                let (first, second) = (self.term(kind, locals, depth - 1), self.term(kind, locals, depth - 1));
                let comparison = if self.random.bool() { Comparison::Less } else { Comparison::Equal };
                self.add(Expression::Compare(comparison, first, second), Types::BOOLEAN)
            }
            Type::Array(element) => {
                let count = self.random.usize(0..4);
                let elements: Vec<ExpressionId> =
                    (0..count).map(|_| self.term(element, locals, depth.saturating_sub(1))).collect();
                let elements = self.program.add_elements(elements);
                self.add(Expression::Array(elements), type_id)
            }
            Type::Pair(first, second) => {
                let deeper = depth.saturating_sub(1);
                let (first, second) = (self.term(first, locals, deeper), self.term(second, locals, deeper));
                self.add(Expression::Pair(first, second), type_id)
            }
            Type::Function(..) => self.function(type_id, locals),
        }
    }

    fn double(&mut self, locals: &[LocalId], depth: usize) -> ExpressionId {
        let choice = if depth == 0 { 0 } else { self.random.usize(0..6) };
        let part = |maker: &mut Self, type_id| maker.term(type_id, locals, depth.saturating_sub(1));
        match choice {
            0 | 1 => {
                let number = [0.0, -0.0, 1.0, -1.5, 2.0, 0.1][self.random.usize(0..6)];
                self.add(Expression::Number(number), Types::DOUBLE)
            }
            2 | 3 => {
                let operations = [Operation::Add, Operation::Multiply, Operation::GuardedMultiply, Operation::Divide];
                let operation = operations[self.random.usize(0..4)];
                let (first, second) = (part(self, Types::DOUBLE), part(self, Types::DOUBLE));
                self.add(Expression::Binary(operation, first, second), Types::DOUBLE)
            }
            4 => {
                let condition = part(self, Types::BOOLEAN);
                let (consequent, alternative) = (part(self, Types::DOUBLE), part(self, Types::DOUBLE));
                self.add(Expression::If { condition, consequent, alternative }, Types::DOUBLE)
            }
            _ => {
                // An index that is perhaps out of range.
                let (array, index) = (part(self, Types::VECTOR), part(self, Types::INDEX));
                self.add(Expression::Get { array, index }, Types::DOUBLE)
            }
        }
    }
}

/// Applies a rule to a random instance, and compares the values; true if the rule applies.
fn trial(all: &[Rule], rule: &Rule, seed: u64) -> bool {
    let mut program = Program::new();
    let types = declared(&mut program, rule.row.variables);
    let random = fastrand::Rng::with_seed(seed);
    let mut maker =
        Maker { program: &mut program, random, types, instance: Instance::default(), bound: FxHashMap::default() };
    maker.bind(&rule.pattern);
    maker.fill(&rule.pattern);
    let instance = maker.instance;
    let replaced = program.add(Expression::Number(0.0), Types::DOUBLE, NOWHERE);
    let Some(before) = matching::make(&mut program, &rule.pattern, &instance, replaced) else {
        panic!("the pattern of {} has an instance", rule.row.name)
    };
    program.items.push(Item::Expression(before));
    assert_eq!(check(&program), Ok(()), "{}", rule.row.name);
    let context = Context::new(Assuming::Nothing, vec![]);
    let functions = FxHashMap::default();
    let budget = Budget { steps: 10, expressions: 1_000_000, inlined: 0, own: 0 };
    let mut run = Normalising {
        program: &mut program,
        rules: all,
        functions: &functions,
        lifted: &functions,
        class: Class::Algebra,
        pairs: Pairs::Apart,
        context,
        normal: FxHashSet::default(),
        steps: vec![],
        budget,
    };
    let Some(after) = run.applied_row(rule, before, &[]) else { return false };
    let evaluator = Evaluator::new(&program);
    let (expected, found) = (evaluator.of(before, &Scope::default()), evaluator.of(after, &Scope::default()));
    let is_infinite = |outcome: &Outcome| matches!(outcome, Ok(Value::Number(number)) if !number.is_finite());
    let is_finite = !is_infinite(&expected) && !is_infinite(&found);
    let is_right = match rule.row.class {
        Class::Exact => agree(&expected, &found, 0.0),
        // Up to the sign of zero, and for numbers that are finite, up to rounding.
        Class::ZeroSigns => agree(&expected, &found, 1e-300),
        Class::Algebra => !is_finite || agree(&expected, &found, 1e-12),
    };
    assert!(is_right, "{}, seed {seed}: {expected:?}, {found:?}", rule.row.name);
    program.items = vec![Item::Expression(after)];
    assert_eq!(check(&program), Ok(()), "{}", rule.row.name);
    true
}

#[test]
fn rows_keep_values_as_their_class_promises() {
    let rules = rules();
    for rule in &rules {
        let applied = (0..TRIALS).filter(|seed| trial(&rules, rule, *seed)).count();
        assert!(applied >= LEAST, "{} applies to {applied} instances only", rule.row.name);
    }
}

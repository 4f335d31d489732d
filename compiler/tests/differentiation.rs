//! Differentiation in the native runtime agrees with that of `vlad-ad`, to the bit, the tape node and the fault, on
//! random computations.
//!
//! Every number is computed by both side by side and compared at once, with all levels that it carries.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)] // tests may

mod twin;

use std::collections::HashMap;
use std::rc::Rc;
use twin::native::{Kind, Machine, Native};
use twin::random::Random;
use twin::{Twin, plain, same};
use vlad_ad::rebuild::{Companion, nonconforming};
use vlad_ad::{Levels, TraversalContext, forward, reverse, tangent_space};
use vlad_compiler::foreign::interface::{companion, fault};
use vlad_core::equality::same_code;
use vlad_core::{LambdaId, Program, diagnostic};
use vlad_frontend::load::{Input, Options, load};
use vlad_table::operations::{MOST_LEVELS, OPERATIONS};
use vlad_table::{Arity, Operation, Primitive};
use vlad_values::fault::RuntimeError;
use vlad_values::watch::LimitCheck;
use vlad_values::{Slots, Value, slot_values};

/// Lambdas with up to three captured slots; two of them have the same code.
const PROGRAM: &str = "
    (define (none x) x)
    (define (one a) (lambda (x) (+ a x)))
    (define (two a b) (lambda (x) (+ a (* b x))))
    (define (two-again c d) (lambda (y) (+ c (* d y))))
    (define (three a b c) (lambda (x) (list a b c x)))
    (define (group a b) (letrec ((f (lambda (x) (g (+ a x)))) (g (lambda (y) (f (* b y))))) f))";

/// The maximal nesting depth of differentiation in random computations.
const DEPTH: usize = 4;

struct Both {
    machine: Machine,
    levels: Levels,
    watch: LimitCheck,
    program: Program,
    /// The code and the number of captured slots of the lambdas that procedures are made of.
    lambdas: Vec<(u32, usize)>,
    random: Random,
    /// The numbers that operations may use, at any live levels.
    pool: Vec<Twin>,
}

/// The common answer of the two engines: a value, or the text of the fault.
type Answer = Result<Twin, String>;

impl Both {
    fn new(seed: u64) -> Both {
        Both::with_looks(seed, u64::MAX)
    }

    fn with_looks(seed: u64, looks: u64) -> Both {
        let input = Input::Text { name: "test".to_owned(), bytes: PROGRAM.into(), folder: None };
        let program = load(input, &Options::default()).unwrap();
        let count = program.lambdas.len() as u32;
        let slots_of = |code: u32| {
            let lambda = program.lambda(LambdaId(code));
            lambda.group.map_or(lambda.captures.len(), |(group, _)| program.group(group).captures.len())
        };
        let lambdas: Vec<_> = (0..count).map(|code| (code, slots_of(code))).filter(|(_, slots)| *slots < 4).collect();
        // The first lambda with the same code represents the class.
        let class = |code| (0..=code).find(|other| same_code(&program, LambdaId(*other), LambdaId(code))).unwrap();
        let machine = Machine::new((0..count).map(class).collect(), looks);
        let watch = LimitCheck::default();
        let levels = Levels::new(watch.clone());
        let random = Random::new(seed);
        Both { machine, levels, watch, program, lambdas, random, pool: Vec::new() }
    }

    fn give_up(&self, twin: Twin) {
        self.machine.give_up(twin.native);
    }

    /// Adds a reference to a twin.
    fn share(twin: &Twin) -> Twin {
        twin.native.share();
        twin.clone()
    }

    fn number(&mut self) -> Twin {
        if self.pool.is_empty() || self.random.one_in(8) {
            return Twin::real(self.random.real());
        }
        Both::share(&self.pool[self.random.below(self.pool.len())])
    }

    fn pair(&self, first: Twin, second: Twin) -> Twin {
        let native = self.machine.pair(first.native, second.native);
        Twin { shared: Value::pair(first.shared, second.shared), native }
    }

    fn procedure(&self, code: u32, slots: Vec<Twin>) -> Twin {
        let natives: Vec<Native> = slots.iter().map(|slot| slot.native).collect();
        let native = self.machine.procedure(code, &natives);
        let values: Vec<Value> = slots.into_iter().map(|slot| slot.shared).collect();
        let slots = (!values.is_empty()).then(|| Rc::new(Slots::new(values)));
        Twin { shared: Value::Procedure { code: LambdaId(code), slots }, native }
    }

    fn vector(&self, elements: Vec<Twin>) -> Twin {
        let natives: Vec<Native> = elements.iter().map(|element| element.native).collect();
        let native = self.machine.vector(&natives);
        Twin { shared: Value::vector(elements.into_iter().map(|element| element.shared).collect()), native }
    }

    fn discrete(&mut self) -> Twin {
        match self.random.below(4) {
            0 => Twin { shared: Value::Nil, native: Native::NIL },
            1 => Twin { shared: Value::Boolean(true), native: Native { tag: 1, word: 1 } },
            2 => Twin { shared: Value::Boolean(false), native: Native { tag: 1, word: 0 } },
            _ => Twin {
                shared: Value::Primitive(Primitive::Sine),
                native: Native { tag: 3, word: Primitive::Sine as u64 },
            },
        }
    }

    /// A random datum whose parts may be shared.
    fn datum(&mut self, depth: usize, parts: &mut Vec<Twin>) -> Twin {
        let made = match self.random.below(if depth == 0 { 3 } else { 10 }) {
            0 | 1 => return self.number(),
            2 => return self.discrete(),
            3 if !parts.is_empty() => return Both::share(&parts[self.random.below(parts.len())]),
            4 => {
                let (code, slots) = self.lambdas[self.random.below(self.lambdas.len())];
                let slots = (0..slots).map(|_| self.datum(depth - 1, parts)).collect();
                self.procedure(code, slots)
            }
            5 => {
                let elements = (0..self.random.below(5)).map(|_| self.number()).collect();
                self.vector(elements)
            }
            6 => {
                let elements = (0..self.random.below(4)).map(|_| self.datum(depth - 1, parts)).collect();
                self.vector(elements)
            }
            _ => {
                let first = self.datum(depth - 1, parts);
                let second = self.datum(depth - 1, parts);
                self.pair(first, second)
            }
        };
        parts.push(made.clone());
        made
    }

    /// A datum that conforms to another; if `wrong` is not 0, each part is replaced by a random datum with the
    /// probability 1/`wrong`.
    fn companion(&mut self, of: &Value, made: &mut HashMap<*const (), Twin>, wrong: usize) -> Twin {
        if wrong > 0 && self.random.one_in(wrong) {
            return self.datum(1, &mut Vec::new());
        }
        let object: Option<*const ()> = match of {
            Value::Pair(pair) => Some(Rc::as_ptr(pair).cast()),
            Value::Procedure { slots: Some(slots), .. } => Some(Rc::as_ptr(slots).cast()),
            Value::Vector(vector) => Some(Rc::as_ptr(vector).cast()),
            _ => None,
        };
        if let Some(again) = object.and_then(|object| made.get(&object)).filter(|_| !self.random.clone().one_in(3)) {
            return Both::share(again);
        }
        let companion = match of {
            Value::Real(_) | Value::Lifted(_) => return self.number(),
            Value::Nil => return Twin { shared: Value::Nil, native: Native::NIL },
            Value::Boolean(truth) => {
                return Twin { shared: of.clone(), native: Native { tag: 1, word: u64::from(*truth) } };
            }
            Value::Primitive(primitive) => {
                return Twin { shared: of.clone(), native: Native { tag: 3, word: *primitive as u64 } };
            }
            Value::Pair(pair) => {
                let first = self.companion(&pair.first, made, wrong);
                let second = self.companion(&pair.second, made, wrong);
                self.pair(first, second)
            }
            Value::Procedure { code, slots } => {
                let same = self.lambdas.iter().filter(|(other, _)| same_code(&self.program, *code, LambdaId(*other)));
                let same: Vec<u32> = same.map(|(code, _)| *code).collect();
                let code = same[self.random.below(same.len())];
                let slots = slot_values(slots).iter().map(|slot| self.companion(slot, made, wrong)).collect();
                self.procedure(code, slots)
            }
            Value::Vector(vector) => {
                let elements = vector.iter().map(|element| self.companion(&element, made, wrong)).collect();
                self.vector(elements)
            }
            Value::Capsule(_) | Value::Tagged(_) => unreachable!("these data have no capsules, and no tags"),
        };
        if let Some(object) = object {
            made.insert(object, companion.clone());
        }
        companion
    }

    /// Compares the results of the two engines, and returns them.
    fn agree(&self, shared: Result<Value, RuntimeError>, native: Native) -> Answer {
        match shared {
            Ok(shared) => {
                assert_eq!(self.machine.fault().0, 0, "there is no fault");
                if let Err(difference) = same(&shared, native) {
                    panic!("{difference}");
                }
                Ok(Twin { shared, native })
            }
            Err(trouble) => {
                assert_eq!(trouble.kind, diagnostic::Kind::Conformance);
                assert_eq!(self.machine.fault().0, fault::CONFORMANCE);
                let [first, second] = self.machine.fault_values();
                let (first, second) = (plain(first), plain(second));
                let index = self.machine.fault_index();
                let role = match self.machine.fault().1 {
                    companion::TANGENT => Companion::Tangent(Primitive::Forward),
                    companion::SUMMAND => Companion::Summand,
                    _ => Companion::Cotangent(Primitive::Reverse),
                };
                assert_eq!(trouble.message, nonconforming(role, &first, &second, index, &self.program).message);
                Err(trouble.message)
            }
        }
    }

    fn enter_forward(&mut self, x: &Twin, tangent: &Twin) -> Result<(u32, Twin), String> {
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        let shared = forward::enter(&mut self.levels, &x.shared, &tangent.shared, &mut context);
        let (level, native) = self.machine.forward_enter(x.native, tangent.native);
        let shared = shared.map(|(shared_level, shared)| {
            assert_eq!(shared_level, level);
            shared
        });
        Ok((level, self.agree(shared, native)?))
    }

    fn enter_reverse(&mut self, x: &Twin) -> (u32, Twin) {
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        let (level, shared) = reverse::enter(&mut self.levels, &x.shared, &mut context).unwrap();
        let (native_level, native) = self.machine.reverse_enter(x.native);
        assert_eq!(level, native_level);
        (level, self.agree(Ok(shared), native).unwrap())
    }

    fn leave_forward(&mut self, level: u32, y: &Twin) -> Answer {
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        let shared = forward::leave(&mut self.levels, level, &y.shared, &mut context);
        let shared = shared.map(|(primal, tangent)| Value::pair(primal, tangent));
        self.agree(shared, self.machine.forward_leave(level, y.native))
    }

    fn leave_reverse(&mut self, level: u32, x: &Twin, y: &Twin, cotangent: &Twin) -> Answer {
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        let (levels, cotangent_) = (&mut self.levels, &cotangent.shared);
        let shared = reverse::leave(levels, level, &x.shared, &y.shared, cotangent_, &mut context);
        self.agree(shared, self.machine.reverse_leave(level, x.native, y.native, cotangent.native))
    }

    fn operation(&mut self) {
        let row = &OPERATIONS[self.random.below(OPERATIONS.len())];
        let (a, b) = (self.number(), self.number());
        let (first, second) = (a.shared.number().unwrap(), b.shared.number().unwrap());
        let (shared, native) = match row.operation.arity() {
            Arity::One => (self.levels.unary(row.operation, &first), self.machine.unary(row.operation, a.native)),
            Arity::Two => {
                let native = self.machine.binary(row.operation, a.native, b.native);
                (self.levels.binary(row.operation, &first, &second), native)
            }
        };
        let made = self.agree(Ok(shared.into()), native).unwrap();
        self.pool.push(made);
        self.give_up(a);
        self.give_up(b);
    }

    /// Adds the numbers of a datum to the pool.
    fn gather(&mut self, datum: &Twin) {
        let mut pending = vec![datum.clone()];
        while let Some(twin) = pending.pop() {
            match &twin.shared {
                Value::Real(_) | Value::Lifted(_) => self.pool.push(Both::share(&twin)),
                Value::Pair(pair) => {
                    let [first, second] = twin.native.halves();
                    pending.push(Twin { shared: pair.first.clone(), native: first });
                    pending.push(Twin { shared: pair.second.clone(), native: second });
                }
                Value::Procedure { slots, .. } => {
                    let slots = slot_values(slots).iter().cloned().zip(twin.native.slots());
                    pending.extend(slots.map(|(shared, native)| Twin { shared, native }));
                }
                Value::Vector(vector) => {
                    for (index, shared) in vector.iter().enumerate() {
                        let element = Twin { shared, native: self.machine.element(twin.native, index) };
                        if element.shared.number().is_some() {
                            self.pool.push(element);
                        } else {
                            pending.push(element.clone());
                            self.give_up(element);
                        }
                    }
                }
                Value::Nil | Value::Boolean(_) | Value::Primitive(_) | Value::Capsule(_) | Value::Tagged(_) => {}
            }
        }
    }

    fn differentiate(&mut self, depth: usize) {
        let x = self.datum(3, &mut Vec::new());
        let is_forward = self.random.one_in(2);
        let tangent = self.companion(&x.shared, &mut HashMap::new(), 0);
        let (level, lifted) =
            if is_forward { self.enter_forward(&x, &tangent).unwrap() } else { self.enter_reverse(&x) };
        let outside = self.pool.len();
        self.gather(&lifted);
        self.computation(depth - 1);
        let y = self.datum(3, &mut Vec::new());
        let made = if is_forward {
            self.leave_forward(level, &y).unwrap()
        } else {
            let cotangent = self.companion(&y.shared, &mut HashMap::new(), 0);
            // The cotangent must contain no number of the level, so its numbers are taken from outside.
            self.give_up(cotangent);
            let inside = self.pool.split_off(outside);
            let cotangent = self.companion(&y.shared, &mut HashMap::new(), 0);
            self.pool.extend(inside);
            let made = self.leave_reverse(level, &x, &y, &cotangent).unwrap();
            self.give_up(cotangent);
            made
        };
        self.pool.split_off(outside).into_iter().for_each(|twin| self.machine.give_up(twin.native));
        self.gather(&made);
        [x, tangent, lifted, y, made].into_iter().for_each(|twin| self.give_up(twin));
    }

    fn tangent_space(&mut self) {
        let value = self.datum(4, &mut Vec::new());
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        let zero = tangent_space::zero(&value.shared, &mut context);
        let zero = self.agree(zero, self.machine.zero(value.native)).unwrap();
        let other = self.companion(&value.shared, &mut HashMap::new(), 0);
        let sum = self.plus(&value, &other).unwrap();
        [value, zero, other, sum].into_iter().for_each(|twin| self.give_up(twin));
    }

    fn plus(&mut self, first: &Twin, second: &Twin) -> Answer {
        let mut context = TraversalContext { program: &self.program, watch: &mut self.watch };
        let sum = tangent_space::plus(&mut self.levels, &first.shared, &second.shared, &mut context);
        self.agree(sum, self.machine.plus(first.native, second.native))
    }

    fn computation(&mut self, depth: usize) {
        for _ in 0..4 + self.random.below(8) {
            match self.random.below(10) {
                0 if depth > 0 => self.differentiate(depth),
                1 => self.tangent_space(),
                _ => self.operation(),
            }
        }
        if depth > 0 {
            self.differentiate(depth);
        }
    }

    fn finish(mut self) {
        self.levels.check().unwrap();
        std::mem::take(&mut self.pool).into_iter().for_each(|twin| self.give_up(twin));
        assert_eq!(self.machine.live(), 0, "nothing is left behind");
    }
}

#[test]
fn random_computations_agree() {
    for seed in 0..3000 {
        let mut both = Both::new(seed);
        both.computation(DEPTH);
        both.finish();
    }
}

#[test]
fn faults_of_conformance_agree() {
    let mut faults = 0;
    for seed in 0..3000 {
        let mut both = Both::new(seed);
        let value = both.datum(4, &mut Vec::new());
        let other = both.companion(&value.shared, &mut HashMap::new(), 6);
        let answer = match seed % 3 {
            0 => both.plus(&value, &other),
            1 => both.enter_forward(&value, &other).map(|(_, lifted)| lifted),
            _ => {
                let (level, lifted) = both.enter_reverse(&value);
                both.leave_reverse(level, &value, &lifted, &other)
            }
        };
        faults += u32::from(answer.is_err());
    }
    assert!((500..2900).contains(&faults), "{faults} faults");
}

#[test]
fn long_lists() {
    let mut both = Both::new(1);
    let mut list = Twin { shared: Value::Nil, native: Native::NIL };
    for element in 0..1_000_000 {
        list = both.pair(Twin::real(f64::from(element)), list);
    }
    let (level, lifted) = both.enter_forward(&list, &list).unwrap();
    let both_halves = both.leave_forward(level, &lifted).unwrap();
    let (level, nodes) = both.enter_reverse(&list);
    let gradient = both.leave_reverse(level, &list, &nodes, &list).unwrap();
    let sum = both.plus(&gradient, &both_halves).unwrap();
    [list, lifted, both_halves, nodes, gradient, sum].into_iter().for_each(|twin| both.give_up(twin));
    both.finish();
}

#[test]
fn long_vectors() {
    let mut both = Both::new(1);
    let plain = both.vector((0..100_000).map(|element| Twin::real(f64::from(element))).collect());
    let last = both.pair(Twin::real(1.0), Twin::real(2.0));
    let mixed = both.vector((0..100_000).map(|element| Twin::real(f64::from(element))).chain([last]).collect());
    for vector in [plain, mixed] {
        let (level, lifted) = both.enter_forward(&vector, &vector).unwrap();
        let (inner, nodes) = both.enter_reverse(&lifted);
        let gradient = both.leave_reverse(inner, &lifted, &nodes, &lifted).unwrap();
        let halves = both.leave_forward(level, &gradient).unwrap();
        let sum = both.plus(&vector, &vector).unwrap();
        [vector, lifted, nodes, gradient, halves, sum].into_iter().for_each(|twin| both.give_up(twin));
    }
    both.finish();
}

/// Traverses a tree of 2^60 positions in 60 pairs.
#[test]
fn shared_parts_are_walked_once() {
    let mut both = Both::new(1);
    let mut tree = Twin::real(3.0);
    for _ in 0..60 {
        tree = both.pair(Both::share(&tree), tree);
    }
    let mut context = TraversalContext { program: &both.program, watch: &mut both.watch };
    tangent_space::zero(&tree.shared, &mut context).unwrap();
    let zero = both.machine.zero(tree.native);
    let (level, lifted) = both.machine.forward_enter(tree.native, zero);
    let halves = both.machine.forward_leave(level, lifted);
    assert_eq!(halves.kind(), Kind::Pair);
    [tree.native, zero, lifted, halves].into_iter().for_each(|native| both.machine.give_up(native));
    both.finish();
}

#[test]
fn levels_are_limited_and_fit_the_stack() {
    let mut both = Both::new(1);
    let mut number = Twin::real(0.5);
    for _ in 0..MOST_LEVELS {
        number = both.enter_forward(&number, &Twin::real(1.0)).unwrap().1;
    }
    // Only operations whose work does not double with each level.
    for operation in [Operation::Multiply, Operation::Add, Operation::Maximum] {
        let shared = number.shared.number().unwrap();
        let shared = both.levels.binary(operation, &shared, &shared);
        let native = both.machine.binary(operation, number.native, number.native);
        both.agree(Ok(shared.into()), native).unwrap();
    }
    both.machine.forward_enter(number.native, number.native);
    assert_eq!(both.machine.fault().0, fault::LEVELS);
}

#[test]
fn the_watch_is_looked_at() {
    let both = Both::with_looks(1, 3);
    let mut list = Native::NIL;
    for _ in 0..100_000 {
        list = both.machine.pair(Native::real(1.0), list);
    }
    assert_eq!(both.machine.zero(list), Native::NIL);
    assert_eq!(both.machine.fault().0, fault::HOST);
    let both = Both::with_looks(1, 3);
    let (_, number) = both.machine.forward_enter(Native::real(1.0), Native::real(1.0));
    (0..100_000).for_each(|_| both.machine.give_up(both.machine.unary(Operation::Sine, number)));
    assert_eq!(both.machine.unary(Operation::Sine, number), Native::real(0.0), "zeros once a fault is noted");
    assert_eq!(both.machine.fault().0, fault::HOST);
}

//! Specialised code, from units that are written by hand: values, steps and effects are those of the blocks of the same
//! items, wherever an item is given up.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

mod build;

use build::{BAIL_OUT, Builder, branch, check, compile, program, real, run, template, unit};
use std::time::{Duration, Instant};
use vlad_compiler::toolchain::Optimisation;
use vlad_core::{Expression, GlobalId, LambdaId, Program};
use vlad_first_order::template::{Line, Step};
use vlad_first_order::{Bits, Block, End, Function, Kind, MOST_DEPTH, Operand, Stack, Statement, Unit};
use vlad_runtime::run::Limits;
use vlad_table::operations::{Evaluation, OPERATIONS};
use vlad_table::{Comparison, Operation, Primitive};

const REAL: Kind = Kind::Real;
const BOOLEAN: Kind = Kind::Boolean;

/// The number of a definition.
fn global(program: &Program, name: &str) -> GlobalId {
    let place = program.globals.iter().position(|global| global.name == name).unwrap();
    GlobalId(place as u32)
}

/// The lambda that is the body of the procedure with a name.
fn inner(program: &Program, name: &str) -> LambdaId {
    let outer = program.lambdas.iter().find(|lambda| lambda.name.as_deref() == Some(name)).unwrap();
    match program.expression(outer.body) {
        Expression::Lambda(lambda) => lambda,
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_go_in_and_out() {
    let text = "
        (define (adder n flag) (lambda (x) (if flag (+ x n) n)))
        (define data (list 1.5 #t sin (adder 2 #f) 7 '()))
        (define copy (cons (cadr data) (cons (* 2 (car data)) (adder (* 2 (car data)) (cadr data)))))
        ((cddr copy) 10)
        (list copy (equal? (cddr copy) (adder 3 #t)))";
    let loaded = program(text);
    let procedure = Step::Procedure(inner(&loaded, "adder"), 2);
    let known = [Step::Boolean(false), procedure, Step::Real(Bits::of(7.0)), Step::Nil, Step::Nil];
    let pairs = [Step::Pair; 6];
    let data = [Step::RealLeaf, Step::BooleanLeaf, Step::Primitive(Primitive::Sine), Step::RealLeaf];
    let data = template(&[&data[..], &known, &pairs].concat());
    let (mut code, _) = Builder::new("copy", &[], &[BOOLEAN, REAL, REAL, BOOLEAN]);
    let (flag, number) = (code.input(BOOLEAN, 1), code.input(REAL, 0));
    let double = code.operation(Operation::Multiply, real(2.0), Some(number));
    // (cadr data) calls a procedure of the prelude.
    code.count(43);
    let copy = Unit {
        inputs: vec![(global(&loaded, "data"), data)],
        result: template(&[
            Step::BooleanLeaf,
            Step::RealLeaf,
            Step::RealLeaf,
            Step::BooleanLeaf,
            procedure,
            Step::Pair,
            Step::Pair,
        ]),
        ..unit(vec![code.finish(End::Yield(vec![flag, double, double, flag]))])
    };
    let seen = check(text, &[None, None, Some(copy.clone()), None, None], "", 9, 0);
    assert_eq!(seen.output.lines().next(), Some("13[402a000000000000]"));
    // Data of another shape are left to the blocks.
    for other in ["(define data (list 1.5 #t sin (adder 2 #f) 8 '()))", "(define data (list 1.5 #t cos))"] {
        let start = text.find("(define data").unwrap();
        let end = text.find("(define copy").unwrap();
        let text = format!("{}{other}{}", &text[..start], &text[end..]);
        check(&text, &[None, None, Some(copy.clone()), None, None], "", 9, 0);
    }
}

#[test]
fn operations_have_the_bits_of_the_table() {
    let special = [0.0, -0.0, 1.0, -1.5, 0.1, 1e-310, 1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 2.5];
    let (mut code, _) = Builder::new("operations", &[], &[]);
    let numbers = (code.read(), code.read());
    let mut results = Vec::new();
    let mut expected: Vec<Box<dyn Fn(f64, f64) -> f64>> = Vec::new();
    for row in &OPERATIONS {
        let operation = row.operation;
        match row.evaluation {
            Evaluation::Unary(function) => {
                results.push(code.operation(operation, numbers.0, None));
                expected.push(Box::new(move |x, _| function(x)));
                results.push(code.operation(operation, real(-1.25), None));
                expected.push(Box::new(move |_, _| function(-1.25)));
            }
            Evaluation::Binary(function) => {
                results.push(code.operation(operation, numbers.0, Some(numbers.1)));
                expected.push(Box::new(function));
                for constant in special {
                    results.push(code.operation(operation, numbers.0, Some(real(constant))));
                    expected.push(Box::new(move |x, _| function(x, constant)));
                }
            }
        }
    }
    let (target, value) = code.fresh(REAL);
    code.put(Statement::PositiveZero { target, operand: numbers.0 });
    results.push(value);
    expected.push(Box::new(|x, _| if x == 0.0 { 0.0 } else { x }));
    code.function.results = vec![REAL; results.len()];
    let mut steps = vec![Step::RealLeaf; results.len()];
    steps.push(Step::Nil);
    steps.extend(vec![Step::Pair; results.len()]);
    let unit = Unit { result: template(&steps), ..unit(vec![code.finish(End::Yield(results))]) };
    let program = program("(list (read-real) (read-real))");
    for (compiler, optimisation) in
        build::compilers().into_iter().map(|name| (name, Optimisation::Full)).chain([("cc", Optimisation::Least)])
    {
        let compiled = compile(&program, &[Some(unit.clone())], compiler, optimisation);
        for x in special {
            for y in special {
                let seen =
                    run([&compiled; 2], &program, &format!("{} {}", spelled(x), spelled(y)), 9, &Limits::default());
                let bits = |text: &str| {
                    let start = text.find('[').unwrap() + 1;
                    u64::from_str_radix(&text[start..start + 16], 16).unwrap()
                };
                let words = seen.output.trim().trim_matches(['(', ')']).split(' ').map(bits);
                for ((word, expected), place) in words.zip(&expected).zip(0..) {
                    let (found, expected) = (f64::from_bits(word), expected(x, y));
                    let is_same = found.is_nan() && expected.is_nan() || word == expected.to_bits();
                    assert!(is_same, "{compiler}: result {place} of {x:?} and {y:?}: {found:?}, not {expected:?}");
                }
            }
        }
    }
}

fn spelled(real: f64) -> String {
    match real {
        f64::INFINITY => "+inf.0".to_owned(),
        f64::NEG_INFINITY => "-inf.0".to_owned(),
        real if real.is_nan() => "+nan.0".to_owned(),
        real => format!("{real:?}"),
    }
}

/// (let loop ((i n) (a x) (b y)) (if (zero? i) (- a b) (loop (- i 1) b (+ a b)))), without its beginning.
fn fibonacci(name: &str) -> Function {
    let (mut code, parameters) = Builder::new(name, &[REAL; 3], &[REAL, REAL]);
    let results = code.repeat(&parameters, &[REAL, REAL], |code, state| {
        let [i, a, b] = state else { panic!() };
        let test = code.compare(Comparison::Equal, *i, real(0.0));
        let head = std::mem::take(&mut code.statements);
        code.count(9);
        let difference = code.operation(Operation::Subtract, *a, Some(*b));
        let last = code.block(End::Yield(vec![difference, *i]));
        code.count(19);
        let less = code.operation(Operation::Subtract, *i, Some(real(1.0)));
        let sum = code.operation(Operation::Add, *a, Some(*b));
        let next = code.block(End::Repeat(vec![less, *b, sum]));
        Block { statements: head, end: branch(test, last, next) }
    });
    code.finish(End::Yield(results))
}

#[test]
fn loops_assign_their_state_at_once() {
    let text = "(let loop ((i 30) (a 1) (b 2)) (if (zero? i) (- a b) (loop (- i 1) b (+ a b))))";
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    // Application, letrec, loop, and the operand (cons 30 (cons 1 2)).
    code.count(8);
    let results = code.call(0, &[real(30.0), real(1.0), real(2.0)], &[REAL, REAL]);
    let unit = unit(vec![fibonacci("weird-*/name!"), code.finish(End::Yield(vec![results[0]]))]);
    let seen = check(text, &[Some(unit)], "", 9, 35);
    // Each of 30 iterations takes 4 + 1 + 1 + 2 + 5 + 1 + 5 steps, the last one 4 + 5.
    assert_eq!((seen.output.as_str(), seen.steps), ("-1346269[c1348add00000000]\n", 8 + 30 * 19 + 9));
}

#[test]
fn state_is_permuted() {
    // (a b c) -> (c a b) with another value for the flag; a variable that keeps its value needs no other place.
    let (mut code, _) = Builder::new("main", &[], &[REAL, REAL, REAL, BOOLEAN]);
    let initial = [real(7.0), real(1.0), real(2.0), real(3.0), Operand::Boolean(false)];
    let results = code.repeat(&initial, &[REAL, REAL, REAL, BOOLEAN], |code, state| {
        let [i, a, b, c, flag] = state else { panic!() };
        let test = code.compare(Comparison::Less, *i, real(1.0));
        let head = std::mem::take(&mut code.statements);
        let less = code.operation(Operation::Subtract, *i, Some(real(1.0)));
        let same = code.compare(Comparison::NotGreater, *a, *b);
        let next = code.block(End::Repeat(vec![less, *c, *a, *b, same]));
        let last = code.block(End::Yield(vec![*a, *b, *c, *flag]));
        Block { statements: head, end: branch(test, last, next) }
    });
    let steps = [Step::RealLeaf, Step::RealLeaf, Step::RealLeaf, Step::BooleanLeaf, Step::Pair, Step::Pair, Step::Pair];
    let unit = Unit { result: template(&steps), ..unit(vec![code.finish(End::Yield(results))]) };
    let program = program("0");
    for compiler in build::compilers() {
        let code = compile(&program, &[Some(unit.clone())], compiler, Optimisation::Full);
        let seen = run([&code; 2], &program, "", 9, &Limits::default());
        // After seven rotations: (3 1 2); before the last one (1 2 3), whose first is not greater than its second.
        assert_eq!(seen.output, "(3[4008000000000000] 1[3ff0000000000000] 2[4000000000000000] . #t)\n", "{compiler}");
    }
}

/// C compilers need not take calls with hundreds of operands: tcc has room for 256 values.
#[test]
fn calls_have_any_number_of_operands() {
    const COUNT: usize = 600;
    // Differences in the order of the operands; a second call has them the other way round.
    let (mut callee, operands) = Builder::new("wide", &[REAL; COUNT], &[REAL, REAL]);
    let mut difference = operands[0];
    for operand in operands.iter().skip(1) {
        difference = callee.operation(Operation::Subtract, difference, Some(*operand));
    }
    let callee = callee.finish(End::Yield(vec![difference, operands[COUNT - 1]]));
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    let x = code.read();
    let mut numbers: Vec<Operand> = (0..COUNT).map(|number| real(number as f64)).collect();
    numbers[COUNT / 2] = x;
    let first = code.call(0, &numbers, &[REAL, REAL]);
    numbers.reverse();
    let second = code.call(0, &numbers, &[REAL, REAL]);
    let product = code.operation(Operation::Multiply, first[1], Some(second[1]));
    let sum = code.operation(Operation::Add, first[0], Some(second[0]));
    let result = code.operation(Operation::Add, product, Some(sum));
    let unit = unit(vec![callee, code.finish(End::Yield(vec![result]))]);
    let program = program("(read-real)");
    for compiler in build::compilers() {
        let code = compile(&program, &[Some(unit.clone())], compiler, Optimisation::Full);
        let seen = run([&code; 2], &program, "7", 9, &Limits::default());
        // The sum of all is 0 + 1 + ... + 599 - 300 + 7; each call takes it from twice its first operand: 0, then 599. The last
        // ones are 599 and 0.
        let all = 179_700.0 - 300.0 + 7.0;
        let expected = (0.0 - all) + (2.0 * 599.0 - all);
        assert_eq!(seen.output, format!("{expected}[{:016x}]\n", f64::to_bits(expected)), "{compiler}");
    }
}

#[test]
fn conditions_nested_as_deep_as_the_bound_compile() {
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    let x = code.read();
    let head = std::mem::take(&mut code.statements);
    let mut body = code.block(End::Yield(vec![real(1e9)]));
    for bound in (2..=MOST_DEPTH).rev() {
        let test = code.compare(Comparison::Less, x, real(bound as f64));
        let statements = std::mem::take(&mut code.statements);
        let end = branch(test, code.block(End::Yield(vec![real(bound as f64)])), body);
        body = Block { statements, end };
    }
    body.statements.splice(0..0, head);
    code.function.body = body;
    assert_eq!(code.function.body.depth(), MOST_DEPTH);
    let unit = unit(vec![code.function]);
    let program = program("(read-real)");
    for compiler in build::compilers() {
        let code = compile(&program, &[Some(unit.clone())], compiler, Optimisation::Full);
        for (input, expected) in [("-1", 2.0), ("398.5", 399.0), ("400", 1e9)] {
            let seen = run([&code; 2], &program, input, 9, &Limits::default());
            assert_eq!(seen.output, format!("{expected}[{:016x}]\n", f64::to_bits(expected)), "{compiler}");
        }
    }
}

/// Reads a, writes it, reads b, writes (a b) and (), and returns a / b, or fails if b is 0. The code gives up if b is
/// negative, too.
fn effects() -> Unit {
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    let a = code.read();
    code.put(Statement::Write { template: 0, leaves: vec![a] });
    let b = code.read();
    code.put(Statement::Write { template: 1, leaves: vec![a, b] });
    code.put(Statement::Write { template: 2, leaves: vec![] });
    let test = code.compare(Comparison::NotGreater, b, real(0.0));
    let head = std::mem::take(&mut code.statements);
    let failed = code.block(BAIL_OUT);
    // Lets 2 + 3 each, begins 2 + 4, writes 3 + 7 + 3, if 1 + 3, quotient 5.
    code.count(38);
    let quotient = code.operation(Operation::Divide, a, Some(b));
    let ended = code.block(End::Yield(vec![quotient]));
    code.statements = head;
    let list = [Step::RealLeaf, Step::RealLeaf, Step::Nil, Step::Pair, Step::Pair];
    Unit {
        written: [template(&[Step::RealLeaf]), template(&list), template(&[Step::Nil])].map(Line::of).into(),
        ..unit(vec![code.finish(branch(test, failed, ended))])
    }
}

#[test]
fn each_effect_happens_once() {
    let text = "
        (let ((a (read-real)))
          (begin (write a)
                 (let ((b (read-real)))
                   (begin (write (list a b)) (write '()) (if (zero? b) (car b) (/ a b))))))
        (read-real)
        (write 5)";
    let units = [Some(effects()), None, None];
    for (input, effects) in [("3 4 5", (3, 7)), ("3 -4 5", (3, 7)), ("3 0 5", (2, 3)), ("3", (2, 1)), ("3 x", (2, 1))] {
        let seen = check(text, &units, input, 9, 8);
        assert_eq!(seen.effects, effects, "{input}");
    }
    for most_lines in 0..7 {
        let seen = check(text, &units, "3 4 5", most_lines, 8);
        assert_eq!(seen.effects.1, most_lines);
    }
}

/// (define (sum n) (if (zero? n) 0 (+ n (sum (- n 1))))), as two functions that call each other.
fn sum() -> [Function; 2] {
    let half = |name, other| {
        let (mut code, parameters) = Builder::new(name, &[REAL], &[REAL]);
        let n = parameters[0];
        let test = code.compare(Comparison::Equal, n, real(0.0));
        let head = std::mem::take(&mut code.statements);
        code.count(5);
        let zero = code.block(End::Yield(vec![real(0.0)]));
        code.count(15);
        let less = code.operation(Operation::Subtract, n, Some(real(1.0)));
        let rest = code.call(other, &[less], &[REAL]);
        let sum = code.operation(Operation::Add, n, Some(rest[0]));
        let more = code.block(End::Yield(vec![sum]));
        code.statements = head;
        code.finish(branch(test, zero, more))
    };
    [half("sum", 1), half("sum_too", 0)]
}

fn sum_of(n: f64) -> Unit {
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    code.count(3);
    let results = code.call(0, &[real(n)], &[REAL]);
    unit([sum().into(), vec![code.finish(End::Yield(results))]].concat())
}

const SUM: &str = "(define (sum n) (if (zero? n) 0 (+ n (sum (- n 1)))))";

#[test]
fn deep_recursion_has_a_stack_of_its_own() {
    let seen = check(&format!("{SUM} (sum 1000000)"), &[None, Some(sum_of(1e6))], "", 9, 2);
    let sum = 500_000_500_000_f64;
    let expected = format!("{sum}[{:016x}]\n", sum.to_bits());
    assert_eq!((seen.output, seen.steps), (expected, 1 + 3 + 15_000_000 + 5));
}

/// The failure of a run under limits, which comes soon.
fn failure(text: &str, units: &[Option<Unit>], limits: &Limits) -> String {
    let program = program(text);
    let code = compile(&program, units, "cc", Optimisation::Full);
    let begun = Instant::now();
    let plain = compile(&program, &[], "cc", Optimisation::Fast);
    let seen = run([&code, &plain], &program, "", 9, limits);
    assert!(begun.elapsed() < Duration::from_secs(20), "{seen:?}");
    seen.outcome
}

#[test]
fn limits_hold() {
    let deep = Limits { depth: Some(u64::MAX), ..Limits::default() };
    let time = Limits { time: Some(Duration::from_millis(200)), ..deep };
    let memory = Limits { memory: Some(1 << 29), ..deep };
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    let results = code.repeat(&[real(0.0)], &[REAL], |code, state| {
        let more = code.operation(Operation::Add, state[0], Some(real(1.0)));
        code.block(End::Repeat(vec![more]))
    });
    let endless = unit(vec![code.finish(End::Yield(results))]);
    assert!(failure("0", &[Some(endless)], &time).contains("Time"));
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    let results = code.repeat(&[real(0.0)], &[REAL], |code, state| {
        code.put(Statement::Push { stack: Stack::Sweeps, values: state.to_vec() });
        code.block(End::Repeat(state.to_vec()))
    });
    let growing = unit(vec![code.finish(End::Yield(results))]);
    assert!(failure("0", &[Some(growing)], &memory).contains("Memory"));
    for (limits, kind) in [(time, "Time"), (memory, "Memory")] {
        let found = failure(&format!("{SUM} (sum -1)"), &[None, Some(sum_of(-1.0))], &limits);
        assert!(found.contains(kind) || kind == "Time" && found.contains("Memory"), "{found}");
    }
}

/// Pushes the numbers below n, each with a flag on one stack and alone on the other, and pops them again; adds those with
/// the flag.
fn recorded(n: f64) -> Unit {
    let (mut code, _) = Builder::new("main", &[], &[REAL]);
    code.repeat(&[real(0.0)], &[], |code, state| {
        let test = code.compare(Comparison::Equal, state[0], real(n));
        let head = std::mem::take(&mut code.statements);
        let last = code.block(End::Yield(vec![]));
        let flag = code.compare(Comparison::Less, state[0], real(1000.0));
        code.put(Statement::Push { stack: Stack::Calls, values: vec![state[0], flag, state[0]] });
        code.put(Statement::Push { stack: Stack::Sweeps, values: vec![state[0]] });
        let more = code.operation(Operation::Add, state[0], Some(real(1.0)));
        let next = code.block(End::Repeat(vec![more]));
        Block { statements: head, end: branch(test, last, next) }
    });
    let results = code.repeat(&[real(0.0), real(n)], &[REAL], |code, state| {
        let [sum, i] = state else { panic!() };
        let test = code.compare(Comparison::Equal, *i, real(0.0));
        let head = std::mem::take(&mut code.statements);
        let last = code.block(End::Yield(vec![*sum]));
        let ((alone, _), (first, number), (flag, test_flag)) =
            (code.fresh(REAL), code.fresh(REAL), code.fresh(BOOLEAN));
        code.put(Statement::Pop { stack: Stack::Sweeps, targets: vec![alone] });
        let (second, _) = code.fresh(REAL);
        code.put(Statement::Pop { stack: Stack::Calls, targets: vec![first, flag, second] });
        let less = code.operation(Operation::Subtract, *i, Some(real(1.0)));
        let before = std::mem::take(&mut code.statements);
        let more = code.operation(Operation::Add, *sum, Some(number));
        let added = code.block(End::Repeat(vec![more, less]));
        let kept = code.block(End::Repeat(vec![*sum, less]));
        let next = Block { statements: before, end: branch(test_flag, added, kept) };
        Block { statements: head, end: branch(test, last, next) }
    });
    unit(vec![code.finish(End::Yield(results))])
}

#[test]
fn records_are_popped_in_reverse_order() {
    let program = program("499500 0");
    for compiler in build::compilers() {
        let code = compile(&program, &[Some(recorded(1e6)), None], compiler, Optimisation::Full);
        let expected = "499500[411e7cb000000000]\n0[0000000000000000]\n";
        assert_eq!(run([&code; 2], &program, "", 9, &Limits::default()).output, expected);
        let plain = compile(&program, &[], compiler, Optimisation::Fast);
        let code = code.giving_up_after(123_456);
        assert_eq!(run([&code, &plain], &program, "", 9, &Limits::default()).output, expected);
    }
}

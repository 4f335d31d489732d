//! Stopping and resuming at every node: computations with limits, their states and flattened stacks (rows), and their
//! counts, under an operator that is defined here.
//!
//! Each text defines `f` and `x` and ends with `(f x)`. In place of that last item a block of this file is executed,
//! which applies f to x in pieces. The interpreter gives the expected value and number of steps.
#![allow(unsafe_code)] // the operator is one of the runtime's, in all but its language
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::cell::RefCell;
use std::fmt::Write;
use std::ptr;
use std::sync::Arc;
use std::time::Instant;
use vlad_compiler::compiled::Headers;
use vlad_compiler::compiled::cache::{Cache, CachePolicy};
use vlad_compiler::foreign::interface::{RawMachine, RawValue, kind};
use vlad_compiler::foreign::loading::Library;
use vlad_compiler::foreign::{self, Code, Counting};
use vlad_compiler::generate;
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, Job, Optimisation, Search, Source, Toolchain};
use vlad_core::{GlobalId, Program};
use vlad_frontend::load::{Input, Options, load};
use vlad_runtime::run::{Host, Limits, Outcome, Report, StreamHost};
use vlad_table::number::Notation;

/// `vlad_block`.
type Block = unsafe extern "C" fn(*mut RawMachine, *mut RawValue, i64, *mut u8, RawValue) -> i32;

/// `struct vlad_segment`.
#[repr(C)]
struct State {
    _opaque: [u8; 0],
}

/// `struct vlad_frame`.
#[repr(C)]
struct Frame {
    kind: u32,
    values: u32,
    nodes: [u32; 2],
    interrupted: unsafe extern "C" fn(*mut RawMachine, *mut RawValue, i64, *mut State) -> i32,
    of_programs: [u64; 5],
}

/// The frame of the operator: node and call site, and no values of its own.
static FRAME: Frame = Frame { kind: 1, values: 2, nodes: [0; 2], interrupted, of_programs: [0; 5] };
const NO_LIMIT: i64 = i64::MAX;
const FIRST: u32 = 0;
const AGAIN: u32 = 1;
const NIL: RawValue = RawValue::NIL;

// SAFETY: declared as in call.h, computation.h and inspect.h.
unsafe extern "C" {
    fn vlad_call_any(m: *mut RawMachine, top: *mut RawValue, fuel: i64, operator: RawValue, operand: RawValue) -> i32;
    fn vlad_begin_here(m: *mut RawMachine, fuel: *mut i64, measuring: u32);
    fn vlad_begin(m: *mut RawMachine, top: *mut RawValue, fuel: *mut i64, limit: i64, again: u32) -> *mut RawValue;
    fn vlad_end(m: *mut RawMachine, fuel: *mut i64) -> i64;
    fn vlad_go_on(m: *mut RawMachine, top: *mut RawValue, fuel: i64, state: *mut State) -> i32;
    fn vlad_state_share(state: *mut State) -> *mut State;
    fn vlad_state_drop(m: *mut RawMachine, state: *mut State);
    fn vlad_state_length(state: *const State) -> usize;
    fn vlad_state_row(state: *const State, row: *mut RawValue);
    fn vlad_push_row(m: *mut RawMachine, top: *mut RawValue, row: *const RawValue, length: usize) -> *mut RawValue;
    fn vlad_give_up(m: *mut RawMachine, value: RawValue);
}

/// The way in which the computation is split.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// It is interrupted and resumed every so many steps.
    Pieces(i64),
    /// The same, and each piece is then executed again from the state before it.
    Twice(i64),
    /// It is interrupted once; its continuation is pushed on the stack as a row, and resumed there.
    Row(i64),
}

/// The state of the operator of this file; one for each thread, since one thread runs an item.
struct Experiment {
    way: Way,
    procedure: u32,
    operand: u32,
    /// The state before the current piece, if there is one.
    before: *mut State,
    is_again: bool,
    interruptions: u64,
    /// The steps of pieces executed for the first time (`steps`) and again (`steps_again`).
    steps: i64,
    steps_again: i64,
}

thread_local! {
    static EXPERIMENT: RefCell<Option<Experiment>> = const { RefCell::new(None) };
}

fn experiment<T>(look: impl FnOnce(&mut Experiment) -> T) -> T {
    EXPERIMENT.with_borrow_mut(|experiment| look(experiment.as_mut().unwrap()))
}

/// `VLAD_RETURN`.
unsafe fn give(m: *mut RawMachine, top: *mut RawValue, fuel: i64, x: RawValue) -> i32 {
    unsafe {
        let link = *top.sub(1);
        let block: Block = std::mem::transmute::<usize, Block>(link.tag as usize);
        block(m, top, fuel, ptr::null_mut(), x)
    }
}

/// The global of that number: `globals` is the fifth field of the machine. A reference is added by hand, as the last
/// use of the value is at the end of the run.
unsafe fn global(m: *mut RawMachine, number: u32) -> RawValue {
    unsafe {
        let globals = *m.cast::<*mut RawValue>().add(4);
        let value = *globals.add(number as usize);
        if value.kind() >= 7 {
            *(value.word as usize as *mut u32) += 1;
        }
        value
    }
}

/// The block of the item: pushes the frame, for which there is space at the bottom of the stack, and begins.
unsafe extern "C" fn item(m: *mut RawMachine, top: *mut RawValue, mut fuel: i64, _: *mut u8, _: RawValue) -> i32 {
    let (way, procedure, operand) = experiment(|this| (this.way, this.procedure, this.operand));
    unsafe {
        let raw = |word: usize| RawValue { tag: 5, word: word as u64 };
        *top = raw(0);
        *top.add(1) = raw(0);
        *top.add(2) = RawValue { tag: leave as Block as usize as u64, word: &raw const FRAME as usize as u64 };
        let (Way::Pieces(limit) | Way::Twice(limit) | Way::Row(limit)) = way;
        let top = vlad_begin(m, top.add(3), &mut fuel, limit, FIRST);
        call(m, top, fuel, global(m, procedure), global(m, operand))
    }
}

/// `vlad_call`: closures are entered, by the eighth field of the machine; anything else is for the runtime.
unsafe fn call(m: *mut RawMachine, top: *mut RawValue, fuel: i64, operator: RawValue, operand: RawValue) -> i32 {
    unsafe {
        if !matches!(operator.kind(), kind::PROCEDURE | kind::PLAIN) {
            return vlad_call_any(m, top, fuel, operator, operand);
        }
        let entries = *m.cast::<*const Block>().add(7);
        let entry = *entries.add(operator.lambda() as usize);
        entry(m, top, fuel, operator.word as usize as *mut u8, operand)
    }
}

/// The block that receives the value of the computation.
unsafe extern "C" fn leave(m: *mut RawMachine, top: *mut RawValue, mut fuel: i64, _: *mut u8, x: RawValue) -> i32 {
    unsafe {
        let steps = vlad_end(m, &mut fuel);
        let (way, before, is_again) = experiment(|this| {
            if this.is_again {
                this.steps_again += steps
            } else {
                this.steps += steps
            }
            (this.way, this.before, this.is_again)
        });
        if matches!(way, Way::Twice(_)) && !is_again && !before.is_null() {
            // The piece is executed again, which gives the value a second time.
            vlad_give_up(m, x);
            return go_on(m, top, fuel, NO_LIMIT, true);
        }
        if !before.is_null() {
            vlad_state_drop(m, before);
        }
        give(m, top.sub(3), fuel, x)
    }
}

/// Resumes the current state.
unsafe fn go_on(m: *mut RawMachine, top: *mut RawValue, mut fuel: i64, limit: i64, again: bool) -> i32 {
    let before = experiment(|this| {
        this.is_again = again;
        this.before
    });
    unsafe {
        let top = vlad_begin(m, top, &mut fuel, limit, if again { AGAIN } else { FIRST });
        vlad_go_on(m, top, fuel, vlad_state_share(before))
    }
}

/// The interruption of a piece that has taken its steps.
unsafe extern "C" fn interrupted(m: *mut RawMachine, top: *mut RawValue, mut fuel: i64, state: *mut State) -> i32 {
    let (way, before, is_again) = experiment(|this| {
        let (Way::Pieces(limit) | Way::Twice(limit) | Way::Row(limit)) = this.way;
        this.interruptions += 1;
        if this.is_again {
            this.steps_again += limit
        } else {
            this.steps += limit
        }
        (this.way, this.before, this.is_again)
    });
    unsafe {
        match way {
            Way::Pieces(limit) => {
                // This is the last reference, so the state is not copied.
                let top = vlad_begin(m, top, &mut fuel, limit, FIRST);
                vlad_go_on(m, top, fuel, state)
            }
            Way::Twice(limit) if !is_again && !before.is_null() => {
                vlad_state_drop(m, state);
                go_on(m, top, fuel, limit, true)
            }
            Way::Twice(limit) => {
                if !before.is_null() {
                    vlad_state_drop(m, before);
                }
                experiment(|this| this.before = state);
                go_on(m, top, fuel, limit, false)
            }
            Way::Row(_) => {
                let mut row = vec![NIL; vlad_state_length(state)];
                vlad_state_row(state, row.as_mut_ptr());
                vlad_state_drop(m, state);
                vlad_begin_here(m, &mut fuel, 1);
                let top = vlad_push_row(m, top, row.as_ptr(), row.len());
                give(m, top, fuel, NIL)
            }
        }
    }
}

/// A program whose last item is executed by this file.
struct Hooked {
    program: Program,
    code: Code,
    /// The results of the interpreter: output and steps.
    output: String,
    steps: u64,
}

impl Hooked {
    fn new(text: &str, optimisation: Optimisation, compiler: Option<&str>) -> Hooked {
        let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        let program = load(input, &Options::default()).unwrap();
        let library = library(&program, optimisation, compiler);
        let code = Code::find(&library, "hand_hooked", &program).unwrap();
        let (output, report) = shown(|host| vlad_interp::run(&program, host, &Limits::default()));
        Hooked { program, code, output, steps: report.steps }
    }

    /// Splits the run and compares value and count. Returns the number of interruptions, and the steps of f.
    fn divide(&self, way: Way) -> (u64, i64) {
        let number = |name: &str| {
            let place = self.program.globals.iter().position(|global| global.name == name);
            GlobalId(place.unwrap() as u32).0
        };
        let start = Experiment {
            way,
            procedure: number("f"),
            operand: number("x"),
            before: ptr::null_mut(),
            is_again: false,
            interruptions: 0,
            steps: 0,
            steps_again: 0,
        };
        EXPERIMENT.replace(Some(start));
        let (output, report) = shown(|host| foreign::run(&self.code, &self.program, host, &Limits::default()));
        assert_eq!(output, self.output, "{way:?}");
        // The nodes of `(f x)` are not entered.
        assert_eq!(report.steps + 3, self.steps, "{way:?}");
        let ended = EXPERIMENT.take().unwrap();
        if let Way::Twice(limit) = way {
            // The piece before the first state is executed only once.
            let again = if ended.interruptions == 0 { 0 } else { ended.steps - limit };
            assert_eq!(ended.steps_again, again, "{way:?}");
        }
        (ended.interruptions, ended.steps)
    }

    /// Splits the run at every step, in pieces that are executed once or twice.
    fn divide_everywhere(&self, ways: &[fn(i64) -> Way]) {
        let (interruptions, steps) = self.divide(Way::Pieces(NO_LIMIT));
        assert_eq!(interruptions, 0);
        assert_eq!(self.divide(Way::Pieces(steps)), (0, steps));
        for limit in 0..steps {
            assert_eq!(self.divide(Way::Row(limit)), (1, steps), "{limit}");
        }
        let limits = (1..20).chain([steps / 3, steps / 2, steps - 1]);
        for limit in limits.filter(|limit| (1..steps).contains(limit)) {
            for way in ways.iter().map(|way| way(limit)) {
                let (interruptions, found) = self.divide(way);
                assert!(found == steps && interruptions > 0, "{way:?}: {found}");
            }
        }
    }
}

/// The generated text, with a second program that differs only in the block of the last item.
fn library(program: &Program, optimisation: Optimisation, compiler: Option<&str>) -> Arc<Library> {
    let mut text = generate(program, Counting::Stoppable, None);
    let items = program.items.len();
    let converted = vlad_cps::pipeline(program);
    let places = converted.activations.iter().map(|activation| activation.variables);
    writeln!(
        text,
        "static int hooked(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {{
            if (x.word + 1 < {items}) return vlad_items[x.word](m, top, fuel, slots, x);
            return ((vlad_block *)(uintptr_t){}ull)(m, top, fuel, slots, x);
        }}
        static vlad_block *const hooked_items[] = {{ {} }};
        VLAD_EXPORT extern const struct vlad_program hand_hooked;
        const struct vlad_program hand_hooked = {{
            VLAD_VERSION, VLAD_STOPPABLE, {items}, {}, hooked_items, vlad_entries, vlad_classes, VLAD_STRIDE,
            {}, 0, 0, 0, vlad_points, vlad_frames, {}, 0, VLAD_TRAPS_OFF
        }};",
        item as Block as usize,
        "hooked, ".repeat(items),
        program.lambdas.len(),
        places.max().unwrap_or_default(),
        program.expressions.len(),
    )
    .unwrap();
    let search = Search { path: std::env::var_os("PATH"), option: compiler.map(Into::into), ..Search::default() };
    let toolchain = Toolchain::find(&search, DEFAULT_TIME_LIMIT).unwrap();
    let headers = Headers::default();
    let sources = [Source { name: "hand", text: &text }];
    let job = Job {
        sources: &sources,
        headers: &headers.all(),
        optimisation,
        time_limit: DEFAULT_TIME_LIMIT,
        memory_limit: None,
    };
    Arc::new(Cache::open(CachePolicy::Bypass).object(&toolchain, &job).unwrap().library)
}

fn shown(run: impl FnOnce(&mut dyn Host) -> Report) -> (String, Report) {
    let mut host = StreamHost::new(&b"3 1 4 1 5 9"[..], Vec::new(), Notation::WithBits);
    let report = run(&mut host);
    assert!(matches!(report.outcome, Outcome::Finished), "{:#?}", report.outcome);
    (String::from_utf8(host.into_output()).unwrap(), report)
}

const TEXTS: [&str; 17] = [
    "(define (f x) x) (define x 1) (f x)",
    "(define f car) (define x '(1)) (f x)",
    "(define (f n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) (define x 5) (f x)",
    "(define (f n) (let loop ((i 0) (s '())) (if (= i n) s (loop (+ i 1) (cons (* i n) s))))) (define x 6) (f x)",
    "(define (f x) (let ((y (list x x)) (z (cons x x))) (map (lambda (a) (cons a (equal? y (list a a)))) y))) (define x '(1 2)) (f x)",
    "(define (even n) (if (zero? n) #t (odd (- n 1)))) (define (odd n) (if (zero? n) #f (even (- n 1)))) (define f even) (define x 9) (f x)",
    "(define (f n) (letrec ((a (lambda (i) (if (= i n) (list n) (b (+ i 1))))) (b (lambda (i) (cons i (a i))))) (cons (a 0) (b 1)))) (define x 4) (f x)",
    "(define (f (cons a (list b #t c))) (let (((cons d e) (cons b a))) (cons (+ d e) (if (> a b) c (list a b c))))) (define x '(1 2 #t 3)) (f x)",
    "(define (f g) (map g (list (g '(1 2)) '(3 4)))) (define x (compose (lambda (x) (cons x x)) car)) (f x)",
    "(define (f x) (map (lambda (h) (h x)) (list sin (lambda (y) (* y x)) cos (compose - exp)))) (define x 2) (f x)",
    "(define (f x) (+ (car (j* (lambda (y) (* y y x)) x 1)) (cdr (*j (lambda (y) (sin (* x y))) x 1)))) (define x 2) (f x)",
    "(define (f x) (if-procedure (< x 3) (lambda () (reduce + 0 (list x x x))) (lambda () x))) (define x 2) (f x)",
    "(define (f n) (ifold (lambda (v i) (vector-set v i (list (get v i) i))) (build n (lambda (i) (* i n))) n)) (define x 3) (f x)",
    "(define (f v) (build 3 (lambda (i) (build i (lambda (j) (+ i (get v j))))))) (define x #(1 2 3)) (f x)",
    "(define (f v) (ifold vector-push (build 2 sqrt) (length v))) (define x #(1 () 3)) (f x)",
    "(define (f v) (*j (lambda (v) (ifold (lambda (s i) (* s (get v i))) 1 3)) (vector-set v 1 5) 1)) (define x #(1 2 3)) (f x)",
    "(define (f x) (* (if (< x 0) (f 1) 2) (if (if (= x 1) #f (> x 2)) x 4) (let ((y (if (= x 3) 1 (f 3)))) y))) (define x -1) (f x)",
];

#[test]
fn programs_stop_at_every_node_and_go_on() {
    for text in TEXTS {
        Hooked::new(text, Optimisation::Least, None).divide_everywhere(&[Way::Pieces, Way::Twice]);
    }
}

/// Effects of the step before an interruption are performed exactly once.
#[test]
fn effects_are_performed_once() {
    let text =
        "(define (f x) (let ((a (write x))) (begin (write (* 2 a)) (+ (read-real) (read-real))))) (define x 2) (f x)";
    Hooked::new(text, Optimisation::Least, None).divide_everywhere(&[Way::Pieces]);
}

/// Programs with spilled blocks, and with blocks in chunks, whose variables have storage locations in the machine.
fn long() -> Vec<String> {
    let row = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(" ");
    vec![
        format!("(define (f x) (list {})) (define x 2) (f x)", row(100, &|n| format!("(+ x (* x {n}))"))),
        format!(
            "(define (g x) (* 2 x)) (define (f y) (let* ({}) (list (g x0) x7 x39 y (g 1)))) (define x 4) (f x)",
            row(120, &|n| format!("(x{n} (+ {n} y))"))
        ),
        format!(
            "(define (g z) (lambda (y) (+ z {}))) (define f (g 10)) (define x 2) (f x)",
            row(60, &|n| format!("(if (< y {n}) z y)"))
        ),
    ]
}

#[test]
fn long_blocks_stop_and_go_on() {
    for text in long() {
        Hooked::new(&text, Optimisation::Least, None).divide_everywhere(&[Way::Pieces, Way::Twice]);
    }
}

/// The results do not depend on the C compiler or its optimisation.
#[test]
fn other_compilers_will_do() {
    for text in &TEXTS[6..8] {
        Hooked::new(text, Optimisation::Full, None).divide_everywhere(&[Way::Pieces, Way::Twice]);
    }
    let search = Search { path: std::env::var_os("PATH"), option: Some("tcc".into()), ..Search::default() };
    if Toolchain::find(&search, DEFAULT_TIME_LIMIT).is_ok() {
        for text in &TEXTS[2..8] {
            Hooked::new(text, Optimisation::Full, Some("tcc")).divide_everywhere(&[Way::Pieces, Way::Twice]);
        }
    }
}

/// The frames of a deep recursion are frozen and thawed, or shared, many times, in time proportional to the steps.
#[test]
fn stopping_often_in_deep_recursions_takes_linear_time() {
    let text = |depth: u32| format!("(define (f n) (if (= n 0) 0 (+ 1 (f (- n 1))))) (define x {depth}) (f x)");
    let time = |depth: u32| {
        let hooked = Hooked::new(&text(depth), Optimisation::Full, None);
        [Way::Pieces(1000), Way::Twice(1000), Way::Row(i64::from(depth) * 5)].map(|way| {
            let begun = Instant::now();
            hooked.divide(way);
            begun.elapsed()
        })
    };
    let (short, long) = (time(10_000), time(200_000));
    for (short, long) in short.iter().zip(long) {
        assert!(long.as_secs_f64() < 0.5 + 100.0 * short.as_secs_f64(), "{short:?} and {long:?}");
    }
}

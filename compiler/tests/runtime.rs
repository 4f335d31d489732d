//! The runtime in C under small programs that are written in C by hand: memory, stack, driver, primitives and `equal?`.
//!
//! Each test consists of the text of a program and of C blocks that are executed as its items. For texts with a meaning
//! the interpreter gives the expected results.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::sync::Arc;
use vlad_compiler::compiled::Headers;
use vlad_compiler::compiled::cache::{Cache, CachePolicy};
use vlad_compiler::foreign::loading::Library;
use vlad_compiler::foreign::{self, Code};
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, Job, Optimisation, Search, Source, Toolchain};
use vlad_core::Program;
use vlad_core::diagnostic::Kind;
use vlad_frontend::load::{self, Input, Options};
use vlad_runtime::run::{Host, Limits, Outcome, Report, StreamHost};
use vlad_table::Primitive;
use vlad_table::number::Notation;
use vlad_table::primitives::{PRIMITIVES, PrimitiveRow};

/// The beginning of the C texts: the head of a block, and the export of a program. An exported name begins with the
/// name of the source, as the toolchain requires.
const PRELUDE: &str = "
#include \"machine.h\"
#define BLOCK(name) \\
    static int name(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x)
#define PUSH(value, block, frame) \\
    do { \\
        if (m->stack_end - top < 2) top = m->services->more_stack(m, top, 2); \\
        top[0] = (value); \\
        top[1] = vlad_make((uint64_t)(uintptr_t)(block), (uint64_t)(uintptr_t)(frame)); \\
        top += 2; \\
    } while (0)
#define PROGRAM(name, count, way) \\
    static vlad_block *const name##_items[] = {name##_item}; \\
    static const uint32_t name##_classes[1 + count]; \\
    VLAD_EXPORT extern const struct vlad_program hand_##name##_program; \\
    const struct vlad_program hand_##name##_program = {VLAD_VERSION, way, 1, count, name##_items, 0, name##_classes, VLAD_STRIDE};
";

/// Compiles a C text to a library.
fn library(text: &str) -> Arc<Library> {
    let search = Search { path: std::env::var_os("PATH"), ..Search::default() };
    let toolchain = Toolchain::find(&search, DEFAULT_TIME_LIMIT).unwrap();
    // The primitive that makes an empty vector of an empty list.
    let empty = Primitive::ListToVector as u32;
    let text = format!("#define EMPTY {empty}u\n{PRELUDE}{text}");
    let headers = Headers::default();
    let job = Job {
        sources: &[Source { name: "hand", text: &text }],
        headers: &headers.all(),
        optimisation: Optimisation::Full,
        time_limit: DEFAULT_TIME_LIMIT,
        memory_limit: None,
    };
    Arc::new(Cache::open(CachePolicy::Bypass).object(&toolchain, &job).unwrap().library)
}

fn program(text: &str) -> Program {
    let input = Input::Text { name: "text".into(), bytes: text.into(), folder: None };
    load::load(input, &Options::default()).unwrap()
}

/// Runs something on a host with an input. Returns the output too.
fn with_host(run: impl FnOnce(&mut dyn Host) -> Report) -> (Report, String) {
    let mut host = StreamHost::new(&b"42 word"[..], Vec::new(), Notation::WithBits);
    let report = run(&mut host);
    (report, String::from_utf8(host.into_output()).unwrap())
}

/// Runs the program with a name in a library as the program of a text.
fn run(library: &Arc<Library>, name: &str, text: &str, limits: &Limits) -> (Report, String) {
    let program = program(text);
    let code = Code::find(library, &format!("hand_{name}_program"), &program).unwrap();
    with_host(|host| foreign::run(&code, &program, host, limits))
}

fn failure(report: &Report) -> &vlad_core::diagnostic::Diagnostic {
    match &report.outcome {
        Outcome::Failed(diagnostic) => diagnostic,
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn deep_data_are_freed() {
    // The machine itself checks that nothing is alive at the end. Data lean to either side, through slots, or both.
    let library = library(
        "
        static vlad_value slots_of(struct vlad_machine *m, uint32_t count, vlad_value deep) {
            struct vlad_slots *slots = m->services->new_slots(m, count);
            for (uint32_t i = 0; i < count; i++) slots->values[i] = i == count / 2 ? deep : vlad_nil();
            return vlad_procedure(0, slots);
        }
        static vlad_value empty(struct vlad_machine *m) {
            return m->services->apply(m, EMPTY, vlad_nil());
        }
        BLOCK(deep_item) {
            for (int shape = 0; shape < 42; shape++) {
                vlad_value deep = vlad_nil();
                for (int i = 0; i < 100000; i++) {
                    if (shape == 0) deep = vlad_pair(m, deep, vlad_nil());
                    else if (shape == 1) deep = vlad_pair(m, vlad_nil(), deep);
                    else if (shape == 2) deep = vlad_pair(m, vlad_pair(m, vlad_nil(), vlad_nil()), deep);
                    else if (shape == 3) deep = vlad_pair(m, vlad_share(deep), deep);
                    else if (shape == 40) deep = m->services->vector_push(m, empty(m), deep);
                    else if (shape == 41)
                        deep = m->services->vector_push(m, m->services->vector_push(m, empty(m), vlad_share(deep)), deep);
                    else deep = slots_of(m, shape - 3, deep);
                }
                vlad_drop(m, deep);
            }
            VLAD_RETURN(m, top, fuel, vlad_real(7));
        }
        PROGRAM(deep, 0, VLAD_BY_BLOCK)",
    );
    let (report, output) = run(&library, "deep", "7", &Limits::default());
    assert!(matches!(report.outcome, Outcome::Finished));
    assert_eq!((output.as_str(), report.steps), ("7[401c000000000000]\n", 0));
}

/// Counts down from a million, a frame and a step for each number, and adds on return.
const NESTED: &str = "
    static const struct vlad_frame frame = {VLAD_FRAME_BLOCK, 1, 0, 0};
    BLOCK(back) {
        if (--m->transfers < 0) return m->services->pause(m, top, fuel, slots, x, back);
        top -= 2;
        double sum = vlad_double(x) + vlad_double(top[0]);
        VLAD_RETURN(m, top, fuel, vlad_real(sum));
    }
    BLOCK(down) {
        if (fuel < 1) return m->services->pause(m, top, fuel, slots, x, down);
        fuel -= 1;
        double n = vlad_double(x);
        if (n == 0) VLAD_RETURN(m, top, fuel, vlad_real(0));
        PUSH(x, back, &frame);
        return down(m, top, fuel, 0, vlad_real(n - 1));
    }
    BLOCK(nested_item) { return down(m, top, fuel, 0, vlad_real(1000000)); }
    PROGRAM(nested, 0, VLAD_BY_BLOCK)
    BLOCK(failing) {
        if (fuel < 1) return m->services->pause(m, top, fuel, slots, x, failing);
        fuel -= 1;
        double n = vlad_double(x);
        if (n == 0) {
            m->services->apply(m, 39, x);
            return m->services->stop(m, top, fuel, m->call_node, m->site);
        }
        PUSH(x, back, &frame);
        return failing(m, top, fuel, 0, vlad_real(n - 1));
    }
    BLOCK(failing_item) { return failing(m, top, fuel, 0, vlad_real(100000)); }
    PROGRAM(failing, 0, VLAD_BY_BLOCK)";

#[test]
fn the_stack_grows_by_need_and_tells_its_frames() {
    let library = library(NESTED);
    let (report, output) = run(&library, "nested", "7", &Limits::default());
    assert!(matches!(report.outcome, Outcome::Finished));
    let sum = format!("500000500000[{:016x}]\n", 500_000_500_000_f64.to_bits());
    assert_eq!((output, report.steps), (sum, 1_000_001));
    let (report, _) = run(&library, "failing", "7", &Limits::default());
    let diagnostic = failure(&report);
    assert_eq!(diagnostic.kind, Kind::Type);
    assert_eq!(diagnostic.message, "`car` expects a pair, found 0");
    assert_eq!(report.steps, 100_001);
}

#[test]
fn counts_and_limits_are_exact() {
    let library = library(
        "
        BLOCK(loop);
        static int loop_stepwise(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                                 vlad_value x, const struct vlad_frame *point);
        static const struct vlad_entry loop_entry = {loop, loop_stepwise, 3, 0, 0, 0};
        BLOCK(loop) {
            if (fuel < 3) return m->services->run_short(m, top, fuel, slots, x, &loop_entry);
            return loop(m, top, fuel - 3, slots, x);
        }
        /* All nodes of the row are the first of the text. */
        static const struct vlad_frame loop_points[] = {{VLAD_POINT(0, 0, &loop_entry, 0, 0, 0, 0, 0, 0, 0)},
                                                        {VLAD_POINT(0, 0, &loop_entry, 0, 0, 0, 0, 1, 0, 0)},
                                                        {VLAD_POINT(0, 0, &loop_entry, 0, 0, 0, 0, 2, 0, 0)}};
        static int loop_stepwise(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                                 vlad_value x, const struct vlad_frame *point) {
            (void)point;
            if (fuel < 3) return m->services->suspend(m, top, slots, 0, &loop_points[fuel]);
            return loop(m, top, fuel - 3, slots, x);
        }
        BLOCK(loop_item) { return loop(m, top, fuel, slots, x); }
        PROGRAM(loop, 0, VLAD_STOPPABLE)",
    );
    for limit in [0, 1, 1023, 1024, 1025, 1_000_000] {
        let limits = Limits { steps: Some(limit), ..Limits::default() };
        let (report, _) = run(&library, "loop", "7", &limits);
        let diagnostic = failure(&report);
        assert_eq!((report.steps, diagnostic.kind), (limit, Kind::Steps));
        assert_eq!(diagnostic.message, format!("the limit of {limit} steps is reached"));
    }
    let limits = Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() };
    assert_eq!(failure(&run(&library, "loop", "7", &limits).0).kind, Kind::Time);
}

#[test]
fn code_for_another_program_is_not_found() {
    let library = library("BLOCK(one_item) { VLAD_RETURN(m, top, fuel, vlad_nil()); }\nPROGRAM(one, 0, VLAD_BY_BLOCK)");
    assert!(Code::find(&library, "hand_one_program", &program("1")).is_some());
    assert!(Code::find(&library, "hand_one_program", &program("1 2")).is_none());
    assert!(Code::find(&library, "hand_two_program", &program("1")).is_none());
}

#[test]
fn comparing_data_that_share_much_is_quick() {
    let library = library(
        "
        BLOCK(equal_item) {
            vlad_value a = vlad_nil(), b = vlad_nil();
            for (int i = 0; i < 100; i++) {
                a = vlad_pair(m, vlad_share(a), a);
                b = vlad_pair(m, vlad_share(b), b);
            }
            int same = m->services->matches(m, a, b);
            vlad_value other = vlad_pair(m, vlad_share(b), vlad_real(1));
            vlad_value more = vlad_pair(m, vlad_share(a), vlad_real(2));
            int differ = !m->services->matches(m, other, more);
            vlad_drop(m, a), vlad_drop(m, b), vlad_drop(m, other), vlad_drop(m, more);
            VLAD_RETURN(m, top, fuel, vlad_boolean(same && differ));
        }
        PROGRAM(equal, 0, VLAD_BY_BLOCK)",
    );
    assert_eq!(run(&library, "equal", "7", &Limits::default()).1, "#t\n");
}

/// The variable that is set in a process that is to run out of memory, to the name of the program.
const STARVED: &str = "VLAD_TEST_STARVED";

#[test]
fn running_out_of_memory_is_an_error_of_the_program() {
    let text = "
        BLOCK(pairs_item) {
            for (vlad_value list = vlad_nil();;) list = vlad_pair(m, vlad_nil(), list);
        }
        PROGRAM(pairs, 0, VLAD_BY_BLOCK)
        static const struct vlad_frame frame = {VLAD_FRAME_BLOCK, 1, 0, 0};
        BLOCK(frames_item) {
            for (;;) PUSH(vlad_nil(), frames_item, &frame);
        }
        PROGRAM(frames, 0, VLAD_BY_BLOCK)
        BLOCK(slots_item) {
            for (;;) m->services->new_slots(m, 100000);
        }
        PROGRAM(slots, 0, VLAD_BY_BLOCK)
        BLOCK(vector_item) {
            vlad_value vector = m->services->apply(m, EMPTY, vlad_nil());
            for (;;) vector = m->services->vector_push(m, vector, vlad_real(1));
        }
        PROGRAM(vector, 0, VLAD_BY_BLOCK)";
    let Ok(name) = std::env::var(STARVED) else {
        for name in ["pairs", "frames", "slots", "vector"] {
            // Enough for the process and the compiler, but not for an endless program.
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", "ulimit -v 3000000 && exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
            shell.args(["--exact", "running_out_of_memory_is_an_error_of_the_program"]).env(STARVED, name);
            let output = shell.output().unwrap();
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
        }
        return;
    };
    let (report, _) = run(&library(text), &name, "7", &Limits::default());
    let diagnostic = failure(&report);
    assert_eq!(diagnostic.kind, Kind::Memory);
    assert!(diagnostic.message.starts_with("the system gives no more memory"), "{}", diagnostic.message);
}

/// The greatest number of constants of a program here, the parts of the datum that it quotes included.
const MOST_CONSTANTS: usize = 32;

/// The number of the constant that the programs of primitives use, and a program for each number, which sets it.
fn constant_programs() -> String {
    let programs = (0..MOST_CONSTANTS).map(|number| {
        format!(
            "
        BLOCK(constant{number}_item) {{
            constant = {number};
            VLAD_RETURN(m, top, fuel, vlad_nil());
        }}
        PROGRAM(constant{number}, 0, VLAD_BY_BLOCK)"
        )
    });
    "static uint32_t constant;".to_owned() + &programs.collect::<String>()
}

/// Four programs for a primitive, which apply it to the constant that was set: as a whole, as a value that is called,
/// as two operands, and as three operands, if the constant is a tuple of as many.
fn primitive_programs(number: usize) -> String {
    let stop = "if (m->fault.kind) return m->services->stop(m, top, fuel, m->call_node, m->site);";
    let finish = format!("{stop} VLAD_RETURN(m, top, fuel, y);");
    format!(
        "
        BLOCK(whole{number}_item) {{
            vlad_value y = m->services->apply(m, {number}, m->constants[constant]);
            {finish}
        }}
        PROGRAM(whole{number}, 0, VLAD_BY_BLOCK)
        BLOCK(called{number}_item) {{
            return vlad_call(m, top, fuel, vlad_primitive({number}), vlad_share(m->constants[constant]));
        }}
        PROGRAM(called{number}, 0, VLAD_BY_BLOCK)
        BLOCK(two{number}_item) {{
            struct vlad_pair *pair = vlad_as_pair(m->constants[constant]);
            vlad_value y = m->services->apply_two(m, {number}, pair->first, pair->second);
            {finish}
        }}
        PROGRAM(two{number}, 0, VLAD_BY_BLOCK)
        BLOCK(many{number}_item) {{
            struct vlad_pair *pair = vlad_as_pair(m->constants[constant]);
            struct vlad_pair *rest = vlad_as_pair(pair->second);
            vlad_value operands[3] = {{pair->first, rest->first, rest->second}};
            vlad_value y = m->services->apply_many(m, {number}, 3, operands);
            {finish}
        }}
        PROGRAM(many{number}, 0, VLAD_BY_BLOCK)"
    )
}

const ARGUMENTS: [&str; 42] = [
    "()",
    "#t",
    "#f",
    "0",
    "-0.",
    "1.5",
    "-2",
    "+nan.0",
    "+inf.0",
    "(1 . 2)",
    "(2 . 1)",
    "(0 . -0.)",
    "(+nan.0 . 1)",
    "(#t . #t)",
    "(1 . #t)",
    "(#f . 1)",
    "(() . ())",
    "(1)",
    "(1 2)",
    "(1 2 . 3)",
    "(3 2 . 2)",
    "(1 #f . 2)",
    "(1 2 3 . 4)",
    "((1 2) . (1 2))",
    "((1 . 2) . (3 . 4))",
    "((1 2) . (3))",
    "(((1) . #t) . ((2) . #t))",
    "#()",
    "#(1 2 3)",
    "#(1 () 3)",
    "(1 2 . #(3 4))",
    "(#(1 2 3) . 2)",
    "(#(1 2 3) . 3)",
    "(#(1 2 3) . -1)",
    "(#(1 2 3) . 0.5)",
    "(#(1 2 3) . +nan.0)",
    "(#(1 (2) 3) . 1)",
    "(#(1 2 3) . #(1 2 3))",
    "(#(1 2 3) . #(1 #t 3))",
    "(#(1 2 3) . #(1 2))",
    "(#(1 2 3) 1 . 7)",
    "(#(1 2 3) 1 . #t)",
];

#[test]
fn primitives_do_what_the_interpreter_does() {
    let programs: String = (0..PRIMITIVES.len()).map(primitive_programs).collect();
    let library = library(&(constant_programs() + &programs));
    // `cons` before operands is syntax and no application, and some names denote another primitive there.
    let is_meant = |row: &PrimitiveRow| row.name != "cons" && row.primitive.with_operands(1) == row.primitive;
    for (number, row) in PRIMITIVES.iter().enumerate().filter(|(_, row)| is_meant(row)) {
        let is_control = matches!(row.form, vlad_table::Form::Control(_));
        for argument in ARGUMENTS {
            let text = format!("({} '{argument})", row.name);
            let program = program(&text);
            run(&library, &format!("constant{}", program.constants.roots().len() - 1), &text, &Limits::default());
            let (report, output) = with_host(|host| vlad_interp::run(&program, host, &Limits::default()));
            let expected = (described(&report), output);
            let pair = argument.contains(" . ") || argument.starts_with("(1") || argument.starts_with("(#(");
            let triple = argument.starts_with("(1 2 ") || argument.starts_with("(3 2") || argument.starts_with("(1 #f");
            let triple = triple || argument.starts_with("(#(1 2 3) 1");
            let ways = [
                ("whole", !is_control),
                ("called", true),
                ("two", pair && !is_control),
                ("many", triple && !is_control),
            ];
            for (way, _) in ways.iter().filter(|(_, applies)| *applies) {
                let (report, output) = run(&library, &format!("{way}{number}"), &text, &Limits::default());
                assert_eq!((described(&report), output), expected, "{way}: {text}");
            }
        }
    }
}

/// The outcome without the steps, which hand-written code does not count.
fn described(report: &Report) -> String {
    format!("{:?}", report.outcome)
}

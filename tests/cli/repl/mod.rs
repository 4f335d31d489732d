//! `vlad repl`: inputs and commands through a pipe and at a terminal.

use crate::{Answer, answer, answer_of_input, folder, quick, vlad};
use rstest::rstest;
use std::path::Path;

/// Runs a session on an engine; its inputs come through a pipe.
mod inspections;

fn session_on(engine: &str, options: &[&str], inputs: &str) -> Answer {
    answer_of_input(quick().args(["repl", "--engine", engine, "--color", "never"]).args(options), inputs.as_bytes())
}

fn session(inputs: &str) -> Answer {
    session_on("auto", &[], inputs)
}

#[test]
fn definitions_can_be_replaced() {
    let inputs = "(define (square x) (* x x))\n(square\n  ; three\n  3)\n(define y (square 4)) y\n\
                  (define (square x) (* x x x))\n(square 2)\ny\n(define y (+ y 1))\ny\n(define (y) 5)\n(y)\n";
    assert_eq!(session(inputs).succeeded(), "9\n16\n8\n16\n17\n5\n");
}

/// Procedures of earlier inputs, and those in values, refer to the present definition of a name.
#[test]
fn earlier_procedures_see_what_replaces_a_definition() {
    let inputs = "(define (f x) x) (define (g x) (+ 1 (f x))) (define h (list g (lambda (x) (f x))))\n(g 10)\n\
                  (define (f x) (* 2 x))\n(g 10)\n((car h) 20) ((cadr h) 20)\n(define f sqrt)\n(g 16)\n((cadr h) 49)\n";
    assert_eq!(session(inputs).succeeded(), "11\n21\n41\n40\n5\n7\n");
}

/// A definition of the program's for a name of the language is seen by the program alone.
#[test]
fn names_of_the_language_can_be_replaced() {
    let inputs = "(define (f l) (map (lambda (x) (+ x 1)) l))\n(f '(1 2))\n(define (map f l) 7)\n(f '(1 2))\n\
                  (map-n (lambda (i) i) 3)\n";
    assert_eq!(session(inputs).succeeded(), "(2 3)\n7\n(0 1 2)\n");
}

/// A call with more operands is rewritten where the name is that of the language; then its code has another form.
#[test]
fn code_within_values_keeps_its_form() {
    let inputs = "(define (g l) (append l l l))\n(g '(1))\n(define h (list (lambda (l) (append l l l))))\n\
                  (define (append a b) a)\n((car h) '(1))\n(define h 0)\n(g '(1))\n";
    let answer = session(inputs);
    assert_eq!((answer.output.as_str(), answer.code), ("(1 1 1)\n(1 1 1)\n(1 1 1)\n", Some(1)));
    assert!(
        answer.errors.starts_with("error[duplicate]: this definition gives another form to code"),
        "{}",
        answer.errors
    );
    let inputs = "(define (g l) (append l l l))\n(g '(1))\n(define (append a b) a)\n(g '(1))\n";
    assert_eq!(session(inputs).succeeded(), "(1 1 1)\n(1)\n");
}

/// Names of libraries can be replaced, also for commands that read the text of the definitions.
#[test]
fn libraries_are_included_once_and_can_be_replaced() {
    let inputs = "(include \"linear-algebra\")\n(matrix-eye 2)\n(include \"linear-algebra\")\n(define (matrix-eye n) n)\n\
                  (matrix-eye 2)\n(define (f v) (* 3 (vector-dot v v)))\n:check f #(1 2)\n";
    let output = session(inputs).succeeded();
    assert!(output.starts_with("#(#(1 0) #(0 1))\n2\nat #(1 2): 15\n") && output.contains("all well"), "{output}");
}

#[rstest]
#[case::interp("interp")]
#[case::hybrid("hybrid")]
#[case::native("native")]
fn values_of_every_kind_are_kept(#[case] engine: &str) {
    let inputs = "(define (adder n) (lambda (x) (+ x n))) (define add3 (adder 3)) (define v (build 3 sqrt))\n\
                  (define (adder n) 0)\n(map add3 '(1 2))\n\
                  (define z (interrupt (lambda (x) (* x x)) 3 4))\n(define b (bundle 2 5))\n\
                  (define pull (cdr ((*j (lambda ((list a b)) (* a (exp b)))) (*j (list 2 0)))))\n\
                  (define (again m) (* 10 m))\n\
                  (define loop (let loop ((n 3)) (if (= n 0) (lambda (m) (again m)) (loop (- n 1)))))\n\
                  (reduce + 0 (filter positive? (iota 4)))\n";
    // The last of these uses other procedures of the prelude than those before, so all code has other numbers.
    let inputs =
        inputs.to_owned() + "(resume z)\n(tangent b)\n(pull 1)\n(loop 4)\n(add3 v)\n(get v 0)\n(equal? add3 add3)\n";
    let answer = session_on(engine, &[], &inputs);
    assert_eq!(answer.output, "(4 5)\n6\n9\n5\n(#<procedure> 1 2)\n40\n0\n#t\n");
    let error = answer.errors.lines().find(|line| !line.starts_with("note: evaluated by hybrid"));
    assert!(error.unwrap().starts_with("error[type]: `+` expects reals, found #(0 1 "), "{}", answer.errors);
    assert_eq!(answer.code, Some(1));
}

/// Inputs read and write once, whatever follows them.
#[rstest]
#[case::interp("interp")]
#[case::hybrid("hybrid")]
#[case::native("native")]
fn effects_are_not_repeated(#[case] engine: &str) {
    let inputs = "(define a (write (read-real)))\n5\n(define b (begin (write 1) (+ a a)))\n(define (f x) (write (* x b)))\n\
                  b\n(f 2)\n(+ a (read-real) (read-real))\n3\n  4 (+ 0 0)\n(list a b)\n";
    let answer = session_on(engine, &[], inputs).succeeded();
    // The value of an expression that writes is printed as well.
    assert_eq!(answer, "5\n1\n10\n20\n20\n12\n0\n(5 10)\n");
}

/// Each input that can be compiled is; another engine evaluates those that lead to values of former definitions, and to names
/// whose definition has failed.
#[test]
fn native_evaluates_what_is_settled() {
    let inputs = "(define (make h) (h 1))\n(define add (make (lambda (q) (lambda (z) (+ z q)))))\n(add 4)\n\
                  (define (make h) 3)\n:time (add 5)\n:time (make 1)\n(define y (car 0))\n(define (f) y)\n(f)\n(+ 1 1)\n";
    let answer = session_on("native", &[], inputs);
    assert_eq!((answer.output.as_str(), answer.code), ("5\n6\n3\n2\n", Some(1)));
    let notes: Vec<&str> = answer.errors.lines().filter(|line| line.starts_with("note: ")).collect();
    assert_eq!(notes.len(), 4, "{}", answer.errors);
    for stayed in [notes[0], notes[3]] {
        assert!(stayed.starts_with("note: evaluated by hybrid: "), "{stayed}");
    }
    assert!(notes[1].ends_with(" s on hybrid") && notes[2].ends_with(" s on native"), "{}", answer.errors);
    assert_eq!(session(":engine native\n:engine\n(+ 1 2)\n").succeeded(), "native\n3\n");
}

/// A loop that would take `hybrid` a minute ends on `native`, with each effect once; so does one in a definition, whose value
/// is kept.
#[test]
fn long_evaluations_move_to_compiled_code() {
    let inputs = "(define (count n s) (if (= n 0) s (count (- n 1) (+ s 1))))\n\
                  (define start (read-real))\n7\n\
                  :time (let* ((_ (write \"first\")) (a (read-real)) (b (count 3e8 a))) (begin (write a) (write b) (+ b (read-real))))\n\
                  1 2\n\
                  :time (define late (count 3e8 start))\n(list late start)\n";
    let answer = session(inputs);
    assert_eq!(answer.output, "first\n1\n300000001\n300000003\n(300000007 7)\n", "{}", answer.errors);
    let moved = answer.errors.lines().filter(|line| line.ends_with(" s on hybrid, then native"));
    assert_eq!(moved.count(), 2, "{}", answer.errors);
}

/// Compiled code and other code do not exchange capsules.
#[test]
fn evaluations_beside_capsules_stay() {
    let inputs = "(define (adder n) (lambda (x) (+ x n)))\n(define add3 (adder 3))\n\
                  (define (count n s) (if (= n 0) s (count (- n 1) (+ s 1))))\n\
                  (define z (interrupt (lambda (x) (* x x)) (count 1e6 3) 4))\n(resume z)\n\
                  (define kept (list z))\n(define z 0)\n(count 1e6 0)\n(resume (car kept))\n";
    for engine in ["auto", "native"] {
        let answer = session_on(engine, &[], inputs);
        assert_eq!(answer.output, "1000006000009\n1000000\n1000006000009\n", "{engine}: {}", answer.errors);
        assert_eq!(answer.code, Some(0));
    }
}

/// The value of a definition that was computed by means of another is not what compiled code would compute.
#[test]
fn evaluations_with_values_of_former_definitions_stay() {
    let inputs = "(define (make h) (h 1))\n(define add (make (lambda (q) (lambda (z) (+ z q)))))\n(define (make h) 3)\n\
                  (define (count n s) (if (= n 0) s (count (- n 1) (add s))))\n(count 3e6 0)\n(make add)\n";
    assert_eq!(session(inputs).succeeded(), "3000000\n3\n");
}

#[test]
fn errors_keep_the_session() {
    let answer = session("(define a 1)\n(car a)\n(+ a b)\n(define a\n   (car 0))\n)\n(+ a 1)\n(let ((x 1)\n");
    assert_eq!((answer.output.as_str(), answer.code), ("2\n", Some(1)));
    let firsts: Vec<&str> = answer.errors.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(firsts.len(), 5, "{}", answer.errors);
    assert!(firsts[0].starts_with("error[type]: `car` expects a pair, found 1"));
    assert!(firsts[1].starts_with("error[unbound]: `b` is not defined"));
    assert!(firsts[3].starts_with("error[read]: this `)` closes nothing"));
    for place in [" --> <input 2>:1:1\n", " --> <input 3>:1:6\n", " --> <input 4>:2:4\n", "   (car 0))\n"] {
        assert!(answer.errors.contains(place), "{place}: {}", answer.errors);
    }
}

#[test]
fn a_file_that_fails_leaves_what_it_defined_before() {
    let text = "(define a (+ 1 1))\n(define (f) (+ a c))\n(write 0)\n(car a)\n(define c 3)\n(define (f) 7)\n";
    let text = text.replace("(define (f) 7)\n", "");
    let file = folder("fails", &[("a.vlad", &text)]).join("a.vlad");
    let answer = session_on("auto", &[file.to_str().unwrap()], "a\n(f)\n(define c 5)\n(f)\n");
    assert_eq!((answer.output.as_str(), answer.code), ("0\n0\n2\n7\n", Some(1)));
    assert!(answer.errors.contains("error[unbound]: `c` is used before its definition has run"), "{}", answer.errors);
}

#[test]
fn files_are_loaded_again_as_they_are_then() {
    let folder = folder("load", &[("a.vlad", "(include \"b\")\n(define x (* 2 y))\n"), ("b.vlad", "(define y 3)\n")]);
    let file = folder.join("a.vlad");
    let file = file.to_str().unwrap();
    let inputs = format!("(define x 0)\n:load {file}\nx\n(define y 10)\nx\n:reload\nx\ny\n");
    assert_eq!(session(&inputs).succeeded(), "6\n6\n6\n3\n");
    let answer = session(":reload\n:load nothing.vlad\n");
    assert_eq!(answer.errors.lines().filter(|line| line.starts_with("error")).count(), 2, "{}", answer.errors);
}

/// Procedures that refer to each other may be inputs of their own.
#[test]
fn procedures_wait_for_the_names_they_lack() {
    let inputs =
        "(define (ev n) (if (= n 0) #t (od (- n 1))))\n(define (od n) (if (= n 0) #f (ev (- n 1))))\n(ev 10)\n";
    let answer = session(inputs);
    assert_eq!((answer.output.as_str(), answer.code), ("#t\n", Some(0)));
    assert_eq!(answer.errors, "note: `od` is not defined yet; this input waits for it\n");
    let answer = session("(define (f x) (g x))\n(define (f x) (* 2 x))\n(f 4)\n(define (h x) (nowhere x))\n");
    assert_eq!((answer.output.as_str(), answer.code), ("8\n", Some(1)));
    assert!(answer.errors.contains("error[unbound]: `nowhere` is not defined"), "{}", answer.errors);
}

#[test]
fn commands_tell_and_change() {
    let answer = session(":engine\n:engine interp\n:engine\n:engine tcc\n:steps (+ 1 2)\n:time 5\n:quit\n1\n");
    assert_eq!((answer.output.as_str(), answer.code), ("auto\ninterp\n3\n5\n", Some(1)));
    let lines: Vec<&str> = answer.errors.lines().collect();
    assert_eq!(lines.len(), 3, "{}", answer.errors);
    assert!(lines[0].starts_with("error[syntax]: inputs are evaluated by auto, interp, hybrid, native, not by `tcc`"));
    // The application, its operator, the pair of operands, and both of them.
    assert_eq!(lines[1], "note: 5 steps");
    assert!(lines[2].starts_with("note: 0.") && lines[2].ends_with(" s on interp"), "{}", lines[2]);
    let answer = session(":help\n:hlp\n");
    assert!(answer.output.contains("  :load FILE "), "{}", answer.output);
    assert!(answer.errors.contains("did you mean `:help`?"), "{}", answer.errors);
}

#[test]
fn types_are_told_without_a_run() {
    let inputs = "(define (f x (list a b)) (* x a)) (define d (list 1 #t #(1 2)))\n:type f\n:type d\n:type (f 2 (list 3 4))\n\
                  :type (read-real)\n:type (write 3)\n:type nowhere\n:type sin\n";
    let answer = session(inputs);
    let lines: Vec<&str> = answer.output.lines().collect();
    assert_eq!(lines[..2], ["procedure of (list x a b)", "(real boolean vector of 2 reals)"]);
    assert_eq!(lines[3], "real");
    assert!(answer.errors.starts_with("error[unbound]: `nowhere` is not defined"), "{}", answer.errors);
}

#[test]
fn limits_are_those_of_each_input() {
    let endless = "(define (f x) (f x))\n";
    let answer = session_on("auto", &["--timeout", "0.4"], &format!("{endless}(f 1)\n1\n(f 2)\n2\n"));
    assert_eq!((answer.output.as_str(), answer.code), ("1\n2\n", Some(1)));
    assert_eq!(answer.errors.matches("error[time]").count(), 2, "{}", answer.errors);
    let answer = session_on("auto", &["--max-steps", "100"], &format!("{endless}(f 1)\n{}", "(+ 1 2)\n".repeat(30)));
    assert_eq!((answer.output, answer.code), ("3\n".repeat(30), Some(1)));
    assert_eq!(answer.errors.matches("error[steps]").count(), 1, "{}", answer.errors);
}

#[test]
fn a_sandbox_reads_no_further_files() {
    let file = folder("sandbox", &[("a.vlad", "(define x 3)\n")]).join("a.vlad");
    let file = file.to_str().unwrap();
    let inputs = format!("x\n:load {file}\n:reload\n(include \"{file}\")\n(+ x 1)\n");
    let answer = session_on("auto", &["--sandbox", file], &inputs);
    assert_eq!((answer.output.as_str(), answer.code), ("3\n4\n", Some(1)));
    assert_eq!(answer.errors.matches("\nerror").count() + 1, 3, "{}", answer.errors);
}

#[test]
fn sessions_in_fsmooth_have_types() {
    let inputs =
        "let a = 2\nlet f x =\n  x * a\n\nf 3\nlet a = [| 1; 2 |]\nf 3\na[1]\nlet f x = f x + 1\nf 3\nf a\ngrad f 5\n";
    let answer = answer_of_input(
        quick().args(["repl", "--language", "fsmooth", "--color", "never"]),
        inputs.replace("grad f 5\n", "").as_bytes(),
    );
    // The second `a` has another type, and `f` keeps the first one.
    assert_eq!((answer.output.as_str(), answer.code), ("6\n6\n2\n7\n", Some(1)));
    assert!(answer.errors.starts_with("error[type]"), "{}", answer.errors);
}

#[test]
fn odd_inputs_end_the_session_in_order() {
    for (inputs, output) in [("", ""), ("\n\n ; nothing\n", ""), ("#| open", ""), ("1 2\n'(\n)", "1\n2\n()\n")] {
        let answer = session(inputs);
        assert_eq!(answer.output, output, "{inputs}: {}", answer.errors);
    }
    let deep = format!("{}1{}\n(+ 1 1)\n", "(sqrt ".repeat(100_000), ")".repeat(100_000));
    assert_eq!(session(&deep).succeeded(), "1\n2\n");
    let answer = answer_of_input(vlad().arg("repl"), b"(+ 1 \xff)\n");
    assert_eq!(answer.code, Some(1), "{}", answer.errors);
}

#[test]
fn what_a_session_cannot_have_is_refused() {
    for arguments in [
        &["repl", "--engine", "all"][..],
        &["repl", "--specialise", "always"],
        &["repl", "--language", "farfel"],
        &["repl", "--json"],
    ] {
        assert_eq!(answer(arguments).code, Some(2), "{arguments:?}");
    }
    assert!(Path::new(env!("CARGO_BIN_EXE_vlad")).exists());
}

#[cfg(unix)]
mod at_a_terminal {
    use crate::{folder, vlad, wait_until};
    use rstest::rstest;
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::ffi::OsString;
    use std::fs::{self, File, OpenOptions};
    use std::io::{Read, Write};
    use std::os::unix::ffi::OsStringExt;
    use std::path::Path;
    use std::process::{Child, Command};
    use std::sync::{Arc, Mutex};
    use std::thread;

    /// A session at a pseudo-terminal.
    struct Terminal {
        keys: File,
        shown: Arc<Mutex<String>>,
        child: Child,
    }

    impl Terminal {
        fn start(engine: &str, history: &Path, options: &[&str]) -> Terminal {
            let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
            grantpt(&screen).unwrap();
            unlockpt(&screen).unwrap();
            let name = OsString::from_vec(ptsname(&screen, Vec::new()).unwrap().into_bytes());
            let inner = OpenOptions::new().read(true).write(true).open(name).unwrap();
            let mut command = vlad();
            command.args(["repl", "--engine", engine, "--color", "never"]).args(options);
            command.env("TERM", "xterm").env("VLAD_HISTORY", history);
            command.stdin(inner.try_clone().unwrap()).stdout(inner.try_clone().unwrap()).stderr(inner);
            let child = command.spawn().unwrap();
            drop(command);
            let keys = File::from(screen);
            let shown = Arc::new(Mutex::new(String::new()));
            let (mut reader, text) = (keys.try_clone().unwrap(), Arc::clone(&shown));
            thread::spawn(move || {
                let mut bytes = [0; 4096];
                // The system reports the end of the last writer as an error.
                while let Ok(count @ 1..) = reader.read(&mut bytes) {
                    text.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
                }
            });
            let terminal = Terminal { keys, shown, child };
            terminal.waits_for("vlad> ");
            terminal
        }

        fn type_in(&mut self, keys: &str) {
            self.keys.write_all(keys.as_bytes()).unwrap();
        }

        /// Waits until a text is shown, and forgets what was shown before.
        fn waits_for(&self, text: &str) {
            wait_until(text, || self.shown.lock().unwrap().contains(text));
            let mut shown = self.shown.lock().unwrap();
            let end = shown.find(text).unwrap() + text.len();
            shown.drain(..end);
        }

        /// Ends the session with the key for the end of the input; returns its exit code. Keys that are typed between two
        /// prompts may be lost, so it is typed until the session has ended.
        fn ends(mut self) -> Option<i32> {
            wait_until("the end of the session", || {
                // Nobody may be left who reads it.
                let _ = self.keys.write_all(b"\x04");
                thread::sleep(std::time::Duration::from_millis(50));
                self.child.try_wait().unwrap().is_some()
            });
            self.child.wait().unwrap().code()
        }
    }

    #[test]
    fn inputs_are_edited_and_kept() {
        let history = folder("history", &[]).join("new/history");
        let mut terminal = Terminal::start("hybrid", &history, &[]);
        // An input goes on while a parenthesis is open.
        terminal.type_in("(define (twice x)\r(* 2 x))\r");
        terminal.waits_for("vlad> ");
        terminal.type_in("(twi\t 21)\r");
        terminal.waits_for("\n42\r\n");
        terminal.type_in("(car 5)\r");
        terminal.waits_for("error[type]: `car` expects a pair, found 5");
        terminal.waits_for("vlad> ");
        // The number is typed once the evaluation has begun.
        terminal.type_in("(begin (write 0) (+ 1 (read-real)))\r");
        terminal.waits_for("\n0\r\n");
        terminal.type_in("8\r");
        terminal.waits_for("\n9\r\n");
        // The interrupt key drops what is typed.
        terminal.waits_for("vlad> ");
        terminal.type_in("(oops");
        terminal.waits_for("(oops");
        terminal.type_in("\u{3}");
        terminal.waits_for("vlad> ");
        assert_eq!(terminal.ends(), Some(0));
        let kept = fs::read_to_string(&history).unwrap();
        assert_eq!(kept, "(define (twice x)\\n(* 2 x))\n(twice 21)\n(car 5)\n(begin (write 0) (+ 1 (read-real)))\n");
        // The next session has them.
        let mut terminal = Terminal::start("hybrid", &history, &[]);
        terminal.type_in("\u{10}\u{10}\r");
        terminal.waits_for("`car` expects a pair");
        terminal.waits_for("vlad> ");
        terminal.type_in(":quit\r");
        wait_until(":quit", || terminal.child.try_wait().unwrap().is_some());
        assert_eq!(terminal.ends(), Some(0));
    }

    /// With `auto` the evaluation has moved to `native` by the time when the key is pressed, unless the machine is very slow.
    #[rstest]
    #[case("hybrid", 200)]
    #[case("auto", 2000)]
    fn the_interrupt_key_ends_an_evaluation(#[case] engine: &str, #[case] delay: u64) {
        let history = folder(&format!("interrupt-{engine}"), &[]).join("history");
        let mut terminal = Terminal::start(engine, &history, &["--sandbox", "--timeout", "600"]);
        terminal.type_in("(define a (+ 1 1)) (define (f x) (f x)) (f a)\r");
        terminal.waits_for("(f a)");
        for _ in 0..3 {
            // Until the evaluation has begun, the key would drop what is typed.
            thread::sleep(std::time::Duration::from_millis(delay));
            let pid = terminal.child.id().to_string();
            assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
            thread::sleep(std::time::Duration::from_millis(200));
            if terminal.shown.lock().unwrap().contains("interrupted") {
                break;
            }
        }
        terminal.waits_for("note: interrupted");
        terminal.waits_for("vlad> ");
        terminal.type_in("(* 21 a)\r");
        terminal.waits_for("\n42\r\n");
        terminal.type_in("(read-real)\r");
        terminal.waits_for("(read-real)");
        thread::sleep(std::time::Duration::from_millis(300));
        let pid = terminal.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        terminal.waits_for("note: interrupted");
        terminal.waits_for("vlad> ");
        assert_eq!(terminal.ends(), Some(0));
        assert!(!history.exists(), "nothing of a sandbox is kept");
    }
}

//! Prints the cost of work on vectors on the native engine relative to hand-written C of the same order of operations:
//! medians of the ratios of turns in which both ran, one after the other; and the peak memory.
//!
//! `cargo run --release -p vlad-benches --bin vectors [TURNS]` prints Markdown, ready for `benches/record`. The command
//! is built first. Each program makes its data and then does its work, with the library of linear algebra; the time of
//! the same program without the work is subtracted, as C's time excludes its data. The memory is the peak resident set
//! of the process, as `--stats` reports it.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use vlad_benches::{Arguments, Vlad, cell, median, seconds_of_unit};

const LONG: &str = "
(include \"linear-algebra\")
(define u (build 10000000 (lambda (i) (/ (modulo i 1000) 1000))))
(define v (build 10000000 (lambda (i) (/ (modulo i 997) 997))))";

const MIDDLE: &str = "
(include \"linear-algebra\")
(define v (build 1000000 (lambda (i) (/ (modulo i 997) 997))))";

const MATRICES: &str = "
(include \"linear-algebra\")
(define a (build 512 (lambda (i) (build 512 (lambda (j) (/ (modulo (+ (* 3 i) j) 101) 101))))))
(define b (build 512 (lambda (i) (build 512 (lambda (j) (/ (modulo (+ i (* 7 j)) 103) 103))))))";

/// One measured kind of work.
struct Work {
    /// The title of its row.
    title: &'static str,
    /// Its name in the C program.
    name: &'static str,
    /// The number of repetitions in C in a turn.
    times: u32,
    /// The program text that makes the data.
    data: &'static str,
    /// The expression that does the work.
    expression: &'static str,
    /// The target: the maximal ratio to C's time.
    most_times: f64,
    /// The target: the maximal memory in megabytes (10^6 bytes).
    most_memory: Option<f64>,
}

const WORK: [Work; 7] = [
    Work {
        title: "sum of 10^7 elements",
        name: "sum",
        times: 10,
        data: LONG,
        expression: "(vector-sum v)",
        most_times: 100.0,
        most_memory: None,
    },
    Work {
        title: "inner product of 10^7 elements",
        name: "dot",
        times: 10,
        data: LONG,
        expression: "(vector-dot u v)",
        most_times: 100.0,
        most_memory: None,
    },
    Work {
        title: "its gradient",
        name: "dot-gradient",
        times: 5,
        data: LONG,
        expression: "(let (((cons y (cons du dv)) (*j (lambda ((cons u v)) (vector-dot u v)) (cons u v) 1)))
                       (list y (get du 5) (get dv 5)))",
        most_times: 150.0,
        most_memory: None,
    },
    Work {
        title: "product of matrices 512 x 512",
        name: "multiply",
        times: 1,
        data: MATRICES,
        expression: "(get (get (matrix-multiply a b) 3) 4)",
        most_times: 100.0,
        most_memory: None,
    },
    Work {
        title: "its gradient",
        name: "multiply-gradient",
        times: 3,
        data: MATRICES,
        expression: "(let (((cons c (cons da db))
                            (*j (lambda ((cons a b)) (matrix-multiply a b)) (cons a b) (matrix-ones 512 512))))
                       (list (get (get c 3) 4) (get (get da 3) 4) (get (get db 3) 4)))",
        most_times: 150.0,
        most_memory: None,
    },
    Work {
        title: "logsumexp of 10^6 elements",
        name: "logsumexp",
        times: 10,
        data: MIDDLE,
        expression: "(vector-logsumexp v)",
        most_times: 100.0,
        most_memory: None,
    },
    Work {
        title: "its gradient",
        name: "logsumexp-gradient",
        times: 10,
        data: MIDDLE,
        expression: "(let (((cons y dv) (*j vector-logsumexp v 1))) (list y (get dv 5)))",
        most_times: 150.0,
        most_memory: Some(200.0),
    },
];

fn main() -> io::Result<()> {
    let turns = Arguments::read(5, &[])?.turns;
    let vlad = Vlad::build()?;
    let cache = tempfile::tempdir()?;
    let mut out = io::stdout();
    writeln!(
        out,
        "| work | turns | s | C, s | engine / C | target | peak, MB | target |\n|---|---|---|---|---|---|---|---|"
    )?;
    for work in WORK {
        let (mut times, mut references, mut ratios, mut peak) = (Vec::new(), Vec::new(), Vec::new(), 0.0_f64);
        for _ in 0..turns {
            let reference = seconds_of_unit("vectors", &[work.name, &work.times.to_string()])?;
            let (data, _) = run(&vlad, cache.path(), work.data)?;
            let (all, memory) = run(&vlad, cache.path(), &format!("{}\n{}", work.data, work.expression))?;
            times.push(all - data);
            references.push(reference);
            ratios.push((all - data) / reference);
            peak = peak.max(memory);
        }
        writeln!(
            out,
            "| {} | {turns} | {:.3} | {:.4} | {:.1} | {:.0} | {peak:.0} | {} |",
            work.title,
            median(&times),
            median(&references),
            median(&ratios),
            work.most_times,
            cell(work.most_memory, 0)
        )?;
    }
    Ok(())
}

/// Runs a program: its seconds, and its peak memory in megabytes.
fn run(vlad: &Vlad, cache: &Path, text: &str) -> io::Result<(f64, f64)> {
    let ran = vlad.run(&["--engine", "native", "--stats", "-e", text].map(OsStr::new), cache)?;
    Ok((ran.statistic("time")?, ran.statistic("peak memory")? / 1e6))
}

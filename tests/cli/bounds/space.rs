//! The space of `checkpoint-*j`: one state more for each doubling of the number of steps.

use crate::answer;
use rstest::rstest;
use serde_json::Value;
use vlad_engines::Engine;

/// A loop that takes little space, and a procedure that keeps capsules of it in a list.
const DEFINITIONS: &str = "(define (go i x) (if (zero? i) x (go (- i 1) (sin (* x 1.1)))))
    (define (keep n z) (if (zero? n) z (keep (- n 1) (cons (interrupt (lambda (x) (go 100 x)) 1 500) z))))\n";

/// Returns the peak memory of the first operator of a program, in bytes.
fn peak(engine: Engine, expression: &str) -> u64 {
    let program = format!("{DEFINITIONS}{expression}");
    let options = ["profile", "--json", "--base-case", "100", "--engine", engine.name()];
    let told = answer(&[&options[..], &["-e", &program]].concat());
    let told: Value = serde_json::from_str(&told.output).unwrap();
    told["profile"]["rows"][0]["peak_bytes"].as_u64().unwrap()
}

/// From some 2^10 to 2^20 steps: 2^k - 1 rounds of 19 steps, and 12 further steps.
#[rstest]
fn a_doubling_of_the_steps_takes_at_most_two_capsules_more(#[values(Engine::Interp, Engine::Hybrid)] engine: Engine) {
    let keeping = |count: u32| peak(engine, &format!("(primops (lambda (z) (pair? (keep {count} z))) '())"));
    let capsule = (keeping(1001) - keeping(1)) / 1000;
    let reversing = |rounds: u32| peak(engine, &format!("(checkpoint-*j (lambda (x) (go {rounds} x)) 1 1)"));
    let peaks: Vec<u64> = (6..16).map(|doublings| reversing(1 << doublings)).collect();
    // The tape of a base case has a fixed length or, where halves are rounded, one operation more: its capacity may
    // double once. The watchdog allocates when it reads the resident memory, which counts if that coincides with the
    // peak.
    let passing = 3000;
    for pair in peaks.windows(2) {
        assert!(pair[1] <= pair[0] + 2 * capsule + passing, "{engine}: a capsule has {capsule} bytes: {peaks:?}");
    }
    let growth = peaks[9] - peaks[0];
    assert!(growth <= 9 * 2 * capsule, "{engine}: a capsule has {capsule} bytes, peaks are {peaks:?}");
    // The peaks do grow, so they are those of the states.
    assert!(growth > 0 && peaks[0] > 2 * capsule, "{engine}: {peaks:?}");
}

/// The memory of the native engine is measured as resident memory of the process.
#[test]
fn a_long_run_of_the_native_engine_takes_little_more_than_a_short_one() {
    let resident = |rounds: u32| {
        let program = format!("{DEFINITIONS}(checkpoint-*j (lambda (x) (go {rounds} x)) 1 1)");
        let told = answer(&["--stats", "--engine", "native", "-e", &program]);
        let peak = told.errors.lines().find_map(|line| line.strip_prefix("peak memory: ")?.strip_suffix(" bytes"));
        peak.unwrap().parse::<u64>().unwrap()
    };
    // The first run compiles, in processes of its own; the tape of `*j` would take some 15 MB in the long run.
    let (short, long) = (resident(100), resident(300_000));
    assert!(long < short + 4_000_000, "{short} {long}");
}

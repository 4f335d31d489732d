//! The readers of files that vlad writes: capsule files and entries of the cache.
//!
//! Both end in a checksum, which detects damage. Here it is computed for arbitrary bytes, so that the checks after it
//! are tested.

use super::condition::ensure;
use sha2::{Digest, Sha256};
use std::io::Cursor;
use std::sync::LazyLock;
use vlad_compiler::compiled::cache::{seal, unseal};
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, Job, Optimisation, Search, Source, Toolchain, check_object};
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, StreamHost};
use vlad_shared::runtime::suspended::{PartEnd, PartRequest};
use vlad_shared::snapshot::capsule_file;
use vlad_shared::table::number::Notation;

/// The programs whose runs are suspended: data, closures, groups, capsules, vectors, tagged values, the prelude's
/// loops.
const PROGRAMS: [&str; 5] = [
    "(define (f s l) (if (null? l) (s 1) (+ (s (car l)) (f s (cdr l))))) (f (lambda (x) (* x x)) (list 1 2 3))",
    "(letrec ((even (lambda (n) (if (= n 0) #t (odd (- n 1))))) (odd (lambda (n) (if (= n 0) #f (even (- n 1))))))
       (let* ((g (lambda (x) (even x))) (h (lambda (y) (cons (g (+ y 1)) even)))) (list (g 4) (h 5) (odd 3))))",
    "(define ((f a) x) (let ((s (lambda (y) (+ a (* y x))))) (if (> x 50) (s x) (+ (s 1) ((f (s 2)) (+ x 7))))))
       (define z (interrupt (f 2) 3 60)) (define w (cons z z)) (list w (resume z) (map car (list w w)))",
    "(define v (build 3 (lambda (i) (* i i)))) (define w (vector v #t 1)) (ifold (lambda (s i) (+ s (get v i))) 0 3)",
    "(define b (bundle 3 4)) (define p ((*j sin) (*j 2))) (define s (sensitize '(1 . 2))) (+ 1 2 (map - (list 1 2)))",
];

/// The number of steps between two seeds of a run.
const BETWEEN_SEEDS: u64 = 17;

/// A program with the beginning of its capsule files, which identifies the program.
struct Ground {
    text: &'static str,
    head: Vec<u8>,
}

thread_local! {
    /// The programs as loaded. Values of a program stay on their thread.
    static LOADED: Vec<Program> = PROGRAMS.iter().filter_map(|text| program(text).ok()).collect();
}

static GROUNDS: LazyLock<Result<Vec<Ground>, String>> = LazyLock::new(|| {
    let ground = |text: &&'static str| {
        let file = suspended(&program(text)?, 0)?.ok_or("a run begins")?;
        let name = [b"\x01\x07program\x04vlad".as_slice(), &length(text.len()), text.as_bytes(), b"\0"].concat();
        let place = file.windows(name.len()).position(|bytes| bytes == name).ok_or("a file holds its program")?;
        let head = file.get(..place + name.len()).unwrap_or_default().to_vec();
        Ok(Ground { text, head })
    };
    PROGRAMS.iter().map(ground).collect()
});

/// A number in the encoding of capsule files.
fn length(number: usize) -> Vec<u8> {
    if number < 128 { vec![number as u8] } else { vec![(number % 128) as u8 | 128, (number / 128) as u8] }
}

fn program(text: &str) -> Result<Program, String> {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load(input, &Options::default()).map_err(|failure| format!("{text}: {:?}", failure.diagnostics))
}

/// The capsule file of a run after so many steps, without its checksum; none if the run ends before.
fn suspended(program: &Program, after: u64) -> Result<Option<Vec<u8>>, String> {
    let mut host = StreamHost::new(Cursor::new(b""), Vec::new(), Notation::Shortest);
    let part = PartRequest { until: Some(after), ..PartRequest::default() };
    match vlad_interp::run_part(program, &mut host, &Limits::default(), part) {
        PartEnd::Ended(_) => Ok(None),
        PartEnd::Suspended(suspended) => {
            let mut file = Vec::new();
            capsule_file::write(program, &suspended, &mut file).map_err(|error| error.to_string())?;
            file.truncate(file.len() - Sha256::output_size());
            Ok(Some(file))
        }
    }
}

/// Checks a forged capsule file. The first byte selects a program; the others follow the beginning of its capsule file,
/// and the checksum is computed. The file is refused, or is a run, which is then written as it was read, repeatedly.
pub fn capsules(bytes: &[u8]) -> Result<(), String> {
    let Some((choice, payload)) = bytes.split_first() else { return damaged(bytes) };
    damaged(payload)?;
    let grounds = GROUNDS.as_ref()?;
    let number = usize::from(*choice) % grounds.len().max(1);
    let Some(ground) = grounds.get(number) else { return Ok(()) };
    let file = with_checksum([&ground.head, payload].concat());
    LOADED.with(|programs| match programs.get(number) {
        Some(program) => forged(program, &file),
        None => Err(format!("{} is a program", ground.text)),
    })
}

fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&file);
    file.extend_from_slice(&checksum);
    file
}

/// Checks that bytes without a checksum are no capsule file.
fn damaged(bytes: &[u8]) -> Result<(), String> {
    ensure(capsule_file::open(bytes).is_err(), || "bytes without a checksum are a capsule file".to_owned())
}

fn forged(program: &Program, file: &[u8]) -> Result<(), String> {
    let read = |file: &[u8]| capsule_file::open(file).and_then(|opened| opened.suspended(program));
    let Ok(mut suspended) = read(file) else { return Ok(()) };
    let mut length = file.len();
    // Shared parts that the writer writes twice are not shared after the first round; from then on nothing changes.
    let mut before: Option<Vec<u8>> = None;
    for _ in 0..3 {
        let mut written = Vec::new();
        capsule_file::write(program, &suspended, &mut written).map_err(|error| error.to_string())?;
        ensure(written.len() <= length.saturating_mul(2), || format!("{length} bytes became {}", written.len()))?;
        length = written.len();
        suspended = read(&written).map_err(|refusal| format!("what was written {refusal}"))?;
        if before.is_some_and(|before| before == written) {
            return Ok(());
        }
        before = Some(written);
    }
    Err("what is read is not written as it was".to_owned())
}

/// Capsule files of runs at many points, without their beginnings and checksums.
pub fn suspended_runs() -> Result<Vec<Vec<u8>>, String> {
    let mut seeds = Vec::new();
    for (number, ground) in GROUNDS.as_ref()?.iter().enumerate() {
        let program = program(ground.text)?;
        for after in (0..).step_by(BETWEEN_SEEDS as usize) {
            let Some(file) = suspended(&program, after)? else { break };
            let whole = with_checksum(file.clone());
            let read = capsule_file::open(&whole).and_then(|opened| opened.suspended(&program));
            read.map_err(|refusal| format!("a seed {refusal}"))?;
            let payload = file.strip_prefix(ground.head.as_slice()).ok_or("files of a program begin alike")?;
            seeds.push([&[number as u8], payload].concat());
        }
    }
    Ok(seeds)
}

/// A key in the form of the cache's keys.
const KEY: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Checks that bytes are no entry unless they are sealed, that sealed ones are, and that a changed or lost byte makes
/// them invalid.
pub fn cache(bytes: &[u8]) -> Result<(), String> {
    if let Ok(object) = unseal(KEY, bytes) {
        let stored = [object, seal(KEY, object).as_bytes()].concat();
        ensure(stored == bytes, || "an entry is not what was stored".to_owned())?;
    }
    let mut entry = [bytes, seal(KEY, bytes).as_bytes()].concat();
    ensure(unseal(KEY, &entry) == Ok(bytes), || "what was stored is no entry".to_owned())?;
    let other = KEY.replace('0', "1");
    ensure(unseal(&other, &entry).is_err(), || "an entry of another key is taken".to_owned())?;
    let place = bytes.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let shorter = place % entry.len();
    ensure(unseal(KEY, entry.get(..shorter).unwrap_or_default()).is_err(), || "half an entry is taken".to_owned())?;
    if let Some(byte) = entry.get_mut(shorter) {
        *byte ^= 1 << (place % 8);
    }
    ensure(unseal(KEY, &entry).is_err(), || "a damaged entry is taken".to_owned())?;
    // Bytes that are no object are refused with a reason; objects need not be.
    check_object(bytes).or_else(|reason| ensure(!reason.is_empty(), || "a reason is said".to_owned()))
}

/// An object and empty bytes, each bare and sealed.
pub fn objects() -> Result<Vec<Vec<u8>>, String> {
    let toolchain = Toolchain::find(&Search::with_environment(None), DEFAULT_TIME_LIMIT);
    let toolchain = toolchain.map_err(|error| error.to_string())?;
    let text = "__attribute__((visibility(\"default\"))) int vlad_seed(int x) { return x + 1; }";
    let sources = [Source { name: "vlad_seed", text }];
    let job = Job {
        sources: &sources,
        headers: &[],
        optimisation: Optimisation::Full,
        time_limit: DEFAULT_TIME_LIMIT,
        memory_limit: None,
    };
    let built = toolchain.compile(&job).map_err(|error| error.to_string())?;
    let object = built.bytes().to_vec();
    let sealed = [&object, seal(KEY, &object).as_bytes()].concat();
    Ok(vec![object, sealed, seal(KEY, b"").into_bytes(), Vec::new()])
}

//! Markers of programs whose objects have been in the cache.

use super::{at, entries, mode, object_of};
use std::fs;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use vlad_ad::traps::Traps;
use vlad_compiler::compiled::cache::{self, Cache, CachePolicy, Mark, Provenance, Usage};
use vlad_compiler::foreign::Counting;
use vlad_compiler::{PASSES, Passes, Specialise, Task};
use vlad_core::Program;
use vlad_frontend::load::{Input, Options, load};
use vlad_runtime::run::Limits;

fn program(text: &str) -> Program {
    load(Input::Text { name: "test".to_owned(), bytes: text.into(), folder: None }, &Options::default()).unwrap()
}

/// The marker of a program.
fn mark(program: &Program, counting: Counting, specialise: Specialise) -> Mark {
    Mark::of(Task { program, counting, tagged_from: None, traps: Traps::Off }, specialise, Passes::ALL)
}

/// Markers of programs that consist of one number each.
fn marks<const COUNT: usize>() -> [Mark; COUNT] {
    std::array::from_fn(|number| mark(&program(&number.to_string()), Counting::ByBlock, Specialise::Auto))
}

#[test]
fn marks_are_left_found_and_cleared() {
    let folder = TempDir::new().unwrap();
    let cache = at(folder.path());
    let marks = marks::<3>();
    cache.leave(&marks[0]);
    cache.leave(&marks[1]);
    cache.leave(&marks[1]);
    assert_eq!([0, 1, 2].map(|mark| cache.has(&marks[mark])), [true, true, false]);
    assert_eq!(cache::usage(folder.path()).unwrap(), Usage::default());
    assert!(entries(folder.path()).iter().all(|path| mode(path) == 0o600));
    assert_eq!(cache::clear(folder.path()).unwrap(), Usage::default());
    assert_eq!((entries(folder.path()).len(), cache.has(&marks[0])), (0, false));
    let none = Cache::open(CachePolicy::Bypass);
    none.leave(&marks[0]);
    assert!(!none.has(&marks[0]));
}

/// The marker covers all inputs that determine the compiled code.
#[test]
fn marks_tell_programs_apart() {
    let programs = ["1", "2", "(include \"linear-algebra\") 1"].map(program);
    let mut marks: Vec<Mark> =
        programs.iter().map(|program| mark(program, Counting::ByBlock, Specialise::Auto)).collect();
    marks.extend(programs.iter().map(|program| mark(program, Counting::Stoppable, Specialise::Auto)));
    marks.extend(programs.iter().map(|program| mark(program, Counting::ByBlock, Specialise::Never)));
    marks.push(Mark::of(
        Task { tagged_from: Some(1), ..Task::with_limits(&programs[0], &Limits::default()) },
        Specialise::Auto,
        Passes::ALL,
    ));
    let limits = Limits { traps: Traps::NonFinite, ..Limits::default() };
    marks.push(Mark::of(Task::with_limits(&programs[0], &limits), Specialise::Auto, Passes::ALL));
    let trapping = Task { traps: Traps::NonFinite, ..Task::with_limits(&programs[1], &Limits::default()) };
    marks.push(Mark::of(trapping, Specialise::Auto, Passes::ALL));
    let with = |passes| {
        let task = Task { program: &programs[0], counting: Counting::ByBlock, tagged_from: None, traps: Traps::Off };
        Mark::of(task, Specialise::Auto, passes)
    };
    marks.extend(PASSES.iter().map(|row| with(Passes::ALL.without(row.pass))));
    for (place, mark) in marks.iter().enumerate() {
        assert_eq!(marks.iter().position(|other| other == mark), Some(place));
    }
    assert_eq!(mark(&program("1"), Counting::ByBlock, Specialise::Auto), marks[0]);
}

#[test]
fn the_oldest_marks_make_room() {
    let folder = TempDir::new().unwrap();
    let cache = at(folder.path());
    let marks = marks::<8>();
    for (mark, age) in marks.iter().zip((1..=8).rev()) {
        let before = entries(folder.path());
        cache.leave(mark);
        let left = entries(folder.path()).into_iter().find(|path| !before.contains(path)).unwrap();
        fs::File::open(left).unwrap().set_modified(SystemTime::now() - age * Duration::from_secs(1_000_000)).unwrap();
    }
    let object = {
        let elsewhere = TempDir::new().unwrap();
        object_of(&at(elsewhere.path()), "m0");
        cache::usage(elsewhere.path()).unwrap().bytes
    };
    // A marker counts as 4096 bytes. When an object is added, the oldest of eight have to be evicted.
    let bounded = Cache::at(folder.path().to_owned(), object + 6 * 4096);
    object_of(&bounded, "m0");
    assert_eq!([0, 1, 7].map(|mark| cache.has(&marks[mark])), [false, false, true]);
    assert_eq!(object_of(&bounded, "m0").provenance, Provenance::Cached);
}

//! Markers of programs whose objects have been in the cache.

use super::{at, entries, mode, object_of, system};
use std::fs;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use vlad_ad::traps::Traps;
use vlad_compiler::compiled::cache::{self, Cache, CachePolicy, DataInMark, Makers, Mark, Provenance, Usage};
use vlad_compiler::foreign::Counting;
use vlad_compiler::toolchain::Optimisation;
use vlad_compiler::{PASSES, Passes, Specialise, Task};
use vlad_core::{Constant, Expression, Program};
use vlad_data::{DataRequest, Format};
use vlad_frontend::load::{Input, Options, load};
use vlad_runtime::run::Limits;

fn program(text: &str) -> Program {
    load(Input::Text { name: "test".to_owned(), bytes: text.into(), folder: None }, &Options::default()).unwrap()
}

/// The marker of a program.
fn mark(program: &Program, counting: Counting, specialise: Specialise) -> Mark {
    let task = Task { program, counting, tagged_from: None, traps: Traps::Off };
    Mark::of(task, (specialise, Passes::ALL), DataInMark::Texts)
}

/// Makers of objects.
fn makers() -> Makers {
    Makers::of(&system(), None).unwrap()
}

/// A key, of no object.
fn key() -> String {
    "0123456789abcdef".repeat(4)
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
    let makers = makers();
    for mark in [&marks[0], &marks[1], &marks[1]] {
        cache.leave(mark, &makers, &key());
    }
    assert_eq!([0, 1, 2].map(|mark| cache.has(&marks[mark])), [true, true, false]);
    assert_eq!(cache::usage(folder.path()).unwrap(), Usage::default());
    assert!(entries(folder.path()).iter().all(|path| mode(path) == 0o600));
    assert_eq!(cache::clear(folder.path()).unwrap(), Usage::default());
    assert_eq!((entries(folder.path()).len(), cache.has(&marks[0])), (0, false));
    let none = Cache::open(CachePolicy::Bypass);
    none.leave(&marks[0], &makers, &key());
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
        (Specialise::Auto, Passes::ALL),
        DataInMark::Texts,
    ));
    let limits = Limits { traps: Traps::NonFinite, ..Limits::default() };
    marks.push(Mark::of(Task::with_limits(&programs[0], &limits), (Specialise::Auto, Passes::ALL), DataInMark::Texts));
    let trapping = Task { traps: Traps::NonFinite, ..Task::with_limits(&programs[1], &Limits::default()) };
    marks.push(Mark::of(trapping, (Specialise::Auto, Passes::ALL), DataInMark::Texts));
    let with = |passes| {
        let task = Task { program: &programs[0], counting: Counting::ByBlock, tagged_from: None, traps: Traps::Off };
        Mark::of(task, (Specialise::Auto, passes), DataInMark::Texts)
    };
    marks.extend(PASSES.iter().map(|row| with(Passes::ALL.without(row.pass))));
    for (place, mark) in marks.iter().enumerate() {
        assert_eq!(marks.iter().position(|other| other == mark), Some(place));
    }
    assert_eq!(mark(&program("1"), Counting::ByBlock, Specialise::Auto), marks[0]);
}

/// Data have a part by their shapes, unless their texts are asked for: arrays by their ranks, short ones by their lengths, numbers and
/// booleans by their values.
#[test]
fn shapes_of_data_are_in_marks() {
    let folder = TempDir::new().unwrap();
    let mark = |data: DataInMark, text: &str| {
        let path = folder.path().join("data.json");
        fs::write(&path, text).unwrap();
        let request = DataRequest { name: "x".to_owned(), path, format: Format::Json, parts: Vec::new() };
        let options = Options { data: vec![request], ..Options::default() };
        let input = Input::Text { name: "test".to_owned(), bytes: "x".into(), folder: None };
        let program = load(input, &options).unwrap();
        Mark::of(Task::with_limits(&program, &Limits::default()), (Specialise::Auto, Passes::ALL), data)
    };
    let long = |element: &str, count: usize| format!("[{}]", vec![element; count].join(", "));
    let (shapes, texts) = (DataInMark::Shapes, DataInMark::Texts);
    let alike = [
        (long("1", 17), long("2.5", 40)),
        (long("[1, 2]", 17), long("[7, 8, 9]", 80)),
        (format!("[[], {}]", ["[4]"; 30].join(", ")), long("[1, 2]", 70)),
        (long("true", 20), long("false", 21)),
        ("[1, 2, 3]".to_owned(), "[3, 2, -1]".to_owned()),
        ("[[1, 2], true]".to_owned(), "[[3, 4], false]".to_owned()),
    ];
    for (a, b) in &alike {
        assert_eq!(mark(shapes, a), mark(shapes, b), "{a} {b}");
        assert_ne!(mark(texts, a), mark(texts, b), "{a} {b}");
    }
    let apart = [
        "1",
        "2",
        "true",
        "false",
        "[1, 2]",
        "[1, 2, 3]",
        &long("1", 17),
        &long("true", 17),
        &long("[1]", 17),
        "[[1], 2]",
    ];
    let apart = apart.map(|text| mark(shapes, text));
    for (place, mark) in apart.iter().enumerate() {
        assert_eq!(apart.iter().position(|other| other == mark), Some(place));
    }
}

/// Options of languages and commands change the core of a program whose texts stay: other code has another marker.
#[test]
fn marks_are_of_the_core() {
    let changes: [fn(&mut Program); 4] = [
        |program| program.items.truncate(1),
        |program| program.expressions.swap(0, 1),
        |program| program.globals.iter_mut().for_each(|global| global.name.push('x')),
        |program| {
            let nothing = program.constants.add(Constant::Nil);
            program.expressions[program.items[1].node().0 as usize] = Expression::Constant(nothing);
        },
    ];
    let text = "(define x 1) (+ x 2)";
    let mut all = vec![program(text)];
    for change in changes {
        let mut changed = program(text);
        change(&mut changed);
        all.push(changed);
    }
    let marks: Vec<Mark> = all.iter().map(|program| mark(program, Counting::ByBlock, Specialise::Auto)).collect();
    for (place, mark) in marks.iter().enumerate() {
        assert_eq!(marks.iter().position(|other| other == mark), Some(place));
    }
}

/// A marker leads to its object, but where something else makes objects, or its contents are damaged.
#[test]
fn marks_name_objects() {
    let folder = TempDir::new().unwrap();
    let cache = at(folder.path());
    let [mark, other] = marks::<2>();
    object_of(&cache, "m0");
    let key = entries(folder.path())[0].file_stem().unwrap().to_str().unwrap().to_owned();
    cache.leave(&mark, &makers(), &key);
    let is_found = |mark: &Mark, makers: &Makers| cache.marked(mark, makers).is_some();
    assert!(is_found(&mark, &makers()) && !is_found(&other, &makers()));
    assert!(cache.marked_bytes(&mark, &makers()).is_some());
    assert!(!is_found(&mark, &Makers::of(&system(), Some(Optimisation::Least)).unwrap()));
    let file = entries(folder.path()).into_iter().find(|path| path.extension().unwrap() == "mark").unwrap();
    for contents in ["", "no key", &format!("{key} {key}\n"), &format!("{key}\n")] {
        fs::write(&file, contents).unwrap();
        assert!(!is_found(&mark, &makers()), "{contents}");
    }
    cache.leave(&mark, &makers(), &key);
    assert!(is_found(&mark, &makers()));
}

#[test]
fn the_oldest_marks_make_room() {
    let folder = TempDir::new().unwrap();
    let cache = at(folder.path());
    let marks = marks::<8>();
    for (mark, age) in marks.iter().zip((1..=8).rev()) {
        let before = entries(folder.path());
        cache.leave(mark, &makers(), &key());
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

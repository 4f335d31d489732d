//! The cache of compiled objects: hits, misses, and every kind of damage.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

mod marks;

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use vlad_compiler::compiled::cache::{self, Cache, CacheNote, CachePolicy, MOST_BYTES, Object, Provenance, Usage};
use vlad_compiler::compiled::doctor;
use vlad_compiler::toolchain::{
    DEFAULT_TIME_LIMIT, Header, Job, Optimisation, Search, Source, Toolchain, ToolchainError,
};

fn system() -> Toolchain {
    Toolchain::find(&Search { path: std::env::var_os("PATH"), ..Search::default() }, DEFAULT_TIME_LIMIT).unwrap()
}

/// A job of one program, which defines the function `x_NAME`.
fn with_job<T>(name: &str, work: impl FnOnce(&Job<'_>) -> T) -> T {
    let text = format!("__attribute__((visibility(\"default\"))) int x_{name}(void) {{ return 3; }}\n");
    let sources = [Source { name: "x", text: &text }];
    work(&Job {
        sources: &sources,
        headers: &[],
        optimisation: Optimisation::Fast,
        time_limit: DEFAULT_TIME_LIMIT,
        memory_limit: None,
    })
}

/// Has a program compiled or fetched, and checks that the right one is loaded.
fn object_of(cache: &Cache, name: &str) -> Object {
    let object = with_job(name, |job| cache.object(&system(), job)).unwrap();
    assert!(object.library.symbol(&format!("x_{name}")).is_some());
    object
}

fn at(folder: &Path) -> Cache {
    Cache::at(folder.to_owned(), MOST_BYTES)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_was_compiled_is_found_again() {
    let folder = TempDir::new().unwrap();
    let place = folder.path().join("deep/folder");
    let first = object_of(&at(&place), "a");
    assert_eq!((first.provenance, first.notes), (Provenance::Compiled, vec![]));
    let second = object_of(&at(&place), "a");
    assert_eq!((second.provenance, second.notes), (Provenance::Cached, vec![]));
    assert_eq!(object_of(&at(&place), "b").provenance, Provenance::Compiled);
    assert_eq!(mode(&place), 0o700);
    assert_eq!(at(&place).try_storing(), Ok(()));
    assert_eq!(entries(&place).len(), 2);
    for entry in entries(&place) {
        assert_eq!(mode(&entry), 0o600);
        assert!(fs::metadata(&entry).unwrap().len() > 1000);
    }
}

#[test]
fn all_that_decides_is_in_the_key() {
    let folder = TempDir::new().unwrap();
    let cache = at(folder.path());
    let toolchain = system();
    let provenance = |job: &Job<'_>| cache.object(&toolchain, job).unwrap().provenance;
    let exported = "__attribute__((visibility(\"default\"))) int";
    let (first, second, longer) =
        (format!("{exported} x;"), format!("{exported} y;"), format!("{exported} x;{exported}"));
    let texts = [Source { name: "x", text: &first }, Source { name: "y", text: &second }];
    let moved = [Source { name: "x", text: &longer }, Source { name: "y", text: " y;" }];
    let headers = [Header { name: "h.h", text: "" }];
    let other_headers = [Header { name: "h.h", text: " " }];
    let job = Job {
        sources: &texts,
        headers: &headers,
        optimisation: Optimisation::Fast,
        time_limit: DEFAULT_TIME_LIMIT,
        memory_limit: None,
    };
    let jobs = [
        job,
        Job { sources: &texts[..1], ..job },
        Job { sources: &moved, ..job },
        Job { headers: &other_headers, ..job },
        Job { headers: &[], ..job },
        Job { optimisation: Optimisation::Full, ..job },
    ];
    for job in jobs {
        assert_eq!(provenance(&job), Provenance::Compiled);
    }
    for job in jobs {
        assert_eq!(provenance(&Job { time_limit: DEFAULT_TIME_LIMIT / 2, ..job }), Provenance::Cached);
    }
    let wrapper = folder.path().join("wrapper");
    let script = format!("printf '#!/bin/sh\\nexec cc \"$@\"\\n' > {0}; chmod 755 {0}", wrapper.display());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    let search = Search { option: Some(wrapper.into()), path: None, ..Search::default() };
    let other = Toolchain::find(&search, DEFAULT_TIME_LIMIT).unwrap();
    assert_eq!(cache.object(&other, &job).unwrap().provenance, Provenance::Compiled);
}

/// Damages the one entry of a cache, and checks that this is detected, that the object is compiled again, and that the
/// new entry is sound.
fn spoilt(spoil: impl Fn(&Path)) {
    let folder = TempDir::new().unwrap();
    object_of(&at(folder.path()), "spoilt");
    let paths = entries(folder.path());
    let [entry] = paths.as_slice() else { panic!("{paths:?}") };
    spoil(entry);
    let again = object_of(&at(folder.path()), "spoilt");
    assert_eq!(again.provenance, Provenance::Compiled);
    assert!(matches!(again.notes.as_slice(), [CacheNote::Damaged { .. }]), "{:?}", again.notes);
    assert_eq!(object_of(&at(folder.path()), "spoilt").provenance, Provenance::Cached);
}

/// Replaces a file by another, as a crash or a careless copy would; never a file that somebody has loaded.
fn replace(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn cut_entries_are_built_again() {
    for kept in [0, 1, 100, 4096, 10_000] {
        spoilt(|entry| {
            let bytes = fs::read(entry).unwrap();
            replace(entry, &bytes[..kept.min(bytes.len())]);
        });
    }
    for cut in [1, 100, 250, 300] {
        spoilt(|entry| {
            let bytes = fs::read(entry).unwrap();
            replace(entry, &bytes[..bytes.len() - cut]);
        });
    }
    spoilt(|entry| {
        let mut bytes = fs::read(entry).unwrap();
        bytes.push(b'\n');
        replace(entry, &bytes);
    });
}

#[test]
fn entries_with_a_changed_byte_are_built_again() {
    for part in [0, 1, 5, 9, 10] {
        spoilt(|entry| {
            let mut bytes = fs::read(entry).unwrap();
            let place = (bytes.len() - 1) * part / 10;
            bytes[place] ^= 1;
            replace(entry, &bytes);
        });
    }
}

#[test]
fn entries_that_are_something_else_are_built_again() {
    spoilt(|entry| replace(entry, b"hello"));
    spoilt(|entry| fs::set_permissions(entry, Permissions::from_mode(0o666)).unwrap());
    spoilt(|entry| {
        fs::remove_file(entry).unwrap();
        assert!(Command::new("mkfifo").arg(entry).status().unwrap().success());
    });
    let elsewhere = TempDir::new().unwrap();
    spoilt(|entry| {
        let copy = elsewhere.path().join("copy");
        fs::copy(entry, &copy).unwrap();
        fs::remove_file(entry).unwrap();
        symlink(&copy, entry).unwrap();
    });
    assert!(elsewhere.path().join("copy").exists());
}

#[test]
fn swapped_entries_are_built_again() {
    let folder = TempDir::new().unwrap();
    object_of(&at(folder.path()), "one");
    object_of(&at(folder.path()), "two");
    let paths = entries(folder.path());
    let [one, two] = [fs::read(&paths[0]).unwrap(), fs::read(&paths[1]).unwrap()];
    replace(&paths[0], &two);
    replace(&paths[1], &one);
    for name in ["one", "two"] {
        let object = object_of(&at(folder.path()), name);
        assert_eq!(object.provenance, Provenance::Compiled);
        assert!(matches!(object.notes.as_slice(), [CacheNote::Damaged { .. }]));
    }
    assert_eq!([fs::read(&paths[0]).unwrap(), fs::read(&paths[1]).unwrap()], [one, two]);
}

#[test]
fn a_folder_in_the_place_of_an_entry_is_no_error() {
    let folder = TempDir::new().unwrap();
    object_of(&at(folder.path()), "x");
    let entry = entries(folder.path()).remove(0);
    fs::remove_file(&entry).unwrap();
    fs::create_dir(&entry).unwrap();
    let object = object_of(&at(folder.path()), "x");
    assert_eq!(object.provenance, Provenance::Compiled);
    assert!(matches!(object.notes.as_slice(), [CacheNote::Damaged { .. }, CacheNote::NotStored { .. }]));
    assert_eq!(entries(folder.path()), [entry]);
}

#[test]
fn unusable_folders_are_no_error() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    symlink(folder.path().join("loop"), folder.path().join("loop")).unwrap();
    symlink("/nonexistent/place", folder.path().join("dangling")).unwrap();
    let places = [
        file.clone(),
        file.join("below"),
        folder.path().join("loop"),
        folder.path().join("dangling"),
        folder.path().join("x".repeat(300)),
        PathBuf::from("/dev/full"),
        PathBuf::from("/proc/cache"),
        PathBuf::from(""),
    ];
    for place in places {
        let cache = at(&place);
        assert!(matches!(cache.notes(), [CacheNote::Unusable { .. }]), "{place:?}: {:?}", cache.notes());
        let object = object_of(&cache, "x");
        assert_eq!((object.provenance, object.notes.as_slice()), (Provenance::Compiled, cache.notes()));
        assert!(object.notes[0].to_string().starts_with("no cache: the folder "));
    }
}

#[test]
fn a_folder_that_fills_up_or_goes_away_is_no_error() {
    let folder = TempDir::new().unwrap();
    let place = folder.path().join("cache");
    let cache = at(&place);
    fs::remove_dir(&place).unwrap();
    let object = object_of(&cache, "x");
    assert!(matches!(object.notes.as_slice(), [CacheNote::NotStored { .. }]), "{:?}", object.notes);
    assert!(matches!(cache.try_storing(), Err(CacheNote::NotStored { .. })));
    // A full file system, where the tests may mount one.
    fs::create_dir(&place).unwrap();
    let small = Command::new("mount").args(["-t", "tmpfs", "-o", "size=8k,mode=700", "tmpfs"]).arg(&place).output();
    if small.is_ok_and(|output| output.status.success()) {
        let object = object_of(&at(&place), "x");
        let tried = at(&place).try_storing();
        let left = entries(&place);
        assert!(Command::new("umount").arg(&place).status().unwrap().success());
        assert!(matches!(object.notes.as_slice(), [CacheNote::NotStored { .. }]), "{:?}", object.notes);
        assert!(matches!(tried, Err(CacheNote::NotStored { .. })), "{tried:?}");
        assert_eq!(left, [""; 0].map(PathBuf::from));
    }
}

#[test]
fn folders_that_others_may_write_are_not_used() {
    let folder = TempDir::new().unwrap();
    for mode in [0o777, 0o770, 0o702] {
        fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
        let object = object_of(&at(folder.path()), "x");
        assert!(matches!(object.notes.as_slice(), [CacheNote::Unsafe { .. }]));
        assert_eq!(entries(folder.path()), [""; 0].map(PathBuf::from));
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(at(folder.path()).notes(), []);
    // Only a superuser can give a folder away.
    if std::os::unix::fs::chown(folder.path(), Some(12345), None).is_ok() {
        assert!(matches!(at(folder.path()).notes(), [CacheNote::Unsafe { .. }]));
        std::os::unix::fs::chown(folder.path(), Some(0), None).unwrap();
    }
}

#[test]
fn odd_names_of_folders_work() {
    let folder = TempDir::new().unwrap();
    let odd: [&[u8]; 6] =
        [b"with spaces", b"it's \"quoted\" `id`", b"line\nend", b"-rf", b"\xff\xfe", "\u{fc}".as_bytes()];
    for name in odd {
        let place = folder.path().join(OsStr::from_bytes(name));
        assert_eq!(object_of(&at(&place), "x").notes, []);
        assert_eq!(object_of(&at(&place), "x").provenance, Provenance::Cached);
    }
    // The loader expands this name, and the entry cannot be loaded from there: no error either.
    let place = folder.path().join("$ORIGIN");
    object_of(&at(&place), "y");
    object_of(&at(&place), "y");
}

#[test]
fn many_at_once_all_succeed() {
    let folder = TempDir::new().unwrap();
    let cache = at(folder.path());
    std::thread::scope(|scope| {
        for number in 0..12 {
            let cache = &cache;
            scope.spawn(move || object_of(cache, ["p", "q"][number % 2]));
        }
    });
    let mut processes: Vec<_> = (0..6).map(|_| elsewhere("the_users_cache", folder.path()).spawn().unwrap()).collect();
    for process in &mut processes {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(cache::usage(folder.path()).unwrap().entries, 3);
    assert_eq!(entries(folder.path()).len(), 3);
}

/// The variable that is set in processes that run a test about the environment; without it these tests do nothing.
const ELSEWHERE: &str = "VLAD_TEST_ELSEWHERE";

/// One of the tests of this file, as a process with a cache folder of its own.
fn elsewhere(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact"]).env(ELSEWHERE, "1").env("VLAD_CACHE", folder).stdout(std::process::Stdio::null());
    command
}

#[test]
fn the_users_cache() {
    if std::env::var_os(ELSEWHERE).is_some() {
        assert_eq!(object_of(&Cache::open(CachePolicy::Use), "users").notes, []);
        assert_eq!(cache::folder(), std::env::var_os("VLAD_CACHE").map(PathBuf::from));
    }
}

#[test]
fn the_folder_follows_the_variables() {
    if let Some(expected) = std::env::var_os(ELSEWHERE) {
        let folder = cache::folder();
        assert_eq!(folder, Some(PathBuf::from(expected)).filter(|path| !path.as_os_str().is_empty()));
        if folder.is_none() {
            assert_eq!(Cache::open(CachePolicy::Use).notes(), [CacheNote::NoFolder]);
            assert_eq!(object_of(&Cache::open(CachePolicy::Use), "x").notes, [CacheNote::NoFolder]);
        }
        return;
    }
    let cases = [
        ("/a b", "/base", "/home/x", "/a b"),
        ("", "/base", "/home/x", "/base/vlad"),
        ("", "relative", "/home/x", "/home/x/.cache/vlad"),
        ("", "", "/home/x", "/home/x/.cache/vlad"),
        ("", "", "relative", ""),
        ("", "", "", ""),
    ];
    for (own, base, home, expected) in cases {
        let mut command = elsewhere("the_folder_follows_the_variables", Path::new(own));
        command.env(ELSEWHERE, expected).env("XDG_CACHE_HOME", base).env("HOME", home);
        assert!(command.status().unwrap().success(), "{own} {base} {home}");
    }
}

#[test]
fn bypassing_neither_looks_nor_stores() {
    let cache = Cache::open(CachePolicy::Bypass);
    assert_eq!((cache.folder(), cache.notes()), (None, [].as_slice()));
    for _ in 0..2 {
        assert_eq!(object_of(&cache, "bypassed").provenance, Provenance::Compiled);
    }
}

#[test]
fn clearing_removes_only_what_is_ours() {
    let folder = TempDir::new().unwrap();
    let cache = at(folder.path());
    let held = object_of(&cache, "a");
    object_of(&cache, "b");
    let full = cache::usage(folder.path()).unwrap();
    assert_eq!(full.entries, 2);
    let strangers = ["notes.txt", "abc.object", ".vlad-.txt", ".vlad-1-b"].map(|name| folder.path().join(name));
    for path in &strangers {
        fs::write(path, "mine").unwrap();
    }
    let entry = folder.path().join(format!("{}.object", "0".repeat(64)));
    symlink(&strangers[0], &entry).unwrap();
    fs::create_dir(folder.path().join(format!("{}.object", "1".repeat(64)))).unwrap();
    fs::write(folder.path().join(".vlad-123-0"), "unfinished").unwrap();
    let removed = cache::clear(folder.path()).unwrap();
    assert_eq!(removed, Usage { entries: 2, bytes: full.bytes + 10 });
    assert_eq!(entries(folder.path()).len(), 6);
    assert_eq!(fs::read(&strangers[0]).unwrap(), b"mine");
    assert_eq!(cache::clear(folder.path()).unwrap(), Usage::default());
    assert!(held.library.symbol("x_a").is_some());
    assert_eq!(object_of(&cache, "a").provenance, Provenance::Compiled);
    assert_eq!(cache::usage(Path::new("/nonexistent/cache")).unwrap(), Usage::default());
    assert!(cache::clear(Path::new("/dev/null")).is_err());
}

#[test]
fn the_oldest_entries_make_room() {
    let folder = TempDir::new().unwrap();
    let one = {
        object_of(&at(folder.path()), "m0");
        cache::usage(folder.path()).unwrap().bytes
    };
    let bounded = Cache::at(folder.path().to_owned(), 4 * one + one / 2);
    for name in ["m1", "m2", "m3"] {
        object_of(&bounded, name);
    }
    assert_eq!(cache::usage(folder.path()).unwrap().entries, 4);
    assert_eq!(object_of(&bounded, "m0").provenance, Provenance::Cached);
    object_of(&bounded, "m4");
    let usage = cache::usage(folder.path()).unwrap();
    assert_eq!(usage.entries, 3);
    // These were used or created just now.
    for name in ["m4", "m0", "m3"] {
        assert_eq!(object_of(&bounded, name).provenance, Provenance::Cached);
    }
    // Even if nothing fits, everything works.
    let tiny = Cache::at(folder.path().to_owned(), 1);
    assert_eq!(object_of(&tiny, "m5").notes, []);
    assert_eq!(cache::usage(folder.path()).unwrap(), Usage::default());
}

#[test]
fn errors_of_the_compiler_are_not_stored() {
    let folder = TempDir::new().unwrap();
    let sources = [Source { name: "x", text: "int" }];
    let job = with_job("x", |job| Job { sources: &sources, headers: &[], ..*job });
    for _ in 0..2 {
        let error = at(folder.path()).object(&system(), &job).unwrap_err();
        assert!(matches!(error, ToolchainError::Failed { .. }), "{error}");
    }
    assert_eq!(cache::usage(folder.path()).unwrap(), Usage::default());
}

#[test]
fn the_doctor_sees_it_all() {
    let search = Search { path: std::env::var_os("PATH"), ..Search::default() };
    let diagnosis = doctor::diagnose(&search, CachePolicy::Bypass, DEFAULT_TIME_LIMIT);
    assert!(diagnosis.toolchain.is_ok() && diagnosis.probe.is_ok());
    let none = Search { option: Some("no-such-compiler".into()), ..search };
    let diagnosis = doctor::diagnose(&none, CachePolicy::Bypass, DEFAULT_TIME_LIMIT);
    assert!(matches!(diagnosis.probe, Err(ToolchainError::NotFound { .. })));
}

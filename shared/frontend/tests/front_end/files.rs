//! `include`, and files that cannot be read.

use super::describe;
use std::fs;
use std::path::{Path, PathBuf};
use vlad_core::diagnostic::{Failure, Kind};
use vlad_core::source::KeptSources;
use vlad_core::{Item, print as core_print};
use vlad_frontend::load::{Input, Options, check, load};
use vlad_frontend::vlad::libraries::LIBRARIES;
use vlad_language::library::Library;

/// A folder with some files, removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("vlad-files-{}-{name}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        Folder(path)
    }

    fn load(&self, file: &str, include_folders: &[&str]) -> Result<String, Failure> {
        let include_folders = include_folders.iter().map(|folder| self.0.join(folder)).collect();
        let program = load(Input::Path(self.0.join(file)), &Options { include_folders, ..Options::default() })?;
        Ok(core_print::print(&program).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the errors, without the path of the folder.
    fn errors(&self, file: &str) -> String {
        let Err(failure) = self.load(file, &[]) else { panic!("no errors in {file}") };
        describe(&failure)
            .replace(&format!("{}/", self.0.display()), "")
            .replace(&self.0.display().to_string(), "FOLDER")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn included_files_stand_where_their_include_stands() {
    let folder = Folder::new(
        "order",
        &[
            ("main.vlad", "1 (include \"lib/a.vlad\") 3 (include \"lib/../lib/a.vlad\") (include \"c.vlad\") (f)"),
            ("lib/a.vlad", "2 (include \"b.vlad\")"),
            ("lib/b.vlad", "(define (f) 5)"),
            ("elsewhere/c.vlad", "4"),
        ],
    );
    assert_eq!(
        folder.load("main.vlad", &["nowhere", "elsewhere"]).unwrap(),
        "1 2 (define f@g0 (lambda () 5)) 3 4 (f@g0 ())"
    );
}

#[test]
fn a_text_includes_from_its_folder() {
    let folder = Folder::new("text", &[("a.vlad", "7")]);
    let input = |folder: Option<&Path>| Input::Text {
        name: "<stdin>".into(),
        bytes: b"(include \"a.vlad\")".to_vec(),
        folder: folder.map(Path::to_path_buf),
    };
    assert_eq!(load(input(Some(&folder.0)), &Options::default()).unwrap().items.len(), 1);
    let failure = load(input(None), &Options::default()).unwrap_err();
    assert_eq!(
        describe(&failure),
        "file at 1:10 `\"a.vlad\"`: there is no file `a.vlad`\n  \
         hint: a text that is no file has no folder: name one to search for included files; \
         the libraries that come with vlad are `linear-algebra`, `derivatives`, `optimize`, `ode`, `lists`, \
         `statistics`, `random`, `special`"
    );
}

#[test]
fn cycles_show_their_files() {
    let folder = Folder::new(
        "cycle",
        &[
            ("main.vlad", "(include \"a.vlad\")"),
            ("a.vlad", "(include \"b.vlad\")"),
            ("b.vlad", "1\n(include \"a.vlad\")"),
            ("self.vlad", "(include \"self.vlad\")"),
            ("round.vlad", "(include \"lib/back.vlad\")"),
            ("lib/back.vlad", "(include \"../round.vlad\")"),
        ],
    );
    assert_eq!(
        folder.errors("main.vlad"),
        "file at 2:10 `\"a.vlad\"`: `a.vlad` includes itself: a.vlad -> b.vlad -> a.vlad"
    );
    assert_eq!(
        folder.errors("self.vlad"),
        "file at 1:10 `\"self.vlad\"`: `self.vlad` includes itself: self.vlad -> self.vlad"
    );
    // A second path to the file does not change the name under which it is shown.
    assert_eq!(
        folder.errors("round.vlad"),
        "file at 1:10 `\"../round.vlad\"`: `round.vlad` includes itself: round.vlad -> lib/back.vlad -> round.vlad"
    );
}

#[test]
fn a_file_with_the_name_of_a_library_includes_the_library() {
    let folder = Folder::new(
        "own_name",
        &[
            ("ode.vlad", "(include \"ode\")\n(define own 5)"),
            ("lists", "(include \"lists\")"),
            ("special.vlad", "(include \"special\")"),
            ("more/special.vlad", "7"),
            ("main.vlad", "(include \"ode\")\n(include \"lists\")"),
            ("random.vlad", "(include \"random.vlad\")"),
            ("optimize.vlad", "(include \"help.vlad\")"),
            ("help.vlad", "(include \"optimize\")"),
        ],
    );
    let defines = |program: &str, name: &str| {
        let loaded = folder.load(program, &[]).unwrap();
        assert!(loaded.contains(&format!("(define {name}@")), "{program}: {loaded}");
    };
    for name in ["rk4-step", "own"] {
        defines("ode.vlad", name);
        defines("main.vlad", name);
    }
    defines("lists", "sort");
    // The folders given come before the libraries, as ever.
    assert_eq!(folder.load("special.vlad", &["more"]).unwrap(), "7");
    // By its whole name, or through another file, it is the file itself.
    assert_eq!(
        folder.errors("random.vlad"),
        "file at 1:10 `\"random.vlad\"`: `random.vlad` includes itself: random.vlad -> random.vlad\n  hint: this file hides the \
         library `random`: with another name of the file the library is included"
    );
    let through = folder.errors("optimize.vlad");
    assert!(through.contains("optimize.vlad -> help.vlad -> optimize.vlad") && through.contains("library `optimize`"));
}

#[test]
fn what_cannot_be_included() {
    let folder = Folder::new(
        "missing",
        &[
            ("missing.vlad", "(include \"gone.vlad\") (defined-there 1)"),
            ("folder.vlad", "(include \"lib\")"),
            ("lib/x.vlad", ""),
            ("shape.vlad", "(include lib)"),
            ("bad.vlad", "(include \"unbalanced.vlad\") (g) (if)"),
            ("unbalanced.vlad", "(define (g) 1"),
        ],
    );
    // Names that the missing file may define are not reported.
    assert_eq!(
        folder.errors("missing.vlad"),
        "file at 1:10 `\"gone.vlad\"`: there is no file `gone.vlad`\n  hint: it was looked for in `FOLDER`; \
         the libraries that come with vlad are `linear-algebra`, `derivatives`, `optimize`, `ode`, `lists`, \
         `statistics`, `random`, `special`"
    );
    assert_eq!(folder.errors("folder.vlad"), "file at 1:10 `\"lib\"`: `lib` is a folder");
    assert_eq!(folder.errors("shape.vlad"), "syntax at 1:1 `(include lib)`: expected (include \"file\")");
    assert_eq!(
        folder.errors("bad.vlad"),
        "syntax at 1:33 `(if)`: expected (if test consequent alternative) or (if test consequent), found `if` with 0 operands\n\
         read at 1:1 `(`: this `(` is never closed"
    );
}

#[test]
fn libraries_are_included_by_their_names() {
    let text = |text: &str| Input::Text { name: "<test>".into(), bytes: text.as_bytes().to_vec(), folder: None };
    let program =
        |text: Input| load(text, &Options::default()).unwrap_or_else(|failure| panic!("{}", describe(&failure)));
    for library in &LIBRARIES {
        let Library { name, text: of_library, .. } = library;
        let once = program(text(&format!("(include \"{name}\")")));
        let twice = program(text(&format!("(include \"{name}\") (include \"{name}.vlad\")")));
        assert_eq!(core_print::print(&once), core_print::print(&twice));
        let file = twice.sources.files().get(1).unwrap();
        assert_eq!((file.name.as_str(), file.text.as_str()), (library.shown_name().as_str(), *of_library));
        assert!(once.items.iter().all(|item| matches!(item, Item::Define(..))), "{name} defines and does nothing else");
        // It is stored like other texts.
        let again = program(Input::Kept(KeptSources::of(&twice.sources)));
        assert_eq!(core_print::print(&again), core_print::print(&twice));
    }
}

#[test]
fn a_program_defines_names_of_its_libraries_once() {
    let input = |text: &str| Input::Text { name: "<test>".into(), bytes: text.as_bytes().to_vec(), folder: None };
    let errors = |text: &str| describe(&load(input(text), &Options::default()).err().unwrap());
    let own = "(include \"linear-algebra\")\n(define (vector-map f v) v)\n";
    let (_, warnings) = check(input(own), &Options::default()).ok().unwrap();
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    let of_library = "`vector-map` means this definition in the program, and in the library its own";
    assert_eq!((warning.kind, warning.message.as_str()), (Kind::Shadowing, of_library));
    let twice = errors(&format!("{own}(define (vector-map f v) v)"));
    assert!(twice.starts_with("duplicate at 3:10 `vector-map`: `vector-map` is defined twice\n"), "{twice}");
    let without = errors("(vector-map sin (vector 1))");
    assert!(without.starts_with("unbound at 1:2 `vector-map`"), "{without}");
}

#[test]
fn the_extension_may_be_left_out() {
    let folder = Folder::new(
        "extension",
        &[
            ("alone/main.vlad", "(include \"math\")"),
            ("alone/math.vlad", "1"),
            ("both/main.vlad", "(include \"math\") (include \"math.vlad\") (include \"math\")"),
            ("both/math", "2"),
            ("both/math.vlad", "3"),
            ("folder/main.vlad", "(include \"math\") (include \"math/more\")"),
            ("folder/math.vlad", "4"),
            ("folder/math/more.vlad", "5 (include \"../math.vlad\") (include \"deep.part\")"),
            ("folder/math/deep.part.vlad", "6"),
            ("given/main.vlad", "(include \"math\")"),
            ("first/math.vlad", "7"),
            ("second/math", "8"),
            ("third/math/x.vlad", "9"),
        ],
    );
    assert_eq!(folder.load("alone/main.vlad", &[]).unwrap(), "1");
    assert_eq!(folder.load("both/main.vlad", &["first"]).unwrap(), "2 3");
    assert_eq!(folder.load("folder/main.vlad", &[]).unwrap(), "4 5 6");
    // A folder is searched for both names before the next one is for either.
    assert_eq!(folder.load("given/main.vlad", &["first", "second"]).unwrap(), "7");
    assert_eq!(folder.load("given/main.vlad", &["second", "first"]).unwrap(), "8");
    assert_eq!(folder.load("given/main.vlad", &["third", "second", "first"]).unwrap(), "8");
}

#[test]
fn names_that_take_no_extension() {
    let folder = Folder::new(
        "no-extension",
        &[
            ("twice.vlad", "(include \"math.vlad\")"),
            ("math.vlad.vlad", "1"),
            ("slash.vlad", "(include \"lib/\")"),
            ("lib.vlad", "2"),
            ("lib/.vlad", "3"),
            ("dots.vlad", "(include \"lib/..\")"),
            ("lib/...vlad", "4"),
            ("empty.vlad", "(include \"\")"),
            (".vlad", "5"),
            ("again.vlad", "(include \"again\")"),
            ("given.vlad", "(include \"gone\")"),
        ],
    );
    let missing = |place: &str, name: &str, more: &str| {
        format!(
            "file at {place}: there is no file `{name}`\n  hint: it was looked for in `FOLDER`{more}; \
             the libraries that come with vlad are `linear-algebra`, `derivatives`, `optimize`, `ode`, `lists`, \
         `statistics`, `random`, `special`"
        )
    };
    assert_eq!(folder.errors("twice.vlad"), missing("1:10 `\"math.vlad\"`", "math.vlad", ""));
    assert_eq!(folder.errors("slash.vlad"), "file at 1:10 `\"lib/\"`: `lib/` is a folder");
    assert_eq!(folder.errors("dots.vlad"), "file at 1:10 `\"lib/..\"`: `lib/..` is a folder");
    assert!(folder.errors("empty.vlad").ends_with("is a folder"));
    // A program can include itself by either name.
    assert_eq!(
        folder.errors("again.vlad"),
        "file at 1:10 `\"again\"`: `again.vlad` includes itself: again.vlad -> again.vlad"
    );
    assert_eq!(folder.errors("given.vlad"), missing("1:10 `\"gone\"`", "gone", ", and so was `gone.vlad`"));
}

#[test]
fn files_come_before_libraries() {
    let folder = Folder::new(
        "libraries",
        &[
            ("main.vlad", "(include \"linear-algebra.vlad\")"),
            ("linear-algebra.vlad", "1"),
            ("below/main.vlad", "(include \"linear-algebra.vlad\")"),
            ("given/linear-algebra.vlad", "2"),
            ("beside/main.vlad", "(include \"linear-algebra\") (lambda () vector-map)"),
            ("beside/short.vlad", "(include \"linear-algebra\")"),
            ("beside/linear-algebra/x.vlad", "3"),
            ("short/main.vlad", "(include \"linear-algebra\")"),
            ("short/linear-algebra.vlad", "4"),
        ],
    );
    assert_eq!(folder.load("main.vlad", &["given"]).unwrap(), "1");
    assert_eq!(folder.load("below/main.vlad", &["given"]).unwrap(), "2");
    assert!(folder.load("below/main.vlad", &[]).unwrap().contains("(define vector-map@"));
    assert_eq!(folder.load("short/main.vlad", &["given"]).unwrap(), "4");
    // A folder is not taken for a file.
    assert!(folder.load("beside/main.vlad", &[]).unwrap().contains("(define vector-map@"));
    assert_eq!(folder.load("beside/short.vlad", &["given"]).unwrap(), "2");
}

#[test]
fn a_program_that_is_not_there() {
    let folder = Folder::new("nothing", &[("lib/x.vlad", "")]);
    assert_eq!(folder.errors("gone.vlad"), "file at nowhere: there is no file `gone.vlad`");
    assert_eq!(folder.errors("lib"), "file at nowhere: `lib` is a folder");
}

#[test]
fn long_chains_of_includes() {
    let texts: Vec<(String, String)> = (0..2000)
        .map(|number| (format!("{number}.vlad"), format!("(include \"{}.vlad\") {number}", number + 1)))
        .collect();
    let mut files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.push(("2000.vlad", "2000"));
    let folder = Folder::new("chain", &files);
    assert!(folder.load("0.vlad", &[]).unwrap().starts_with("2000 1999 1998"));
}

#[test]
fn a_program_keeps_its_own_texts_and_the_prelude() {
    let input = Input::Text { name: "<test>".into(), bytes: b"(+ 1 2)".to_vec(), folder: None };
    let program = load(input, &Options::default()).unwrap();
    let names: Vec<&str> = program.sources.files().iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["<test>", "<prelude>"]);
    assert_eq!(KeptSources::of(&program.sources).files.len(), 1);
}

//! `include`, and files that cannot be read.

use super::describe;
use std::fs;
use std::path::{Path, PathBuf};
use vlad_shared::core_print;
use vlad_shared::load::{Failure, Input, Options, load};

/// A folder with some files, gone when the test is over.
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
        let program = load(Input::Path(self.0.join(file)), &Options { include_folders })?;
        Ok(core_print::print(&program).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The errors with the folder left out of them.
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
         hint: a text that is no file has no folder: name one to search for included files"
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
    // Another way back to a file gives it no other name.
    assert_eq!(
        folder.errors("round.vlad"),
        "file at 1:10 `\"../round.vlad\"`: `round.vlad` includes itself: round.vlad -> lib/back.vlad -> round.vlad"
    );
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
    // Names that the missing file may define are no news.
    assert_eq!(
        folder.errors("missing.vlad"),
        "file at 1:10 `\"gone.vlad\"`: there is no file `gone.vlad`\n  hint: it was looked for in `FOLDER`"
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

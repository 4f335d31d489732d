//! The C runtime consists of layers: no cycle of modules, each file includes the headers of what it names, and the
//! order is the one that `compiler/runtime/host/driver.h` lists. Each layer of that list is a folder.
//!
//! A module is a pair of a source and a header of one name, or a header alone; coefficients.c, which is generated,
//! belongs to arithmetic. A module uses another if one of its files includes the header of the other, or if its source
//! names what the source of the other defines with external linkage. The C is read as text, which suffices for the
//! runtime: its definitions stand at the outermost level, its names begin with `vlad_`, and no macro defines anything.

use super::cycles::{Graph, cycles};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use vlad_compiler::rules;
use vlad_files::private::PrivateFolder;

fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/runtime").canonicalize().unwrap()
}

/// A source or header.
struct File {
    name: String,
    includes: Vec<String>,
    /// The functions and constants that it defines with external linkage.
    defines: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl File {
    fn new(name: &str, text: &str) -> File {
        let text = without_comments(text);
        let included = |line: &str| line.strip_prefix("#include \"")?.strip_suffix('"').map(str::to_owned);
        File {
            name: name.to_owned(),
            includes: text.lines().filter_map(|line| included(line.trim())).collect(),
            defines: definitions(&text),
            names: names(&text),
        }
    }

    fn is_source(&self) -> bool {
        self.name.ends_with(".c")
    }

    fn module(&self) -> &str {
        module(&self.name)
    }
}

/// The module of a file.
fn module(file: &str) -> &str {
    match file.rsplit_once('.').unwrap().0 {
        "coefficients" => "arithmetic",
        name => name,
    }
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut kept = parts.next().unwrap().to_owned();
    for part in parts {
        kept.push(' ');
        kept.push_str(part.split_once("*/").unwrap().1);
    }
    kept
}

/// The words of a text, each with the word before it. A word after a tag's keyword is the name of a type.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.scan("", |before, word| Some((std::mem::replace(before, word), word)))
}

fn names(text: &str) -> BTreeSet<String> {
    let is_tag = |before: &str| ["struct", "enum", "union"].contains(&before);
    let named = words(text).filter(|(before, word)| word.starts_with("vlad_") && !is_tag(before));
    named.map(|(_, word)| word.to_owned()).collect()
}

/// The last name before the parameters of a function, or before the initialiser of a constant; of what is defined with
/// external linkage.
fn definitions(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut depth, mut head) = (0_usize, String::new());
    let code = text.lines().filter(|line| !line.starts_with('#') && !line.ends_with('\\'));
    for character in code.flat_map(|line| line.chars().chain(['\n'])) {
        match character {
            '{' => {
                let declared = head.split(['(', '[', '=']).next().unwrap().trim();
                let is_type = declared.len() == head.trim().len();
                if depth == 0 && !is_type && !declared.starts_with("static") {
                    found.extend(words(declared).last().map(|(_, word)| word.to_owned()));
                }
                depth += 1;
            }
            '}' => {
                depth -= 1;
                head.clear();
            }
            ';' => head.clear(),
            _ if depth == 0 => head.push(character),
            _ => {}
        }
    }
    found
}

/// The module that defines each name.
fn owners(files: &[File]) -> BTreeMap<&str, &str> {
    let sources = files.iter().filter(|file| file.is_source());
    sources.flat_map(|file| file.defines.iter().map(|name| (name.as_str(), file.module()))).collect()
}

/// The names of other modules in a source, with their modules.
fn foreign<'a>(file: &'a File, owners: &BTreeMap<&'a str, &'a str>) -> Vec<(&'a str, &'a str)> {
    let owned = |name: &'a String| owners.get(name.as_str()).map(|owner| (name.as_str(), *owner));
    file.names.iter().filter_map(owned).filter(|(_, owner)| *owner != file.module()).collect()
}

/// For each module those that it uses, each with a reason.
fn graph(files: &[File]) -> Graph {
    let owners = owners(files);
    let mut graph = Graph::new();
    for file in files {
        let uses = graph.entry(file.module().to_owned()).or_default();
        for header in file.includes.iter().filter(|header| module(header) != file.module()) {
            uses.entry(module(header).to_owned()).or_insert_with(|| format!("{} includes {header}", file.name));
        }
        for (name, owner) in foreign(file, &owners).into_iter().filter(|_| file.is_source()) {
            uses.entry(owner.to_owned()).or_insert_with(|| format!("{} names {name}", file.name));
        }
    }
    graph
}

/// The headers that a file includes, directly and through headers.
fn included<'a>(files: &'a [File], file: &'a File) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<&File> = vec![file];
    while let Some(file) = pending.pop() {
        for header in &file.includes {
            if found.insert(header.as_str()) {
                pending.extend(files.iter().find(|other| other.name == *header));
            }
        }
    }
    found
}

/// The names in sources whose module's header is not included.
fn names_without_header(files: &[File]) -> Vec<String> {
    let owners = owners(files);
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.is_source()) {
        let headers = included(files, file);
        let missing =
            foreign(file, &owners).into_iter().filter(|(_, owner)| !headers.contains(format!("{owner}.h").as_str()));
        found.extend(missing.map(|(name, owner)| format!("{} names {name} without {owner}.h", file.name)));
    }
    found
}

/// The modules in the order of a list of layers, each with its layer: of lines with two spaces or more between the name of a
/// layer and its modules, which stand between commas.
fn listed(text: &str) -> Vec<(&str, &str)> {
    let layers = text.lines().filter_map(|line| line.strip_prefix(" *   ")?.split_once("  "));
    layers.flat_map(|(layer, modules)| modules.split(',').map(move |module| (module.trim(), layer))).collect()
}

/// The paths of the entries of a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// The texts of the runtime by name, generated ones included.
fn texts() -> Vec<(String, String)> {
    let mut texts = vec![
        ("mathematics.h".to_owned(), rules::mathematics_header()),
        ("rules.h".to_owned(), rules::header()),
        ("rules.c".to_owned(), rules::source()),
        ("coefficients.c".to_owned(), rules::coefficients_source()),
    ];
    for path in entries(&runtime()).iter().flat_map(|layer| entries(layer)) {
        texts.push((name(&path).to_owned(), fs::read_to_string(&path).unwrap()));
    }
    texts.sort();
    texts
}

fn files(texts: &[(String, String)]) -> Vec<File> {
    texts.iter().map(|(name, text)| File::new(name, text)).collect()
}

#[test]
fn no_module_uses_one_above_it() {
    let texts = texts();
    let files = files(&texts);
    let graph = graph(&files);
    let cycles = cycles(&graph);
    assert!(cycles.is_empty(), "cycles of modules:\n{}", cycles.join("\n"));
    let driver = texts.iter().find(|(name, _)| name == "driver.h").unwrap();
    let order = listed(&driver.1);
    let place = |module: &str| order.iter().position(|(listed, _)| *listed == module);
    assert_eq!(
        graph.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        order.iter().map(|(module, _)| *module).collect(),
        "the list of layers"
    );
    for layer in entries(&runtime()) {
        for file in entries(&layer) {
            let module = module(name(&file));
            assert!(order.contains(&(module, name(&layer))), "{} is not in the layer of the list", file.display());
        }
    }
    for (module, uses) in &graph {
        for (used, reason) in uses {
            assert!(place(used) < place(module), "{module} is listed before {used}: {reason}");
        }
    }
}

#[test]
fn the_header_of_what_is_named_is_included() {
    assert_eq!(names_without_header(&files(&texts())), [""; 0]);
}

#[test]
fn every_source_includes_its_own_header_first() {
    for file in files(&texts()).iter().filter(|file| file.is_source()) {
        assert_eq!(file.includes.first(), Some(&format!("{}.h", file.module())), "{}", file.name);
    }
}

#[test]
fn every_header_compiles_alone() {
    let folder = PrivateFolder::make(&std::env::temp_dir()).unwrap();
    fs::write(folder.path().join("mathematics.h"), rules::mathematics_header()).unwrap();
    fs::write(folder.path().join("rules.h"), rules::header()).unwrap();
    for (name, _) in texts().iter().filter(|(name, _)| name.ends_with(".h")) {
        let source = folder.path().join("alone.c");
        fs::write(&source, format!("#include \"{name}\"\n")).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-fsyntax-only", "-I"]);
        compiler.arg(folder.path()).arg(source);
        let output = compiler.args(entries(&runtime()).iter().map(|layer| format!("-I{}", layer.display()))).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

fn made_up(texts: &[(&str, &str)]) -> Vec<File> {
    texts.iter().map(|(name, text)| File::new(name, text)).collect()
}

#[test]
fn definitions_and_names_are_read() {
    let file = File::new(
        "a.c",
        "/* vlad_no(x) { */\n#include \"a.h\"\n#define VLAD_X(y) { vlad_x\nint vlad_declared(int x);\n\
         static int vlad_own(void) { return vlad_used(1); }\nstruct vlad_type { int x; };\n\
         _Noreturn void vlad_defined(struct vlad_tag *x,\n    int y) {\n    if (x) { vlad_again(); }\n}\n\
         const struct vlad_row vlad_rows[2] = {\n    {vlad_pointed}\n};\n",
    );
    assert_eq!(file.includes, ["a.h"]);
    assert_eq!(file.defines.iter().collect::<Vec<_>>(), ["vlad_defined", "vlad_rows"]);
    for name in ["vlad_used", "vlad_again", "vlad_pointed"] {
        assert!(file.names.contains(name), "{name}");
    }
    for name in ["vlad_no", "vlad_tag", "vlad_type", "vlad_row"] {
        assert!(!file.names.contains(name), "{name}");
    }
}

#[test]
fn a_cycle_is_found() {
    let header = |name| format!("int vlad_{name}(void);\n");
    let [a, b, c] = ["a", "b", "c"].map(header);
    let files = made_up(&[
        ("a.h", &a),
        ("a.c", "#include \"a.h\"\n#include \"b.h\"\nint vlad_a(void) { return vlad_b(); }\n"),
        ("b.h", &format!("#include \"c.h\"\n{b}")),
        ("b.c", "#include \"b.h\"\nint vlad_b(void) { return 0; }\n"),
        ("c.h", &c),
        ("c.c", "#include \"c.h\"\nint vlad_a(void);\nint vlad_c(void) { return vlad_a(); }\n"),
    ]);
    let cycle = "a -> b: a.c includes b.h\nb -> c: b.h includes c.h\nc -> a: c.c names vlad_a";
    assert_eq!(cycles(&graph(&files)), [cycle]);
    assert_eq!(names_without_header(&files), ["c.c names vlad_a without a.h"]);
    assert_eq!(cycles(&graph(&files[..4])), [""; 0]);
}

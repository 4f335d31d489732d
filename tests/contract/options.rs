//! The command line: the options of part 12 and those of the command, as its help lists them.

use crate::names::{Names, among, difference, names, same};
use crate::numbers::source;
use crate::pages::{Page, spans, words};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use vlad_shared::core::diagnostic::Kind;

/// An option of a subcommand.
struct CommandOption {
    /// Its names, as `-o` and `--output`.
    names: Vec<String>,
    /// The words that it can have; none if it is not one of some words.
    choices: Names,
}

/// The subcommands that users see, with their options.
static SUBCOMMANDS: LazyLock<BTreeMap<String, Vec<CommandOption>>> = LazyLock::new(|| {
    let help = text(&vlad(&["-h"]).stdout);
    let (_, rest) = help.split_once("Commands:\n").unwrap();
    let names = rest.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(|name| (name.to_owned(), options(name))).collect()
});

/// Runs the command.
fn vlad(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vlad"));
    // Help is wrapped at the width of the terminal: each option takes one line.
    command.args(words).env("COLUMNS", "100000").stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The options that the help of a subcommand lists.
fn options(subcommand: &str) -> Vec<CommandOption> {
    let help = text(&vlad(&[subcommand, "-h"]).stdout);
    help.lines().filter(|line| line.trim_start().starts_with('-')).map(option).collect()
}

fn option(line: &str) -> CommandOption {
    let words = line.split_whitespace().take_while(|word| word.starts_with('-'));
    let names =
        words.map(|word| word.trim_end_matches([',', '.']).split(['[', '=']).next().unwrap().to_owned()).collect();
    let choices = line.split_once("[possible values: ").and_then(|(_, rest)| rest.split_once(']'));
    CommandOption {
        names,
        choices: choices.map(|(values, _)| values.split(", ").map(str::to_owned).collect()).unwrap_or_default(),
    }
}

/// The options of all subcommands that have a name.
fn named<'all>(name: &'all str, subcommand: &str) -> impl Iterator<Item = &'static CommandOption> + 'all {
    SUBCOMMANDS[subcommand].iter().filter(move |option| option.names.iter().any(|known| known == name))
}

/// The subcommands that take an option.
fn taking(name: &str) -> Names {
    SUBCOMMANDS.keys().filter(|subcommand| named(name, subcommand).next().is_some()).cloned().collect()
}

/// The sections about one subcommand that have tables of its options.
const SECTIONS: [(&str, &str, &str); 7] = [
    ("12.6", "conform", "| option "),
    ("12.7", "run", "| option "),
    ("12.11", "fuzz", "| option "),
    ("12.16", "build", "| options of `build` "),
    ("12.19", "trace", "| option "),
    ("12.22", "derive", "| option "),
    ("12.23", "plot", "| option "),
];

/// The options of a table: each with its value, which may be empty.
fn of_table(page: &Page, head: &str) -> Vec<(String, String)> {
    let spans = page.column(head, 0).into_iter().filter(|span| span.starts_with('-') && span != "-");
    let split = |span: &str| span.split_once(' ').map(|(name, value)| (name.to_owned(), value.to_owned()));
    spans.map(|span| split(&span).unwrap_or((span, String::new()))).collect()
}

/// The subcommands that a cell of 12.1 lists.
fn listed(cell: &str, before: &Names) -> Names {
    let mut listed: Names = SUBCOMMANDS.keys().filter(|name| !words(cell, name).is_empty()).cloned().collect();
    // Those have the options of `run`.
    if listed.contains("run") && !listed.contains("profile") {
        listed.extend(["profile", "suspend", "resume"].map(str::to_owned));
    }
    match cell {
        "the same" => before.clone(),
        _ if cell.starts_with("all but ") => {
            SUBCOMMANDS.keys().filter(|name| !listed.contains(*name)).cloned().collect()
        }
        _ => listed,
    }
}

#[test]
fn subcommands_are_listed() {
    let text = Page::of(12).text;
    let overview = text.split_once("## 12.1").unwrap().0;
    let lines = overview.lines().filter_map(|line| line.strip_prefix("    vlad "));
    let documented = lines.filter_map(|line| line.split_whitespace().next()).map(|word| word.trim_matches(['[', ']']));
    same("subcommands, part 12", &names(documented), &names(SUBCOMMANDS.keys().cloned()));
    let subjects = overview.lines().filter_map(|line| line.strip_prefix("    vlad show ")?.split(' ').next());
    let subjects = names(subjects.flat_map(|word| word.split('|')));
    let refusal = text_of_refusal(&["show", "nothing", "-e", "1"]);
    let existing = refusal.split_once("[possible values: ").unwrap().1.split_once(']').unwrap().0;
    same("subjects of show, part 12", &subjects, &names(existing.split(", ")));
}

#[test]
fn shells() {
    let listed = Page::of(12).section("12.17").between("completes command lines in ", "; a shell");
    let help = text(&vlad(&["completions", "-h"]).stdout);
    let existing = help.split_once("[possible values: ").unwrap().1.split_once(']').unwrap().0;
    same("shells, 12.17", &names(spans(&listed)), &names(existing.split(", ")));
}

fn text_of_refusal(words: &[&str]) -> String {
    let output = vlad(words);
    assert_eq!(output.status.code(), Some(2));
    text(&output.stderr)
}

/// The rows of 12.1, with the tables of the sections about one subcommand, name the subcommands that take each option.
#[test]
fn rows_name_the_subcommands_of_options() {
    let mut documented: BTreeMap<String, Names> = BTreeMap::new();
    let mut before = Names::new();
    for row in Page::of(12).section("12.1").rows("| option | for ") {
        before = listed(&row[1], &before);
        for span in spans(&row[0]) {
            documented.entry(span.split(' ').next().unwrap().to_owned()).or_default().extend(before.clone());
        }
    }
    for (section, subcommand, head) in SECTIONS {
        for (name, _) in of_table(&Page::of(12).section(section), head) {
            documented.entry(name).or_default().insert(subcommand.to_owned());
        }
    }
    let is_listed =
        |name: &String, subcommand: &str| documented.get(name).is_some_and(|listed| listed.contains(subcommand));
    let differences = documented.iter().filter_map(|(name, listed)| {
        let by_no_other_name = |subcommand: &&String| {
            let others = named(name, subcommand).flat_map(|option| &option.names).filter(|other| *other != name);
            listed.contains(*subcommand) || !others.into_iter().any(|other| is_listed(other, subcommand))
        };
        let existing = taking(name).iter().filter(by_no_other_name).cloned().collect();
        difference(listed, &existing).map(|it| format!("{name}: {it}"))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "12.1: {}", differences.join("\n"));
}

/// Options of the tables of subcommands exist, with the values that they have there.
#[test]
fn tables_of_subcommands_have_their_options() {
    for (section, subcommand, head) in SECTIONS {
        let page = Page::of(12).section(section);
        for (name, value) in of_table(&page, head) {
            let option = named(&name, subcommand).next();
            let option = option.unwrap_or_else(|| panic!("{}: `{subcommand}` has no {name}", page.name));
            if value.contains('|') {
                same(&format!("{name} of {subcommand}, {section}"), &names(value.split('|')), &option.choices);
            }
        }
    }
}

/// Choices of 12.1 are those of the command.
#[test]
fn choices_are_listed() {
    for (name, value) in of_table(&Page::of(12).section("12.1"), "| option | for ") {
        let options = SUBCOMMANDS.keys().filter_map(|subcommand| named(&name, subcommand).next());
        let choices = options.filter(|_| value.contains('|'));
        choices.for_each(|option| same(&format!("{name}, 12.1"), &names(value.split('|')), &option.choices));
    }
}

/// Each option of the command is in part 12 or 19, and each that a part of the report names exists.
#[test]
fn options_are_documented_and_exist() {
    let mut known = names(["--help", "--version"]);
    known.extend(SUBCOMMANDS.values().flatten().flat_map(|option| option.names.iter().cloned()));
    let of_scripts = options_in(&source(".ci/digest"));
    let mut written = Names::new();
    for part in 1..=21 {
        let page = Page::of(part);
        let lines = page.text.lines().filter(|line| !line.contains("cargo ") && !line.contains("gfortran "));
        let options = options_in(&lines.collect::<Vec<&str>>().join("\n"));
        let others = options.difference(&of_scripts).cloned().collect();
        among(&format!("options of part {part} that no command has"), &others, &known);
        if matches!(part, 12 | 19) {
            written.extend(options);
        }
    }
    let long = known.into_iter().filter(|name| name.starts_with("--")).collect();
    among("options that parts 12 and 19 leave out", &long, &written);
}

/// The long options in a text.
fn options_in(text: &str) -> Names {
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter == '-';
    let begins = text.match_indices("--").filter(|(at, _)| text[..*at].ends_with(['`', ' ', '\n', '[', '(']));
    let options = begins.map(|(at, _)| text[at..].split(|letter| !is_letter(letter)).next().unwrap());
    names(options.filter(|option| option[2..].starts_with(|first: char| first.is_ascii_lowercase())))
}

#[test]
fn exit_codes() {
    let help = text(&vlad(&["-h"]).stdout) + &text(&vlad(&["--help"]).stdout);
    let (_, rest) = help.split_once("Exit codes:\n").unwrap();
    let existing =
        rest.lines().take_while(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next());
    let rows = Page::of(12).section("12.4").rows("| code ");
    same("exit codes, 12.4", &rows.iter().map(|row| row[0].clone()).collect(), &names(existing));
}

/// The members of an object of JSON.
fn members(value: &Value) -> Names {
    names(value.as_object().unwrap().keys().cloned())
}

#[test]
fn members_of_json() {
    let page = Page::of(12);
    let object: Value =
        serde_json::from_slice(&vlad(&["--json", "--engine", "interp", "-e", "(write 1) (car 1)"]).stdout).unwrap();
    let section = page.section("12.3");
    same("members, 12.3", &names(section.column("| member ", 0)), &members(&object));
    let rows = section.rows("| member ");
    let of_row = |name: &str| rows.iter().find(|row| row[0] == format!("`{name}`")).unwrap()[1].clone();
    let words = |text: &str| names(spans(text).into_iter().filter(|span| !span.starts_with('"') && span != "check"));
    same("members of lines, 12.3", &words(&of_row("output")), &members(&object["output"][0]));
    same("members of diagnostics, 12.3", &words(&of_row("diagnostics")), &members(&object["diagnostics"][0]));
    same(
        "members of places, 12.3",
        &names(spans(&section.between("A place has ", ", counted"))),
        &members(&object["diagnostics"][0]["place"]),
    );
    let program = "(checkpoint-*j (lambda (x) (* x x)) 3 1)";
    let profile: Value =
        serde_json::from_slice(&vlad(&["profile", "--json", "--engine", "interp", "-e", program]).stdout).unwrap();
    let section = page.section("12.8");
    let listed = spans(&section.between("one more member, `profile`, with ", "the figures of the application"));
    let (outside, inside): (Vec<String>, Vec<String>) = listed
        .into_iter()
        .filter(|span| !span.starts_with('"'))
        .partition(|span| ["memory", "left_out", "rows"].contains(&span.as_str()));
    same("members of a profile, 12.8", &names(outside), &members(&profile["profile"]));
    same("members of rows of a profile, 12.8", &names(inside), &members(&profile["profile"]["rows"][0]));
    let shown = text(&vlad(&["profile", "--engine", "interp", "-e", program]).stderr);
    let head = shown.lines().nth(1).unwrap().split("  ").map(str::trim).filter(|word| !word.is_empty());
    same("columns of a profile, 12.8", &names(section.column("| column ", 0)), &names(head));
}

#[test]
fn commands_of_sessions() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vlad"));
    let command = command.args(["repl", "--engine", "interp"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut session = command.stderr(Stdio::piped()).spawn().unwrap();
    session.stdin.take().unwrap().write_all(b":help\n").unwrap();
    let output = session.wait_with_output().unwrap();
    let shown = text(&output.stdout) + &text(&output.stderr);
    let existing = shown.lines().filter_map(|line| line.trim_start().strip_prefix(':')?.split_whitespace().next());
    let documented = Page::of(12).section("12.18").column("| command ", 0);
    let documented = documented.iter().map(|span| span.split(' ').next().unwrap().trim_start_matches(':'));
    same("commands, 12.18", &names(documented), &names(existing));
}

/// Each kind has an explanation.
#[test]
fn kinds_are_explained() {
    for kind in Kind::ALL.into_iter().map(Kind::name).chain(["compiler"]) {
        assert!(vlad(&["explain", kind]).status.success(), "{kind}");
    }
}

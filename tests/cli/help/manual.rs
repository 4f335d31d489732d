//! Completions for shells, and manual pages.

use crate::{answer, folder};
use rstest::rstest;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The subcommands that users see, as the help lists them.
fn subcommands() -> Vec<String> {
    let help = answer(&["--help"]).succeeded();
    let (_, rest) = help.split_once("Commands:\n").unwrap();
    let lines = rest.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).filter(|name| name != "help").collect()
}

#[rstest]
fn each_shell_has_completions(#[values("bash", "elvish", "fish", "powershell", "zsh")] shell: &str) {
    let script = answer(&["completions", shell]).succeeded();
    for subcommand in subcommands() {
        assert!(script.contains(&subcommand), "{shell}: {subcommand}");
    }
    assert!(script.contains("max-steps"), "{shell}");
    // Not all shells are told the values of options.
    for word in ["fsmooth", "farfel"] {
        assert!(script.contains(word) || ["elvish", "powershell"].contains(&shell), "{shell}: {word}");
    }
    // What starts a process of its own is for no user.
    assert!(!script.contains("compile-in-background"), "{shell}");
}

#[test]
fn a_shell_that_is_not_known_is_refused() {
    let answer = answer(&["completions", "sh"]);
    assert_eq!(answer.code, Some(2));
    assert!(answer.errors.contains("possible values: bash"), "{}", answer.errors);
}

/// The completions of words that bash makes of the script.
fn completed(script: &Path, words: &[&str]) -> Vec<String> {
    let text = format!(
        "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; _vlad vlad '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let output = Command::new("bash").args(["--norc", "-c", &text]).stderr(Stdio::inherit()).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_words() {
    let folder = folder("completions", &[]);
    let script = folder.join("vlad.bash");
    fs::write(&script, answer(&["completions", "bash"]).succeeded()).unwrap();
    assert_eq!(completed(&script, &["vlad", "grad"]), ["gradcheck"]);
    assert_eq!(completed(&script, &["vlad", "run", "--engine", "int"]), ["interp"]);
    assert_eq!(completed(&script, &["vlad", "show", "--lang"]), ["--language"]);
    assert_eq!(completed(&script, &["vlad", "check", "--language", "f"]), ["fsmooth", "farfel"]);
}

#[test]
fn each_subcommand_has_a_page() {
    let folder = folder("manual", &[]).join("pages");
    assert_eq!(answer(&["man", "-o", folder.to_str().unwrap()]).succeeded(), "");
    let mut expected: Vec<String> = subcommands().iter().map(|name| format!("vlad-{name}.1")).collect();
    expected.push("vlad.1".to_owned());
    expected.sort();
    let mut found: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    assert_eq!(found, expected);
    for name in &found {
        let page = fs::read_to_string(folder.join(name)).unwrap();
        for heading in [".TH ", ".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS"] {
            assert!(page.contains(heading), "{name}: {heading}");
        }
    }
    let page = answer(&["man", "gradcheck"]).succeeded();
    assert_eq!(page, fs::read_to_string(folder.join("vlad-gradcheck.1")).unwrap());
    assert_eq!(answer(&["man"]).succeeded(), fs::read_to_string(folder.join("vlad.1")).unwrap());
}

#[rstest]
#[case::unknown(&["man", "play"], 2, "there is no subcommand 'play'")]
#[case::both(&["man", "run", "-o", "x"], 2, "cannot be used with")]
#[case::no_folder(&["man", "-o", "Cargo.toml/x"], 1, "cannot be made")]
fn pages_that_cannot_be_had(#[case] words: &[&str], #[case] code: i32, #[case] complaint: &str) {
    let answer = answer(words);
    assert_eq!((answer.code, answer.output.as_str()), (Some(code), ""));
    assert!(answer.errors.contains(complaint), "{}", answer.errors);
}

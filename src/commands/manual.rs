//! `vlad completions` and `vlad man`: the command line as scripts that complete it in a shell, and as manual pages.
//!
//! Both are made from the same description of the command line as `--help`, with the names of the languages that this
//! command reads.

use crate::output::console::Console;
use crate::process::exit::Exit;
use clap::error::ErrorKind;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use vlad_files::output;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};

/// The arguments of `vlad completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The arguments of `vlad man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// The subcommand (default: vlad as a whole)
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,
    /// Write the pages of vlad and of all subcommands to this folder; create it if necessary
    #[arg(short = 'o', value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the script that completes this command line in a shell.
pub fn completions(arguments: &CompletionsArguments, mut command: Command) -> Exit {
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "vlad", &mut script);
    Console::plain().conclude_with_bytes(&script)
}

/// Prints a manual page, or writes all of them.
pub fn man(arguments: &ManArguments, command: Command) -> Exit {
    let command = command.disable_help_subcommand(true);
    match (&arguments.folder, &arguments.subcommand) {
        (Some(_), Some(name)) => {
            let message = format!("-o writes all pages, and cannot be used with the subcommand '{name}'\n");
            Exit::of_usage(&clap::Error::raw(ErrorKind::ValueValidation, message))
        }
        (Some(folder), None) => write(folder, command),
        (None, None) => print(command),
        (None, Some(name)) => match subcommands(command).find(|subcommand| subcommand.get_name() == name) {
            Some(subcommand) => print(subcommand),
            None => {
                let message = format!("there is no subcommand '{name}'; `vlad --help` lists them\n");
                Exit::of_usage(&clap::Error::raw(ErrorKind::InvalidSubcommand, message))
            }
        },
    }
}

/// The subcommands of a command, each with the name that its page has: `vlad-run`.
fn subcommands(mut command: Command) -> impl Iterator<Item = Command> {
    command.build();
    let all: Vec<Command> = command.get_subcommands().cloned().collect();
    all.into_iter()
}

/// Renders a manual page: its file's name, and its text in roff.
fn page(command: Command) -> io::Result<(String, Vec<u8>)> {
    let man = Man::new(command).source(concat!("vlad ", env!("CARGO_PKG_VERSION"))).manual("VLAD");
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok((man.get_filename(), text))
}

fn print(command: Command) -> Exit {
    match page(command) {
        Ok((_, text)) => Console::plain().conclude_with_bytes(&text),
        Err(error) => failed(format!("the page cannot be made: {error}")),
    }
}

fn write(folder: &Path, command: Command) -> Exit {
    if let Err(error) = fs::create_dir_all(folder) {
        return failed(format!("{} cannot be made: {error}", folder.display()));
    }
    for command in [command.clone()].into_iter().chain(subcommands(command)) {
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        if let Err(error) = page(command).and_then(|(name, text)| output::write(&folder.join(name), &text)) {
            return failed(format!("the page of {name} cannot be written: {error}"));
        }
    }
    Console::plain().conclude_with_text("")
}

fn failed(message: String) -> Exit {
    Console::plain().fail(Diagnostic::new(Kind::File, None, message))
}

//! The commands of a session: lines that begin with a colon.

use std::fmt::Write;
use vlad_shared::language::suggest::suggest;

/// A command, as `:help` shows it.
pub struct Described {
    /// Its name, without the colon.
    pub name: &'static str,
    /// The operands, as they are written behind the name.
    operands: &'static str,
    /// Its effect.
    help: &'static str,
}

const fn described(name: &'static str, operands: &'static str, help: &'static str) -> Described {
    Described { name, operands, help }
}

/// The commands, in the order of `:help`.
pub const COMMANDS: [Described; 12] = [
    described("load", "FILE", "evaluate a file"),
    described("reload", "", "evaluate the loaded files again"),
    described("type", "EXPRESSION", "show the shape of a value, without a run"),
    described("time", "INPUT", "evaluate an input, and show its time"),
    described("steps", "INPUT", "evaluate an input, and show its steps"),
    described("engine", "[NAME]", "show the engine, or choose another one"),
    described("forward", "NAME", "show the forward transformation of a procedure"),
    described("reverse", "NAME", "show the reverse transformation of a procedure"),
    described("check", "NAME POINT", "compare the derivatives of a procedure by all modes and by differences"),
    described("trace", "CALL", "show the operations of a call on reals, with adjoints"),
    described("help", "", "show this list"),
    described("quit", "", "end the session, like the end of the input"),
];

/// A command with its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `:load`
    Load(String),
    /// `:reload`
    Reload,
    /// `:type`
    Type(String),
    /// `:time`
    Time(String),
    /// `:steps`
    Steps(String),
    /// `:engine`
    Engine(Option<String>),
    /// `:forward`
    Forward(String),
    /// `:reverse`
    Reverse(String),
    /// `:check`
    Check(String, String),
    /// `:trace`
    Trace(String),
    /// `:help`
    Help,
    /// `:quit`
    Quit,
}

/// Reads a command, which begins with a colon.
///
/// # Errors
/// The message for a text that is no command.
pub fn parse(text: &str) -> Result<Request, String> {
    let text = text.trim().trim_start_matches(':');
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim().to_owned();
    let Some(command) = command_named(word) else {
        let names = COMMANDS.iter().map(|command| command.name);
        let hint = suggest(word, names).map(|meant| format!("did you mean `:{meant}`?"));
        let hint = hint.unwrap_or_else(|| "`:help` lists them".to_owned());
        return Err(format!("there is no command `:{word}`; {hint}"));
    };
    if rest.is_empty() && !command.operands.is_empty() && !command.operands.starts_with('[') {
        return Err(format!("`:{}` expects {}", command.name, command.operands));
    }
    if !rest.is_empty() && command.operands.is_empty() {
        return Err(format!("`:{}` takes nothing", command.name));
    }
    Ok(match command.name {
        "load" => Request::Load(rest),
        "reload" => Request::Reload,
        "type" => Request::Type(rest),
        "time" => Request::Time(rest),
        "steps" => Request::Steps(rest),
        "engine" => Request::Engine((!rest.is_empty()).then_some(rest)),
        "forward" => Request::Forward(rest),
        "reverse" => Request::Reverse(rest),
        "check" => match split_expression(&rest) {
            Some((name, point)) => Request::Check(name, point),
            None => return Err("`:check` expects NAME POINT".to_owned()),
        },
        "trace" => Request::Trace(rest),
        "quit" => Request::Quit,
        _ => Request::Help,
    })
}

/// Returns the command of a name, or the only one that begins with it.
fn command_named(word: &str) -> Option<&'static Described> {
    if let Some(command) = COMMANDS.iter().find(|command| command.name == word) {
        return Some(command);
    }
    let mut meant = COMMANDS.iter().filter(|command| !word.is_empty() && command.name.starts_with(word));
    let first = meant.next()?;
    meant.next().is_none().then_some(first)
}

/// Splits a text into its first expression, a word or a parenthesised text, and the rest.
fn split_expression(text: &str) -> Option<(String, String)> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && character.is_whitespace() => {
                let (first, rest) = text.split_at(at);
                return Some((first.to_owned(), rest.trim().to_owned()));
            }
            _ => {}
        }
    }
    None
}

/// The text of `:help`.
pub fn help() -> String {
    let mut text = String::from("an expression prints its value, a definition binds a name; besides there are\n");
    for Described { name, operands, help } in COMMANDS {
        let _ = writeln!(text, "  {:<18} {help}", format!(":{name} {operands}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        assert_eq!(parse(":load a b.vlad "), Ok(Request::Load("a b.vlad".to_owned())));
        assert_eq!(parse(":q"), Ok(Request::Quit));
        assert_eq!(parse(" :engine"), Ok(Request::Engine(None)));
        assert_eq!(parse(":engine interp"), Ok(Request::Engine(Some("interp".to_owned()))));
        let check = Request::Check("(lambda (x) x)".to_owned(), "(list 1 2)".to_owned());
        assert_eq!(parse(":check (lambda (x) x)  (list 1 2)"), Ok(check));
        assert!(parse(":re").is_err(), "two commands begin so");
        for wrong in [":", ":lod x", ":load", ":reload x", ":check f", ":quit now", "::help x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn help_names_each_command() {
        assert!(COMMANDS.iter().all(|command| help().contains(&format!(":{} ", command.name))));
    }
}

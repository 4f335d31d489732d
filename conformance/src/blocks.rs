//! The programs in a Markdown text: blocks fenced with the name of a language, as ` ```vlad `, which carry expectations
//! like the cases of the corpus, and such as ` ```vlad,no-run `, which are shown only.

use vlad_shared::frontend::languages::Languages;
use vlad_shared::language::Language;

/// A fenced block of a program.
#[derive(Clone, Debug)]
pub struct Block {
    /// The language.
    pub language: &'static dyn Language,
    /// The line of the text (from 1) of the first line between the fences.
    pub line: usize,
    /// The lines between the fences.
    pub text: String,
    /// The use of the block: run or only shown.
    pub role: Role,
}

/// The use of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is a case.
    Run,
    /// It is shown only.
    Shown,
}

/// The blocks of programs in a Markdown text, in order.
///
/// # Errors
/// Returns a message that names the line if a fence begins with the name of a language but is neither of the two, or if a
/// block is not closed.
pub fn blocks(markdown: &str) -> Result<Vec<Block>, String> {
    let mut found = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(information) = line.trim_start().strip_prefix("```") else { continue };
        let information = information.trim();
        let of = |language: &'static dyn Language| Some((language, information.strip_prefix(language.name())?));
        let role = match Languages::default().all().find_map(of) {
            Some((language, "")) => Some((language, Role::Run)),
            Some((language, ",no-run")) => Some((language, Role::Shown)),
            Some((language, _)) => {
                let name = language.name();
                let expected = format!("a block is ```{name} or ```{name},no-run");
                return Err(format!("line {}: {expected}, not ```{information}", at + 1));
            }
            None => None,
        };
        let mut text = String::new();
        loop {
            match lines.next() {
                Some((_, line)) if line.trim() == "```" => break,
                Some((_, line)) => {
                    text.push_str(line);
                    text.push('\n');
                }
                None => return Err(format!("line {}: the block is not closed", at + 1)),
            }
        }
        if let Some((language, role)) = role {
            found.push(Block { language, line: at + 2, text, role });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_programs_are_found() {
        let markdown = "# A\n```vlad\n(+ 1 2)\n;; expect: 3\n```\n```text\n```\n```fsmooth,no-run\nf\n```\n";
        let found = blocks(markdown).unwrap();
        let found: Vec<(&str, usize, &str, Role)> =
            found.iter().map(|block| (block.language.name(), block.line, block.text.as_str(), block.role)).collect();
        let expected = [("vlad", 3, "(+ 1 2)\n;; expect: 3\n", Role::Run), ("fsmooth", 9, "f\n", Role::Shown)];
        assert_eq!(found, expected);
    }

    #[test]
    fn other_fences_of_vlad_are_errors() {
        assert!(blocks("```vlad no-run\n```\n").is_err());
        assert!(blocks("```vlad\n").is_err());
    }
}

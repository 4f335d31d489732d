//! The programs in a Markdown text: blocks fenced as ` ```vlad `, which carry expectations like the cases of the
//! corpus, and ` ```vlad,no-run `, which are shown only.

/// A fenced block of VLAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
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

/// The blocks of VLAD in a Markdown text, in order.
///
/// # Errors
/// Returns a message that names the line if a fence begins with `vlad` but is neither of the two, or if a block is not
/// closed.
pub fn blocks(markdown: &str) -> Result<Vec<Block>, String> {
    let mut found = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(information) = line.trim_start().strip_prefix("```") else { continue };
        let role = match information.trim() {
            "vlad" => Some(Role::Run),
            "vlad,no-run" => Some(Role::Shown),
            other if other.starts_with("vlad") => {
                return Err(format!("line {}: a block is ```vlad or ```vlad,no-run, not ```{other}", at + 1));
            }
            _ => None,
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
        if let Some(role) = role {
            found.push(Block { line: at + 2, text, role });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_vlad_are_found() {
        let markdown = "# A\n```vlad\n(+ 1 2)\n;; expect: 3\n```\n```text\n```\n```vlad,no-run\n(f)\n```\n";
        let expected = [
            Block { line: 3, text: "(+ 1 2)\n;; expect: 3\n".to_owned(), role: Role::Run },
            Block { line: 9, text: "(f)\n".to_owned(), role: Role::Shown },
        ];
        assert_eq!(blocks(markdown).unwrap(), expected);
    }

    #[test]
    fn other_fences_of_vlad_are_errors() {
        assert!(blocks("```vlad no-run\n```\n").is_err());
        assert!(blocks("```vlad\n").is_err());
    }
}

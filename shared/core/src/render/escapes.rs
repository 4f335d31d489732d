//! Texts in reports, with escapes for characters that the report's readers would interpret.

/// A text on one line: characters that a terminal or a log parser would interpret are written as escapes.
pub fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// A text escaped for XML, between tags as well as within an attribute.
pub fn in_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // Attributes keep white space only as character references.
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", u32::from(character))),
            '\u{fffe}' | '\u{ffff}' => escaped.extend(character.escape_unicode()),
            control if control.is_control() => escaped.extend(control.escape_unicode()),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(in_xml("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&apos;");
        assert_eq!(in_xml("\n\t"), "&#10;&#9;");
        assert_eq!(in_xml("\u{1b}[31m\0\u{ffff}\u{85}"), "\\u{1b}[31m\\u{0}\\u{ffff}\\u{85}");
        assert_eq!(in_xml("é\u{10348}"), "é\u{10348}");
    }
}

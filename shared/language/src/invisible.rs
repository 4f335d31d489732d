//! Characters that look like a blank or like nothing, and are no white space of any language here. Texts that are copied from
//! pages and documents have them.

/// Returns the code of such a character and a hint; none for others.
pub fn invisible(character: char) -> Option<(String, String)> {
    let name = match character {
        '\u{a0}' => "a no-break space",
        '\u{202f}' => "a narrow no-break space",
        '\u{2007}' => "a figure space",
        '\u{200b}' => "a space of no width",
        '\u{ad}' => "a soft hyphen",
        '\u{200c}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => "invisible",
        _ if character.is_whitespace() && !character.is_ascii() => "a blank of another width",
        _ => return None,
    };
    let code = format!("U+{:04X}", u32::from(character));
    Some((code.clone(), format!("{code} is {name}: write a blank, or nothing")))
}

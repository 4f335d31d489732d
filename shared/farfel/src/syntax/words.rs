//! The classification of statements: raw tokens to those of the grammar, in which keywords are told from names.
//!
//! Keywords are not reserved. A statement that begins `x =` or `x(..) =`, without a comma outside of parentheses behind
//! that, is an assignment; any other begins with its keyword. The grammar gets a marker before an assignment.

use crate::syntax::lexer::{Raw, RawToken};
use crate::syntax::tree::{Binary, Mode};
use vlad_language::names::NameId;

/// A token of the grammar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token {
    /// A name.
    Name(NameId),
    /// A number without point and exponent.
    Integer(f64),
    /// Another number.
    Real(f64),
    /// Text, by its number.
    Text(u32),
    /// `.TRUE.` or `.FALSE.`.
    Logical(bool),
    /// A comparison.
    Comparison(Binary),
    /// `.AND.`.
    And,
    /// `.OR.`.
    Or,
    /// `.NOT.`.
    Not,
    /// `.EQV.` or `.NEQV.`.
    Equivalence(Binary),
    /// `TANGENT` or `COTANGENT`.
    Kind(Mode),
    /// A mark.
    Mark(Raw),
    /// A keyword.
    Word(Word),
}

macro_rules! words {
    ($($word:ident $text:literal)*) => {
        /// A keyword, or the marker before an assignment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // their texts say which they are
        pub enum Word {
            Assignment,
            $($word,)*
        }

        impl Word {
            /// Returns the keyword as written.
            pub fn text(self) -> &'static str {
                match self {
                    Word::Assignment => "=",
                    $(Word::$word => $text,)*
                }
            }
        }
    };
}

words! {
    Call "CALL" Continue "CONTINUE" Return "RETURN" Stop "STOP" Read "READ" Print "PRINT" If "IF" Then "THEN" Else "ELSE"
    ElseIf "ELSE IF" EndIf "END IF" Do "DO" While "WHILE" EndDo "END DO" Goto "GOTO" Adf "ADF" Adr "ADR"
    EndAdf "END ADF" EndAdr "END ADR" Program "PROGRAM" Function "FUNCTION" Subroutine "SUBROUTINE" End "END"
    Implicit "IMPLICIT" None "NONE" Dimension "DIMENSION" Parameter "PARAMETER" External "EXTERNAL"
    Intrinsic "INTRINSIC" RealType "REAL" IntegerType "INTEGER" LogicalType "LOGICAL"
    Include "INCLUDE" Interface "INTERFACE" EndInterface "END INTERFACE" Intent "INTENT"
}

/// The words that begin statements: the word or the words, and the keyword.
const BEGINNINGS: [(&[&str], Word); 48] = [
    (&["CALL"], Word::Call),
    (&["CONTINUE"], Word::Continue),
    (&["RETURN"], Word::Return),
    (&["STOP"], Word::Stop),
    (&["READ"], Word::Read),
    (&["PRINT"], Word::Print),
    (&["IF"], Word::If),
    (&["ELSE", "IF"], Word::ElseIf),
    (&["ELSEIF"], Word::ElseIf),
    (&["ELSE"], Word::Else),
    (&["END", "IF"], Word::EndIf),
    (&["ENDIF"], Word::EndIf),
    (&["DO"], Word::Do),
    (&["END", "DO"], Word::EndDo),
    (&["ENDDO"], Word::EndDo),
    (&["GO", "TO"], Word::Goto),
    (&["GOTO"], Word::Goto),
    (&["ADF"], Word::Adf),
    (&["ADR"], Word::Adr),
    (&["END", "ADF"], Word::EndAdf),
    (&["ENDADF"], Word::EndAdf),
    (&["END", "ADR"], Word::EndAdr),
    (&["ENDADR"], Word::EndAdr),
    (&["PROGRAM"], Word::Program),
    (&["FUNCTION"], Word::Function),
    (&["SUBROUTINE"], Word::Subroutine),
    (&["END", "PROGRAM"], Word::End),
    (&["END", "FUNCTION"], Word::End),
    (&["END", "SUBROUTINE"], Word::End),
    (&["IMPLICIT"], Word::Implicit),
    (&["DIMENSION"], Word::Dimension),
    (&["PARAMETER"], Word::Parameter),
    (&["EXTERNAL"], Word::External),
    (&["INTRINSIC"], Word::Intrinsic),
    (&["DOUBLE", "PRECISION"], Word::RealType),
    (&["DOUBLEPRECISION"], Word::RealType),
    (&["REAL"], Word::RealType),
    (&["INTEGER"], Word::IntegerType),
    (&["LOGICAL"], Word::LogicalType),
    (&["ENDPROGRAM"], Word::End),
    (&["ENDFUNCTION"], Word::End),
    (&["ENDSUBROUTINE"], Word::End),
    (&["INCLUDE"], Word::Include),
    (&["INTERFACE"], Word::Interface),
    (&["END", "INTERFACE"], Word::EndInterface),
    (&["ENDINTERFACE"], Word::EndInterface),
    (&["INTENT"], Word::Intent),
    (&["END"], Word::End),
];

/// Statements that there are not, with what to write instead.
const REFUSED: [(&str, &str); 25] = [
    ("COMMON", "pass the variables as arguments, or nest the subprograms: nested ones share the variables around them"),
    ("EQUIVALENCE", "use one name for one variable; an array argument can be reshaped by the parameter's bounds"),
    ("DATA", "assign the values at the beginning"),
    ("SAVE", "keep the variable in the subprogram around this one, which nested subprograms share"),
    ("ENTRY", "write a subprogram of its own; nested subprograms share variables"),
    ("BLOCK", "assign the values at the beginning of the program"),
    ("CHARACTER", "only PRINT has text, in quotes"),
    ("COMPLEX", "use two reals"),
    ("FORMAT", "PRINT *, prints each number with as many digits as it needs"),
    ("ASSIGN", "use a computed GOTO: GOTO (10, 20), I"),
    ("WRITE", "use PRINT *, .."),
    ("OPEN", "programs read with READ *, and print with PRINT *,"),
    ("CLOSE", "programs read with READ *, and print with PRINT *,"),
    ("INQUIRE", "programs read with READ *, and print with PRINT *,"),
    ("REWIND", "programs read with READ *, and print with PRINT *,"),
    ("BACKSPACE", "programs read with READ *, and print with PRINT *,"),
    ("ENDFILE", "programs read with READ *, and print with PRINT *,"),
    ("PAUSE", "use STOP"),
    ("NAMELIST", "use READ *, .."),
    ("MODULE", "nest the subprograms in one that has the variables they share"),
    ("USE", "nest the subprograms in one that has the variables they share"),
    ("CONTAINS", "nested subprograms stand between the specifications and the statements"),
    ("SELECT", "use IF (..) THEN .. ELSE IF, or a computed GOTO"),
    ("EXIT", "use GOTO and a label behind the loop"),
    ("CYCLE", "use GOTO and the label of the end of the loop"),
];

/// The error of `REAL*8`, and its hint.
const NO_LENGTHS: &str = "types have no lengths";
const DOUBLES: &str = "every REAL is a double, every INTEGER a whole double";

/// The most lists with loops in one another, in READ and PRINT.
const MOST_LISTS: usize = 20;

/// The most parentheses in one another in statements of differentiation.
const MOST_PARENTHESES: usize = 100;

/// An error of the classification: the index of the token, a message, and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misuse {
    /// The index of the raw token.
    pub at: usize,
    /// The message.
    pub message: String,
    /// The hint.
    pub hint: Option<String>,
}

fn misuse<T>(at: usize, message: impl Into<String>, hint: &str) -> Result<T, Misuse> {
    let hint = if hint.is_empty() { None } else { Some(hint.to_owned()) };
    Err(Misuse { at, message: message.into(), hint })
}

/// The raw tokens of a statement with their texts, and the keywords found among them.
pub struct Words<'line> {
    text: &'line str,
    tokens: &'line [RawToken],
    /// The keyword that each of some tokens is, in order: the index of the token, how many tokens it takes, the keyword.
    /// An assignment takes none.
    pub found: Vec<(usize, usize, Word)>,
    /// True if `TANGENT` and `COTANGENT` before a parenthesis are words here.
    pub has_kinds: bool,
}

impl<'line> Words<'line> {
    /// Finds the keywords of a statement, which has at least one token.
    ///
    /// # Errors
    /// A statement that there is not.
    pub fn find(text: &'line str, tokens: &'line [RawToken]) -> Result<Words<'line>, Misuse> {
        let mut words = Words { text, tokens, found: vec![], has_kinds: false };
        words.statement(0)?;
        Ok(words)
    }

    /// Returns true if the statement includes a text, whose name is the token behind the keyword.
    pub fn is_inclusion(&self) -> bool {
        matches!(self.found.as_slice(), [(0, 1, Word::Include)])
    }

    fn kind(&self, at: usize) -> Option<Raw> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn written(&self, at: usize) -> &'line str {
        let range = self.tokens.get(at).map(|token| token.start as usize..token.end as usize);
        range.and_then(|range| self.text.get(range)).unwrap_or("")
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.kind(at) == Some(Raw::Word) && self.written(at).eq_ignore_ascii_case(word)
    }

    /// Returns the index behind the parenthesis that closes the one at an index.
    fn behind_group(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                Raw::Open => depth += 1,
                Raw::Close if depth <= 1 => return Some(index + 1),
                Raw::Close => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Refuses parentheses that nest deep, since lists nest in them.
    fn check_depth(&self) -> Result<(), Misuse> {
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Raw::Open => depth += 1,
                Raw::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MOST_PARENTHESES {
                return misuse(
                    index,
                    format!("parentheses nest more than {MOST_PARENTHESES} deep in this statement"),
                    "",
                );
            }
        }
        Ok(())
    }

    /// Refuses lists with loops that nest deep: each has a `=` of its own.
    fn check_lists(&self) -> Result<(), Misuse> {
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Raw::Open => depth += 1,
                Raw::Close => depth = depth.saturating_sub(1),
                Raw::Equals if depth > MOST_LISTS => {
                    return misuse(index, format!("lists nest more than {MOST_LISTS} deep in this statement"), "");
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn is_assignment(&self, at: usize) -> bool {
        let equals = match (self.kind(at), self.kind(at + 1)) {
            (Some(Raw::Word), Some(Raw::Equals)) => at + 1,
            (Some(Raw::Word), Some(Raw::Open)) => match self.behind_group(at + 1) {
                Some(behind) if self.kind(behind) == Some(Raw::Equals) => behind,
                _ => return false,
            },
            _ => return false,
        };
        let mut depth = 0_isize;
        self.tokens.iter().skip(equals + 1).all(|token| {
            match token.kind {
                Raw::Open => depth += 1,
                Raw::Close => depth -= 1,
                _ => {}
            }
            token.kind != Raw::Comma || depth > 0
        })
    }

    fn statement(&mut self, at: usize) -> Result<(), Misuse> {
        if self.is_assignment(at) {
            self.found.push((at, 0, Word::Assignment));
            return Ok(());
        }
        if self.kind(at) != Some(Raw::Word) {
            return misuse(at, "a statement begins with a name or a keyword", "");
        }
        let Some((words, word)) = BEGINNINGS
            .into_iter()
            .find(|(words, _)| words.iter().enumerate().all(|(place, word)| self.is_word(at + place, word)))
        else {
            return self.unknown(at);
        };
        self.found.push((at, words.len(), word));
        let next = at + words.len();
        match word {
            Word::If => self.condition(at, next),
            Word::ElseIf => {
                if let Some(last) = self.tokens.len().checked_sub(1).filter(|last| self.is_word(*last, "THEN")) {
                    self.found.push((last, 1, Word::Then));
                }
                Ok(())
            }
            Word::Do if self.is_word(next, "WHILE") => {
                self.found.push((next, 1, Word::While));
                Ok(())
            }
            Word::Adf | Word::Adr | Word::EndAdf | Word::EndAdr => {
                self.has_kinds = true;
                self.check_depth()
            }
            Word::Goto if self.kind(next) == Some(Raw::Word) => misuse(
                next,
                "a GOTO to an assigned label is not part of the language",
                "use a computed GOTO: GOTO (10, 20), I",
            ),
            Word::Return if next < self.tokens.len() => misuse(
                next,
                "an alternate RETURN is not part of the language",
                "assign a number to a parameter and use a computed GOTO behind the call",
            ),
            Word::Read | Word::Print if self.kind(next) == Some(Raw::Star) => self.check_lists(),
            Word::Read | Word::Print if self.kind(next) != Some(Raw::Star) => {
                let hint = format!("use {} *, ..", word.text());
                misuse(next.min(self.tokens.len() - 1), "there are no formats and units", &hint)
            }
            Word::RealType | Word::IntegerType | Word::LogicalType => self.declaration(next),
            Word::Include if self.kind(next) == Some(Raw::Text) && next + 1 == self.tokens.len() => Ok(()),
            Word::Include => misuse(at, "INCLUDE is followed by the name of a file in quotes", "INCLUDE 'file.f'"),
            Word::Implicit => self.implicit(next),
            // A name behind END repeats that of the subprogram.
            Word::End if words.len() == 1 && self.kind(next) == Some(Raw::Word) => {
                misuse(next, format!("there is no END {}", self.written(next).to_ascii_uppercase()), "")
            }
            _ => Ok(()),
        }
    }

    fn unknown(&self, at: usize) -> Result<(), Misuse> {
        let word = self.written(at).to_ascii_uppercase();
        if let Some((_, hint)) = REFUSED.into_iter().find(|(refused, _)| *refused == word) {
            return misuse(at, format!("{word} is not part of the language"), hint);
        }
        let run_together = BEGINNINGS.into_iter().find(|(words, _)| {
            words.len() == 1 && words.first().is_some_and(|first| first.len() > 1 && word.starts_with(first))
        });
        match run_together {
            Some((_, keyword)) => misuse(
                at,
                format!("no statement begins with `{word}`"),
                &format!("a keyword and what follows are separated by a blank: {} ..", keyword.text()),
            ),
            None if at == 0 && word.starts_with('C') => {
                let hint = "a name holds no blanks, and a comment has one behind the C";
                misuse(at, format!("no statement begins with `{word}`"), hint)
            }
            None => misuse(at, format!("no statement begins with `{word}`"), "a name holds no blanks"),
        }
    }

    /// Finds the keywords behind the condition of an IF.
    fn condition(&mut self, at: usize, open: usize) -> Result<(), Misuse> {
        let Some(behind) = self.behind_group(open).filter(|_| self.kind(open) == Some(Raw::Open)) else {
            return Ok(());
        };
        if behind >= self.tokens.len() {
            return misuse(at, "a statement or THEN is missing behind the condition", "");
        }
        if self.is_word(behind, "THEN") && behind + 1 == self.tokens.len() {
            self.found.push((behind, 1, Word::Then));
            return Ok(());
        }
        if self.kind(behind) == Some(Raw::Integer) {
            return Ok(());
        }
        self.statement(behind)?;
        let inner = self.found.iter().find(|(index, ..)| *index == behind).map(|(.., word)| *word);
        match inner {
            Some(
                Word::Assignment
                | Word::Call
                | Word::Continue
                | Word::Return
                | Word::Stop
                | Word::Read
                | Word::Print
                | Word::Goto,
            ) => Ok(()),
            Some(word) => misuse(
                behind,
                format!("{} does not stand behind the condition of an IF on one line", word.text()),
                "use IF (..) THEN .. END IF",
            ),
            None => Ok(()),
        }
    }

    /// Finds FUNCTION behind a type, and refuses lengths of types.
    fn declaration(&mut self, next: usize) -> Result<(), Misuse> {
        if self.kind(next) == Some(Raw::Star) {
            return misuse(next, NO_LENGTHS, DOUBLES);
        }
        if self.is_word(next, "FUNCTION") && self.kind(next + 1) == Some(Raw::Word) {
            self.found.push((next, 1, Word::Function));
        }
        Ok(())
    }

    /// Finds the types of an IMPLICIT statement.
    fn implicit(&mut self, next: usize) -> Result<(), Misuse> {
        if self.is_word(next, "NONE") {
            self.found.push((next, 1, Word::None));
            return Ok(());
        }
        let (mut at, mut depth) = (next, 0_isize);
        while let Some(kind) = self.kind(at) {
            match kind {
                Raw::Open => depth += 1,
                Raw::Close => depth -= 1,
                Raw::Word if depth == 0 => {
                    let words = BEGINNINGS.into_iter().find(|(words, _)| {
                        words.iter().enumerate().all(|(place, word)| self.is_word(at + place, word))
                    });
                    if let Some((words, word @ (Word::RealType | Word::IntegerType | Word::LogicalType))) = words {
                        self.found.push((at, words.len(), word));
                        at += words.len();
                        if self.kind(at) == Some(Raw::Star) {
                            return misuse(at, NO_LENGTHS, DOUBLES);
                        }
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        Ok(())
    }
}

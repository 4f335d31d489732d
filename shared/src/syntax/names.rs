//! Names as numbers: each name of a program is kept once, and keywords have fixed numbers.

use crate::internal_bug;
use crate::table::Primitive;
use std::collections::HashMap;
use std::rc::Rc;

/// The number of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// A name that the syntax has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their texts say what they are
pub enum Keyword {
    And,
    Begin,
    Cond,
    Cons,
    ConsStar,
    Define,
    Else,
    If,
    Include,
    Lambda,
    Let,
    LetStar,
    Letrec,
    List,
    Or,
    Quote,
    Vector,
}

/// The keywords in the order of [`Keyword`], which is that of their numbers as names.
const KEYWORDS: [(Keyword, &str); 17] = [
    (Keyword::And, "and"),
    (Keyword::Begin, "begin"),
    (Keyword::Cond, "cond"),
    (Keyword::Cons, "cons"),
    (Keyword::ConsStar, "cons*"),
    (Keyword::Define, "define"),
    (Keyword::Else, "else"),
    (Keyword::If, "if"),
    (Keyword::Include, "include"),
    (Keyword::Lambda, "lambda"),
    (Keyword::Let, "let"),
    (Keyword::LetStar, "let*"),
    (Keyword::Letrec, "letrec"),
    (Keyword::List, "list"),
    (Keyword::Or, "or"),
    (Keyword::Quote, "quote"),
    (Keyword::Vector, "vector"),
];

impl Keyword {
    /// The keyword that a name is, if it is one.
    pub fn of(name: NameId) -> Option<Keyword> {
        KEYWORDS.get(name.0 as usize).map(|(keyword, _)| *keyword)
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        KEYWORDS.get(self as usize).map_or("", |(_, text)| text)
    }
}

/// The names of a program.
#[derive(Debug)]
pub struct Names {
    numbers: HashMap<Rc<str>, NameId>,
    texts: Vec<Rc<str>>,
}

impl Names {
    /// `cons`.
    pub const CONS: NameId = NameId(Keyword::Cons as u32);
    /// `else`.
    pub const ELSE: NameId = NameId(Keyword::Else as u32);
    /// `=>`, which is refused in `cond`.
    pub const ARROW: NameId = NameId(KEYWORDS.len() as u32);
    /// The variable that `or` binds. No text reads as this name, so it captures nothing.
    pub const OR_VALUE: NameId = NameId(KEYWORDS.len() as u32 + 1);
    /// The variable that `begin` binds. No text reads as this name either.
    pub const IGNORED: NameId = NameId(KEYWORDS.len() as u32 + 2);
    /// The primitive that `vector` applies, whatever a program defines by its name. No text reads as this name either.
    pub const LIST_TO_VECTOR: NameId = NameId(KEYWORDS.len() as u32 + 3);

    /// The names that every program begins with.
    pub fn new() -> Names {
        let mut names = Names { numbers: HashMap::new(), texts: vec![] };
        for (_, text) in KEYWORDS {
            names.intern(text);
        }
        names.intern("=>");
        // These are left out of the map, so that reading never finds them.
        for text in ["or", "ignored", Primitive::ListToVector.name()] {
            names.hidden(text);
        }
        names
    }

    /// The number of a name, new or old.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(name) = self.numbers.get(text) {
            return *name;
        }
        let name = NameId(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, name);
        name
    }

    /// A new name that is written like a text and that no text reads as.
    pub fn hidden(&mut self, text: &str) -> NameId {
        self.texts.push(text.into());
        NameId(self.texts.len() as u32 - 1)
    }

    /// Tells if some text reads as a name.
    pub fn is_readable(&self, name: NameId) -> bool {
        self.find(self.text(name)) == Some(name)
    }

    /// The number of a name that has been seen.
    pub fn find(&self, text: &str) -> Option<NameId> {
        self.numbers.get(text).copied()
    }

    /// How a name is written.
    pub fn text(&self, name: NameId) -> &str {
        match self.texts.get(name.0 as usize) {
            Some(text) => text,
            None => internal_bug!("name {} has a text", name.0),
        }
    }

    /// How many there are: their numbers are below this.
    pub fn count(&self) -> usize {
        self.texts.len()
    }
}

impl Default for Names {
    fn default() -> Self {
        Names::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_the_numbers_of_their_names() {
        let names = Names::new();
        for (number, (keyword, text)) in KEYWORDS.iter().enumerate() {
            assert_eq!(*keyword as usize, number);
            assert_eq!(names.find(text).and_then(Keyword::of), Some(*keyword));
        }
        assert_eq!(names.find("=>"), Some(Names::ARROW));
        assert_eq!(Keyword::of(Names::ARROW), None);
        assert_ne!(names.find("or"), Some(Names::OR_VALUE));
        assert_eq!(names.text(Names::LIST_TO_VECTOR), "list->vector");
        assert_eq!(names.find("list->vector"), None);
    }
}

//! Interning of names: each name of a program is stored once and has a number; keywords have fixed numbers.

use std::collections::HashMap;
use std::rc::Rc;
use vlad_table::primitives::PRIMITIVES;
use vlad_table::{Primitive, internal_bug};

/// The number of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// A reserved name of VLAD. In other languages it may be a name like any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their texts say which they are
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
    /// Returns the keyword that a name is, if it is one.
    pub fn of(name: NameId) -> Option<Keyword> {
        KEYWORDS.get(name.0 as usize).map(|(keyword, _)| *keyword)
    }

    /// The texts of all keywords.
    pub fn texts() -> impl Iterator<Item = &'static str> {
        KEYWORDS.into_iter().map(|(_, text)| text)
    }

    /// Returns its text.
    pub fn text(self) -> &'static str {
        KEYWORDS.get(self as usize).map_or("", |(_, text)| text)
    }
}

/// The names of a program.
#[derive(Clone, Debug)]
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

    /// The prelude's `build`, whatever a program defines by its name. No text reads as this name.
    pub const BUILD: NameId = NameId(KEYWORDS.len() as u32 + 3 + PRIMITIVES.len() as u32);
    /// The prelude's `ifold`, in the same way.
    pub const IFOLD: NameId = NameId(KEYWORDS.len() as u32 + 4 + PRIMITIVES.len() as u32);

    /// Makes the table of names that every program begins with.
    pub fn new() -> Names {
        let mut names = Names { numbers: HashMap::new(), texts: vec![] };
        for (_, text) in KEYWORDS {
            names.intern(text);
        }
        names.intern("=>");
        // These are left out of the map, so that no text reads as them.
        let primitives = PRIMITIVES.iter().map(|row| row.name);
        for text in ["or", "ignored"].into_iter().chain(primitives).chain(["build", "ifold"]) {
            names.hidden(text);
        }
        names
    }

    /// Returns the name that means a primitive whatever a program defines by its name. No text reads as it either.
    pub const fn primitive(primitive: Primitive) -> NameId {
        NameId(KEYWORDS.len() as u32 + 3 + primitive as u32)
    }

    /// Returns the number of a name, new or old.
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

    /// Adds a name that is printed as the text, but that no text reads as.
    pub fn hidden(&mut self, text: &str) -> NameId {
        self.texts.push(text.into());
        NameId(self.texts.len() as u32 - 1)
    }

    /// Returns true if some text reads as a name.
    pub fn is_readable(&self, name: NameId) -> bool {
        self.find(self.text(name)) == Some(name)
    }

    /// Returns the number of a name that has been interned.
    pub fn find(&self, text: &str) -> Option<NameId> {
        self.numbers.get(text).copied()
    }

    /// Returns the text of a name.
    pub fn text(&self, name: NameId) -> &str {
        match self.texts.get(name.0 as usize) {
            Some(text) => text,
            None => internal_bug!("name {} has a text", name.0),
        }
    }

    /// Returns the number of names: all numbers are below it.
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
        for row in &PRIMITIVES {
            assert_eq!(names.text(Names::primitive(row.primitive)), row.name);
            assert!(!names.is_readable(Names::primitive(row.primitive)));
        }
        for (name, text) in [(Names::BUILD, "build"), (Names::IFOLD, "ifold")] {
            assert!(names.text(name) == text && !names.is_readable(name));
        }
    }
}

//! What things are called in transformed code.
//!
//! A transformed variable is its name in the program with a mark behind it. Invariant: no marked name is one that the
//! program uses, and no two things that are seen at one place are called the same.

use super::Mode;
use super::source::{Reached, Source};
use crate::resolve::scope::Variable;
use crate::syntax::names::{NameId, Names};
use std::collections::{HashMap, HashSet};

/// The names of one output.
pub struct Spelling {
    /// The names that the program defines, those that the procedures bind, and those of what they call.
    taken: HashSet<String>,
    /// What is transformed at top level.
    tops: HashMap<Variable, String>,
    /// The names of those, without marks.
    top_bases: HashSet<String>,
    /// The mark of a transformed value: `>` or `<`.
    pub value: String,
    /// The mark of a backpropagator, `~`.
    pub backpropagator: String,
    /// The mark of a sensitivity, `^`.
    pub sensitivity: String,
}

impl Spelling {
    /// Finds marks and names.
    pub fn new(source: &Source, reached: &Reached, mode: Mode) -> Spelling {
        let bound = reached.bound.iter().map(|name| source.names.text(*name));
        let prelude = reached.procedures.iter().filter_map(|(variable, _)| source.definition(*variable));
        let prelude = prelude.map(|definition| source.names.text(definition.name));
        let primitives = reached.primitives.iter().map(|primitive| primitive.name());
        let taken = bound.chain(source.defined()).chain(prelude).chain(primitives).map(str::to_owned);
        let taken: HashSet<String> = taken.collect();
        let mut filler = String::new();
        let marks = loop {
            let marks = [mode.mark(), "~", "^"].map(|mark| format!("{filler}{mark}"));
            let meets = |name: &String| {
                let mut bases = marks.iter().filter_map(|mark| name.strip_suffix(mark.as_str()));
                bases.any(|base| taken.contains(base))
            };
            if !taken.iter().any(meets) {
                break marks;
            }
            filler.push('.');
        };
        let [value, backpropagator, sensitivity] = marks;
        let mut spelling =
            Spelling { taken, tops: HashMap::new(), top_bases: HashSet::new(), value, backpropagator, sensitivity };
        for (variable, _) in &reached.procedures {
            let base = source.definition(*variable).map_or("", |definition| source.names.text(definition.name));
            spelling.add_top(source, *variable, base);
        }
        for primitive in &reached.primitives {
            spelling.add_top(source, Variable::Primitive(*primitive), primitive.name());
        }
        spelling
    }

    fn add_top(&mut self, source: &Source, variable: Variable, base: &str) {
        let replaced = source.defines(base) && !matches!(variable, Variable::Program(_));
        // `cons` is the keyword's helper, which takes two operands.
        let base = match variable {
            Variable::Primitive(_) if base == "cons" => self.fresh("cons-procedure"),
            _ if replaced => self.fresh(base),
            _ => base.to_owned(),
        };
        self.tops.insert(variable, format!("{base}{}", self.value));
        self.top_bases.insert(base);
    }

    /// A name without a mark that is new to the program.
    pub fn fresh(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut number = 2;
        while self.is_taken(&name) {
            name = format!("{base}.{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    /// Whether the program uses a name, or one that is made of it with a mark.
    fn is_taken(&self, name: &str) -> bool {
        let marks = [&self.value, &self.backpropagator, &self.sensitivity];
        self.taken.contains(name) || marks.iter().any(|mark| self.taken.contains(&format!("{name}{mark}")))
    }

    /// The name of a further sensitivity of a variable, to be added to the first.
    pub fn numbered(&self, sensitivity: &str, number: usize) -> String {
        let mut name = format!("{sensitivity}{number}");
        while self.taken.contains(&name) {
            name.push('.');
        }
        name
    }

    /// The transformed version of a procedure or primitive.
    pub fn top(&self, variable: Variable) -> String {
        self.tops.get(&variable).cloned().unwrap_or_default()
    }

    /// A variable's name without a mark. Two that no program can name are called after the keywords that bind them.
    pub fn base<'names>(&self, names: &'names Names, name: NameId) -> &'names str {
        match name {
            Names::OR_VALUE => "or",
            Names::IGNORED => "begin",
            name => names.text(name),
        }
    }

    /// Names for the variables of one definition, all different, also from those at top level.
    pub fn supply(&self) -> Supply<'_> {
        Supply { spelling: self, used: self.top_bases.clone(), numbers: HashMap::new(), temporaries: 0 }
    }
}

/// Names without marks, all different.
pub struct Supply<'spelling> {
    spelling: &'spelling Spelling,
    used: HashSet<String>,
    /// The last number behind each name that was wanted more than once.
    numbers: HashMap<String, usize>,
    temporaries: usize,
}

impl Supply<'_> {
    /// A name for a variable that the program calls so.
    pub fn variable(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        while name != base && self.spelling.is_taken(&name) || !self.used.insert(name.clone()) {
            name = self.numbered(base);
        }
        name
    }

    fn numbered(&mut self, base: &str) -> String {
        let number = self.numbers.entry(base.to_owned()).or_insert(1);
        *number += 1;
        format!("{base}.{number}")
    }

    /// A name for something that the program does not name.
    pub fn temporary(&mut self) -> String {
        loop {
            self.temporaries += 1;
            let name = format!("t{}", self.temporaries);
            if !self.spelling.is_taken(&name) && self.used.insert(name.clone()) {
                return name;
            }
        }
    }

    /// A name for something that the program does not name, after what it is.
    pub fn called(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        while self.spelling.is_taken(&name) || !self.used.insert(name.clone()) {
            name = self.numbered(base);
        }
        name
    }
}

//! The names in transformed code.
//!
//! A transformed variable has its name in the program with a suffix. Invariant: no suffixed name is one that the
//! program uses, and no two things visible at one place have the same name.

use crate::resolve::scope::Variable;
use crate::transformation::modes::Mode;
use crate::transformation::source::{ReachableCode, Source};
use std::collections::{HashMap, HashSet};
use vlad_language::names::{NameId, Names};

/// The names of one output.
pub struct Spelling {
    /// The names that the program defines, those that the procedures bind, and those of their callees.
    taken: HashSet<String>,
    /// The names of the top-level transformed procedures and primitives.
    tops: HashMap<Variable, String>,
    /// The same names, without suffixes.
    top_bases: HashSet<String>,
    /// The suffix of a transformed value: `>` or `<`.
    pub value: String,
    /// The suffix of a backpropagator, `~`.
    pub backpropagator: String,
    /// The suffix of a sensitivity, `^`.
    pub sensitivity: String,
}

impl Spelling {
    /// Chooses suffixes and names.
    pub fn new(source: &Source, reached: &ReachableCode, mode: Mode) -> Spelling {
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
        let replaced = source.own_meaning(base).is_some_and(|own| own != variable);
        // The transformed `cons` names the helper for the keyword, which takes two operands.
        let base = match variable {
            Variable::Primitive(_) if base == "cons" => self.fresh("cons-procedure"),
            _ if replaced => self.fresh(base),
            _ => base.to_owned(),
        };
        self.tops.insert(variable, format!("{base}{}", self.value));
        self.top_bases.insert(base);
    }

    /// Returns a name without a suffix that is new to the program.
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

    /// Returns true if the program uses a name, with or without a suffix.
    fn is_taken(&self, name: &str) -> bool {
        let marks = [&self.value, &self.backpropagator, &self.sensitivity];
        self.taken.contains(name) || marks.iter().any(|mark| self.taken.contains(&format!("{name}{mark}")))
    }

    /// Returns the name of a further sensitivity of a variable, to be added to the first.
    pub fn numbered(&self, sensitivity: &str, number: usize) -> String {
        let mut name = format!("{sensitivity}{number}");
        while self.taken.contains(&name) {
            name.push('.');
        }
        name
    }

    /// Returns the name of the transformed version of a procedure or primitive.
    pub fn top(&self, variable: Variable) -> String {
        self.tops.get(&variable).cloned().unwrap_or_default()
    }

    /// Returns a variable's name without a suffix. The two variables that no program can name are named after their
    /// keywords.
    pub fn base<'names>(&self, names: &'names Names, name: NameId) -> &'names str {
        match name {
            Names::OR_VALUE => "or",
            Names::IGNORED => "begin",
            name => names.text(name),
        }
    }

    /// Returns a supply of names for the variables of one definition, all different, also from those at top level.
    pub fn supply(&self) -> Supply<'_> {
        Supply { spelling: self, used: self.top_bases.clone(), numbers: HashMap::new(), temporaries: 0 }
    }
}

/// A supply of different names without suffixes.
pub struct Supply<'spelling> {
    spelling: &'spelling Spelling,
    used: HashSet<String>,
    /// The last number appended to each name that was requested more than once.
    numbers: HashMap<String, usize>,
    temporaries: usize,
}

impl Supply<'_> {
    /// Returns a name for a variable with that name in the program.
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

    /// Returns a name for a temporary.
    pub fn temporary(&mut self) -> String {
        loop {
            self.temporaries += 1;
            let name = format!("t{}", self.temporaries);
            if !self.spelling.is_taken(&name) && self.used.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Returns a descriptive name for a value without a name in the program.
    pub fn called(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        while self.spelling.is_taken(&name) || !self.used.insert(name.clone()) {
            name = self.numbered(base);
        }
        name
    }
}

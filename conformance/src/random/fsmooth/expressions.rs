//! The expressions of random programs in F-smooth.

use super::{FsGenerator, FsType, Function};

impl FsGenerator {
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.numbers.below(100) < percent
    }

    pub(super) fn word(&mut self, words: &[&'static str]) -> &'static str {
        let place = self.numbers.below(words.len());
        words.get(place).copied().unwrap_or_default()
    }

    pub(super) fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// Returns a type without functions.
    pub(super) fn data_type(&mut self, depth: usize) -> FsType {
        match self.numbers.below(if depth == 0 { 5 } else { 9 }) {
            0..3 => FsType::Double,
            3 => FsType::Index,
            4 => FsType::Boolean,
            5..8 => FsType::Array(Box::new(self.data_type(depth - 1))),
            _ => FsType::Pair(Box::new(self.data_type(depth - 1)), Box::new(self.data_type(depth - 1))),
        }
    }

    /// Returns a definition of a function or a value; its parameters are in scope in its body alone.
    pub(super) fn definition(&mut self) -> String {
        let name = self.name('f');
        let count = self.numbers.below(4);
        let result = self.data_type(2);
        let mut header = String::new();
        let mut parameters = vec![];
        let outer = self.variables.clone();
        for _ in 0..count {
            let (parameter, of) = (self.name('x'), self.data_type(2));
            // Without an annotation the kinds of a parameter are those of its uses, which may be wider.
            header.push_str(&match self.chance(50) {
                true => format!(" ({parameter} : {})", of.text()),
                false => format!(" {parameter}"),
            });
            self.variables.push((parameter, of.clone()));
            parameters.push(of);
        }
        let body = self.expression(&result, 6);
        self.variables = outer;
        let annotation = if self.chance(30) { format!(" : {}", result.text()) } else { String::new() };
        if count == 0 {
            let value = format!("let {name} : {} = {body}\n", result.text());
            self.variables.push((name, result));
            return value;
        }
        self.functions.push(Function { name: name.clone(), parameters, result });
        format!("let {name}{header}{annotation} =\n  {body}\n")
    }

    /// Returns an expression of a type, in parentheses unless it is an atom.
    pub(super) fn expression(&mut self, wanted: &FsType, depth: usize) -> String {
        if depth == 0 {
            return self.atom(wanted);
        }
        match self.numbers.below(14) {
            0 | 1 => self.atom(wanted),
            2 => {
                let condition = self.expression(&FsType::Boolean, depth - 1);
                let (first, second) = (self.expression(wanted, depth - 1), self.expression(wanted, depth - 1));
                format!("(if {condition} then {first} else {second})")
            }
            3 => self.binding(wanted, depth),
            4 => self.call(wanted, depth),
            5 => {
                let array = self.expression(&FsType::Array(Box::new(wanted.clone())), depth - 1);
                let index = self.index(depth - 1);
                format!("({array}[{index}])")
            }
            6 => {
                let other = self.data_type(1);
                let (name, first, second) = match self.chance(50) {
                    true => ("fst", wanted.clone(), other),
                    false => ("snd", other, wanted.clone()),
                };
                let pair = self.expression(&FsType::Pair(Box::new(first), Box::new(second)), depth - 1);
                format!("({name} {pair})")
            }
            7 => self.fold(wanted, depth),
            8 => {
                let (name, of) = (self.name('x'), self.data_type(1));
                let argument = self.expression(&of, depth - 1);
                let body = self.with(&name, &of, |generator| generator.expression(wanted, depth - 1));
                format!("((fun ({name} : {}) -> {body}) {argument})", of.text())
            }
            _ => self.constructed(wanted, depth),
        }
    }

    fn with<T>(&mut self, name: &str, of: &FsType, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.variables.push((name.to_owned(), of.clone()));
        let made = inner(self);
        self.variables.pop();
        made
    }

    fn binding(&mut self, wanted: &FsType, depth: usize) -> String {
        let (name, of) = (self.name('x'), self.data_type(1));
        let value = self.expression(&of, depth - 1);
        let body = self.with(&name, &of, |generator| generator.expression(wanted, depth - 1));
        // The value has the type of the annotation, whatever kinds it could have.
        format!("(let {name} = ({value} : {}) in {body})", of.text())
    }

    fn call(&mut self, wanted: &FsType, depth: usize) -> String {
        let fitting: Vec<Function> =
            self.functions.iter().filter(|function| function.result == *wanted).cloned().collect();
        if fitting.is_empty() {
            return self.constructed(wanted, depth);
        }
        let chosen = self.numbers.below(fitting.len());
        let Some(function) = fitting.into_iter().nth(chosen) else { return self.atom(wanted) };
        let arguments: Vec<String> =
            function.parameters.iter().map(|parameter| self.expression(parameter, depth - 1)).collect();
        if self.chance(20) {
            let name = self.name('g');
            let (first, rest) = (arguments.first().cloned().unwrap_or_default(), arguments.get(1..).unwrap_or(&[]));
            return format!("(let {name} = {} {first} in {name} {})", function.name, rest.join(" "));
        }
        format!("({} {})", function.name, arguments.join(" "))
    }

    fn fold(&mut self, wanted: &FsType, depth: usize) -> String {
        let (state, index) = (self.name('s'), self.name('i'));
        let start = self.expression(wanted, depth - 1);
        let count = self.size(depth - 1);
        let step = self.with(&state, wanted, |generator| {
            generator.with(&index, &FsType::Index, |generator| generator.expression(wanted, depth - 1))
        });
        format!("(ifold (fun ({state} : {}) {index} -> {step}) {start} {count})", wanted.text())
    }

    /// Returns an index of a small array, most of the time.
    fn index(&mut self, depth: usize) -> String {
        match self.numbers.below(4) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            _ => self.expression(&FsType::Index, depth.min(1)),
        }
    }

    /// Returns a size or count of at most four.
    fn size(&mut self, depth: usize) -> String {
        match self.numbers.below(3) {
            0 => format!("(min {} 3)", self.expression(&FsType::Index, depth.min(1))),
            _ => format!("{}", self.numbers.below(4)),
        }
    }

    fn atom(&mut self, wanted: &FsType) -> String {
        let fitting: Vec<String> =
            self.variables.iter().filter(|(_, of)| fits(of, wanted)).map(|(name, _)| name.clone()).collect();
        if !fitting.is_empty() && self.chance(70) {
            let chosen = self.numbers.below(fitting.len());
            if let Some(name) = fitting.into_iter().nth(chosen) {
                return name;
            }
        }
        match wanted {
            FsType::Double => self.word(&["0.5", "2", "1e-3", "(-3)", "1.0", "0", "7.25"]).to_owned(),
            FsType::Index => self.word(&["0", "1", "2", "3"]).to_owned(),
            FsType::Boolean => self.word(&["true", "false"]).to_owned(),
            FsType::Array(element) => match self.numbers.below(3) {
                0 => format!("([| |] : {})", wanted.text()),
                count => {
                    let elements: Vec<String> = (0..count).map(|_| self.atom(element)).collect();
                    format!("[| {} |]", elements.join("; "))
                }
            },
            FsType::Pair(first, second) => format!("({}, {})", self.atom(first), self.atom(second)),
        }
    }

    fn constructed(&mut self, wanted: &FsType, depth: usize) -> String {
        let less = depth - 1;
        match wanted {
            FsType::Double => self.double(less),
            FsType::Index => {
                let (first, second) = (self.expression(&FsType::Index, less), self.expression(&FsType::Index, less));
                match self.numbers.below(8) {
                    0 => format!("({first} + {second})"),
                    1 => format!("({first} * {second})"),
                    2 => format!("(max {first} {second})"),
                    3 => format!("(modulo {first} 3)"),
                    4 => format!("(abs ({first} - {second}))"),
                    5 => format!("(quotient {first} 2)"),
                    _ => {
                        let element = self.data_type(1);
                        format!("(length {})", self.expression(&FsType::Array(Box::new(element)), less))
                    }
                }
            }
            FsType::Boolean => match self.numbers.below(5) {
                0 => {
                    let operator = self.word(&["&&", "||"]);
                    let (first, second) =
                        (self.expression(&FsType::Boolean, less), self.expression(&FsType::Boolean, less));
                    format!("({first} {operator} {second})")
                }
                1 => format!("(!{})", self.expression(&FsType::Boolean, less)),
                _ => {
                    let of = if self.chance(70) { FsType::Double } else { FsType::Index };
                    let operator = self.word(&["<", ">", "<=", ">=", "=", "==", "<>"]);
                    format!("({} {operator} {})", self.expression(&of, less), self.expression(&of, less))
                }
            },
            FsType::Array(element) => match self.numbers.below(3) {
                0 => {
                    let count = self.numbers.below(4);
                    let elements: Vec<String> = (0..count).map(|_| self.expression(element, less)).collect();
                    format!("([| {} |] : {})", elements.join("; "), wanted.text())
                }
                _ => {
                    let index = self.name('i');
                    let size = self.size(less);
                    let body = self.with(&index, &FsType::Index, |generator| generator.expression(element, less));
                    format!("(build {size} (fun {index} -> {body}))")
                }
            },
            FsType::Pair(first, second) => {
                format!("({}, {})", self.expression(first, less), self.expression(second, less))
            }
        }
    }

    fn double(&mut self, depth: usize) -> String {
        if self.chance(15) {
            return self.expression(&FsType::Index, depth);
        }
        let first = self.expression(&FsType::Double, depth);
        if self.chance(30) {
            let names = ["sin", "cos", "exp", "sqrt", "abs", "atan", "tanh", "floor", "negate", "log", "erf", "expm1"];
            return format!("({} {first})", self.word(&names));
        }
        if self.chance(10) {
            return format!("(-{first})");
        }
        let second = self.expression(&FsType::Double, depth);
        match self.numbers.below(9) {
            0 => format!("(max {first} {second})"),
            1 => format!("(min {first} {second})"),
            2 => format!("(guarded {first} {second})"),
            3 => format!("({first} ** {second})"),
            _ => format!("({first} {} {second})", self.word(&["+", "-", "*", "/", "*"])),
        }
    }
}

/// Returns true if a variable of a type may stand where another one is expected.
fn fits(of: &FsType, wanted: &FsType) -> bool {
    match (of, wanted) {
        (FsType::Index, FsType::Double) => true,
        (FsType::Array(of), FsType::Array(wanted)) => fits(of, wanted),
        (FsType::Pair(first, second), FsType::Pair(one, other)) => fits(first, one) && fits(second, other),
        (
            FsType::Double | FsType::Index | FsType::Boolean | FsType::Array(_) | FsType::Pair(..),
            FsType::Double | FsType::Index | FsType::Boolean | FsType::Array(_) | FsType::Pair(..),
        ) => of == wanted,
    }
}

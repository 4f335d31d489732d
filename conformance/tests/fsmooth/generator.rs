//! Random expressions of the type Double.

use vlad_derivatives::numbers::Numbers;

/// The names in scope.
#[derive(Clone, Default)]
pub struct Scope {
    /// The variables of the type Double.
    pub numbers: Vec<String>,
    /// The variables of the type Vector, all of length 3.
    pub vectors: Vec<String>,
    /// The variables of the type Index, all 0, 1 or 2.
    pub indices: Vec<String>,
}

impl Scope {
    fn with_number(&self, name: &str) -> Scope {
        let mut scope = self.clone();
        scope.numbers.push(name.to_owned());
        scope
    }

    fn with_index(&self, name: &str) -> Scope {
        let mut scope = self.clone();
        scope.indices.push(name.to_owned());
        scope
    }
}

/// The expressions that may occur.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Smoothness {
    /// Those with derivatives everywhere, which are small: central differences agree with them.
    Smooth,
    /// All.
    Any,
}

/// A writer of random expressions.
pub struct Writer {
    pub numbers: Numbers,
    pub smoothness: Smoothness,
    /// The number of names so far.
    names: usize,
}

impl Writer {
    pub fn new(seed: u64, smoothness: Smoothness) -> Writer {
        Writer { numbers: Numbers::new(seed), smoothness, names: 0 }
    }

    fn fresh(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    fn one_of(&mut self, choices: &[&str]) -> String {
        choices[self.numbers.below(choices.len())].to_owned()
    }

    pub fn literal(&mut self) -> String {
        let value = self.numbers.real();
        if value < 0.0 { format!("({value:?})") } else { format!("{value:?}") }
    }

    fn leaf(&mut self, scope: &Scope) -> String {
        let choice = self.numbers.below(6);
        if choice == 0 {
            return self.literal();
        }
        if choice == 1 && !scope.vectors.is_empty() {
            let vector = &scope.vectors[self.numbers.below(scope.vectors.len())];
            return format!("{vector}[{}]", self.index(scope));
        }
        if choice == 2 && !scope.indices.is_empty() {
            return format!("({} : Double)", scope.indices[self.numbers.below(scope.indices.len())]);
        }
        match scope.numbers.len() {
            0 => self.literal(),
            count => scope.numbers[self.numbers.below(count)].clone(),
        }
    }

    fn index(&mut self, scope: &Scope) -> String {
        match scope.indices.len() {
            count if count > 0 && self.numbers.below(2) == 0 => scope.indices[self.numbers.below(count)].clone(),
            _ => self.numbers.below(3).to_string(),
        }
    }

    /// An expression of the type Double.
    pub fn number(&mut self, depth: usize, scope: &Scope) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let is_smooth = self.smoothness == Smoothness::Smooth;
        match self.numbers.below(if is_smooth { 14 } else { 18 }) {
            0 => self.leaf(scope),
            1 | 2 => {
                let operation = self.one_of(&["sin", "cos", "tanh", "atan"]);
                format!("({operation} {})", self.number(depth - 1, scope))
            }
            3..=5 => {
                let operation = self.one_of(&["+", "-", "*"]);
                format!("({} {operation} {})", self.number(depth - 1, scope), self.number(depth - 1, scope))
            }
            6 => format!("(-{})", self.number(depth - 1, scope)),
            7 => {
                let name = self.fresh("z");
                let value = self.number(depth - 1, scope);
                format!("(let {name} = {value} in {})", self.number(depth - 1, &scope.with_number(&name)))
            }
            8 => {
                let (state, index) = (self.fresh("s"), self.fresh("i"));
                let inner = scope.with_number(&state).with_index(&index);
                let step = self.number(depth - 1, &inner);
                format!("(ifold (fun {state} {index} -> {step}) {} 3)", self.number(depth - 1, scope))
            }
            9 => format!("(vectorSum {})", self.vector(depth - 1, scope)),
            10 => format!("(vectorDot {} {})", self.vector(depth - 1, scope), self.vector(depth - 1, scope)),
            11 => {
                let name = self.fresh("y");
                let body = self.number(depth - 1, &scope.with_number(&name));
                format!("((fun {name} -> {body}) {})", self.number(depth - 1, scope))
            }
            12 => {
                let (function, name) = (self.fresh("g"), self.fresh("y"));
                let body = self.number(depth - 1, &scope.with_number(&name));
                let argument = self.number(depth - 1, scope);
                format!("(let {function} = fun {name} -> {body} in {function} ({function} {argument}))")
            }
            13 => {
                let (first, second) = (self.number(depth - 1, scope), self.number(depth - 1, scope));
                let part = self.one_of(&["fst", "snd"]);
                format!("({part} ({first}, {second}))")
            }
            14 => {
                let operation = self.one_of(&["exp", "log", "sqrt", "abs", "tan", "asin", "floor", "sinh"]);
                format!("({operation} {})", self.number(depth - 1, scope))
            }
            15 => {
                let operation = self.one_of(&["max", "min", "modulo", "atan2", "guarded"]);
                format!("({operation} {} {})", self.number(depth - 1, scope), self.number(depth - 1, scope))
            }
            16 => {
                let operation = self.one_of(&["/", "**"]);
                format!("({} {operation} {})", self.number(depth - 1, scope), self.number(depth - 1, scope))
            }
            _ => self.with_operator_or_choice(depth, scope),
        }
    }

    fn with_operator_or_choice(&mut self, depth: usize, scope: &Scope) -> String {
        match self.numbers.below(3) {
            0 => {
                let comparison = self.one_of(&["<", ">", "<=", "=="]);
                let (first, second) = (self.number(depth - 1, scope), self.number(depth - 1, scope));
                let (yes, no) = (self.number(depth - 1, scope), self.number(depth - 1, scope));
                format!("(if {first} {comparison} {second} then {yes} else {no})")
            }
            1 => {
                let name = self.fresh("y");
                let body = self.number(depth - 1, &scope.with_number(&name));
                format!("(snd (diff (fun {name} -> {body}) {}))", self.number(depth - 1, scope))
            }
            _ => {
                let name = self.fresh("y");
                let body = self.number(depth - 1, &scope.with_number(&name));
                let value = self.number(depth - 1, scope);
                format!("(let {name} = ({value} : Double) in snd (deriv {body} {name}))")
            }
        }
    }

    /// An expression of the type Vector, of length 3.
    fn vector(&mut self, depth: usize, scope: &Scope) -> String {
        match self.numbers.below(5) {
            0 if !scope.vectors.is_empty() => scope.vectors[self.numbers.below(scope.vectors.len())].clone(),
            1 => "(vectorRange 3)".to_owned(),
            2 if depth > 0 => {
                format!("(vectorSMul {} {})", self.vector(depth - 1, scope), self.number(depth - 1, scope))
            }
            3 => {
                let elements: Vec<String> = (0..3).map(|_| self.number(depth.saturating_sub(1), scope)).collect();
                format!("[| {} |]", elements.join("; "))
            }
            _ => {
                let index = self.fresh("k");
                let element = self.number(depth.saturating_sub(1), &scope.with_index(&index));
                format!("(build 3 (fun {index} -> {element}))")
            }
        }
    }
}

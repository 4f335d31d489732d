//! Random programs in F-smooth with forms of differentiation, each beside the same derivative by `jvp`, and with `vjp`.

use super::{FsGenerator, FsType};

/// A program with derivatives.
#[derive(Clone, Debug)]
pub struct Derivatives {
    /// Its text.
    pub text: String,
    /// The number of pairs of expressions that it ends with: a form of differentiation, and the same by `jvp`.
    pub pairs: usize,
}

/// Returns the program of a seed with forms of differentiation: all that it prints is derivatives.
pub fn forms(seed: u64) -> Derivatives {
    let mut generator = FsGenerator::new(seed);
    let mut text = generator.definitions();
    let pairs = 1 + generator.numbers.below(3);
    for _ in 0..pairs {
        text.push_str(&generator.pair());
    }
    Derivatives { text, pairs }
}

/// Returns the program of a seed with derivatives by reverse mode.
pub fn by_reverse(seed: u64) -> String {
    let mut generator = FsGenerator::new(seed);
    let mut text = generator.definitions();
    for _ in 0..1 + generator.numbers.below(3) {
        text.push_str(&generator.reverse());
    }
    text
}

fn vector() -> FsType {
    FsType::Array(Box::new(FsType::Double))
}

impl FsGenerator {
    /// Returns a type of Doubles.
    fn smooth_type(&mut self) -> FsType {
        match self.numbers.below(8) {
            0..4 => FsType::Double,
            4..6 => vector(),
            6 => FsType::Pair(Box::new(FsType::Double), Box::new(vector())),
            _ => FsType::Array(Box::new(vector())),
        }
    }

    /// Returns a number, as an operand.
    fn point(&mut self) -> String {
        format!("({:?})", self.numbers.real())
    }

    /// Returns a vector, as an operand.
    fn vector_point(&mut self) -> String {
        let elements: Vec<String> = (0..self.numbers.below(4)).map(|_| self.point()).collect();
        format!("([| {} |] : Vector)", elements.join("; "))
    }

    /// Returns an expression of a type over a variable that it depends on more often than not.
    fn body(&mut self, variable: &str, of: &FsType, wanted: &FsType) -> String {
        // Several entries make the variable likely.
        for _ in 0..3 {
            self.variables.push((variable.to_owned(), of.clone()));
        }
        let body = self.expression(wanted, 4);
        self.variables.truncate(self.variables.len().saturating_sub(3));
        format!("({body} : {})", wanted.text())
    }

    /// Returns a form of differentiation and the same derivative by `jvp`, each on a line, after what they need.
    fn pair(&mut self) -> String {
        let (variable, name) = (self.name('x'), self.name('d'));
        match self.numbers.below(6) {
            0 => {
                let wanted = self.smooth_type();
                let (body, point) = (self.body(&variable, &FsType::Double, &wanted), self.point());
                let operator = self.word(&["diff", "vdiff", "mdiff"]);
                let apart = apart(&wanted, &name);
                format!(
                    "let f{name} ({variable} : Double) = {body}\n\
                     (let {name} = {operator} f{name} {point} in {apart})\n(jvp f{name} {point} 1.0)\n"
                )
            }
            1 => {
                let wanted = if self.chance(50) { FsType::Double } else { vector() };
                let (body, point) = (self.body(&variable, &vector(), &wanted), self.vector_point());
                let operator = if wanted == FsType::Double { "grad" } else { "jacob" };
                let row = format!("jvp f{name} p{name} (vectorHot (length p{name}) i)");
                let row = match wanted {
                    FsType::Double => row,
                    FsType::Index | FsType::Boolean | FsType::Array(_) | FsType::Pair(..) => {
                        format!("(let r = {row} in vectorZip (fst r) (snd r))")
                    }
                };
                format!(
                    "let f{name} ({variable} : Vector) = {body}\nlet p{name} = {point}\n\
                     ({operator} f{name} p{name})\n(build (length p{name}) (fun i -> {row}))\n"
                )
            }
            2 => {
                let wanted = self.smooth_type();
                let (body, point) = (self.body(&variable, &FsType::Double, &wanted), self.point());
                let apart = apart(&wanted, &name);
                format!(
                    "(let {variable} = ({point} : Double) in let {name} = (deriv {body} {variable}) in {apart})\n\
                     (jvp (fun ({variable} : Double) -> {body}) {point} 1.0)\n"
                )
            }
            3 => {
                let wanted = self.smooth_type();
                let (body, point) = (self.body(&variable, &vector(), &wanted), self.vector_point());
                let apart = apart(&wanted, "q");
                format!(
                    "let p{name} = {point}\n\
                     (let {variable} = p{name} in vectorMap (deriv {body} {variable}) (fun q -> {apart}))\n\
                     (build (length p{name}) (fun i -> \
                     jvp (fun ({variable} : Vector) -> {body}) p{name} (vectorHot (length p{name}) i)))\n"
                )
            }
            4 => {
                let (body, point) = (self.body(&variable, &FsType::Double, &FsType::Double), self.point());
                format!(
                    "let f{name} ({variable} : Double) = {body}\n\
                     (let a = diff (diff f{name}) {point} in \
                     ((fst (fst a), fst (snd a)), (snd (fst a), snd (snd a))))\n\
                     (jvp (fun {variable} -> jvp f{name} {variable} 1.0) {point} 1.0)\n"
                )
            }
            _ => {
                let (body, point) = (self.body(&variable, &vector(), &FsType::Double), self.vector_point());
                let hot = |index: &str| format!("(vectorHot (length p{name}) {index})");
                format!(
                    "let f{name} ({variable} : Vector) = {body}\nlet p{name} = {point}\n\
                     (hessian f{name} p{name})\n\
                     (build (length p{name}) (fun i -> build (length p{name}) (fun j -> \
                     snd (jvp (fun (v : Vector) -> snd (jvp f{name} v {})) p{name} {}))))\n",
                    hot("i"),
                    hot("j")
                )
            }
        }
    }

    /// Returns a derivative by reverse mode, after what it needs.
    fn reverse(&mut self) -> String {
        let (variable, name) = (self.name('x'), self.name('d'));
        let (body, point) = (self.body(&variable, &vector(), &FsType::Double), self.vector_point());
        let definition = format!("let f{name} ({variable} : Vector) = {body}\n");
        let use_of_it = match self.numbers.below(4) {
            0 => format!("(vgradReverse f{name} {point})\n"),
            1 => format!("(vgradCheckpoint f{name} {point})\n"),
            2 => format!("(vjp f{name} {point} {})\n", self.point()),
            // A gradient by one mode within one by the other.
            _ => format!("(vjp (fun v -> snd (jvp f{name} v (vectorMap v (fun a -> a * a)))) {point} 1.0)\n"),
        };
        definition + &use_of_it
    }
}

/// Returns the pair of the values and the tangents of a dual value of a type.
fn apart(of: &FsType, dual: &str) -> String {
    format!("({}, {})", part(of, dual, ("fst", 0)), part(of, dual, ("snd", 0)))
}

/// Returns a part of the dual values in one, within so many functions. Types of derivatives are a few levels deep, so this
/// recurses.
fn part(of: &FsType, dual: &str, (projection, depth): (&str, usize)) -> String {
    match of {
        FsType::Double | FsType::Index | FsType::Boolean => format!("({projection} {dual})"),
        FsType::Array(element) => {
            let inner = format!("e{depth}");
            format!("(vectorMap {dual} (fun {inner} -> {}))", part(element, &inner, (projection, depth + 1)))
        }
        FsType::Pair(first, second) => format!(
            "({}, {})",
            part(first, &format!("(fst {dual})"), (projection, depth)),
            part(second, &format!("(snd {dual})"), (projection, depth))
        ),
    }
}

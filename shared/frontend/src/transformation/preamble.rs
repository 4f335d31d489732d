//! The text before transformed code: an explanation for the reader, the helpers that it calls, and the transformed
//! primitives.

use crate::resolve::scope::Variable;
use crate::transformation::helper_names::{Preamble, Vectors};
use crate::transformation::modes::{Mode, Order};
use crate::transformation::source::{ReachableCode, Source, access};
use crate::transformation::spelling::Spelling;
use crate::transformation::vectors;
use vlad_table::{ArgumentUse, Primitive};

/// The names of the basis that all transformed code uses.
const FORWARD_BASIS: [&str; 4] = ["bundle", "primal", "tangent", "j*"];
const REVERSE_BASIS: [&str; 4] = ["*j", "*j-inverse", "zero", "plus"];
/// The further names that it uses where procedures are data.
const HIGHER_BASIS: [&str; 6] = ["forward?", "reverse?", "car", "cdr", "null?", "pair?"];

impl Preamble {
    /// Returns the text: a comment and definitions.
    pub fn text(
        &self,
        source: &Source,
        spelling: &Spelling,
        reached: &ReachableCode,
        root: Variable,
        name: &str,
    ) -> String {
        let mut text = self.comment(spelling, reached, &spelling.top(root), name);
        text += &self.warning(source, reached);
        text += "\n";
        text += &match self.mode {
            Mode::Forward => self.forward_helpers(),
            Mode::Reverse => self.reverse_helpers(),
        };
        if self.has_vectors_of_elements() {
            text += &match self.mode {
                Mode::Forward => vectors::forward_helpers(self),
                Mode::Reverse => vectors::reverse_helpers(self),
            };
        }
        if !reached.primitives.is_empty() {
            text += "\n; Primitives.\n";
        }
        for primitive in &reached.primitives {
            let name = spelling.top(Variable::Primitive(*primitive));
            text += &match self.mode {
                Mode::Forward => self.forward_primitive(*primitive, &name),
                Mode::Reverse => self.reverse_primitive(*primitive, &name),
            };
        }
        text
    }

    /// Returns true if a vector may have no tag.
    fn has_vectors_of_elements(&self) -> bool {
        self.order == Order::Higher && self.vectors == Vectors::Used
    }

    fn comment(&self, spelling: &Spelling, reached: &ReachableCode, top: &str, name: &str) -> String {
        let Spelling { value, backpropagator, sensitivity, .. } = spelling;
        let mut lines = match self.mode {
            Mode::Forward => vec![
                format!("The forward transformation of `{name}`, as code, with that of all procedures that it calls."),
                String::new(),
                format!("x{value}   the bundle of x and its tangent; (j* x) is that of a constant"),
                format!("f{value}   the transformed f: from the bundle of an argument to that of the value"),
                String::new(),
                "Behind the definitions of its program this runs:".to_owned(),
                format!("({top} (bundle x t)) gives what ((j* {name}) (bundle x t)) gives."),
            ],
            Mode::Reverse => vec![
                format!("The reverse transformation of `{name}`, as code, with that of all procedures that it calls."),
                String::new(),
                format!("x{value}   the reversed x"),
                format!(
                    "f{value}   the transformed f: from the reversed argument to the pair of y{value} and y{backpropagator}"
                ),
                format!("x{sensitivity}   the sensitivity of x"),
                format!(
                    "y{backpropagator}   the backpropagator of the call that gave y: (y{backpropagator} y{sensitivity}) is the pair of the"
                ),
                "     sensitivities of the procedure and of its argument".to_owned(),
                String::new(),
                "Each body is a forward phase, which keeps the backpropagators of its calls, and a procedure for the"
                    .to_owned(),
                "reverse phase, which visits them in opposite order and adds up sensitivities.".to_owned(),
                String::new(),
                "Behind the definitions of its program this runs:".to_owned(),
                format!("(cdr ((cdr ({top} (*j x))) c)) is what (cdr (*j {name} x c)) is."),
            ],
        };
        if self.order == Order::Higher {
            let (tag, untagged) = match self.mode {
                Mode::Forward => ("a bundle", "bundled"),
                Mode::Reverse => ("reversed", "tagged"),
            };
            lines.push(String::new());
            lines.push(format!(
                "Procedures are data here. One that is transformed as code is not {tag}, and a pair of such"
            ));
            lines.push(format!(
                "a procedure and anything is a pair of its parts, each transformed, that is not {untagged} as a whole."
            ));
            if self.vectors == Vectors::Used {
                lines
                    .push("So is a vector of such procedures: it is one of its elements, each transformed.".to_owned());
            }
            if self.mode == Mode::Reverse {
                lines.push(
                    "The sensitivity of such a procedure is that of the variables that it uses, or () for zero."
                        .to_owned(),
                );
            }
        }
        if reached.wholes && self.order == Order::Higher {
            let (operator, value) = (self.mode.operator(), &spelling.value);
            lines.push(String::new());
            lines.push("What may be given to an operator is not transformed as code, but as a value:".to_owned());
            lines.push(format!(
                "with a tag, as ({operator} f), or (({operator} (lambda (a) code)) a{value}) if it uses a."
            ));
        }
        lines.iter().map(|line| format!("; {line}").trim_end().to_owned() + "\n").collect()
    }

    /// Returns a warning if the program redefines a name that the output uses.
    fn warning(&self, source: &Source, reached: &ReachableCode) -> String {
        let basis = match self.mode {
            Mode::Forward => FORWARD_BASIS,
            Mode::Reverse => REVERSE_BASIS,
        };
        let higher = if self.order == Order::Higher { HIGHER_BASIS.as_slice() } else { &[] };
        let vectors = if self.has_vectors_of_elements() { vectors::BASIS.as_slice() } else { &[] };
        let names = basis.into_iter().chain(higher.iter().chain(vectors).copied());
        let names = names.chain(reached.primitives.iter().map(|primitive| primitive.name()));
        let mut replaced: Vec<String> =
            names.filter(|name| source.defines(name)).map(|name| format!("`{name}`")).collect();
        replaced.sort();
        replaced.dedup();
        if replaced.is_empty() {
            return String::new();
        }
        format!(
            ";\n; Not to be run behind this program, which gives another meaning to {}: here they mean the primitives.\n",
            replaced.join(", ")
        )
    }

    fn forward_helpers(&self) -> String {
        let Preamble { cons, split, test, .. } = self;
        let bundled = "(bundle (cons (primal a) (primal b)) (cons (tangent a) (tangent b)))";
        let parts = "(let (((cons a b) (primal p)) ((cons c d) (tangent p)))";
        match self.order {
            Order::First => format!(
                "; Pairs: a bundle of parts, made and taken apart.\n\
                 (define ({cons} a b)\n  {bundled})\n\
                 (define ({split} p)\n  {parts}\n    (cons (bundle a c) (bundle b d))))\n"
            ),
            Order::Higher => format!(
                "; Pairs: a bundle of parts, made and taken apart; what `if` looks at.\n\
                 (define ({cons} a b)\n  (if (if (forward? a) (forward? b) #f)\n      {bundled}\n      (cons a b)))\n\
                 (define ({split} p)\n  (if (forward? p)\n      {parts}\n        (cons (bundle a c) (bundle b d)))\n      p))\n\
                 (define ({test} x) (if (forward? x) (primal x) #t))\n"
            ),
        }
    }

    fn reverse_helpers(&self) -> String {
        let Preamble { cons, split, test, zero, plus, or_zero, .. } = self;
        let reversed = "(*j (cons (*j-inverse a) (*j-inverse b)))";
        let parts = "(let (((cons a b) (*j-inverse p))) (cons (*j a) (*j b)))";
        let (zero_of_others, sum_of_others) = match self.vectors {
            Vectors::Unused => (" '()".to_owned(), "(plus a b)".to_owned()),
            Vectors::Used => (
                format!("\n          (if (vector? x) (build (vector-length x) (lambda (i) ({zero} (get x i)))) '())"),
                format!(
                    "(if (vector? a)\n                  \
                     (build (vector-length a) (lambda (i) ({plus} (get a i) (get b i))))\n                  (plus a b))"
                ),
            ),
        };
        match self.order {
            Order::First => format!(
                "; Pairs: a reversed pair of parts, made and taken apart; the zero sensitivity.\n\
                 (define ({cons} a b) {reversed})\n\
                 (define ({split} p) {parts})\n\
                 (define ({zero} x) (zero (*j-inverse x)))\n"
            ),
            Order::Higher => format!(
                "; Pairs: a reversed pair of parts, made and taken apart; what `if` looks at.\n\
                 (define ({cons} a b)\n  (if (if (reverse? a) (reverse? b) #f) {reversed} (cons a b)))\n\
                 (define ({split} p)\n  (if (reverse? p) {parts} p))\n\
                 (define ({test} x) (if (reverse? x) (*j-inverse x) #t))\n\
                 \n\
                 ; Sensitivities: zero, the sum, and that of a procedure, or zero if there is none.\n\
                 (define ({zero} x)\n  (if (reverse? x)\n      (zero (*j-inverse x))\n      \
                 (if (pair? x) (cons ({zero} (car x)) ({zero} (cdr x))){zero_of_others})))\n\
                 (define ({plus} a b)\n  (if (null? a)\n      b\n      (if (null? b)\n          a\n          \
                 (if (pair? a)\n              (cons ({plus} (car a) (car b)) ({plus} (cdr a) (cdr b)))\n              \
                 {sum_of_others}))))\n\
                 (define ({or_zero} a zeros) (if (null? a) zeros a))\n"
            ),
        }
    }

    fn forward_primitive(&self, primitive: Primitive, name: &str) -> String {
        let Preamble { split, test, .. } = self;
        let plain = primitive.name();
        match (self.order, access(primitive)) {
            (Order::Higher, ArgumentUse::Kind) => {
                format!("(define ({name} x) (if (forward? x) ((j* {plain}) x) (j* ({plain} x))))\n")
            }
            (Order::Higher, ArgumentUse::Part) => {
                format!("(define ({name} p) (if (forward? p) ((j* {plain}) p) ({plain} p)))\n")
            }
            (Order::Higher, ArgumentUse::Tuple) => format!("(define ({name} p) p)\n"),
            (Order::Higher, ArgumentUse::Elements) => vectors::forward_primitive(self, primitive, name),
            (Order::Higher, ArgumentUse::Callee) => format!(
                "(define ({name} operands)\n  (let* (((cons condition procedures) ({split} operands)) \
                 ((cons f g) ({split} procedures)))\n    (if ({test} condition) (f (j* '())) (g (j* '())))))\n"
            ),
            (Order::First, _) | (Order::Higher, ArgumentUse::Nothing | ArgumentUse::Reals | ArgumentUse::Whole) => {
                format!("(define {name} (j* {plain}))\n")
            }
        }
    }

    fn reverse_primitive(&self, primitive: Primitive, name: &str) -> String {
        let Preamble { split, test, zero, .. } = self;
        let plain = primitive.name();
        match (self.order, access(primitive)) {
            (Order::Higher, ArgumentUse::Kind) => format!(
                "(define ({name} x)\n  (if (reverse? x) ((*j {plain}) x) \
                 (cons (*j ({plain} x)) (lambda (c) (cons '() ({zero} x))))))\n"
            ),
            (Order::Higher, ArgumentUse::Part) => {
                let whole = match primitive {
                    Primitive::First => format!("(cons c ({zero} (cdr p)))"),
                    _ => format!("(cons ({zero} (car p)) c)"),
                };
                format!(
                    "(define ({name} p)\n  (if (reverse? p) ((*j {plain}) p) \
                     (cons ({plain} p) (lambda (c) (cons '() {whole})))))\n"
                )
            }
            (Order::Higher, ArgumentUse::Tuple) => format!("(define ({name} p) (cons p (lambda (c) (cons '() c))))\n"),
            (Order::Higher, ArgumentUse::Elements) => vectors::reverse_primitive(self, primitive, name),
            (Order::Higher, ArgumentUse::Callee) => format!(
                "(define ({name} operands)\n  (let* (((cons condition procedures) ({split} operands)) \
                 ((cons f g) ({split} procedures)))\n    (let (((cons y back) (if ({test} condition) (f (*j '())) (g (*j '())))))\n      \
                 (cons y\n            (lambda (c)\n              (let ((of-f (car (back c))))\n                \
                 (cons '()\n                      (cons ({zero} condition)\n                            \
                 (if ({test} condition) (cons of-f ({zero} g)) (cons ({zero} f) of-f))))))))))\n"
            ),
            (Order::First, _) | (Order::Higher, ArgumentUse::Nothing | ArgumentUse::Reals | ArgumentUse::Whole) => {
                format!("(define {name} (*j {plain}))\n")
            }
        }
    }
}

//! Calls of the procedures of the libraries, and texts, as templates: expressions of reals with reals in the holes `_`.
//!
//! Procedures of `linear-algebra` have operands of their own ([`super::library`]); those here take procedures, lists, states
//! and the like, which types of random programs do not tell apart. More than half of the templates are differentiated by their first
//! hole.

use super::generate::{Binding, Generator};
use crate::random::trees::coverage::Mode;
use crate::random::trees::tree::{Form, Node, Parameters, Pattern, Tree};
use crate::random::trees::types::Type;

/// The templates of a library.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// The name by which it is included; none for what needs no library.
    pub name: Option<&'static str>,
    /// The templates.
    pub templates: &'static [&'static str],
}

/// The libraries beside `linear-algebra`, and texts.
pub const LIBRARIES: [Library; 8] = [
    Library {
        name: None,
        templates: &[
            "(begin (write \"x = \" _ \", \" (cons _ #t)) _)",
            "(if (< (abs _) 50) _ (error \"too large: \" _ \" of 50\"))",
            "(+ (erf _) (erfc _))",
            "(+ (lgamma (+ 1 (abs _))) (polygamma 2 (+ 1 (abs _))))",
            "(+ (log1p (abs _)) (expm1 _))",
            "(+ (asinh _) (hypot _ (cbrt _)))",
            "(* (exp2 (atan _)) (log2 (+ 1 (abs _))))",
            "(+ (acosh (+ 1.5 (abs _))) (atanh (sin _)))",
            "(/ (log10 (+ 2 (sqr _))) (gamma (+ 1 (abs (sin _)))))",
        ],
    },
    Library {
        name: Some("derivatives"),
        templates: &[
            "(car (tree-map sqr (cons _ _)))",
            "(tree-fold + 0 (list _ _))",
            "(car (tree-map2 * (cons _ 1) (cons _ 2)))",
            "(* _ (tree-size (list 1 2)))",
            "(car (tree-scale _ (list _)))",
            "(car (tree-add (list _) (list _)))",
            "(car (tree-subtract (list _) (list _)))",
            "(car (tree-axpy _ (list _) (list 1)))",
            "(tree-dot (list _ _) (list _ 1))",
            "(tree-norm (list _ 1))",
            "(car (tree-basis (lambda ((cons a b)) (+ a (* 2 b))) (cons _ _)))",
            "(car (tree-transpose (cons _ _) (cons 1 2) 3))",
            "(car (tree-of-parts sqr (list _ _) (list 1 2)))",
            "(derivative sin _)",
            "(car (gradient (lambda ((cons a b)) (* a (sin b))) (cons _ _)))",
            "(cdr (value-and-gradient sqr _))",
            "(jacobian cube _)",
            "(jacobian-forward cube _)",
            "(jacobian-vector-product cube _ _)",
            "(vector-jacobian-product cube _ _)",
            "(hessian cube _)",
            "(hessian-vector-product cube _ _)",
            "(laplacian (lambda ((cons a b)) (* a (* b b))) (cons _ _))",
            "(divergence cube _)",
            "(nth-derivative cube 2 _)",
            "(cadr (taylor sin _ 2))",
            "(polynomial (list 1 _ 2) _)",
        ],
    },
    Library {
        name: Some("optimize"),
        templates: &[
            "(gradient-descent (lambda (x) (sqr (- x 1))) (sin _) 0.1 3)",
            "(adam (lambda (x) (sqr x)) (sin _) 0.1 2)",
            "(lbfgs (lambda (x) (sqr (- x 2))) (sin _) 2)",
            "(minimize (lambda (x) (sqr (- x 2))) (sin _))",
            "(car (minimize-report (lambda (x) (sqr (- x 2))) (sin _) 1e-3 2))",
            "(minimize-within (lambda (x) (sqr (- x 2))) (sin _) -1 1)",
            "(cadr (newton-minimum-report (lambda (v) (sqr (get v 0))) (vector (sin _)) 1e-3 2))",
            "(cadr (newton-root-report (lambda (v) v) (vector (sin _)) 1e-3 2))",
            "(get (newton-root (lambda (v) (vector (- (sqr (get v 0)) 4))) (vector (+ 2 (sin _))) 2) 0)",
            "(get (newton-minimum (lambda (v) (sqr (get v 0))) (vector (sin _)) 2) 0)",
            "(get (levenberg-marquardt (lambda (v) (vector (- (get v 0) 3))) (vector (sin _)) 2) 0)",
        ],
    },
    Library {
        name: Some("ode"),
        templates: &[
            "(rk4-step (lambda (t y) (- y)) 0 _ 0.1)",
            "(rk4 (lambda (t y) (* t y)) 0 _ 1 3)",
            "(cdr (car (rk4-path (lambda (t y) y) 0 _ 1 2)))",
            "(ode-solve (lambda (t y) (- y)) 0 (sin _) 0.1 0.1)",
            "(cdr (car (ode-path (lambda (t y) (- y)) 0 (sin _) 0.1 0.1)))",
            "(car (ode-at (lambda (t y) (- y)) 0 (sin _) (list 0.05 0.1) (list 0.1 0.1 0.1)))",
            "(ode-stiff (lambda (t y) (- t y)) 0 (sin _) 0.1 0.1)",
        ],
    },
    Library {
        name: Some("lists"),
        templates: &[
            "(car (sort < (list _ _ _)))",
            "(car (merge < (sort < (list _ _)) (list _)))",
            "(car (append-reversed (list _ _) (list _)))",
            "(* _ (list-length (list _ _)))",
            "(car (take (list _ _ _) 2))",
            "(car (drop (list _ _ _) 2))",
            "(fold + 0 (take-while (lambda (x) (< x 1)) (list _ _ _)))",
            "(fold + 0 (drop-while (lambda (x) (< x 1)) (list _ _ _)))",
            "(fold * 1 (remove positive? (list _ _)))",
            "(fold + 0 (car (partition positive? (list _ _ _))))",
            "(fold + 0 (delete-duplicates (list _ 1 1 _)))",
            "(car (car (zip (list _) (list _ _))))",
            "(fold + 0 (car (unzip (list (cons _ _) (cons _ 2)))))",
            "(cdr (car (enumerate (list _ _))))",
            "(fold + 0 (concatenate (list (list _) (list _ _))))",
            "(fold + 0 (append-map (lambda (x) (list x (* x x))) (list _ _)))",
            "(* _ (fold + 0 (range 0 3 1)))",
            "(* _ (fold + 0 (unfold (lambda (x) (> x 3)) sqr (lambda (x) (+ x 1)) 0)))",
            "(fold (lambda (x total) (+ total (* x x))) 0 (list _ _ _))",
            "(* _ (count positive? (list _ _)))",
            "(sqr (find positive? (list _ 1)))",
            "(* _ (list-index positive? (list _ 1)))",
            "(cdr (assoc 2 (list (cons 1 _) (cons 2 _))))",
            "(cadr (member 2 (list 1 2 _)))",
        ],
    },
    Library {
        name: Some("statistics"),
        templates: &[
            "(get (sample->vector (list _ 2)) 0)",
            "(car (sample->list (vector _ 2)))",
            "(* _ (sample-size (list 1 2)))",
            "(sample-sum (vector _ _))",
            "(mean (list _ _ _))",
            "(weighted-mean (list _ _) (list 1 (+ 1 (abs _))))",
            "(geometric-mean (list (+ 1 (abs _)) 2))",
            "(harmonic-mean (list (+ 1 (abs _)) 2))",
            "(mean-squared-error (list _ _) (vector _ 1))",
            "(root-mean-squared-error (list _ 1) (list _ 2))",
            "(mean-absolute-error (list _ 1) (list _ 2))",
            "(sum-of-squares (list _ _))",
            "(sum-of-products (list _ _) (vector _ 1))",
            "(variance (vector _ _ _))",
            "(population-variance (list _ _))",
            "(standard-deviation (list _ _ 1))",
            "(covariance (list _ _) (list 1 _))",
            "(correlation (list _ 2 _) (list 1 _ 3))",
            "(get (standardized (list _ 1 3)) 0)",
            "(get (sorted-sample (list _ _)) 0)",
            "(quantile (list _ _ 2) 0.3)",
            "(median (list _ _ _))",
            "(cdr (linear-fit (list 1 2 3) (list _ _ _)))",
            "(* _ (get (histogram (list _ _) -2 2 4) 1))",
        ],
    },
    Library {
        name: Some("random"),
        templates: &[
            "(* _ (car (random-real (random-state 7))))",
            "(* _ (car (random-real (random-skip (random-state 7) 3))))",
            "(* _ (car (random-real (random-skip-power (random-state 7) 1))))",
            "(* _ (car (random-integer 6 (random-state 3))))",
            "(* _ (car (random-normal (random-state 5))))",
            "(car (random-exponential (+ 0.5 (abs _)) (random-state 5)))",
            "(if (car (random-event 0.5 (random-state 2))) _ _)",
            "(* _ (get (car (random-vector random-normal 2 (random-state 9))) 1))",
            "(* _ (get (car (random-reals 3 (random-state 1))) 0))",
            "(* _ (get (car (random-normals 2 (random-state 1))) 1))",
            "(get (car (random-shuffle (vector _ _ 3) (random-state 4))) 0)",
        ],
    },
    Library {
        name: Some("special"),
        templates: &[
            "(* _ (+ pi (* euler-gamma golden-ratio)))",
            "(gamma (+ 1 (abs (sin _))))",
            "(* _ (factorial 5))",
            "(* _ (binomial 6 2))",
            "(log-beta (+ 1 (abs _)) 2)",
            "(beta (+ 1 (abs _)) 2.5)",
            "(digamma (+ 1 (abs _)))",
            "(trigamma (+ 1 (abs _)))",
            "(logistic _)",
            "(log-logistic _)",
            "(logit (logistic _))",
            "(softplus _)",
            "(log-add-exp _ _)",
            "(normal-density _)",
            "(normal-log-density _)",
            "(normal-distribution _)",
            "(normal-tail _)",
            "(normal-quantile (logistic (sin _)))",
            "(relu _)",
            "(leaky-relu _ 0.1)",
            "(gaussian-density _ _ (+ 0.5 (abs _)))",
            "(gaussian-distribution _ _ (+ 0.5 (abs _)))",
            "(gaussian-tail _ 1 (+ 0.5 (abs _)))",
            "(gaussian-quantile (logistic (sin _)) _ 2)",
            "(gaussian-log-density _ _ (+ 0.5 (abs _)))",
            "(exponential-density _ (+ 0.5 (abs _)))",
            "(exponential-log-density _ (+ 0.5 (abs _)))",
            "(exponential-distribution _ (+ 0.5 (abs _)))",
            "(exponential-tail _ (+ 0.5 (abs _)))",
            "(exponential-quantile (logistic (sin _)) 2)",
            "(log-normal-log-density (+ 0.1 (abs _)) _ 2)",
            "(laplace-log-density _ _ (+ 0.5 (abs _)))",
            "(cauchy-log-density _ _ (+ 0.5 (abs _)))",
            "(uniform-log-density (logistic _) -1 (+ 1 (abs _)))",
            "(poisson-log-probability 3 (+ 0.5 (abs _)))",
            "(gamma-log-density (+ 0.1 (abs _)) 2 1.5)",
            "(beta-log-density (logistic _) 2 3)",
            "(student-log-density _ 4)",
            "(* _ (sign _))",
            "(next-up _)",
            "(sinc _)",
            "(xlogy _ (+ 1 (abs _)))",
            "(log1mexp (- -1 (abs _)))",
            "(erfinv (sin _))",
            "(incomplete-gamma (+ 0.5 (abs _)) 2)",
            "(incomplete-gamma-complement 1.5 (abs _))",
            "(incomplete-beta 1.5 2.5 (logistic _))",
        ],
    },
];

/// The libraries whose templates occur in a program, in the order of the table.
pub fn libraries_of(tree: &Tree) -> Vec<&'static str> {
    let mut found = Vec::new();
    for library in LIBRARIES {
        let is_used =
            |node: &Node| matches!(node.form, Form::Template(template) if library.templates.contains(&template));
        if tree.items.iter().any(|item| has(item.node(), &is_used)) {
            found.extend(library.name);
        }
    }
    found
}

/// True if something holds of a node or of one in it.
fn has(node: &Node, is_wanted: &impl Fn(&Node) -> bool) -> bool {
    is_wanted(node) || node.children.iter().any(|child| has(child, is_wanted))
}

impl Generator {
    /// The templates that a program may have: those of texts, and those of a library.
    pub fn some_library(&mut self) -> Library {
        let [texts, ..] = LIBRARIES;
        self.pick(&LIBRARIES, texts)
    }

    /// A real by a template of a library, from its value or from its derivative by an operator.
    pub fn of_template(&mut self, library: Library) -> Node {
        if !self.may_differentiate() || self.chance(40) {
            return self.template(library);
        }
        let point = self.expression(&Type::Real, 3);
        let x = self.fresh(&Type::Real);
        let bound = vec![Binding { name: x.clone(), gives: Type::Real }];
        let mut body = self.within(bound, |inner| inner.template(library));
        if let Some(hole) = body.children.first_mut() {
            *hole = Node::name(&x, Type::Real);
        }
        let parameters = Form::Lambda(Parameters::Each(vec![Pattern::Name(x)]));
        let procedure = Node::new(parameters, Type::procedure([Type::Real], Type::Real), [body]);
        let (both, operands) = (Type::pair(Type::Real, Type::Real), [procedure, point, Node::real(1.0)]);
        let both = match self.mode() {
            Mode::Forward => Node::call("j*", both, operands),
            Mode::Reverse => self.reversed(both, operands),
        };
        Node::call("cdr", Type::Real, [both])
    }

    fn template(&mut self, library: Library) -> Node {
        let template = self.pick(library.templates, "_");
        let holes = template.matches('_').count();
        let reals: Vec<Node> = (0..holes).map(|_| self.expression(&Type::Real, 3)).collect();
        Node::new(Form::Template(template), Type::Real, reals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::campaign::compare::compare;
    use crate::random::expressions::library::LIBRARY;
    use crate::random::trees::tree::Item;
    use crate::random::{Case, Limit, Source};
    use vlad_engines::{Engine, Settings};
    use vlad_shared::frontend::vlad::libraries;

    /// A program of all templates of a library, with a number in each hole, under both operators.
    fn program(library: &Library) -> Case {
        let number = |value| Node::real(value);
        let filled = |template: &&'static str| {
            let holes = template.matches('_').count();
            Item::Expression(Node::new(Form::Template(template), Type::Real, vec![number(0.75); holes]))
        };
        let tree = Tree {
            includes: library.name.into_iter().collect(),
            items: library.templates.iter().map(filled).collect(),
        };
        Case { seed: 0, source: Source::Tree(tree), input: Vec::new(), limit: Limit::Whole, suspension: None }
    }

    #[test]
    fn each_template_has_a_value() {
        for library in &LIBRARIES {
            let compared = compare(&[Engine::Interp], &Settings::default(), &[program(library)]).remove(0);
            assert!(compared.first.errors.is_empty(), "{:?}: {}", library.name, compared.first.rendered);
        }
    }

    /// A procedure that takes more steps than random programs may: it squares matrices 127 times.
    const TOO_LONG: &str = "random-jump";

    /// Each name that a library defines is in a template, or serves the library itself.
    #[test]
    fn each_procedure_has_a_template() {
        fn words(text: &str) -> Vec<&str> {
            text.split(|c: char| c.is_whitespace() || "()'\"".contains(c)).filter(|word| !word.is_empty()).collect()
        }
        for library in LIBRARIES {
            let Some(known) = libraries::LIBRARIES.iter().find(|known| Some(known.name) == library.name) else {
                continue;
            };
            let templates = library.templates.join(" ");
            let used = words(&templates);
            let code = known.text.lines().filter(|line| !line.trim_start().starts_with(';'));
            let all: Vec<&str> = code.flat_map(words).collect();
            for defined in libraries::defined_names(known) {
                let serves = all.iter().filter(|word| **word == defined).count() > 1;
                assert!(
                    serves || used.contains(&defined) || defined == TOO_LONG,
                    "{defined} of {} is in no template",
                    known.name
                );
            }
        }
        assert!(
            libraries::LIBRARIES
                .iter()
                .all(|known| known.name == LIBRARY || LIBRARIES.iter().any(|library| library.name == Some(known.name)))
        );
    }
}

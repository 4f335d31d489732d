//! Tests of rewriting: programs as texts, their terms after rewriting, and the values of every stage of a derivation.

mod budget;
mod derivations;
mod estimates;
mod evaluate;
mod gradients;
mod guards;
mod halves;
mod sparse;
mod table;

use super::rules::Class;
use super::{Rewritten, derivation, rewrite};
use crate::typed::check::check;
use crate::typed::{Item, LocalId, Program, Type, TypeId, print};
use crate::{LIBRARY, differentiation, typed};
use evaluate::{Evaluator, Outcome, Scope, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use vlad_core::diagnostic::Report;
use vlad_core::source::SourceMap;
use vlad_language::named::Named;
use vlad_language::names::Names;
use vlad_language::{Completeness, Encoding, Parts, ReadingContext, Text};

/// The projection of points by a camera, and its Jacobian `f`.
const PROJECTION: &str = "\
let distort k x =
  let n = vectorDot x x
  vectorSMul x (1.0 + k[0] * n + k[1] * n * n)
let p2e x = [| x[0] / x[2]; x[1] / x[2] |]
let rodrigues r x =
  let squared = vectorDot r r
  if squared == 0.0 then vectorAdd x (vectorCross r x)
  else
    let t = sqrt squared
    let v = vectorSMul r (1.0 / t)
    let turned = vectorAdd (vectorSMul x (cos t)) (vectorSMul (vectorCross v x) (sin t))
    vectorAdd turned (vectorSMul v (vectorDot v x * (1.0 - cos t)))
let project camera x =
  let seen = rodrigues (vectorSlice camera 0 2) (vectorMap2 x (vectorSlice camera 3 5) (-))
  vectorAdd (vectorSMul (distort (vectorSlice camera 9 10) (p2e seen)) camera[6]) (vectorSlice camera 7 8)
let f camera points =
  vectorMap points (fun x ->
    vectorMap (jacob (fun camera -> project camera x) camera) (fun r -> vectorMap r (fun p -> snd p)))
";

/// Reads a program and replaces its operators of differentiation.
fn read(text: &str) -> Program {
    let (mut sources, mut names, mut named) = (SourceMap::default(), Names::new(), Named::new());
    let (mut report, mut completeness) = (Report::default(), Completeness::Whole);
    let library = sources.add("library", "fsmooth", LIBRARY.text);
    let file = sources.add("test", "fsmooth", text);
    let mut reading = ReadingContext {
        data: &[],
        earlier: &[],
        sources: &sources,
        preamble: Some(Text { file: library, encoding: Encoding::Sound }),
        parts: &Parts::default(),
        appended: &[],
        names: &mut names,
        named: &mut named,
        report: &mut report,
        completeness: &mut completeness,
    };
    let mut program = typed(Text { file, encoding: Encoding::Sound }, &mut reading);
    assert!(report.is_empty(), "{:?}", report.into_failure(sources).diagnostics);
    differentiation::differentiate(&mut program);
    assert_eq!(check(&program), Ok(()));
    program
}

/// A program and its rewriting.
struct Run {
    program: Program,
    rewritten: Vec<Rewritten>,
}

fn run(text: &str, class: Class) -> Run {
    let mut program = read(text);
    let rewritten = rewrite(&mut program, class);
    assert_eq!(check(&program), Ok(()), "{}", print::program(&program));
    Run { program, rewritten }
}

impl Run {
    /// Returns the rewriting of a definition.
    fn of(&self, name: &str) -> &Rewritten {
        let is_it = |item| matches!(item, Item::Define(global) if &*self.program.global(global).name == name);
        match self.rewritten.iter().find(|rewritten| is_it(rewritten.item)) {
            Some(found) => found,
            None => panic!("`{name}` is not rewritten"),
        }
    }

    /// The term that a definition becomes, on one line.
    fn term(&self, name: &str) -> String {
        flat(&print::expression(&self.program, self.of(name).derivation.to))
    }

    /// The test of the assumptions of a definition, on one line.
    fn test(&self, name: &str) -> String {
        self.of(name).test.map_or(String::new(), |test| flat(&print::expression(&self.program, test)))
    }

    /// Replays the derivation of a definition, and compares the values of all stages on random arguments.
    fn check_stages(&mut self, name: &str, error: f64) {
        let Rewritten { item, derivation, test, .. } = self.of(name).clone();
        let Item::Define(global) = item else { panic!("a definition is rewritten") };
        let stages = match derivation::replay(&mut self.program, &derivation) {
            Ok(stages) => stages,
            Err(message) => panic!("{message}"),
        };
        let mut parameters = vec![];
        let mut type_id = self.program.global(global).type_id;
        let mut value = self.program.global(global).value;
        while let crate::typed::Expression::Lambda { parameter, body } = self.program.expression(value) {
            let Type::Function(from, to) = self.program.types.get(type_id) else { panic!("a function has its type") };
            parameters.push((parameter, from));
            (type_id, value) = (to, body);
        }
        let program = &self.program;
        let evaluator = Evaluator::new(program);
        for seed in 0..12 {
            let mut random = fastrand::Rng::with_seed(seed);
            let size = [0, 1, 2, 3, 4][random.usize(0..5)];
            let scope = scope(program, &parameters, &mut random, size);
            let holds = test.is_none_or(|test| matches!(evaluator.of(test, &scope), Ok(Value::Boolean(true))));
            if !holds {
                continue;
            }
            let expected = evaluator.of(derivation.from, &scope);
            for (number, stage) in stages.iter().enumerate() {
                let found = evaluator.of(*stage, &scope);
                let rule = derivation.steps[number].rule;
                assert!(agree(&expected, &found, error), "step {number}, {rule}: {expected:?}, {found:?}");
            }
        }
    }
}

fn agree(expected: &Outcome, found: &Outcome, error: f64) -> bool {
    match (expected, found) {
        (Ok(expected), Ok(found)) if error == 0.0 => expected.text() == found.text(),
        (Ok(expected), Ok(found)) => expected.is_near(found, error),
        (Err(_), Err(_)) => true,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

fn scope(program: &Program, parameters: &[(LocalId, TypeId)], random: &mut fastrand::Rng, size: usize) -> Scope {
    let values = parameters.iter().map(|(local, type_id)| (*local, sample(program, *type_id, random, size)));
    Rc::new(values.collect::<FxHashMap<LocalId, Value>>())
}

/// A random value of a type, with arrays of a size.
fn sample(program: &Program, type_id: TypeId, random: &mut fastrand::Rng, size: usize) -> Value {
    match program.types.get(type_id) {
        Type::Double => Value::Number([0.0, -0.0, 1.5, -2.25, 0.1, 3.0, -1.0, 0.75][random.usize(0..8)]),
        Type::Index => Value::Number(random.usize(0..4) as f64),
        Type::Boolean => Value::Boolean(random.bool()),
        Type::Array(element) => {
            Value::Array(Rc::new((0..size).map(|_| sample(program, element, random, size)).collect()))
        }
        Type::Pair(first, second) => {
            let first = sample(program, first, random, size);
            Value::Pair(Rc::new((first, sample(program, second, random, size))))
        }
        Type::Function(..) => panic!("a value of a test is no function"),
    }
}

/// A text on one line, without types of parameters.
fn flat(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find(" : ") {
        let (before, after) = rest.split_at(start);
        let open = before.rfind('(').unwrap_or(0);
        out.push_str(&before[..open]);
        out.push_str(&before[open + 1..]);
        rest = after.find(')').map_or("", |end| &after[end + 1..]);
    }
    out.push_str(rest);
    out
}

//! Counts of the shapes that programs have: long, wide, large, or deeply nested in one way.
//!
//! A [`crate::random::generator_options::ProgramShape`] is a request for a program; [`Shapes`] looks at the tree alone, so it
//! counts unrequested shapes, too.

use super::counts::add_counts;
use crate::random::expressions::library::is_procedure;
use crate::random::trees::names::{Style, operator_style};
use crate::random::trees::tree::{Bound, Definition, Form, Item, Node, Pattern, Tree};
use crate::random::trees::types::Type;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The least number of bindings of a body that counts as long.
const LONG: usize = 30;

/// The least number of bindings of a body that counts as very long.
const VERY_LONG: usize = 200;

/// The least number of parameters, captured variables or operands that counts as many.
const WIDE: usize = 10;

/// The least number of operands that counts as very many.
const VERY_WIDE: usize = 50;

/// The least number of procedures of a `letrec` that counts as large.
const LARGE: usize = 15;

const LONG_BODY: &str = "long bodies";
const VERY_LONG_BODY: &str = "very long bodies";
const LONG_UNDER: &str = "long bodies under operators";
const PARAMETERS: &str = "many parameters";
const CAPTURED: &str = "many captured variables";
const OPERANDS: &str = "very many operands";
const GROUP: &str = "large groups";
const PROCEDURES: &str = "vectors of procedures";
const CAPSULES: &str = "capsules in capsules";
const IN_FORWARD: &str = "checkpoints in j*";
const IN_REVERSE: &str = "checkpoints in *j";
const LIBRARY: &str = "library procedures under operators";
const TRANSFORMED: &str = "library procedures transformed";
const TEMPLATES: &str = "templates of libraries and texts";
const TEMPLATES_UNDER: &str = "templates under operators";

/// The features that are counted, in the order of tables.
pub const FEATURES: [&str; 15] = [
    LONG_BODY,
    VERY_LONG_BODY,
    LONG_UNDER,
    PARAMETERS,
    CAPTURED,
    OPERANDS,
    GROUP,
    PROCEDURES,
    CAPSULES,
    IN_FORWARD,
    IN_REVERSE,
    LIBRARY,
    TRANSFORMED,
    TEMPLATES,
    TEMPLATES_UNDER,
];

/// The number of programs that have each feature.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Shapes {
    counts: BTreeMap<String, u64>,
}

impl Shapes {
    /// Counts the features of a program.
    pub fn add(&mut self, tree: &Tree) {
        for feature in features(tree) {
            *self.counts.entry(feature.to_owned()).or_default() += 1;
        }
    }

    /// Adds the counts of another table.
    pub fn merge(&mut self, other: Shapes) {
        add_counts(&mut self.counts, other.counts);
    }

    /// The number of programs that have each of the features.
    pub fn rows(&self) -> BTreeMap<&'static str, u64> {
        FEATURES.into_iter().map(|feature| (feature, self.counts.get(feature).copied().unwrap_or(0))).collect()
    }

    /// The counts in one line, in the order of [`FEATURES`].
    pub fn line(&self) -> String {
        let rows = self.rows();
        let count = |feature: &str| rows.get(feature).copied().unwrap_or(0);
        FEATURES.map(|feature| format!("{feature} {}", count(feature))).join(", ")
    }

    /// The features that fewer than `least` programs have, with their counts.
    pub fn below(&self, least: u64) -> Vec<(&'static str, u64)> {
        self.rows().into_iter().filter(|(_, count)| *count < least).collect()
    }
}

/// The features that a program has.
fn features(tree: &Tree) -> BTreeSet<&'static str> {
    let mut walk =
        Walk { found: BTreeSet::new(), around: Vec::new(), scope: Vec::new(), has_library: !tree.includes.is_empty() };
    for item in &tree.items {
        match item {
            Item::Define(definition, node) => walk.definition(definition, node),
            Item::Expression(node) => walk.node(node),
        }
    }
    walk.found
}

struct Walk {
    found: BTreeSet<&'static str>,
    /// The enclosing operators, the outermost first.
    around: Vec<Style>,
    /// The names that procedures can capture.
    scope: Vec<String>,
    has_library: bool,
}

impl Walk {
    fn note(&mut self, feature: &'static str, holds: bool) {
        if holds {
            self.found.insert(feature);
        }
    }

    fn node(&mut self, node: &Node) {
        self.note(PROCEDURES, matches!(&node.gives, Type::Vector(element) if matches!(**element, Type::Procedure(..))));
        self.note(CAPSULES, matches!(&node.gives, Type::Capsule(rest) if matches!(**rest, Type::Capsule(_))));
        let bindings = straight_bindings(node);
        self.note(LONG_BODY, bindings >= LONG);
        self.note(VERY_LONG_BODY, bindings >= VERY_LONG);
        self.note(LONG_UNDER, bindings >= LONG && !self.around.is_empty());
        let before = self.scope.len();
        let Bound { name, patterns, definitions } = node.form.bound();
        let is_lambda = matches!(node.form, Form::Lambda(_));
        let has_parameters = is_lambda || matches!(node.form, Form::Loop(..));
        self.note(OPERANDS, node.form == Form::Call && node.children.len() > VERY_WIDE);
        self.note(CAPTURED, is_lambda && captured(node, &self.scope) >= WIDE);
        self.note(PARAMETERS, has_parameters && patterns.len() >= WIDE);
        self.note(TEMPLATES, matches!(node.form, Form::Template(_)));
        self.note(TEMPLATES_UNDER, matches!(node.form, Form::Template(_)) && !self.around.is_empty());
        self.note(GROUP, matches!(node.form, Form::Letrec(_)) && definitions.len() >= LARGE);
        self.scope.extend(name.cloned());
        self.bind(patterns);
        self.definitions(definitions);
        self.children(node);
        self.scope.truncate(before);
    }

    fn children(&mut self, node: &Node) {
        let style = operator_style(node);
        if let Some(style) = style {
            let inside = |styles: &[Style]| self.around.iter().any(|around| styles.contains(around));
            let (forward, reverse) = (inside(&[Style::Forward]), inside(&[Style::Reverse]));
            self.note(IN_FORWARD, style == Style::Checkpoint && forward);
            self.note(IN_REVERSE, style == Style::Checkpoint && reverse);
            let named = |node: &Node| matches!(&node.form, Form::Name(name) if is_procedure(name));
            let is_of_library = self.has_library && node.children.get(1).is_some_and(named);
            self.note(LIBRARY, is_of_library);
            self.note(TRANSFORMED, is_of_library && style == Style::Reflective);
        }
        for (number, child) in node.children.iter().enumerate() {
            match style.filter(|_| number == 1) {
                Some(style) => {
                    self.around.push(style);
                    self.node(child);
                    self.around.pop();
                }
                None => self.node(child),
            }
        }
    }

    fn definition(&mut self, definition: &Definition, right: &Node) {
        let before = self.scope.len();
        definition.parameters.iter().for_each(|patterns| self.parameters(patterns));
        self.node(right);
        self.scope.truncate(before);
    }

    fn definitions(&mut self, definitions: &[Definition]) {
        for definition in definitions {
            self.scope.push(definition.name.clone());
            definition.parameters.iter().for_each(|patterns| self.parameters(patterns));
        }
    }

    fn parameters(&mut self, patterns: &[Pattern]) {
        self.note(PARAMETERS, patterns.len() >= WIDE);
        self.bind(patterns);
    }

    fn bind(&mut self, patterns: &[Pattern]) {
        let mut names = Vec::new();
        patterns.iter().for_each(|pattern| pattern.names(&mut names));
        self.scope.extend(names.into_iter().map(str::to_owned));
    }
}

/// The number of bindings that are evaluated in sequence before the body of a node yields its value; bodies in tail
/// position count.
fn straight_bindings(node: &Node) -> usize {
    let (mut count, mut node) = (0, node);
    loop {
        count += match &node.form {
            Form::Let(_, patterns) => patterns.len(),
            Form::Block(definitions) => definitions.len(),
            _ => return count,
        };
        match node.children.last() {
            Some(body) => node = body,
            None => return count,
        }
    }
}

/// The number of the given names that occur in a node.
fn captured<'node>(node: &'node Node, names: &[String]) -> usize {
    let name = |node: &'node Node| match &node.form {
        Form::Name(name) => Some(name.as_str()),
        _ => None,
    };
    let found: BTreeSet<&str> = node.nodes().filter_map(name).collect();
    names.iter().filter(|name| found.contains(name.as_str())).count()
}

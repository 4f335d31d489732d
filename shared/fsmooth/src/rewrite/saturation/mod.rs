//! Equality saturation for the rules of algebra: all terms that they make of a term in one graph, of which the cheapest is taken.
//!
//! Commutativity, associativity and distributivity have no direction, so they are no part of the normal form. An equality graph (crate
//! `egg`) holds the terms that they make, and the prices ([`prices`]) choose. Every loop has rules for its sum:
//!
//! ```text
//! sum_i (a * e) = a * sum_i e    a without i, total        sum_i (e + f) = sum_i e + sum_i f
//! sum_i (-e)    = - sum_i e                                z + e0 + ...   = z + sum_i e
//! ```
//!
//! The graph explains the way to the chosen term as a chain of applications, which are steps of the derivation. Nodes and rounds are
//! bounded, so the result depends on the term alone.

mod node;

use crate::rewrite::cost::prices;
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{ExpressionId, Program};
use egg::{
    Analysis, Condition, ConditionalApplier, CostFunction, DidMerge, EGraph, Extractor, FlatTerm, Id, Pattern, RecExpr,
    Rewrite, Runner, Subst, Var,
};
use node::{Node, Operator, Prototypes, sum_name};
use std::collections::BTreeSet;
use std::time::Duration;

/// The largest term that is saturated.
const LARGEST: usize = 400;

/// The number of nodes of a graph, and of rounds, at most.
const MOST_NODES: usize = 4_000;
const MOST_ROUNDS: usize = 8;

/// The number of steps of a chain at most; a longer one is given as one step.
const LONGEST_CHAIN: usize = 60;

/// The mark between the name of a rule and the sum that it is for.
const OF_SUM: &str = " of sum ";

/// The number of times that the body of a loop counts.
const NOMINAL: f64 = 1000.0;

/// The rules that hold of numbers, in both directions where it makes sense.
const RULES: [(&str, &str, &str); 14] = [
    ("sum commutes", "(+ ?a ?b)", "(+ ?b ?a)"),
    ("sum associates", "(+ (+ ?a ?b) ?c)", "(+ ?a (+ ?b ?c))"),
    ("sum associates back", "(+ ?a (+ ?b ?c))", "(+ (+ ?a ?b) ?c)"),
    ("product commutes", "(* ?a ?b)", "(* ?b ?a)"),
    ("product associates", "(* (* ?a ?b) ?c)", "(* ?a (* ?b ?c))"),
    ("product associates back", "(* ?a (* ?b ?c))", "(* (* ?a ?b) ?c)"),
    ("common factor", "(+ (* ?a ?b) (* ?a ?c))", "(* ?a (+ ?b ?c))"),
    ("distribution", "(* ?a (+ ?b ?c))", "(+ (* ?a ?b) (* ?a ?c))"),
    ("double", "(+ ?a ?a)", "(* 2.0 ?a)"),
    ("difference as a sum", "(- ?a ?b)", "(+ ?a (negate ?b))"),
    ("sum as a difference", "(+ ?a (negate ?b))", "(- ?a ?b)"),
    ("sign out of a product", "(* ?a (negate ?b))", "(negate (* ?a ?b))"),
    ("sign out of a sum", "(+ (negate ?a) (negate ?b))", "(negate (+ ?a ?b))"),
    ("times one", "(* ?a 1.0)", "?a"),
];

/// The facts about a class of equal terms.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Data {
    /// The locals that every known term of the class needs.
    free: BTreeSet<u32>,
    /// False if some term of the class is total.
    is_fallible: bool,
}

/// Free locals and failures of classes.
#[derive(Clone, Debug, Default)]
struct Terms {
    prototypes: Prototypes,
}

impl Analysis<Node> for Terms {
    type Data = Data;

    fn make(graph: &mut EGraph<Node, Terms>, node: &Node, _: Id) -> Data {
        let mut data = Data { free: BTreeSet::new(), is_fallible: false };
        for part in &node.parts {
            let part = &graph[*part].data;
            data.free.extend(part.free.iter().copied());
            data.is_fallible |= part.is_fallible;
        }
        match node.operator {
            Operator::Sum(index) => {
                data.free.remove(&index);
            }
            Operator::Prototype(number) => {
                let prototype = graph.analysis.prototypes.get(number);
                data.free.extend(prototype.head.used().map(|local| local.0));
                if let Some(local) = prototype.head.bound() {
                    data.free.remove(&local.0);
                }
                data.is_fallible |= prototype.is_fallible;
            }
        }
        data
    }

    fn merge(&mut self, into: &mut Data, from: Data) -> DidMerge {
        let merged = Data {
            free: into.free.intersection(&from.free).copied().collect(),
            is_fallible: into.is_fallible && from.is_fallible,
        };
        let did = DidMerge(merged != *into, merged != from);
        *into = merged;
        did
    }
}

/// The condition that a term does not depend on an index, and is total.
struct Invariant {
    variable: Var,
    index: u32,
}

impl Condition<Node, Terms> for Invariant {
    fn check(&self, graph: &mut EGraph<Node, Terms>, _: Id, instance: &Subst) -> bool {
        instance.get(self.variable).is_some_and(|id| {
            let data = &graph[*id].data;
            !data.free.contains(&self.index) && !data.is_fallible
        })
    }
}

/// The rules for a term with some sums; an error is one of their texts.
fn rules(prototypes: &Prototypes) -> Result<Vec<Rewrite<Node, Terms>>, String> {
    let pattern = |text: &str| text.parse::<Pattern<Node>>().map_err(|error| error.to_string());
    let mut rules = vec![];
    for (name, from, to) in RULES {
        rules.push(Rewrite::new(name, pattern(from)?, pattern(to)?)?);
    }
    for index in &prototypes.sums {
        let sum = sum_name(*index);
        // Names are those of rows, made different for each sum.
        let named = |name: &str| format!("{name}{OF_SUM}{index}");
        let mut add = |name: &str, from: &str, to: &str| -> Result<(), String> {
            rules.push(Rewrite::new(named(name), pattern(from)?, pattern(to)?)?);
            Ok(())
        };
        let apart = format!("(+ ({sum} ?a 0.0 ?n) ({sum} ?b 0.0 ?n))");
        add("sum of sums", &format!("({sum} (+ ?a ?b) 0.0 ?n)"), &apart)?;
        add("sums as one", &apart, &format!("({sum} (+ ?a ?b) 0.0 ?n)"))?;
        add("sum of signs", &format!("({sum} (negate ?a) 0.0 ?n)"), &format!("(negate ({sum} ?a 0.0 ?n))"))?;
        let variable = "?a".parse::<Var>().map_err(|error| error.to_string())?;
        let applier = pattern(&format!("(* ?a ({sum} ?e 0.0 ?n))"))?;
        let applier = ConditionalApplier { condition: Invariant { variable, index: *index }, applier };
        rules.push(Rewrite::new(
            named("factor out of a sum"),
            pattern(&format!("({sum} (* ?a ?e) 0.0 ?n)"))?,
            applier,
        )?);
    }
    Ok(rules)
}

/// The cost of nodes, in the units of [`prices`].
struct NodeCost<'run>(&'run Prototypes);

impl CostFunction<Node> for NodeCost<'_> {
    type Cost = f64;

    fn cost<C: FnMut(Id) -> f64>(&mut self, node: &Node, mut costs: C) -> f64 {
        let mut parts = node.parts.iter().map(|part| costs(*part));
        match node.operator {
            Operator::Sum(_) => {
                let summand = parts.next().unwrap_or(0.0);
                1.0 + NOMINAL * (summand + 1.0) + parts.sum::<f64>()
            }
            Operator::Prototype(number) => {
                let head = self.0.get(number).head;
                let times = |place| if Some(place) == head.repeated() { NOMINAL } else { 1.0 };
                // A small amount for each node: of terms that cost the same, the smaller one is chosen.
                let own = 0.001 + prices::own(head, node.parts.len());
                own + parts.enumerate().map(|(place, cost)| times(place) * cost).sum::<f64>()
            }
        }
    }
}

/// Returns the cheapest term that the rules of algebra make of a term, and the steps that lead there; none if the term
/// is the cheapest one, or too large.
pub fn saturated(
    program: &mut Program,
    context: &mut Context,
    root: ExpressionId,
) -> Option<(ExpressionId, Vec<Step>)> {
    if terms::size(program, root, LARGEST) >= LARGEST {
        return None;
    }
    let span = program.span(root);
    let mut prototypes = Prototypes::new(span);
    let mut nodes = RecExpr::default();
    prototypes.nodes(program, context, root, &mut nodes);
    let rules = rules(&prototypes).ok()?;
    let runner = Runner::<Node, Terms>::new(Terms { prototypes: prototypes.clone() })
        .with_explanations_enabled()
        .with_iter_limit(MOST_ROUNDS)
        .with_node_limit(MOST_NODES)
        // Never by time.
        .with_time_limit(Duration::from_secs(u64::from(u32::MAX)))
        .with_expr(&nodes);
    let mut runner = runner.run(&rules);
    let mut cost = NodeCost(&prototypes);
    let old_cost = cost.cost_rec(&nodes);
    let (new_cost, best) = Extractor::new(&runner.egraph, cost).find_best(*runner.roots.first()?);
    if new_cost >= old_cost {
        return None;
    }
    let mut explanation = runner.explain_equivalence(&nodes, &best);
    let chain = explanation.make_flat_explanation();
    let mut steps = vec![];
    let mut before = root;
    if chain.len() <= LONGEST_CHAIN {
        for pair in chain.windows(2) {
            let [_, next] = pair else { continue };
            let mut flat = RecExpr::default();
            flatten(next, &mut flat);
            let after = prototypes.term(program, &flat, span);
            steps.push(Step { rule: rule_name(next), class: Class::Algebra, place: vec![], before, after });
            before = after;
        }
        return Some((before, steps));
    }
    let after = prototypes.term(program, &best, span);
    steps.push(Step { rule: "algebra", class: Class::Algebra, place: vec![], before, after });
    Some((after, steps))
}

/// Adds the nodes of a term of a chain; terms that are saturated are small, so this recurses.
fn flatten(term: &FlatTerm<Node>, out: &mut RecExpr<Node>) -> Id {
    let parts = term.children.iter().map(|part| flatten(part, out)).collect();
    out.add(Node { operator: term.node.operator, parts })
}

/// Returns the name of the rule that leads to a term of a chain from the one before, or back.
fn rule_name(term: &FlatTerm<Node>) -> &'static str {
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        if let Some(rule) = term.forward_rule.or(term.backward_rule) {
            let name: &'static str = rule.into();
            return name.split_once(OF_SUM).map_or(name, |(name, _)| name);
        }
        pending.extend(&term.children);
    }
    "algebra"
}

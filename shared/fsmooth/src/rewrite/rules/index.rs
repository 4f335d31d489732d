//! The index of the rules of the table by the construct at the root of their patterns: few rules can match an expression.

use super::matching;
use super::notation::{Construct, Term};
use super::table::{self, Rule};
use crate::typed::Expression;

/// The rules, in their order.
pub struct RuleIndex {
    rules: Vec<Rule>,
    /// For each construct at the root of a pattern the rules that may match it.
    by_construct: Vec<(Construct, Vec<usize>)>,
    /// The rules that may match anything else.
    others: Vec<usize>,
}

impl RuleIndex {
    /// The index of all rules.
    pub fn all() -> RuleIndex {
        RuleIndex::of(table::rules())
    }

    /// The index of some rules.
    fn of(rules: Vec<Rule>) -> RuleIndex {
        let roots: Vec<Option<Construct>> = rules.iter().map(|rule| root(&rule.pattern)).collect();
        let matching = |construct: Option<Construct>| -> Vec<usize> {
            let may_match = |place: &usize| roots.get(*place).is_some_and(|root| root.is_none() || *root == construct);
            (0..roots.len()).filter(may_match).collect()
        };
        let mut by_construct: Vec<(Construct, Vec<usize>)> = vec![];
        for construct in roots.iter().flatten() {
            if by_construct.iter().all(|(known, _)| known != construct) {
                by_construct.push((*construct, matching(Some(*construct))));
            }
        }
        RuleIndex { by_construct, others: matching(None), rules }
    }

    /// The rules that may match an expression, in their order.
    pub fn candidates(&self, expression: Expression) -> impl Iterator<Item = &Rule> {
        let construct = matching::construct_of(expression);
        let known = self.by_construct.iter().find(|(known, _)| Some(*known) == construct);
        known.map_or(&self.others, |(_, places)| places).iter().filter_map(|place| self.rules.get(*place))
    }
}

/// The construct at the root of a pattern; none if there may be several, or something else.
fn root(pattern: &Term) -> Option<Construct> {
    match pattern {
        Term::Construct(construct, _) => Some(*construct),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_is_a_candidate_for_its_construct() {
        let (index, rules) = (RuleIndex::all(), table::rules());
        for (place, rule) in rules.iter().enumerate() {
            match root(&rule.pattern) {
                Some(construct) => {
                    let known = index.by_construct.iter().find(|(known, _)| *known == construct);
                    assert!(known.is_some_and(|(_, places)| places.contains(&place)), "{}", rule.row.name);
                }
                None => assert!(index.by_construct.iter().all(|(_, places)| places.contains(&place))),
            }
        }
        assert!(index.by_construct.iter().all(|(_, places)| places.is_sorted()));
    }
}

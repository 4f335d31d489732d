//! The results of many cases: counts that can be added, and findings.

use super::compare::{Compared, Disagreement};
use super::counts::add_counts;
use super::gradients::Gradients;
use super::shapes::Shapes;
use crate::random::case::Case;
use crate::random::case_kind::CaseKind;
use crate::random::trees::coverage::Coverage;
use crate::random::trees::names::NameOccurrences;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most findings of one signature that are shrunk and kept; the others are only counted.
pub const MOST_KEPT: usize = 3;

/// A finding, as a small case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The number of the case in the campaign.
    pub number: u64,
    /// Its signature, which findings with one cause mostly share.
    pub look: String,
    /// A file that reproduces it. The program in it need not be UTF-8.
    pub text: Vec<u8>,
}

/// The counts and findings of many cases.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// The number of cases.
    pub cases: u64,
    /// The number of valid cases.
    pub good: u64,
    /// The number of texts that the front end refused.
    pub refused: u64,
    /// The number of cases per engine; not every case is compiled.
    pub runs: BTreeMap<String, u64>,
    /// The number of good programs by their number of expression nodes.
    pub nodes: BTreeMap<usize, u64>,
    /// The number of programs by n, the number of binary digits of their step count.
    pub steps: BTreeMap<u32, u64>,
    /// The number of cases that ran under a limit that they exceed.
    pub limited: u64,
    /// The number of cases that were suspended and resumed.
    pub suspended: u64,
    /// The number of cases that were either limited or suspended.
    pub interrupted: u64,
    /// The number of cases by outcome.
    pub endings: BTreeMap<String, u64>,
    /// The operations that good programs certainly execute.
    pub coverage: Coverage,
    /// The names in the text of good programs.
    pub written: NameOccurrences,
    /// The shapes that good programs have.
    pub shapes: Shapes,
    /// The results for the procedures whose derivatives were checked.
    pub gradients: Gradients,
    /// The number of findings by signature.
    pub looks: BTreeMap<String, u64>,
    /// The findings that are kept.
    pub findings: Vec<Finding>,
}

impl Tally {
    /// Counts a case; `finding` makes a small case of a disagreement, and is called for a few of each signature.
    pub fn add(
        &mut self,
        (number, sort, case): (u64, CaseKind, &Case),
        compared: &Compared,
        finding: &mut dyn FnMut(&Disagreement) -> Vec<u8>,
    ) {
        self.cases += 1;
        let ending = compared.first.errors.first().map_or("finished", |error| error.kind.name());
        *self.endings.entry(ending.to_owned()).or_default() += 1;
        match compared.first.steps {
            Some(steps) => *self.steps.entry(u64::BITS - steps.leading_zeros()).or_default() += 1,
            None => self.refused += 1,
        }
        self.limited += u64::from(compared.is_limited);
        self.suspended += u64::from(compared.is_suspended);
        self.interrupted += u64::from(compared.is_limited || compared.is_suspended);
        if sort.is_good() {
            self.good += 1;
            *self.nodes.entry(compared.nodes).or_default() += 1;
            if let Some(tree) = case.tree().filter(|_| ending == "finished") {
                self.coverage.add(tree);
                self.written.add(tree);
                self.shapes.add(tree);
            }
        }
        if let Some(disagreement) = &compared.disagreement {
            let look = look(disagreement);
            if self.note(&look) {
                let text = finding(disagreement);
                self.findings.push(Finding { number, look, text });
            }
        }
    }

    /// Counts a finding; returns true if it should be kept.
    pub fn note(&mut self, look: &str) -> bool {
        let count = self.looks.entry(look.to_owned()).or_default();
        *count += 1;
        *count <= MOST_KEPT as u64
    }

    /// The number of findings.
    pub fn found(&self) -> u64 {
        self.looks.values().sum()
    }

    /// Adds the results of another tally.
    pub fn merge(&mut self, other: Tally) {
        self.cases += other.cases;
        self.good += other.good;
        self.refused += other.refused;
        self.limited += other.limited;
        self.suspended += other.suspended;
        self.interrupted += other.interrupted;
        add_counts(&mut self.runs, other.runs);
        add_counts(&mut self.nodes, other.nodes);
        add_counts(&mut self.steps, other.steps);
        add_counts(&mut self.endings, other.endings);
        self.coverage.merge(other.coverage);
        self.written.merge(other.written);
        self.shapes.merge(other.shapes);
        self.gradients.merge(other.gradients);
        for finding in other.findings {
            let kept = self.findings.iter().filter(|kept| kept.look == finding.look).count();
            if kept < MOST_KEPT {
                self.findings.push(finding);
            }
        }
        add_counts(&mut self.looks, other.looks);
    }

    /// The median of the numbers of nodes of good programs.
    pub fn median_nodes(&self) -> usize {
        let half = self.nodes.values().sum::<u64>() / 2;
        let mut passed = 0;
        let beyond = self.nodes.iter().find(|(_, count)| {
            passed += **count;
            passed > half
        });
        beyond.map_or(0, |(nodes, _)| *nodes)
    }

    /// The counts in a few lines.
    pub fn summary(&self) -> String {
        let counts = |counts: &BTreeMap<String, u64>| {
            counts.iter().map(|(what, count)| format!("{what} {count}")).collect::<Vec<_>>().join(", ")
        };
        let (cells, written) = self.written.cells();
        if self.gradients.procedures > 0 {
            return format!(
                "{}runs: {}\nnames x innermost operator x depth, written: {written} of {cells}\n{} findings\n",
                self.gradients.summary(),
                counts(&self.runs),
                self.found(),
            );
        }
        let (reached, stacks) = self.coverage.share();
        format!(
            "{} cases, {} good and {} bad; {} are no programs\nruns: {}\n\
             interrupted: {} of {} that ran; {} by a limit, {} suspended and gone on with\nendings: {}\nnodes of a good program: half have {} or more, the largest {}\n\
             steps: at most 2^{}\noperations x stacks of up to two operators, executed at least: {reached} of {stacks}\n\
             names x innermost operator x depth, written: {written} of {cells}\nprograms with: {}\n{} findings\n",
            self.cases,
            self.good,
            self.cases - self.good,
            self.refused,
            counts(&self.runs),
            self.interrupted,
            self.cases - self.refused,
            self.limited,
            self.suspended,
            counts(&self.endings),
            self.median_nodes(),
            self.nodes.keys().next_back().copied().unwrap_or(0),
            self.steps.keys().next_back().copied().unwrap_or(0),
            self.shapes.line(),
            self.found(),
        )
    }
}

/// The signature of a disagreement, which disagreements with one cause mostly share.
pub fn look(disagreement: &Disagreement) -> String {
    let crash = disagreement.observed.crash.as_deref().unwrap_or("");
    let crash = crash.lines().next().unwrap_or_default();
    format!("{} differs in {:?} {crash}", disagreement.engine, disagreement.aspect).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up() {
        let finding = |number| Finding { number, look: "a".to_owned(), text: b"(f \xff)".to_vec() };
        let part = |numbers: &[u64]| Tally {
            cases: 10,
            good: 5,
            nodes: BTreeMap::from([(3, 2), (8, 3)]),
            looks: BTreeMap::from([("a".to_owned(), numbers.len() as u64)]),
            findings: numbers.iter().map(|number| finding(*number)).collect(),
            ..Tally::default()
        };
        let mut whole = part(&[1, 2]);
        whole.merge(part(&[3, 4]));
        assert_eq!((whole.cases, whole.good, whole.found(), whole.median_nodes()), (20, 10, 4, 8));
        assert_eq!(whole.findings.iter().map(|finding| finding.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(!whole.note("a") && whole.note("b"));
        let text = serde_json::to_string(&whole).unwrap();
        let read: Tally = serde_json::from_str(&text).unwrap();
        assert_eq!((read.summary(), read.findings), (whole.summary(), whole.findings));
    }
}

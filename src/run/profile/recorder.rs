//! The recorder of a profile: adds up the costs of operators for each node of the program and each depth of nesting.
//!
//! Invariant: the memory that this takes is bounded in terms of the nesting of operators; it is independent of the
//! number of applications.

use super::meter::{Measure, Meter};
use super::trace::Trace;
use crate::process::allocation;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use vlad_engines::Engine;
use vlad_shared::ad::checkpointing::Action;
use vlad_shared::core::ExpressionId;
use vlad_shared::runtime::event::Event;
use vlad_shared::table::Primitive;

/// The most rows; applications that would need more rows are only counted.
const MOST_ROWS: usize = 1000;

/// The costs of one application, or of several.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// The steps of the procedures, without those inside nested operators.
    pub steps: u64,
    /// The number of advances.
    pub splits: u64,
    /// The number of reversals.
    pub reversals: u64,
    /// The most states that one application kept at the same time.
    pub snapshots: usize,
    /// The steps of all actions.
    pub executed: u64,
    /// The most bytes in use during one application, beyond those at its beginning.
    pub peak: u64,
    /// The time from beginning to end.
    pub time: Duration,
}

/// The applications of one operator at one node and one depth.
#[derive(Debug)]
pub struct ProfileRow {
    /// The operator.
    pub operator: Primitive,
    /// The application's node.
    pub node: ExpressionId,
    /// The number of enclosing operators.
    pub depth: usize,
    /// The number of applications.
    pub applications: u64,
    /// The number of those that ran within a re-execution by another operator.
    pub again: u64,
    /// The number of those that had not ended when the run did.
    pub unfinished: u64,
    /// The costs of all of them.
    pub costs: Costs,
    /// The costs of the application with the most steps.
    pub longest: Costs,
    /// The actions of that application, if it had any.
    pub trace: Option<Box<Trace>>,
}

/// The key of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    node: ExpressionId,
    depth: usize,
    operator: usize,
}

/// An application that has not ended.
#[derive(Debug)]
struct OpenApplication {
    operator: Primitive,
    node: ExpressionId,
    begun: Instant,
    /// The bytes in use at its beginning, and their maximum since.
    before: i64,
    most: i64,
    is_again: bool,
    costs: Costs,
    trace: Option<Box<Trace>>,
}

/// The listener that records a run.
pub struct Recorder {
    measure: Measure,
    meter: Meter,
    open: Vec<OpenApplication>,
    rows: Vec<ProfileRow>,
    places: HashMap<Key, usize>,
    left_out: u64,
}

/// The result of recording, after the run has ended.
#[derive(Debug)]
pub struct Profile {
    /// The quantity of memory that was measured.
    pub measure: Measure,
    /// The rows, in the order in which the first application of each began: an enclosing operator comes before a nested
    /// one.
    pub rows: Vec<ProfileRow>,
    /// The number of applications that are in no row.
    pub left_out: u64,
}

impl Recorder {
    /// Starts recording a run on an engine.
    pub fn new(engine: Engine) -> Recorder {
        let measure = Measure::of(engine);
        let meter = Meter::new(measure);
        Recorder { measure, meter, open: Vec::new(), rows: Vec::new(), places: HashMap::new(), left_out: 0 }
    }

    /// Records an event of an operator. The memory for the record is not counted as the program's.
    pub fn note(&mut self, event: Event) {
        allocation::uncounted(|| self.note_event(event));
    }

    fn note_event(&mut self, event: Event) {
        match event {
            // A profiled run never moves to another engine.
            Event::Restarted => {}
            Event::Begun { operator, node } => self.begin(operator, node),
            Event::Ended { steps } => self.end(Some(steps)),
            Event::Measured { steps } => {
                if let Some(top) = self.open.last_mut() {
                    top.costs.steps = steps;
                    top.trace = Some(Box::default());
                }
            }
            Event::Executed { steps } => {
                if let Some(top) = self.open.last_mut() {
                    top.costs.executed += steps;
                }
            }
            Event::Action { action, snapshots } => {
                if let Some(top) = self.open.last_mut() {
                    top.act(action, snapshots);
                }
            }
        }
    }

    /// Ends the run, and all applications that have not ended.
    pub fn finish(mut self) -> Profile {
        while !self.open.is_empty() {
            self.end(None);
        }
        Profile { measure: self.measure, rows: self.rows, left_out: self.left_out }
    }

    fn begin(&mut self, operator: Primitive, node: ExpressionId) {
        let (live, most) = self.meter.take();
        let mut is_again = false;
        if let Some(around) = self.open.last_mut() {
            around.most = around.most.max(most);
            is_again = around.is_again || around.costs.splits + around.costs.reversals > 0;
        }
        // The row is made now, so that the row of an enclosing operator comes before those of nested ones.
        self.row(Key { node, depth: self.open.len(), operator: operator as usize }, operator);
        let (costs, begun) = (Costs::default(), Instant::now());
        let open = OpenApplication { operator, node, begun, before: live, most: live, is_again, costs, trace: None };
        self.open.push(open);
    }

    /// Ends the innermost application: it has ended itself, or the run ends.
    fn end(&mut self, steps: Option<u64>) {
        let (_, most) = self.meter.take();
        let Some(mut ended) = self.open.pop() else { return };
        ended.most = ended.most.max(most);
        if let Some(around) = self.open.last_mut() {
            around.most = around.most.max(ended.most);
        }
        let costs = &mut ended.costs;
        costs.time = ended.begun.elapsed();
        costs.peak = u64::try_from(ended.most - ended.before).unwrap_or(0);
        // If the run ends within the application, its steps may have been measured before.
        costs.steps = steps.unwrap_or(costs.steps);
        let key = Key { node: ended.node, depth: self.open.len(), operator: ended.operator as usize };
        match self.row(key, ended.operator) {
            Some(row) => row.add(ended, steps.is_none()),
            None => self.left_out += 1,
        }
    }

    /// Returns the row of a key: a new one if there is none and the table is not full.
    fn row(&mut self, key: Key, operator: Primitive) -> Option<&mut ProfileRow> {
        let Some(place) = self.places.get(&key) else {
            if self.rows.len() >= MOST_ROWS {
                return None;
            }
            self.places.insert(key, self.rows.len());
            self.rows.push(ProfileRow::new(operator, key));
            return self.rows.last_mut();
        };
        self.rows.get_mut(*place)
    }
}

impl Profile {
    /// Returns the rows with actions of `checkpoint-*j`.
    pub fn checkpointed(&self) -> impl Iterator<Item = (&ProfileRow, &Trace)> {
        self.rows.iter().filter_map(|row| Some((row, row.trace.as_deref()?)))
    }
}

impl OpenApplication {
    fn act(&mut self, action: Action, snapshots: usize) {
        let costs = &mut self.costs;
        costs.snapshots = costs.snapshots.max(snapshots);
        match action {
            Action::Advance { .. } => costs.splits += 1,
            Action::Reverse { .. } => costs.reversals += 1,
        }
        if let Some(trace) = &mut self.trace {
            trace.note(action, snapshots);
        }
    }
}

impl ProfileRow {
    fn new(operator: Primitive, key: Key) -> ProfileRow {
        ProfileRow {
            operator,
            node: key.node,
            depth: key.depth,
            applications: 0,
            again: 0,
            unfinished: 0,
            costs: Costs::default(),
            longest: Costs::default(),
            trace: None,
        }
    }

    fn add(&mut self, ended: OpenApplication, is_unfinished: bool) {
        self.applications += 1;
        self.again += u64::from(ended.is_again);
        self.unfinished += u64::from(is_unfinished);
        self.costs.add(&ended.costs);
        if self.applications == 1 || ended.costs.all_steps() > self.longest.all_steps() {
            self.longest = ended.costs;
            self.trace = ended.trace;
        }
    }
}

impl Costs {
    fn add(&mut self, other: &Costs) {
        self.steps = self.steps.saturating_add(other.steps);
        self.splits += other.splits;
        self.reversals += other.reversals;
        self.snapshots = self.snapshots.max(other.snapshots);
        self.executed = self.executed.saturating_add(other.executed);
        self.peak = self.peak.max(other.peak);
        self.time += other.time;
    }

    /// Returns the steps of the first execution and of all re-executions.
    pub fn all_steps(&self) -> u64 {
        self.steps.saturating_add(self.executed)
    }

    /// Returns the ratio of all steps executed to those of the first execution; none if that took none.
    pub fn ratio(&self) -> Option<f64> {
        (self.steps > 0).then(|| self.all_steps() as f64 / self.steps as f64)
    }
}

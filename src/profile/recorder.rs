//! What operators tell of themselves, summed up for each place in the program and each depth.
//!
//! Invariant: the memory that this takes is bounded by the depth of the operators under way; how many applications there
//! are does not matter.

use super::meter::{Measure, Meter};
use super::trace::Trace;
use crate::allocation;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use vlad_conformance::engine::Engine;
use vlad_shared::checkpointing::Action;
use vlad_shared::core::ExpressionId;
use vlad_shared::effects::Event;
use vlad_shared::table::Primitive;

/// The most rows; applications that would need more are counted and no more.
const MOST_ROWS: usize = 1000;

/// What some applications took, or one.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The steps of their procedures, without what ran in operators inside.
    pub steps: u64,
    /// The advances.
    pub splits: u64,
    /// The reversals.
    pub reversals: u64,
    /// The most states that one of them kept at the same time.
    pub snapshots: usize,
    /// The steps of all actions.
    pub executed: u64,
    /// The most bytes in use during one of them, beyond those when it began.
    pub peak: u64,
    /// The time from beginning to end.
    pub time: Duration,
}

/// The applications of one operator at one node and one depth.
#[derive(Debug)]
pub struct Row {
    /// The operator.
    pub operator: Primitive,
    /// The application's node.
    pub node: ExpressionId,
    /// How many operators are around it.
    pub depth: usize,
    /// How many applications there were.
    pub applications: u64,
    /// How many of them were within what another operator executed again.
    pub again: u64,
    /// How many had not ended when the run did.
    pub unfinished: u64,
    /// What they took together.
    pub figures: Figures,
    /// What the one that took the most steps took.
    pub longest: Figures,
    /// The actions of that one, if it had any.
    pub trace: Option<Box<Trace>>,
}

/// Where applications are summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    node: ExpressionId,
    depth: usize,
    operator: usize,
}

/// An application under way.
#[derive(Debug)]
struct Open {
    operator: Primitive,
    node: ExpressionId,
    begun: Instant,
    /// The bytes in use when it began, and the most since.
    before: i64,
    most: i64,
    is_again: bool,
    figures: Figures,
    trace: Option<Box<Trace>>,
}

/// Listens to a run.
pub struct Recorder {
    measure: Measure,
    meter: Meter,
    open: Vec<Open>,
    rows: Vec<Row>,
    places: HashMap<Key, usize>,
    left_out: u64,
}

/// What is known when the run has ended.
#[derive(Debug)]
pub struct Profile {
    /// How memory was measured.
    pub measure: Measure,
    /// The rows, in the order in which the first application of each ended, but for the depth: what is around comes first.
    pub rows: Vec<Row>,
    /// How many applications are in no row.
    pub left_out: u64,
}

impl Recorder {
    /// Listens to a run on an engine from now on.
    pub fn new(engine: Engine) -> Recorder {
        let measure = Measure::of(engine);
        let meter = Meter::new(measure);
        Recorder { measure, meter, open: Vec::new(), rows: Vec::new(), places: HashMap::new(), left_out: 0 }
    }

    /// Takes note of what an operator tells. What is kept for the profile is not counted as the program's.
    pub fn note(&mut self, event: Event) {
        allocation::uncounted(|| self.note_event(event));
    }

    fn note_event(&mut self, event: Event) {
        match event {
            // A run that is profiled stays with its engine.
            Event::Restarted => {}
            Event::Begun { operator, node } => self.begin(operator, node),
            Event::Ended { steps } => self.end(Some(steps)),
            Event::Measured { steps } => {
                if let Some(top) = self.open.last_mut() {
                    top.figures.steps = steps;
                    top.trace = Some(Box::default());
                }
            }
            Event::Executed { steps } => {
                if let Some(top) = self.open.last_mut() {
                    top.figures.executed += steps;
                }
            }
            Event::Action { action, snapshots } => {
                if let Some(top) = self.open.last_mut() {
                    top.act(action, snapshots);
                }
            }
        }
    }

    /// Ends the run, and with it what is under way.
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
            is_again = around.is_again || around.figures.splits + around.figures.reversals > 0;
        }
        // Its row has its place from now on, so that what is around comes before what is inside.
        self.row(Key { node, depth: self.open.len(), operator: operator as usize }, operator);
        let (figures, begun) = (Figures::default(), Instant::now());
        let open = Open { operator, node, begun, before: live, most: live, is_again, figures, trace: None };
        self.open.push(open);
    }

    /// The innermost application ends, by itself or because the run does.
    fn end(&mut self, steps: Option<u64>) {
        let (_, most) = self.meter.take();
        let Some(mut ended) = self.open.pop() else { return };
        ended.most = ended.most.max(most);
        if let Some(around) = self.open.last_mut() {
            around.most = around.most.max(ended.most);
        }
        let figures = &mut ended.figures;
        figures.time = ended.begun.elapsed();
        figures.peak = u64::try_from(ended.most - ended.before).unwrap_or(0);
        // A run that ends within it may have told its steps before.
        figures.steps = steps.unwrap_or(figures.steps);
        let key = Key { node: ended.node, depth: self.open.len(), operator: ended.operator as usize };
        match self.row(key, ended.operator) {
            Some(row) => row.add(ended, steps.is_none()),
            None => self.left_out += 1,
        }
    }

    /// The row of a key, a new one if there is room.
    fn row(&mut self, key: Key, operator: Primitive) -> Option<&mut Row> {
        let Some(place) = self.places.get(&key) else {
            if self.rows.len() >= MOST_ROWS {
                return None;
            }
            self.places.insert(key, self.rows.len());
            self.rows.push(Row::new(operator, key));
            return self.rows.last_mut();
        };
        self.rows.get_mut(*place)
    }
}

impl Open {
    fn act(&mut self, action: Action, snapshots: usize) {
        let figures = &mut self.figures;
        figures.snapshots = figures.snapshots.max(snapshots);
        match action {
            Action::Advance { .. } => figures.splits += 1,
            Action::Reverse { .. } => figures.reversals += 1,
        }
        if let Some(trace) = &mut self.trace {
            trace.note(action, snapshots);
        }
    }
}

impl Row {
    fn new(operator: Primitive, key: Key) -> Row {
        Row {
            operator,
            node: key.node,
            depth: key.depth,
            applications: 0,
            again: 0,
            unfinished: 0,
            figures: Figures::default(),
            longest: Figures::default(),
            trace: None,
        }
    }

    fn add(&mut self, ended: Open, is_unfinished: bool) {
        self.applications += 1;
        self.again += u64::from(ended.is_again);
        self.unfinished += u64::from(is_unfinished);
        self.figures.add(&ended.figures);
        if self.applications == 1 || ended.figures.all_steps() > self.longest.all_steps() {
            self.longest = ended.figures;
            self.trace = ended.trace;
        }
    }
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        self.steps = self.steps.saturating_add(other.steps);
        self.splits += other.splits;
        self.reversals += other.reversals;
        self.snapshots = self.snapshots.max(other.snapshots);
        self.executed = self.executed.saturating_add(other.executed);
        self.peak = self.peak.max(other.peak);
        self.time += other.time;
    }

    /// The steps of the first execution and of what was executed again.
    pub fn all_steps(&self) -> u64 {
        self.steps.saturating_add(self.executed)
    }

    /// How many steps were executed for each of the first execution; none if that took none.
    pub fn ratio(&self) -> Option<f64> {
        (self.steps > 0).then(|| self.all_steps() as f64 / self.steps as f64)
    }
}

//! The draft of a function in reverse mode: its variables with their identities, and the *frames* they belong to.
//!
//! The tracer makes variables, identities and frames. The sweep notes each value of the primal that it reads
//! ([`Draft::read`]). The primal is emitted last, and passes the noted values to the sweep ([`Draft::exports`]).
//!
//! The variables of a frame are visible together: it is the function, a `bind` with several paths, or the body of a loop.
//! The sweep over a frame stands elsewhere. A value that it reads is therefore yielded by the `bind` as well, or pushed at
//! the end of an iteration or a call and popped when the sweep begins.
//!
//! A frame whose values are pushed is divided into *segments* by the calls of recursive functions on its paths. A value
//! that only the sweep over the code before a call reads is pushed before the call, and popped after the sweep over the
//! call: neither the primal nor the sweep holds it during the call, where the recursion may be deep.

use super::identity::{Identity, Node};
use crate::{Function, Kind, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameId(usize);

/// The number of a segment that ends with a call, or with a branch to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SegmentId(usize);

/// The relation of a frame to the sweep over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameKind {
    /// The sweep is in its scope.
    #[default]
    Visible,
    /// The frame turned out to be a part of its parent.
    Merged,
    /// The values that the sweep reads are yielded to the parent.
    Yielded,
    /// The values that the sweep reads are pushed.
    Pushed,
}

/// The selection of a value that each iteration of a loop makes.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The comparison that decides it; its target is the flag that the sweep reads.
    pub comparison: Statement,
    /// The outcome with which the value of the iteration is selected.
    pub selected_if: bool,
    /// The counter of the loop, and its initial value.
    pub counter: (Variable, f64),
}

/// The ways in which the body of a recorded loop or `build` records otherwise than other frames.
#[derive(Clone, Debug, Default)]
pub struct SpecialRecord {
    /// The statements that compute for the sweep alone: their targets are recorded.
    pub computed: Vec<Statement>,
    /// True if the last iteration of the loop records nothing.
    pub spares_last: bool,
    /// The selection that the iterations of the loop make, if the number of the last one that has been selected is all
    /// that is recorded.
    pub selection: Option<Selection>,
}

#[derive(Debug, Default)]
struct Frame {
    kind: FrameKind,
    parent: Option<FrameId>,
    /// The variables that the sweep reads and that are yielded or pushed; those of segments are noted there.
    exports: Vec<Export>,
    special: SpecialRecord,
    /// For values of the last segment the variable in which the sweep finds them. It is popped first, so they are visible
    /// in all of the sweep.
    known: BTreeMap<Variable, Variable>,
    /// The segments before the last one in which the sweep is, with what it has found there.
    segments: Vec<(SegmentId, BTreeMap<Variable, Variable>)>,
}

impl Frame {
    fn known(&self, variable: Variable) -> Option<Variable> {
        let found = self.segments.iter().rev().find_map(|segment| segment.1.get(&variable));
        found.or_else(|| self.known.get(&variable)).copied()
    }
}

/// A variable that the sweep reads, and the one that it finds the value in.
pub type Export = (Variable, Variable);

/// A function that is being made.
#[derive(Debug, Default)]
pub struct Draft {
    /// The function; its variables are those of the primal and of the sweep.
    pub function: Function,
    /// The identities of active variables.
    identities: BTreeMap<Variable, Identity>,
    /// The frames of variables of the primal.
    frame_of: BTreeMap<Variable, FrameId>,
    frames: Vec<Frame>,
    frame: FrameId,
    /// For each segment that ends with a call or a branch the values that are pushed there.
    segments: Vec<Vec<Export>>,
    /// The nodes that are elements of arrays, with the shadow array and the index of their accumulators.
    pub elements: BTreeMap<Node, (Operand, Operand)>,
    /// The nodes whose accumulators are in memory, with the references to these.
    pub references: BTreeMap<Node, Operand>,
    /// The nodes that arrays have been made of.
    pub stored: BTreeSet<Node>,
    /// The lengths of arrays.
    pub lengths: BTreeSet<Variable>,
    nodes: u32,
}

/// A state of a draft to which it can go back.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    variables: Variable,
    frames: usize,
    segments: usize,
    nodes: u32,
}

impl Mark {
    /// The first variable that was added since.
    pub fn variable(self) -> Variable {
        self.variables
    }
}

impl Draft {
    /// A function whose outermost frame is of a certain kind.
    pub fn new(kind: FrameKind) -> Draft {
        Draft { frames: vec![Frame { kind, ..Frame::default() }], ..Draft::default() }
    }

    /// The outermost frame.
    pub const OUTERMOST: FrameId = FrameId(0);

    /// Adds a variable to the current frame.
    pub fn fresh(&mut self, kind: Kind) -> Variable {
        let variable = self.function.fresh(kind);
        self.frame_of.insert(variable, self.frame);
        variable
    }

    /// Adds a variable of the kind of another one.
    pub fn like(&mut self, variable: Variable) -> Variable {
        self.fresh(self.kind(variable.into()))
    }

    pub fn identify(&mut self, variable: Variable, identity: Identity) {
        self.identities.insert(variable, identity);
    }

    /// The identity of an operand's node.
    pub fn identity(&self, operand: Operand) -> Identity {
        match operand {
            Operand::Variable(variable) => self.identities.get(&variable).cloned().unwrap_or_default(),
            Operand::Real(_) | Operand::Boolean(_) => Identity::default(),
        }
    }

    pub fn kind(&self, operand: Operand) -> Kind {
        self.function.kind(operand)
    }

    /// Adds a node.
    pub fn node(&mut self) -> Node {
        self.nodes += 1;
        Node(self.nodes - 1)
    }

    /// True if the accumulator of a node is in memory.
    pub fn is_in_memory(&self, node: Node) -> bool {
        self.elements.contains_key(&node) || self.references.contains_key(&node)
    }

    /// The identity that an operand gives to a variable it is moved to: none if its node has a reference, which is moved
    /// with it and tells the node.
    pub fn moved(&self, operand: Operand) -> Identity {
        let identity = self.identity(operand);
        let is_referred = identity.nodes().into_iter().any(|node| self.references.contains_key(&node));
        if is_referred { Identity::default() } else { identity }
    }

    /// The node that is added next: all that exist are less.
    pub fn next_node(&self) -> Node {
        Node(self.nodes)
    }

    /// Begins a frame within the current one.
    pub fn open(&mut self, kind: FrameKind) -> FrameId {
        let parent = Some(self.frame);
        self.frames.push(Frame { kind, parent, ..Frame::default() });
        self.frame = FrameId(self.frames.len() - 1);
        self.frame
    }

    /// Returns to the parent of a frame.
    pub fn close(&mut self, frame: FrameId) {
        match self.frame(frame).parent {
            Some(parent) => self.frame = parent,
            None => vlad_table::internal_bug!("the outermost frame is not closed"),
        }
    }

    /// Makes a frame a part of its parent.
    pub fn merge(&mut self, frame: FrameId) {
        self.frame_mut(frame).kind = FrameKind::Merged;
    }

    pub fn mark(&self) -> Mark {
        Mark {
            variables: Variable(self.function.variables.len() as u32),
            frames: self.frames.len(),
            segments: self.segments.len(),
            nodes: self.nodes,
        }
    }

    /// Forgets what was added since; the current frame is one of those that remain.
    pub fn go_back(&mut self, mark: Mark) {
        self.function.variables.truncate(mark.variables.0 as usize);
        self.identities.split_off(&mark.variables);
        self.frame_of.split_off(&mark.variables);
        self.frames.truncate(mark.frames);
        self.segments.truncate(mark.segments);
        self.lengths.split_off(&mark.variables);
        self.elements.split_off(&Node(mark.nodes));
        self.references.split_off(&Node(mark.nodes));
        self.stored.split_off(&Node(mark.nodes));
        self.nodes = mark.nodes;
    }

    /// Returns the operand by which the sweep reads a value of the primal.
    pub fn read(&mut self, operand: Operand) -> Operand {
        let Operand::Variable(mut variable) = operand else { return operand };
        loop {
            let Some(&id) = self.frame_of.get(&variable) else {
                vlad_table::internal_bug!("every variable belongs to a frame");
            };
            variable = match self.frame(id).kind {
                FrameKind::Visible => return Operand::Variable(variable),
                FrameKind::Merged => match self.frame(id).parent {
                    Some(parent) => {
                        self.set_frame(variable, parent);
                        variable
                    }
                    None => vlad_table::internal_bug!("the outermost frame has no parent to be part of"),
                },
                FrameKind::Yielded => self.export(id, variable),
                FrameKind::Pushed => return Operand::Variable(self.export(id, variable)),
            }
        }
    }

    fn set_frame(&mut self, variable: Variable, frame: FrameId) {
        self.frame_of.insert(variable, frame);
    }

    fn export(&mut self, id: FrameId, variable: Variable) -> Variable {
        if let Some(known) = self.frame(id).known(variable) {
            return known;
        }
        let outside = self.like(variable);
        // A popped variable is never looked up again, so its frame does not matter.
        if let Some(parent) = self.frame(id).parent {
            self.set_frame(outside, parent);
        }
        let frame = self.frame_mut(id);
        let exports = match frame.segments.last_mut() {
            None => {
                frame.known.insert(variable, outside);
                Some(&mut frame.exports)
            }
            Some((segment, known)) => {
                known.insert(variable, outside);
                let segment = *segment;
                self.segments.get_mut(segment.0)
            }
        };
        match exports {
            Some(exports) => exports.push((variable, outside)),
            None => vlad_table::internal_bug!("a segment that is swept over has been traced"),
        }
        outside
    }

    /// Makes the sweep over a frame read another variable instead.
    pub fn substitute(&mut self, id: FrameId, variable: Variable, outside: Variable) {
        self.frame_mut(id).known.insert(variable, outside);
    }

    /// The values of a frame that the sweep reads, but for those of segments that end with a call or a branch.
    pub fn exports(&self, frame: FrameId) -> &[Export] {
        &self.frame(frame).exports
    }

    /// Notes values of a frame, the body of a loop or a `build`, that the sweep over it pops.
    pub fn record(&mut self, frame: FrameId, variables: &[Variable]) {
        self.frame_mut(frame).exports.extend(variables.iter().map(|variable| (*variable, *variable)));
    }

    /// The ways in which a frame records otherwise than others.
    pub fn special(&self, frame: FrameId) -> &SpecialRecord {
        &self.frame(frame).special
    }

    /// The same, to be changed.
    pub fn special_mut(&mut self, frame: FrameId) -> &mut SpecialRecord {
        &mut self.frame_mut(frame).special
    }

    /// Adds a segment.
    pub fn segment(&mut self) -> SegmentId {
        self.segments.push(Vec::new());
        SegmentId(self.segments.len() - 1)
    }

    /// The values of a segment that the sweep reads.
    pub fn exports_of_segment(&self, segment: SegmentId) -> &[Export] {
        match self.segments.get(segment.0) {
            Some(exports) => exports,
            None => vlad_table::internal_bug!("segment {} exists", segment.0),
        }
    }

    /// Begins the sweep over a segment of a frame.
    pub fn begin_segment(&mut self, frame: FrameId, segment: SegmentId) {
        self.frame_mut(frame).segments.push((segment, BTreeMap::new()));
    }

    /// The number of segments in which the sweep over a frame is.
    pub fn begun_segments(&self, frame: FrameId) -> usize {
        self.frame(frame).segments.len()
    }

    /// Ends the sweep over all segments but the first ones: what they found is not visible elsewhere.
    pub fn end_segments(&mut self, frame: FrameId, first: usize) {
        self.frame_mut(frame).segments.truncate(first);
    }

    fn frame(&self, id: FrameId) -> &Frame {
        match self.frames.get(id.0) {
            Some(frame) => frame,
            None => vlad_table::internal_bug!("frame {} exists", id.0),
        }
    }

    fn frame_mut(&mut self, id: FrameId) -> &mut Frame {
        match self.frames.get_mut(id.0) {
            Some(frame) => frame,
            None => vlad_table::internal_bug!("frame {} exists", id.0),
        }
    }
}

//! The refusal to remove the levels of a unit.

/// The reason why a unit is left to the tagged back end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The bound that is exceeded, or the construct that has no derivative.
    pub kind: RefusalKind,
    /// The name of the procedure whose derivative is refused; empty if it is not known.
    pub function: String,
}

/// The kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Levels are nested deeper than the given number.
    Levels(u32),
    /// The code of a derivative in forward mode is too large.
    ForwardSize,
    /// The blocks of a derivative in forward mode are nested too deep.
    ForwardDepth,
    /// The code of a derivative in reverse mode is too large.
    ReverseSize,
    /// The blocks of a derivative in reverse mode are nested too deep.
    ReverseDepth,
    /// A recursion moves too many values.
    ReverseRecursion,
    /// Code in reverse mode uses a record stack itself.
    RecordStack,
    /// Code in reverse mode uses arrays.
    Arrays,
    /// Code in reverse mode uses cells.
    Cells,
    /// Code in reverse mode replaces elements of arrays.
    Replacements,
    /// A level is around reverse mode that needs a tape.
    Tape,
    /// The record of reverse mode is to be bounded, and that of a recursion grows with its time.
    CheckpointRecursion,
    /// The record of reverse mode is to be bounded, and a loop has arrays in its state.
    CheckpointArrays,
    /// The record of reverse mode is to be bounded, and the code needs a tape.
    CheckpointTape,
    /// The record of reverse mode is to be bounded, and the code uses cells that cannot be moved.
    CheckpointCells,
    /// The levels inside of the code have not been removed.
    InnerLevels,
}

impl RefusalKind {
    /// The reason in words, before the name of the procedure, and what the user can change.
    fn row(self) -> (String, &'static str) {
        const SMALLER: &str = "a smaller procedure can be differentiated: keep a long loop a loop, with bounds that \
                               come from `read-real` or `(real n)`, so that it is not unrolled";
        const SHALLOWER: &str = "move inner conditions and loops into procedures of their own";
        match self {
            RefusalKind::Levels(most) => (
                format!("derivatives are nested more than {most} deep, or a procedure is differentiated in itself"),
                "differentiate a procedure that does not call the operator that differentiates it",
            ),
            RefusalKind::ForwardSize => ("the derivative in forward mode has too much code".to_owned(), SMALLER),
            RefusalKind::ForwardDepth => ("the derivative in forward mode is nested too deep".to_owned(), SHALLOWER),
            RefusalKind::ReverseSize => ("the derivative in reverse mode has too much code".to_owned(), SMALLER),
            RefusalKind::ReverseDepth => ("the derivative in reverse mode is nested too deep".to_owned(), SHALLOWER),
            RefusalKind::ReverseRecursion => (
                "recursion moves too many values for a derivative in reverse mode".to_owned(),
                "pass fewer numbers through the recursion, or use `j*` for the derivative",
            ),
            RefusalKind::RecordStack => (
                "a derivative is taken of `*j` of code with a `*j` of a loop or a recursion in it".to_owned(),
                "use `j*` for one of the derivatives, or differentiate the inner procedure outside of the loop",
            ),
            RefusalKind::Arrays => (
                "a derivative is taken of `*j` of code with vectors whose length is not known".to_owned(),
                "use `j*` for one of the derivatives, or vectors of a length that is written in the program",
            ),
            RefusalKind::Replacements => (
                "`*j` of code with `vector-set` or `list->vector` that makes a vector whose length is not known".to_owned(),
                "use `j*`, or `build`, which makes all elements at once",
            ),
            RefusalKind::Cells => (
                "a derivative is taken of `*j` of code with a structure that grows in a loop or a recursion".to_owned(),
                "use `j*` for one of the derivatives, or numbers in place of the structure",
            ),
            RefusalKind::Tape => (
                "a derivative is taken of reverse mode that numbers its nodes on a tape".to_owned(),
                "use `j*` for one of the derivatives, or differentiate the inner procedure outside of the loop",
            ),
            RefusalKind::CheckpointRecursion => (
                "`checkpoint-*j` of a recursion that calls itself more than once, or of procedures that call each other last"
                    .to_owned(),
                "use a loop, whose states can be kept, or `*j` where the memory suffices",
            ),
            RefusalKind::CheckpointArrays => (
                "`checkpoint-*j` of a loop that gives vectors to its next turn".to_owned(),
                "give numbers to the next turn, or use `*j` where the memory suffices",
            ),
            RefusalKind::CheckpointTape => (
                "`checkpoint-*j` of code whose nodes are numbered on a tape".to_owned(),
                "use `*j` where the memory suffices",
            ),
            RefusalKind::CheckpointCells => (
                "`checkpoint-*j` of code with a structure that grows in a loop or a recursion, and has too many parts".to_owned(),
                "use `*j` where the memory suffices, or numbers in place of the structure",
            ),
            RefusalKind::InnerLevels => (
                "a level is removed before the levels inside it".to_owned(),
                "differentiate a procedure that does not call the operator that differentiates it",
            ),
        }
    }
}

impl Refusal {
    pub(super) fn new(kind: RefusalKind) -> Refusal {
        Refusal { kind, function: String::new() }
    }

    /// The refusal where the record is to be bounded, so that no tape takes the place of what is refused.
    #[must_use]
    pub(super) fn of_checkpoints(mut self) -> Refusal {
        self.kind = match self.kind {
            RefusalKind::Arrays | RefusalKind::RecordStack => RefusalKind::CheckpointTape,
            RefusalKind::Cells => RefusalKind::CheckpointCells,
            kind => kind,
        };
        self
    }

    /// The refusal, for a procedure unless it has one.
    #[must_use]
    pub(super) fn within(mut self, function: &str) -> Refusal {
        if self.function.is_empty() {
            function.clone_into(&mut self.function);
        }
        self
    }

    /// The reason in words.
    pub fn text(&self) -> String {
        let (text, _) = self.kind.row();
        if self.function.is_empty() { text } else { format!("{text}, in `{}`", self.function) }
    }

    /// The advice to the user.
    pub fn hint(&self) -> &'static str {
        self.kind.row().1
    }
}

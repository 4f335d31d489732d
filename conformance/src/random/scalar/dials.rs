//! The dials of a program: the percentages of constructs that the passes of the specialising compiler find difficult.

use crate::random::expressions::generate::Generator;

/// The percentages of constructs.
#[derive(Clone, Copy, Debug)]
pub struct Dials {
    /// Of variables: the one that was used last, so that one node is in several positions of data, of a state or of
    /// results.
    pub aliases: usize,
    /// Of operations: those at the edges of their domains, whose coefficients are infinite or NaN where guards are
    /// active.
    pub edges: usize,
    /// Of numbers of the input and constants: infinities, NaN, and others of extreme size.
    pub infinities: usize,
    /// Of expressions: those that write or read.
    pub effects: usize,
    /// Of branches: those that fail at run time.
    pub errors: usize,
    /// Of operators inside others: those in reverse mode.
    pub reverse: usize,
    /// Of expressions: derivatives.
    pub derivatives: usize,
    /// Of procedures that are differentiated: those that are a derivative and nothing else.
    pub nesting: usize,
    /// Of expressions: loops and recursion.
    pub loops: usize,
    /// Of expressions: values of several shapes.
    pub shapes: usize,
    /// Of expressions: derivatives at structures of any size, or of such.
    pub grown: usize,
}

impl Dials {
    /// Random dials, each off in some programs and turned up in others.
    pub fn any(base: &mut Generator) -> Dials {
        let mut dial = |settings: [usize; 4]| base.pick(&settings, 0);
        Dials {
            aliases: dial([0, 10, 30, 60]),
            edges: dial([0, 0, 5, 25]),
            infinities: dial([0, 0, 4, 30]),
            effects: dial([0, 0, 2, 8]),
            errors: dial([0, 0, 0, 6]),
            reverse: dial([20, 50, 50, 80]),
            derivatives: dial([6, 12, 18, 24]),
            nesting: dial([0, 20, 40, 60]),
            loops: dial([4, 8, 12, 18]),
            shapes: dial([0, 0, 3, 10]),
            grown: dial([0, 0, 5, 20]),
        }
    }
}

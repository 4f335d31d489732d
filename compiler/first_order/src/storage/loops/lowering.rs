//! The state of the pass: the function that it takes, the one that it makes, and facts about the first.

use super::chosen;
use crate::build::Code;
use crate::counted_loops::counters;
use crate::passes::Passes;
use crate::{Block, End, Function, Kind, Operand, Unit, Variable};
use std::collections::{HashMap, HashSet};

/// The integer of a real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The integer.
    pub integer: Operand,
    /// The depth of the expression.
    pub depth: u32,
    /// True for the length of an array.
    pub is_length: bool,
    /// True for a remainder of a division by a length, which is no number if that is 0.
    pub may_be_none: bool,
}

impl Whole {
    /// An integer that is no expression.
    pub fn of(integer: Operand) -> Whole {
        Whole { integer, depth: 0, is_length: false, may_be_none: false }
    }
}

/// The values that the ends of a block in tail position of a construct give it: as they are, as integers, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As it is.
    Same,
    /// Its integer.
    Integer,
    /// Not at all.
    Nothing,
}

/// The values of a construct: its results, and the next state of a loop. A list that is too short goes on with [`Given::Same`].
#[derive(Clone, Debug, Default)]
pub struct Tail {
    /// The results.
    pub results: Vec<Given>,
    /// The next state.
    pub state: Vec<Given>,
    /// True if the next state is yielded, to code behind the iteration.
    pub yields_state: bool,
}

/// The state of a counted loop but its counter, in the order of the loop.
pub struct Others {
    /// The variables in the code of an iteration.
    pub variables: Vec<Variable>,
    /// Their kinds.
    pub kinds: Vec<Kind>,
    /// The way in which the ends of an iteration give the whole state.
    pub ways: Vec<Given>,
}

/// The lowering of the loops of a function.
pub struct Lowering<'code, 'unit> {
    /// The unit as it was.
    pub unit: &'unit Unit,
    /// The function as it was.
    pub function: &'unit Function,
    /// The function as it becomes.
    pub code: Code<'code>,
    /// The counters of its loops.
    pub counters: HashSet<Variable>,
    /// Other states and results that are integers.
    pub chosen: HashSet<Variable>,
    /// The passes that are wanted.
    pub passes: Passes,
    /// The integers of reals, as far as they are known.
    pub wholes: HashMap<Variable, Whole>,
    /// Other operands for variables of the function as it was.
    pub renamed: HashMap<Variable, Operand>,
    /// For comparisons of a counter with a real that stays in its loop, the number of whole numbers below the real.
    pub bounds: HashMap<Variable, Operand>,
}

impl<'code, 'unit> Lowering<'code, 'unit> {
    /// Begins with a function.
    pub fn of(
        unit: &'unit Unit,
        function: &'unit Function,
        passes: Passes,
        code: Code<'code>,
    ) -> Lowering<'code, 'unit> {
        let counters = counters(function);
        let chosen = chosen::chosen(function, &counters.union(&chosen::indices(function)).copied().collect());
        Lowering {
            unit,
            function,
            code,
            counters,
            chosen,
            passes,
            wholes: HashMap::new(),
            renamed: HashMap::new(),
            bounds: HashMap::new(),
        }
    }

    /// Writes a block apart.
    pub fn nested(&mut self, write: impl FnOnce(&mut Self) -> End) -> Block {
        let around = self.code.begin_block();
        let end = write(self);
        self.code.end_block(around, end)
    }

    /// An operand of the function as it was.
    pub fn operand(&self, operand: Operand) -> Operand {
        operand.variable().and_then(|variable| self.renamed.get(&variable)).copied().unwrap_or(operand)
    }

    /// Operands of the function as it was.
    pub fn operands(&self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().map(|operand| self.operand(*operand)).collect()
    }
}

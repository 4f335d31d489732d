//! The reader of variables, constants and operands: a table of the variables of one function, and methods that take operands from
//! the words of a line.
//!
//! [`super::read`] makes a [`Code`] for each function; the readers of [`super::statements`] and [`super::storage`] call its
//! methods. A variable is written as the letters of its kind and a number: `r3` is a real, `b4` a boolean, `aa5` an array of arrays
//! of reals. The text may be wrong anywhere; the error is the message.

use super::words::Words;
use crate::kind::MOST_RANK;
use crate::text::print::UNREAD;
use crate::{Elements, FunctionId, Kind, Operand, Scalar, Variable};
use std::collections::HashMap;
use vlad_table::number;

/// The greatest number of a variable, so that a slip of the pen takes no memory.
const MOST_VARIABLES: usize = 1 << 24;

/// The state of reading a function's code.
pub(super) struct Code<'text> {
    /// The functions of the unit, by name.
    functions: &'text HashMap<&'text str, FunctionId>,
    /// The kinds of the variables, as far as they were mentioned.
    kinds: Vec<Option<Kind>>,
}

/// The kind whose letters a variable has.
fn kind_of(letters: &str) -> Option<Kind> {
    let scalar = letters.trim_start_matches('a');
    let rank = u8::try_from(letters.len() - scalar.len()).ok().filter(|rank| *rank <= MOST_RANK)?;
    match (scalar, rank) {
        ("r", 0) => Some(Kind::Real),
        ("b", 0) => Some(Kind::Boolean),
        ("c", 0) => Some(Kind::Cell),
        ("k", 0) => Some(Kind::Integer),
        ("", 1..) => Some(Kind::Array(Elements { scalar: Scalar::Real, rank })),
        ("b", 1..) => Some(Kind::Array(Elements { scalar: Scalar::Boolean, rank })),
        _ => None,
    }
}

/// The number and the kind of a variable, given its word.
fn variable(word: &str) -> Option<(u32, Kind)> {
    let (letters, digits) = word.split_at_checked(word.find(|letter: char| letter.is_ascii_digit())?)?;
    Some((digits.parse().ok()?, kind_of(letters)?))
}

/// The constant of a word.
fn constant(word: &str) -> Option<Operand> {
    match word {
        "#t" => Some(Operand::Boolean(true)),
        "#f" => Some(Operand::Boolean(false)),
        UNREAD => Some(Operand::UNREAD),
        _ => number::parse(word).map(Operand::real),
    }
}

/// True for the words of operands.
pub(super) fn is_operand(word: &str) -> bool {
    variable(word).is_some() || constant(word).is_some()
}

impl<'text> Code<'text> {
    /// The state before a function is read, in a unit with these functions.
    pub(super) fn new(functions: &'text HashMap<&'text str, FunctionId>) -> Code<'text> {
        Code { functions, kinds: Vec::new() }
    }

    /// The kinds of the variables; one that nothing mentions is a real.
    pub(super) fn kinds(self) -> Vec<Kind> {
        self.kinds.into_iter().map(|kind| kind.unwrap_or(Kind::Real)).collect()
    }

    /// The variable of a word; notes its kind.
    pub(super) fn variable_of(&mut self, word: &str) -> Result<Variable, String> {
        let (number, kind) = variable(word).ok_or_else(|| format!("`{word}` is no variable"))?;
        let place = number as usize;
        if place >= MOST_VARIABLES {
            return Err(format!("the number of `{word}` is too great"));
        }
        if place >= self.kinds.len() {
            self.kinds.resize(place + 1, None);
        }
        match self.kinds.get_mut(place) {
            Some(Some(other)) if *other != kind => Err(format!("the variable {number} is of two kinds")),
            Some(entry) => {
                *entry = Some(kind);
                Ok(Variable(number))
            }
            None => Err(format!("there is no variable {number}")),
        }
    }

    /// The operand of a word.
    pub(super) fn operand_of(&mut self, word: &str) -> Result<Operand, String> {
        match constant(word) {
            Some(constant) => Ok(constant),
            None => self.variable_of(word).map(Operand::Variable),
        }
    }

    /// Takes a variable.
    pub(super) fn variable(&mut self, words: &mut Words<'_>) -> Result<Variable, String> {
        self.variable_of(words.next("a variable")?)
    }

    /// Takes all variables up to another word.
    pub(super) fn variables(&mut self, words: &mut Words<'_>) -> Result<Vec<Variable>, String> {
        let mut variables = Vec::new();
        while words.peek().is_some_and(|word| variable(word).is_some()) {
            variables.push(self.variable(words)?);
        }
        Ok(variables)
    }

    /// Takes an operand.
    pub(super) fn operand(&mut self, words: &mut Words<'_>) -> Result<Operand, String> {
        self.operand_of(words.next("an operand")?)
    }

    /// Takes all operands up to another word.
    pub(super) fn operands(&mut self, words: &mut Words<'_>) -> Result<Vec<Operand>, String> {
        let mut operands = Vec::new();
        while words.peek().is_some_and(is_operand) {
            operands.push(self.operand(words)?);
        }
        Ok(operands)
    }

    /// Takes all operands up to another word, which have to be `COUNT`.
    pub(super) fn exactly<const COUNT: usize>(&mut self, words: &mut Words<'_>) -> Result<[Operand; COUNT], String> {
        let operands = self.operands(words)?;
        let found = operands.len();
        operands.try_into().map_err(|_| format!("there are {found} operands instead of {COUNT}"))
    }

    /// Takes variables with their initial values.
    pub(super) fn state(&mut self, words: &mut Words<'_>) -> Result<(Vec<Variable>, Vec<Operand>), String> {
        let (mut state, mut initial) = (Vec::new(), Vec::new());
        if words.peek().is_some_and(is_operand) {
            loop {
                state.push(self.variable(words)?);
                words.expect(":=")?;
                initial.push(self.operand(words)?);
                if !words.accept(",") {
                    break;
                }
            }
        }
        Ok((state, initial))
    }

    /// Takes the name of a function.
    pub(super) fn callee(&self, words: &mut Words<'_>) -> Result<FunctionId, String> {
        let name = words.next("the name of a function")?;
        self.functions.get(name).copied().ok_or_else(|| format!("there is no function `{name}`"))
    }
}

/// The target of a statement that has one.
pub(super) fn one(targets: Vec<Variable>) -> Result<Variable, String> {
    match targets.as_slice() {
        [target] => Ok(*target),
        _ => Err("the statement has one target".to_owned()),
    }
}

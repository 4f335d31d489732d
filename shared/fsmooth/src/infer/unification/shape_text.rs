//! The texts of shapes in messages.

use super::shapes::{Shape, ShapeId, Shapes};
use crate::typed::fold::{Seen, text};

/// The letters of variables in a message.
#[derive(Debug, Default)]
pub struct Letters {
    known: Vec<ShapeId>,
}

impl Letters {
    fn of(&mut self, variable: ShapeId) -> String {
        let number = match self.known.iter().position(|known| *known == variable) {
            Some(number) => number,
            None => {
                self.known.push(variable);
                self.known.len() - 1
            }
        };
        let letter = char::from(b'a' + (number % 26) as u8);
        match number / 26 {
            0 => format!("'{letter}"),
            round => format!("'{letter}{round}"),
        }
    }
}

impl Shapes {
    /// Returns the text of a shape, with letters for its variables. An ellipsis stands for parts that are nested deeper
    /// than some levels, and for the end of a long text.
    pub fn text(&self, root: ShapeId, letters: &mut Letters) -> String {
        const LONGEST: usize = 200;
        const DEEPEST: usize = 8;
        text(root, (LONGEST, DEEPEST), |id| match self.get(id) {
            Shape::Variable(_) => Seen::Known(letters.of(self.root(id))),
            Shape::Number => Seen::Known("Num".to_owned()),
            seen => seen.parts().map_or_else(|| Seen::Known("Bool".to_owned()), Seen::Of),
        })
    }
}

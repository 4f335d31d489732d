//! The texts of shapes in messages.

use super::shapes::{Shape, ShapeId, Shapes};

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
    /// Returns the text of a shape, with letters for its variables; of one that is large, the beginning.
    pub fn text(&self, root: ShapeId, letters: &mut Letters) -> String {
        const LONGEST: usize = 200;
        enum Step {
            Text(&'static str),
            Shape(ShapeId, u8),
        }
        let mut text = String::new();
        let mut steps = vec![Step::Shape(root, 0)];
        while let Some(step) = steps.pop() {
            if text.len() > LONGEST {
                text.push_str("...");
                break;
            }
            let (id, place) = match step {
                Step::Text(literal) => {
                    text.push_str(literal);
                    continue;
                }
                Step::Shape(id, place) => (id, place),
            };
            let mut nested = |place_from: u8, parts: [Step; 3]| {
                let (open, close) = if place >= place_from { ("(", ")") } else { ("", "") };
                text.push_str(open);
                steps.push(Step::Text(close));
                steps.extend(parts.into_iter().rev());
            };
            match self.get(id) {
                Shape::Variable(_) => text.push_str(&letters.of(self.root(id))),
                Shape::Number => text.push_str("Num"),
                Shape::Boolean => text.push_str("Bool"),
                Shape::Array(element) => {
                    text.push_str("Array<");
                    steps.extend([Step::Text(">"), Step::Shape(element, 0)]);
                }
                Shape::Pair(first, second) => {
                    nested(2, [Step::Shape(first, 2), Step::Text(" * "), Step::Shape(second, 2)]);
                }
                Shape::Function(parameter, result) => {
                    nested(1, [Step::Shape(parameter, 1), Step::Text(" => "), Step::Shape(result, 0)]);
                }
            }
        }
        text
    }
}

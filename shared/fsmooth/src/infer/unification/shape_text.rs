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
    /// Returns the text of a shape, with letters for its variables. An ellipsis stands for parts that are nested deeper
    /// than some levels, and for the end of a long text.
    pub fn text(&self, root: ShapeId, letters: &mut Letters) -> String {
        const LONGEST: usize = 200;
        const DEEPEST: usize = 8;
        enum Step {
            Text(&'static str),
            /// A part, with the precedence of its place and the number of arrays, pairs and functions around it.
            Shape(ShapeId, u8, usize),
        }
        let mut text = String::new();
        let mut steps = vec![Step::Shape(root, 0, 0)];
        while let Some(step) = steps.pop() {
            if text.len() > LONGEST {
                text.push_str("...");
                break;
            }
            let (id, place, depth) = match step {
                Step::Text(literal) => {
                    text.push_str(literal);
                    continue;
                }
                Step::Shape(id, place, depth) => (id, place, depth),
            };
            let shape = self.get(id);
            if depth == DEEPEST && matches!(shape, Shape::Array(_) | Shape::Pair(..) | Shape::Function(..)) {
                text.push_str("...");
                continue;
            }
            let mut nested = |place_from: u8, parts: [Step; 3]| {
                let (open, close) = if place >= place_from { ("(", ")") } else { ("", "") };
                text.push_str(open);
                steps.push(Step::Text(close));
                steps.extend(parts.into_iter().rev());
            };
            match shape {
                Shape::Variable(_) => text.push_str(&letters.of(self.root(id))),
                Shape::Number => text.push_str("Num"),
                Shape::Boolean => text.push_str("Bool"),
                Shape::Array(element) => {
                    text.push_str("Array<");
                    steps.extend([Step::Text(">"), Step::Shape(element, 0, depth + 1)]);
                }
                Shape::Pair(first, second) => {
                    let [first, second] = [first, second].map(|part| Step::Shape(part, 2, depth + 1));
                    nested(2, [first, Step::Text(" * "), second]);
                }
                Shape::Function(parameter, result) => {
                    // The parameters of a function stand side by side.
                    let (parameter, result) = (Step::Shape(parameter, 1, depth + 1), Step::Shape(result, 0, depth));
                    nested(1, [parameter, Step::Text(" => "), result]);
                }
            }
        }
        text
    }
}

//! Notes of a front end about places of a text, for run-time errors in the words of its language.
//!
//! A language whose arrays are flat vectors notes the array that a node reads or assigns. An index outside of a dimension
//! gives a place that no vector has: the offset in that dimension and a fraction that tells the dimension, in
//! [`FRACTION`]s.

use crate::source::{FileId, Span};

/// The difference between the fractions of two dimensions.
pub const FRACTION: f64 = 1.0 / 16.0;

/// A dimension of an array, as far as it is known before the program runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotedDimension {
    /// The index of the first element.
    pub lower: Option<f64>,
    /// The number of indices.
    pub extent: Option<f64>,
}

/// An array.
#[derive(Clone, Debug, PartialEq)]
pub struct NotedArray {
    /// Its declaration, as in `A(2, 3)`.
    pub declared: String,
    /// Its dimensions.
    pub dimensions: Vec<NotedDimension>,
}

/// The notes about a program.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    arrays: Vec<NotedArray>,
    /// The places of elements, with the arrays.
    elements: Vec<(Span, u32)>,
    /// The files in whose language a variable without a value is the empty list.
    unassigned: Vec<FileId>,
    /// The files in whose language some names of primitives are others, with these names.
    spellings: Vec<(FileId, Spellings)>,
}

/// Names of primitives, and what a language writes for each.
pub type Spellings = &'static [(&'static str, &'static str)];

impl Notes {
    /// Adds an array and returns its number.
    pub fn add_array(&mut self, array: NotedArray) -> u32 {
        self.arrays.push(array);
        self.arrays.len() as u32 - 1
    }

    /// Notes that the node at a place reads or assigns an element of an array.
    pub fn add_element(&mut self, place: Span, array: u32) {
        self.elements.push((place, array));
    }

    /// Notes that the empty list is a variable without a value in a file.
    pub fn add_file(&mut self, file: FileId) {
        self.unassigned.push(file);
    }

    /// Returns true if the empty list is a variable without a value in a file.
    pub fn has_unassigned(&self, file: FileId) -> bool {
        self.unassigned.contains(&file)
    }

    /// Notes the names that the language of a file has for primitives.
    pub fn add_spellings(&mut self, file: FileId, spellings: Spellings) {
        self.spellings.push((file, spellings));
    }

    /// Returns a message about a place in a file with the names of its language.
    pub fn respelled(&self, file: FileId, message: String) -> String {
        let Some((_, spellings)) = self.spellings.iter().find(|(noted, _)| *noted == file) else { return message };
        let mut message = message;
        for (name, spelling) in *spellings {
            let quoted = format!("`{name}`");
            if message.contains(&quoted) {
                message = message.replace(&quoted, &format!("`{spelling}`"));
            }
        }
        message
    }

    /// Returns true if a language of its own spells the names of primitives in a file.
    pub fn has_spellings(&self, file: FileId) -> bool {
        self.spellings.iter().any(|(noted, _)| *noted == file)
    }

    /// Returns the message for a place in the vector of an array that it does not have; none for nodes without a note.
    pub fn outside(&self, node: Span, place: f64) -> Option<String> {
        let (_, array) = self.elements.iter().find(|(span, _)| *span == node)?;
        let NotedArray { declared, dimensions } = self.arrays.get(*array as usize)?;
        let fraction = place.rem_euclid(1.0);
        let (number, offset) = match (fraction / FRACTION) as usize {
            // The place is whole: only the last dimension is outside.
            0 => {
                let (_, before) = dimensions.split_last()?;
                let size = before.iter().map(|dimension| dimension.extent).product::<Option<f64>>();
                (dimensions.len(), size.map(|size| (place / size).floor()))
            }
            number => (number, Some(place - fraction)),
        };
        let lower = dimensions.get(number.checked_sub(1)?)?.lower;
        let index = match lower.zip(offset).map(|(lower, offset)| lower + offset).filter(|index| index.is_finite()) {
            Some(index) => format!("index {index}"),
            None => "an index".to_owned(),
        };
        Some(match dimensions.len() {
            1 => format!("{index} is outside of {declared}"),
            _ => format!("{index} is outside of dimension {number} of {declared}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(lower: f64, extent: f64) -> NotedDimension {
        NotedDimension { lower: Some(lower), extent: Some(extent) }
    }

    #[test]
    fn places_tell_dimensions_and_indices() {
        let mut notes = Notes::default();
        let place = Span::new(FileId(0), 3, 7);
        let array =
            NotedArray { declared: "A(2, 0:2)".to_owned(), dimensions: vec![dimension(1., 2.), dimension(0., 3.)] };
        let array = notes.add_array(array);
        notes.add_element(place, array);
        let message = |offset| notes.outside(place, offset).unwrap();
        assert_eq!(message(2.0 + FRACTION), "index 3 is outside of dimension 1 of A(2, 0:2)");
        assert_eq!(message(-1.0 + FRACTION), "index 0 is outside of dimension 1 of A(2, 0:2)");
        assert_eq!(message(4.0 + 2.0 * FRACTION), "index 4 is outside of dimension 2 of A(2, 0:2)");
        assert_eq!(message(-1.0), "index -1 is outside of dimension 2 of A(2, 0:2)");
        assert_eq!(message(7.0), "index 3 is outside of dimension 2 of A(2, 0:2)");
        assert_eq!(message(f64::NAN), "an index is outside of dimension 2 of A(2, 0:2)");
        assert_eq!(notes.outside(Span::new(FileId(0), 3, 8), 7.0), None);
    }
}

//! The part of the language report that defines a primitive.

use crate::primitives::{Control, Form, Predicate};

/// Primitives of any program: reals, pairs, input and output.
const PRIMITIVES: u8 = 6;
/// The operators of differentiation.
const DIFFERENTIATION: u8 = 8;
/// Suspended computations.
const CHECKPOINTING: u8 = 15;
/// Bundles and marks.
const REFLECTION: u8 = 17;
/// Vectors.
const VECTORS: u8 = 18;

impl Form {
    /// The number of the part that defines the primitives of a form. Part 6 lists those of other parts as well.
    pub const fn part(self) -> u8 {
        match self {
            Form::Fold { .. }
            | Form::Unary(_)
            | Form::Binary(_)
            | Form::UnaryOrBinary(..)
            | Form::Chain(_)
            | Form::AgainstZero(_)
            | Form::First
            | Form::Second
            | Form::Pair
            | Form::SameValue
            | Form::Real
            | Form::Zero
            | Form::Plus
            | Form::ReadReal
            | Form::WriteReal
            | Form::Write
            | Form::WriteRow
            | Form::EndOfInput
            | Form::WriteText
            | Form::Error
            | Form::ErrorText => PRIMITIVES,
            Form::Ask(predicate) => match predicate {
                Predicate::Null
                | Predicate::Boolean
                | Predicate::Real
                | Predicate::Pair
                | Predicate::Procedure
                | Predicate::False => PRIMITIVES,
                Predicate::Capsule => CHECKPOINTING,
                Predicate::Tagged(_) => REFLECTION,
                Predicate::Vector => VECTORS,
            },
            Form::OnVector(_) => VECTORS,
            Form::TransformForward
            | Form::Bundle
            | Form::PrimalOf
            | Form::TangentOf
            | Form::Mark(_)
            | Form::Unmark(_)
            | Form::Invert(_) => REFLECTION,
            Form::Control(control) => match control {
                Control::IfProcedure => PRIMITIVES,
                Control::Forward | Control::Reverse => DIFFERENTIATION,
                Control::CountSteps | Control::Interrupt | Control::Resume | Control::Checkpoint(_) => CHECKPOINTING,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::primitives::PRIMITIVES;
    use std::fs;
    use std::path::Path;

    /// The page of the part has the name of each of its primitives.
    #[test]
    fn the_report_defines_primitives_in_their_parts() {
        let report = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report");
        let pages: Vec<_> = fs::read_dir(report).unwrap().map(|entry| entry.unwrap().path()).collect();
        let is_end = |text: &str| text.starts_with([' ', ')', '`']);
        for row in &PRIMITIVES {
            let number = format!("{:02}-", row.form.part());
            let page =
                pages.iter().find(|path| path.file_name().unwrap().to_str().unwrap().starts_with(&number)).unwrap();
            let text = fs::read_to_string(page).unwrap();
            let has = |before: &str| {
                let mark = format!("{before}{}", row.name);
                text.match_indices(&mark).any(|(at, _)| is_end(&text[at + mark.len()..]))
            };
            assert!(has("`(") || has("`"), "{} is not in {}", row.name, page.display());
        }
    }
}

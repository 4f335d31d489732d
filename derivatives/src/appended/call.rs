//! Calls of a procedure behind a program, by itself and by operators of differentiation, as made expressions.

use super::point::{self, Point};
use super::{Evaluation, NoValues};
use vlad_shared::frontend::vlad::appendix::{Made, Part};

/// A procedure and operands for it, as parts of made expressions.
#[derive(Clone, Debug)]
pub struct Call {
    /// The program, with the procedure and the operands that are expressions given.
    pub evaluation: Evaluation,
    /// The operands.
    pub operands: Vec<Part>,
}

impl Call {
    /// The procedure.
    pub const PROCEDURE: Part = Part::Given(0);

    /// Adds a procedure and operands, each with its name in diagnostics, to an evaluation without given expressions.
    ///
    /// # Errors
    /// An operand is JSON, and is no datum; or the procedure, which tells the structure of JSON, is malformed.
    pub fn new(
        evaluation: Evaluation,
        (name, procedure): (&str, &str),
        operands: &[(&str, &Point)],
    ) -> Result<Call, NoValues> {
        let mut call = Call::of_expressions(evaluation, (name, procedure), &[]);
        for (name, operand) in operands {
            let part = match operand {
                Point::Expression(text) => call.given(name, text),
                Point::Json(json, arrays) => {
                    let given = call.evaluation.given.iter().take(1).cloned().collect();
                    let procedure = Evaluation { given, ..call.evaluation.clone() };
                    let program = procedure.load(vec![vec![Call::PROCEDURE]])?;
                    let datum = point::datum(json, *arrays, &program, &procedure.operands()?);
                    let datum = datum.map_err(|wrong| NoValues::Operand((*name).to_owned(), wrong))?;
                    Part::Datum(datum.quoted())
                }
            };
            call.operands.push(part);
        }
        Ok(call)
    }

    /// The same with operands that are expressions.
    pub fn of_expressions(
        mut evaluation: Evaluation,
        (name, procedure): (&str, &str),
        operands: &[(&str, &str)],
    ) -> Call {
        evaluation.given = vec![(name.to_owned(), evaluation.procedure(procedure))];
        let mut call = Call { evaluation, operands: Vec::new() };
        for (name, text) in operands {
            let part = call.given(name, text);
            call.operands.push(part);
        }
        call
    }

    /// Adds a given expression.
    fn given(&mut self, name: &str, text: &str) -> Part {
        self.evaluation.given.push((name.to_owned(), text.to_owned()));
        Part::Given(self.evaluation.given.len() - 1)
    }

    /// The operand of an index.
    pub fn operand(&self, index: usize) -> Part {
        self.operands.get(index).cloned().unwrap_or(Call::PROCEDURE)
    }

    /// The point: the first operand.
    pub fn point(&self) -> Made {
        vec![self.operand(0)]
    }

    /// The application of the procedure to the point.
    pub fn value(&self) -> Made {
        Call::value_at(self.operand(0))
    }

    /// The application of the procedure to an operand.
    pub fn value_at(operand: Part) -> Made {
        vec![Call::PROCEDURE, operand]
    }

    /// The application of an operator to the procedure, the point, and tangents or cotangents. The operator is an expression:
    /// the name of one, or a procedure that is called like one.
    pub fn derivative(&self, operator: &str, along: impl IntoIterator<Item = Part>) -> Made {
        Call::derivative_at(operator, self.operand(0), along)
    }

    /// The same with another operand as the point.
    pub fn derivative_at(operator: &str, operand: Part, along: impl IntoIterator<Item = Part>) -> Made {
        [Part::Datum(operator.to_owned()), Call::PROCEDURE, operand].into_iter().chain(along).collect()
    }
}

//! Requests for exports, parsed from the command line.

use super::names;
use super::signature::Signature;

/// A request for an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The name of the export.
    pub name: String,
    /// The expression of the procedure.
    pub expression: String,
    /// The signature.
    pub signature: Signature,
}

/// A request that may lack a signature. Then the types of the program supply it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The name of the export.
    pub name: String,
    /// The expression of the procedure.
    pub expression: String,
    /// The signature, or the reason why there is none.
    pub signature: Result<Signature, String>,
}

/// An expression that is appended to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The name of its text and of its value.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Asked {
    /// Parses `NAME` or `NAME=EXPRESSION`, with an optional colon and signature. An expression may contain colons: text
    /// behind the last colon belongs to the expression if it is no signature.
    ///
    /// # Errors
    /// Returns a description of the first error.
    pub fn parse(text: &str) -> Result<Asked, String> {
        let absent = "an export is `NAME:OPERANDS->RESULT` or `NAME=EXPRESSION:OPERANDS->RESULT`";
        let (mut procedure, mut signature) = (text, Err(absent.to_owned()));
        if let Some((before, behind)) = text.rsplit_once(':') {
            signature = Signature::parse(behind);
            if signature.is_ok() || !before.contains('=') {
                procedure = before;
            }
        }
        let (name, expression) = procedure.split_once('=').unwrap_or((procedure, procedure));
        let (name, expression) = (name.trim(), expression.trim());
        if name.is_empty() || expression.is_empty() {
            return Err(format!("`{procedure}` is neither `NAME` nor `NAME=EXPRESSION`"));
        }
        names::of_exports(&[name])?;
        if let Err(message) = &signature
            && procedure.len() < text.len()
        {
            return Err(message.clone());
        }
        Ok(Asked { name: name.to_owned(), expression: expression.to_owned(), signature })
    }

    /// The request, with the signature of its type if it has none of its own.
    pub fn with(&self, told: Option<Signature>) -> Result<Request, String> {
        let signature = told.map_or_else(|| self.signature.clone(), Ok)?;
        Ok(Request { name: self.name.clone(), expression: self.expression.clone(), signature })
    }

    /// The expression to append for the procedure.
    pub fn procedure(&self) -> Appended {
        Appended { name: format!("--export {}", self.name), text: self.expression.clone() }
    }
}

impl Request {
    /// Parses `NAME:SIGNATURE` or `NAME=EXPRESSION:SIGNATURE`.
    ///
    /// # Errors
    /// Returns a description of the first error.
    pub fn parse(text: &str) -> Result<Request, String> {
        Asked::parse(text)?.with(None)
    }

    /// The expressions to append: the procedure, and a placeholder for each operand. Placeholders are never evaluated.
    pub fn appended(&self) -> Vec<Appended> {
        let procedure = Appended { name: format!("--export {}", self.name), text: self.expression.clone() };
        let operand =
            |place: usize| Appended { name: format!("operand {} of {}", place + 1, self.name), text: "0".to_owned() };
        std::iter::once(procedure).chain((0..self.signature.operands.len()).map(operand)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name, the expression, and the signature of an export, if it has one.
    fn parts(text: &str) -> Option<(String, String, Option<String>)> {
        let asked = Asked::parse(text).ok()?;
        Some((asked.name, asked.expression, asked.signature.ok().map(|signature| signature.to_string())))
    }

    #[test]
    fn the_last_colon_is_that_of_a_signature_or_of_the_expression() {
        let of = |name: &str, expression: &str, signature: Option<&str>| {
            Some((name.to_owned(), expression.to_owned(), signature.map(str::to_owned)))
        };
        assert_eq!(parts("f:real->real"), of("f", "f", Some("real->real")));
        assert_eq!(parts("f"), of("f", "f", None));
        assert_eq!(parts("g = fun (v : Vector) -> v"), of("g", "fun (v : Vector) -> v", None));
        assert_eq!(
            parts("g = fun (v : Vector) -> v : vector->vector"),
            of("g", "fun (v : Vector) -> v", Some("vector->vector"))
        );
        for text in ["f:reals->real", ":real->real", "f=:real->real", "", "=f"] {
            assert_eq!(parts(text), None, "{text}");
        }
        assert!(Request::parse("f").is_err() && Request::parse("f:real->real").is_ok());
    }
}

//! JSON: numbers, booleans and arrays of them. Members of objects are chosen by their names; of an array of objects, a name
//! chooses the member of each. Texts stand for numbers that are not finite.

use crate::datum::{Data, DataError, array};
use crate::json_text::{self, not_finite};
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use std::fmt;

/// Reads a datum, or the member of an object on the way that the names say.
pub(crate) fn read(bytes: &[u8], members: &[String]) -> Result<Data, DataError> {
    json_text::read(bytes, |reader| Wanted { members }.deserialize(reader))
}

/// A datum to be read, behind so many members.
#[derive(Clone, Copy)]
struct Wanted<'names> {
    members: &'names [String],
}

impl<'text> DeserializeSeed<'text> for Wanted<'_> {
    type Value = Data;

    fn deserialize<D: Deserializer<'text>>(self, reader: D) -> Result<Data, D::Error> {
        reader.deserialize_any(self)
    }
}

impl Wanted<'_> {
    /// Returns a number or a boolean, unless a member of it is wanted.
    fn leaf<E: Error>(self, data: Data) -> Result<Data, E> {
        match self.members.first() {
            None => Ok(data),
            Some(name) => Err(E::custom(format!("an object with a member \"{name}\" is expected"))),
        }
    }
}

impl<'text> Visitor<'text> for Wanted<'_> {
    type Value = Data;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number, a boolean or an array of them")
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<Data, E> {
        self.leaf(Data::Boolean(boolean))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Data, E> {
        self.leaf(Data::Real(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Data, E> {
        self.leaf(Data::Real(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Data, E> {
        self.leaf(Data::Real(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Data, E> {
        match not_finite(text) {
            Some(number) => self.leaf(Data::Real(number)),
            None => Err(E::invalid_type(Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'text>>(self, mut elements: A) -> Result<Data, A::Error> {
        let mut read = Vec::new();
        while let Some(element) = elements.next_element_seed(self)? {
            read.push(element);
        }
        Ok(array(read))
    }

    fn visit_map<A: MapAccess<'text>>(self, mut members: A) -> Result<Data, A::Error> {
        let Some((wanted, members_of_it)) = self.members.split_first() else {
            return Err(A::Error::custom(
                "a number, a boolean or an array is expected, found an object: choose a member as in FILE.json:member",
            ));
        };
        let mut found = None;
        while let Some(name) = members.next_key::<String>()? {
            if name == *wanted {
                found = Some(members.next_value_seed(Wanted { members: members_of_it })?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        found.ok_or_else(|| A::Error::custom(format!("this object has no member \"{wanted}\"")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str, members: &[&str]) -> Result<Data, DataError> {
        let members: Vec<String> = members.iter().map(|name| (*name).to_owned()).collect();
        read(text.as_bytes(), &members)
    }

    #[test]
    fn data_and_members_are_read() {
        assert_eq!(json("2.5", &[]), Ok(Data::Real(2.5)));
        assert_eq!(json("[1, -2, 3e5]", &[]), Ok(Data::Reals(vec![1.0, -2.0, 3e5])));
        let nested =
            Data::Array(vec![Data::Reals(vec![1.0]), Data::Reals(vec![]), Data::Array(vec![Data::Boolean(true)])]);
        assert_eq!(json("[[1],[],[true]]", &[]), Ok(nested));
        assert_eq!(json(r#"{"a": "text", "b": {"c": [1]}}"#, &["b", "c"]), Ok(Data::Reals(vec![1.0])));
        assert_eq!(json(r#"[{"x": 1, "n": null}, {"x": 2}]"#, &["x"]), Ok(Data::Reals(vec![1.0, 2.0])));
        let (most, least) = (f64::INFINITY, f64::NEG_INFINITY);
        assert_eq!(
            json("\u{feff}{\"a\": NaN, \"b\": [\"+inf.0\", -1e400, Infinity]}", &["b"]),
            Ok(Data::Reals(vec![most, least, most]))
        );
    }

    #[test]
    fn errors_have_a_place() {
        let of = |text: &str, members: &[&str]| {
            let error = json(text, members).unwrap_err();
            (error.message, error.place.unwrap().0)
        };
        let (message, place) = of("[1,\n \"two\"]", &[]);
        assert!(message.contains("\"two\"") && message.contains("a number"), "{message}");
        assert!((5..=9).contains(&place), "{place}");
        assert!(of("[1,\n null]", &[]).0.contains("null"));
        assert!(of("{\"a\": 1}", &[]).0.contains("choose a member"));
        assert!(of("{\"a\": 1}", &["b"]).0.contains("no member \"b\""));
        assert!(of("[1, 2", &[]).0.contains("EOF"));
        assert!(of("1 2", &[]).0.contains("trailing"));
        assert!(of(&"[".repeat(1000), &[]).0.contains("recursion limit"));
    }
}

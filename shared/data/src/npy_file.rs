//! Arrays of NumPy: the format of `numpy.save`, versions 1 to 3, with numbers and booleans. An integer that is no double is an error, as
//! are other elements: no element loses a part.
//!
//! The header is a literal of Python, a dictionary with the keys `descr`, `fortran_order` and `shape`, as NumPy writes it.

use crate::datum::{Data, DataError};

/// The most dimensions, which is also NumPy's bound.
const MOST_DIMENSIONS: usize = 64;

/// The most elements. The text of more would be longer than programs may be.
const MOST_ELEMENTS: usize = 1 << 25;

/// The number of fields that a message names.
const MOST_NAMES: usize = 12;

/// The type of the elements.
#[derive(Clone, Copy)]
enum Sort {
    Boolean,
    Signed,
    Unsigned,
    Float,
}

/// The description of an array.
struct Header {
    sort: Sort,
    /// The bytes of an element.
    size: usize,
    is_little: bool,
    /// True if the first index varies fastest.
    is_fortran: bool,
    shape: Vec<usize>,
}

/// Reads an array.
pub(crate) fn read(bytes: &[u8], parts: &[String]) -> Result<Data, DataError> {
    if let Some(part) = parts.first() {
        return Err(DataError::new(format!("an array of NumPy has no part `{part}`")));
    }
    let cut = || DataError::new("the file ends within its header");
    let rest = bytes
        .strip_prefix(b"\x93NUMPY")
        .ok_or_else(|| DataError::new("this is no array of NumPy").with_hint("such files are written by numpy.save"))?;
    let (version, rest) = rest.split_at_checked(2).ok_or_else(cut)?;
    let width = match version.first() {
        Some(1) => 2,
        Some(2 | 3) => 4,
        _ => return Err(DataError::new("the version of the format is not known here")),
    };
    let (length, rest) = rest.split_at_checked(width).ok_or_else(cut)?;
    let length = length.iter().rev().fold(0_usize, |length, byte| length << 8 | usize::from(*byte));
    let (header, elements) = rest.split_at_checked(length).ok_or_else(cut)?;
    let header = Header::read(&String::from_utf8_lossy(header))?;
    let count = header.shape.iter().try_fold(1_usize, |count, extent| count.checked_mul(*extent));
    let needed = count.and_then(|count| count.checked_mul(header.size));
    if needed != Some(elements.len()) {
        let needed = needed.map_or("more".to_owned(), |needed| needed.to_string());
        let message = format!("the file has {} bytes of elements, where its header says {needed}", elements.len());
        return Err(DataError::new(message));
    }
    let rows = header.shape.iter().try_fold(1_usize, |count, extent| count.checked_mul((*extent).max(1)));
    if rows.is_none_or(|rows| rows > MOST_ELEMENTS) {
        return Err(DataError::new(format!("the array has more than {MOST_ELEMENTS} elements or rows")));
    }
    let count = count.unwrap_or_default();
    match header.sort {
        Sort::Signed | Sort::Unsigned => {
            let mut integers = (0..count).map(|number| header.integer(elements, number));
            if let Some(integer) = integers.find(|integer| *integer as f64 as i128 != *integer) {
                let message = format!("the integer {integer} is no double: the nearest one is {}", integer as f64);
                return Err(DataError::new(message).with_hint("a.astype(float) makes an array of the nearest doubles"));
            }
        }
        Sort::Boolean | Sort::Float => {}
    }
    Ok(nested(&header, elements))
}

/// Makes nested arrays of the elements: those of the last dimension first.
fn nested(header: &Header, elements: &[u8]) -> Data {
    let Some((last, outer)) = header.shape.split_last() else {
        return match header.sort {
            Sort::Boolean => Data::Boolean(header.number(elements, 0) != 0.0),
            Sort::Signed | Sort::Unsigned | Sort::Float => Data::Real(header.number(elements, 0)),
        };
    };
    // The distance in memory between neighbours in each dimension.
    let mut strides = vec![1_usize; header.shape.len()];
    let mut stride = 1;
    let in_order: Vec<usize> = match header.is_fortran {
        true => (0..header.shape.len()).collect(),
        false => (0..header.shape.len()).rev().collect(),
    };
    for dimension in in_order {
        if let (Some(place), Some(extent)) = (strides.get_mut(dimension), header.shape.get(dimension)) {
            *place = stride;
            stride *= extent;
        }
    }
    let step = strides.last().copied().unwrap_or(1);
    let outer_count: usize = outer.iter().product();
    let mut parts: Vec<Data> = (0..outer_count)
        .map(|number| {
            let (mut rest, mut begin) = (number, 0);
            for (extent, stride) in outer.iter().zip(&strides).rev() {
                begin += rest % extent * stride;
                rest /= extent;
            }
            let row = (0..*last).map(|index| header.number(elements, begin + index * step));
            match header.sort {
                Sort::Boolean if *last > 0 => Data::Array(row.map(|truth| Data::Boolean(truth != 0.0)).collect()),
                Sort::Boolean | Sort::Signed | Sort::Unsigned | Sort::Float => Data::Reals(row.collect()),
            }
        })
        .collect();
    for (depth, extent) in outer.iter().enumerate().rev() {
        let groups: usize = outer.iter().take(depth).product();
        let mut rest = parts.into_iter();
        parts = (0..groups).map(|_| Data::Array(rest.by_ref().take(*extent).collect())).collect();
    }
    parts.pop().unwrap_or(Data::Reals(vec![]))
}

impl Header {
    fn read(text: &str) -> Result<Header, DataError> {
        let value = |key: &str| {
            let rest = ["'", "\""].iter().find_map(|quote| text.split_once(&format!("{quote}{key}{quote}")));
            let rest = rest.and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
            rest.map(str::trim_start).ok_or_else(|| DataError::new(format!("the header has no `{key}`")))
        };
        let (is_little, sort, size) = element_type(value("descr")?)?;
        let is_fortran = value("fortran_order")?.starts_with("True");
        let shape = value("shape")?.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(shape, _)| shape);
        let shape = shape.ok_or_else(|| DataError::new("the shape in the header is no tuple"))?;
        let extents = shape.split(',').map(str::trim).filter(|extent| !extent.is_empty());
        let extents = extents.map(|extent| extent.trim_end_matches('L').parse().ok()).collect::<Option<Vec<usize>>>();
        let shape = extents.filter(|shape| shape.len() <= MOST_DIMENSIONS);
        let shape = shape.ok_or_else(|| DataError::new("the shape in the header is no tuple of sizes"))?;
        Ok(Header { sort, size, is_little, is_fortran, shape })
    }

    /// The bits of the element with a number, in the order of the file.
    fn bits(&self, elements: &[u8], number: usize) -> u64 {
        let bytes = elements.get(number * self.size..).and_then(|rest| rest.get(..self.size)).unwrap_or_default();
        let joined = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self.is_little {
            true => bytes.iter().rev().fold(0, joined),
            false => bytes.iter().fold(0, joined),
        }
    }

    /// An element that is an integer, or a boolean, which is 0 or not.
    fn integer(&self, elements: &[u8], number: usize) -> i128 {
        let (bits, shift) = (self.bits(elements, number), 64 - 8 * self.size as u32);
        match self.sort {
            Sort::Signed => i128::from((bits << shift) as i64 >> shift),
            Sort::Boolean | Sort::Unsigned | Sort::Float => i128::from(bits),
        }
    }

    /// An element as a double.
    fn number(&self, elements: &[u8], number: usize) -> f64 {
        match (self.sort, self.size) {
            (Sort::Boolean | Sort::Signed | Sort::Unsigned, _) => self.integer(elements, number) as f64,
            (Sort::Float, 2) => half(self.bits(elements, number)),
            (Sort::Float, 4) => f64::from(f32::from_bits(self.bits(elements, number) as u32)),
            (Sort::Float, _) => f64::from_bits(self.bits(elements, number)),
        }
    }
}

/// The float of 2 bytes with these bits: a sign, 5 bits of an exponent and 10 of a fraction.
fn half(bits: u64) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 0x1F, bits & 0x3FF);
    let power_of_two = |exponent: u64| f64::from_bits(exponent << 52);
    let size = match exponent {
        0 => fraction as f64 * power_of_two(1023 - 24),
        0x1F if fraction == 0 => f64::INFINITY,
        0x1F => f64::NAN,
        _ => (0x400 | fraction) as f64 * power_of_two(1023 - 25 + exponent),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

/// The byte order, the sort and the size of elements by their description in the header, as in `'<f8'`.
fn element_type(text: &str) -> Result<(bool, Sort, usize), DataError> {
    if text.starts_with(['[', '(']) {
        let names = text.split("('").skip(1).filter_map(|rest| rest.split('\'').next()).take(MOST_NAMES);
        let names = names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let message = format!("this array is structured: its elements are records with the fields {names}");
        let hint = "a field that is numbers is an array of its own: numpy.save(\"FILE.npy\", a[\"FIELD\"])";
        return Err(DataError::new(message).with_hint(hint));
    }
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
    let name = quote.and_then(|quote| text.split(quote).nth(1)).unwrap_or(text);
    let (order, rest) = name.split_at_checked(1).unwrap_or(("", name));
    let (sort, size) = rest.split_at_checked(1).unwrap_or(("", rest));
    let is_little = order != ">";
    let known = match (sort, size) {
        ("b", "1") => Some(Sort::Boolean),
        ("i", "1" | "2" | "4" | "8") => Some(Sort::Signed),
        ("u", "1" | "2" | "4" | "8") => Some(Sort::Unsigned),
        ("f", "2" | "4" | "8") => Some(Sort::Float),
        _ => None,
    };
    match (known.filter(|_| matches!(order, "<" | ">" | "|" | "=")), size.parse()) {
        (Some(sort), Ok(size)) => Ok((is_little, sort, size)),
        _ => Err(unread(name, sort)),
    }
}

/// The error of elements that are not read.
fn unread(name: &str, sort: &str) -> DataError {
    let (what, hint) = match sort {
        "c" => ("complex numbers", "their parts are arrays of floats: a.real and a.imag"),
        "S" | "U" | "a" => ("texts", "a.astype(float) makes numbers of texts that are numbers"),
        "O" => ("objects of Python", "a.astype(float) makes floats of objects that are numbers"),
        "M" => ("dates", "(a - a[0]) / numpy.timedelta64(1, \"s\") are seconds"),
        "m" => ("durations", "a / numpy.timedelta64(1, \"s\") are seconds"),
        "V" => ("bytes without a meaning", READ),
        "f" => ("floats of this size", "a.astype(float) makes floats of 8 bytes"),
        _ => ("no numbers that are read", READ),
    };
    DataError::new(format!("the elements of this array, of the type {name}, are {what}")).with_hint(hint)
}

/// The elements that are read.
const READ: &str = "booleans, integers of 1 to 8 bytes and floats of 2, 4 and 8 bytes are read";

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, elements: &[u8]) -> Vec<u8> {
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(elements);
        file
    }

    fn header(descr: &str, order: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}   \n")
    }

    #[test]
    fn arrays_of_both_orders_are_read() {
        let doubles: Vec<u8> = (1..=6).flat_map(|number| f64::from(number).to_le_bytes()).collect();
        let rows = |rows: &[&[f64]]| Data::Array(rows.iter().map(|row| Data::Reals(row.to_vec())).collect());
        let read = |descr: &str, order: &str, shape: &str, elements: &[u8]| {
            read(&file(&header(descr, order, shape), elements), &[])
        };
        assert_eq!(read("<f8", "False", "(2, 3)", &doubles), Ok(rows(&[&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]])));
        assert_eq!(read("<f8", "True", "(2, 3)", &doubles), Ok(rows(&[&[1.0, 3.0, 5.0], &[2.0, 4.0, 6.0]])));
        assert_eq!(read("<f8", "False", "(6,)", &doubles), Ok(Data::Reals(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])));
        assert_eq!(
            read("<f8", "False", "(3, 1, 2)", &doubles),
            Ok(Data::Array(vec![rows(&[&[1.0, 2.0]]), rows(&[&[3.0, 4.0]]), rows(&[&[5.0, 6.0]])]))
        );
        assert_eq!(read(">i2", "False", "(2,)", &[0xFF, 0xFE, 1, 0]), Ok(Data::Reals(vec![-2.0, 256.0])));
        assert_eq!(read("<f4", "False", "()", &1.5_f32.to_le_bytes()), Ok(Data::Real(1.5)));
        assert_eq!(
            read("|b1", "False", "(2,)", &[1, 0]),
            Ok(Data::Array(vec![Data::Boolean(true), Data::Boolean(false)]))
        );
        assert_eq!(read("|u1", "False", "(0,)", &[]), Ok(Data::Reals(vec![])));
        assert_eq!(read("<f8", "False", "(0, 3)", &[]), Ok(Data::Array(vec![])));
        // The greatest integers of 8 bytes that are doubles, and half floats: 1.5, -2 to the -24, the greatest, and an infinity.
        let integers = [-(1_i64 << 53), 1 << 60, i64::MIN].map(i64::to_be_bytes).concat();
        let expected = Data::Reals(vec![-9007199254740992.0, 1152921504606846976.0, -9223372036854775808.0]);
        assert_eq!(read(">i8", "False", "(3,)", &integers), Ok(expected));
        let halves = [0x3E00_u16, 0x8001, 0x7BFF, 0xFC00, 0x0400].map(u16::to_le_bytes).concat();
        let expected = vec![1.5, -5.960464477539063e-8, 65504.0, f64::NEG_INFINITY, 6.103515625e-5];
        assert_eq!(read("<f2", "False", "(5,)", &halves), Ok(Data::Reals(expected)));
        assert_eq!(half(0x8000).to_bits(), (-0.0_f64).to_bits());
        assert!(half(0x7E00).is_nan());
    }

    #[test]
    fn other_files_are_refused() {
        let message = |bytes: &[u8]| read(bytes, &[]).unwrap_err().message;
        assert!(message(b"PK").contains("no array of NumPy") && message(b"").contains("no array of NumPy"));
        assert!(message(b"\x93NUMPY\x01\x00\x50\x00{").contains("ends within"));
        for (name, size, what) in [
            ("<c16", 16, "complex"),
            ("<U3", 12, "texts"),
            ("|S3", 3, "texts"),
            ("|O", 8, "objects"),
            ("<M8[D]", 8, "dates"),
            ("<m8[s]", 8, "durations"),
            ("|V5", 5, "bytes"),
            ("<f16", 16, "floats of this size"),
            ("<q9", 9, "no numbers"),
        ] {
            let error = read(&file(&header(name, "False", "(1,)"), &vec![0; size]), &[]).unwrap_err();
            assert!(error.message.contains(name) && error.message.contains(what), "{error:?}");
            assert!(error.hint.is_some());
        }
        let fields = "{'descr': [('x', '<f8'), ('n', '<i4', (2,))], 'fortran_order': False, 'shape': (1,), }\n";
        let error = read(&file(fields, &[0; 16]), &[]).unwrap_err();
        assert!(error.message.contains("structured") && error.message.contains("`x`, `n`"), "{error:?}");
        let short = message(&file(&header("<f8", "False", "(2,)"), &[0; 8]));
        assert_eq!(short, "the file has 8 bytes of elements, where its header says 16");
        assert!(message(&file(&header("<f8", "False", "(9999999999, 9999999999)"), &[])).contains("says more"));
        for (name, bits) in [("<i8", -(1_i64 << 53) - 1), ("<u8", (1 << 53) + 1)] {
            let integer = message(&file(&header(name, "False", "(2,)"), &[[0; 8], bits.to_le_bytes()].concat()));
            assert!(integer.contains("9007199254740993 is no double"), "{integer}");
        }
        for shape in ["(9999999999, 0)", "(9999999999, 0, 9999999999)"] {
            assert!(message(&file(&header("<f8", "False", shape), &[])).contains("elements or rows"));
        }
        assert!(message(&file("{}", &[])).contains("descr"));
    }
}

//! Arrays of NumPy: the format of `numpy.save`, versions 1 to 3, with numbers and booleans.
//!
//! The header is a literal of Python, a dictionary with the keys `descr`, `fortran_order` and `shape`, as NumPy writes it.

use crate::datum::{Data, DataError};

/// The most dimensions, which is also NumPy's bound.
const MOST_DIMENSIONS: usize = 64;

/// The most elements. The text of more would be longer than programs may be.
const MOST_ELEMENTS: usize = 1 << 25;

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
        return Err(DataError::new("the file has not as many bytes of elements as its header says"));
    }
    let rows = header.shape.iter().try_fold(1_usize, |count, extent| count.checked_mul((*extent).max(1)));
    if rows.is_none_or(|rows| rows > MOST_ELEMENTS) {
        return Err(DataError::new(format!("the array has more than {MOST_ELEMENTS} elements or rows")));
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

    /// The element with a number, in the order of the file; a boolean is 0 or not.
    fn number(&self, elements: &[u8], number: usize) -> f64 {
        let bytes = elements.get(number * self.size..).and_then(|rest| rest.get(..self.size)).unwrap_or_default();
        let joined = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let unsigned = match self.is_little {
            true => bytes.iter().rev().fold(0, joined),
            false => bytes.iter().fold(0, joined),
        };
        let shift = 64 - 8 * self.size as u32;
        match (self.sort, self.size) {
            (Sort::Boolean | Sort::Unsigned, _) => unsigned as f64,
            (Sort::Signed, _) => ((unsigned << shift) as i64 >> shift) as f64,
            (Sort::Float, 4) => f64::from(f32::from_bits(unsigned as u32)),
            (Sort::Float, _) => f64::from_bits(unsigned),
        }
    }
}

/// The byte order, the sort and the size of elements by their description in the header, as in `'<f8'`.
fn element_type(text: &str) -> Result<(bool, Sort, usize), DataError> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
    let name = quote.and_then(|quote| text.split(quote).nth(1)).unwrap_or(text);
    let (order, rest) = name.split_at_checked(1).unwrap_or(("", name));
    let (sort, size) = rest.split_at_checked(1).unwrap_or(("", rest));
    let is_little = order != ">";
    let known = match (sort, size) {
        ("b", "1") => Some(Sort::Boolean),
        ("i", "1" | "2" | "4" | "8") => Some(Sort::Signed),
        ("u", "1" | "2" | "4" | "8") => Some(Sort::Unsigned),
        ("f", "4" | "8") => Some(Sort::Float),
        _ => None,
    };
    match (known.filter(|_| matches!(order, "<" | ">" | "|" | "=")), size.parse()) {
        (Some(sort), Ok(size)) => Ok((is_little, sort, size)),
        _ => Err(DataError::new(format!("elements of the type {name} are no numbers that can be read")).with_hint(
            "booleans, integers of 1 to 8 bytes and floats of 4 and 8 bytes are; a.astype(float) makes these",
        )),
    }
}

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
    }

    #[test]
    fn other_files_are_refused() {
        let message = |bytes: &[u8]| read(bytes, &[]).unwrap_err().message;
        assert!(message(b"PK").contains("no array of NumPy"));
        assert!(message(b"\x93NUMPY\x01\x00\x50\x00{").contains("ends within"));
        assert!(message(&file(&header("<c16", "False", "(1,)"), &[0; 16])).contains("<c16"));
        assert!(message(&file(&header("|O", "False", "(1,)"), &[])).contains("|O"));
        assert!(message(&file(&header("<f8", "False", "(2,)"), &[0; 8])).contains("as many bytes"));
        assert!(message(&file(&header("<f8", "False", "(9999999999, 9999999999)"), &[])).contains("as many bytes"));
        for shape in ["(9999999999, 0)", "(9999999999, 0, 9999999999)"] {
            assert!(message(&file(&header("<f8", "False", shape), &[])).contains("elements or rows"));
        }
        assert!(message(&file("{}", &[])).contains("descr"));
    }
}

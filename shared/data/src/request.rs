//! The argument of `--data`: `NAME=FILE`, with the parts of the file that are wanted behind it.

use std::path::PathBuf;
use std::str::FromStr;

/// The format of a data file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rows of cells with a separator between them.
    Csv(Separator),
    /// Rows of cells with tabs between them.
    Tsv,
    /// JSON.
    Json,
    /// An array of NumPy.
    Npy,
    /// An archive of such arrays.
    Npz,
}

/// The character between the cells of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separator(pub(crate) u8);

impl Separator {
    /// A comma.
    pub const COMMA: Separator = Separator(b',');
    /// A tab.
    pub const TAB: Separator = Separator(b'\t');
}

impl FromStr for Separator {
    type Err = String;

    /// Reads one character of ASCII that is no part of a number, a quote, a line or a comment; or the word `tab`.
    fn from_str(argument: &str) -> Result<Separator, String> {
        match *argument.as_bytes() {
            _ if matches!(argument, "tab" | "\\t") => Ok(Separator::TAB),
            [byte] if (byte.is_ascii_punctuation() || byte == b' ' || byte == b'\t') && !b"\"#+-.".contains(&byte) => {
                Ok(Separator(byte))
            }
            _ => {
                Err("one character of ASCII is expected, as `;`, or `tab`; none of letters, digits, \" # + - ."
                    .to_owned())
            }
        }
    }
}

impl Format {
    /// The formats by their extensions.
    const ALL: [(&'static str, Format); 5] = [
        (".csv", Format::Csv(Separator::COMMA)),
        (".tsv", Format::Tsv),
        (".json", Format::Json),
        (".npy", Format::Npy),
        (".npz", Format::Npz),
    ];
}

/// A data file, the name that it is bound to, and the parts of it that are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRequest {
    /// The name in the program.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its format.
    pub format: Format,
    /// The columns, or the members on the way to the datum; none for the whole file.
    pub parts: Vec<String>,
}

impl DataRequest {
    /// Returns the request with another separator, if its file is a table in CSV.
    pub fn separated(self, separator: Separator) -> DataRequest {
        match self.format {
            Format::Csv(_) => DataRequest { format: Format::Csv(separator), ..self },
            Format::Tsv | Format::Json | Format::Npy | Format::Npz => self,
        }
    }
}

impl FromStr for DataRequest {
    type Err = String;

    /// Reads `NAME=FILE.csv`, `NAME=FILE.csv:COLUMN,COLUMN` and the like. What is behind the first
    /// extension at a colon or at the end names the parts, so a path may contain other colons.
    fn from_str(argument: &str) -> Result<DataRequest, String> {
        let (name, file) = argument.split_once('=').ok_or("NAME=FILE is expected, as in price=houses.csv")?;
        if name.is_empty() {
            return Err("there is no name before `=`".to_owned());
        }
        let found = Format::ALL.iter().filter_map(|(extension, format)| {
            let is_end = |end: &usize| file.get(*end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
            let lower = file.to_ascii_lowercase();
            let mut ends = lower.match_indices(extension).map(|(begin, _)| begin + extension.len());
            ends.find(is_end).map(|end| (end, *format))
        });
        let Some((end, format)) = found.min_by_key(|(end, _)| *end) else {
            return Err(format!("`{file}` ends with none of .csv, .tsv, .json, .npy and .npz"));
        };
        let (path, parts) = file.split_at(end);
        let parts = match parts.strip_prefix(':') {
            None => vec![],
            Some(parts) => parts.split(',').map(str::to_owned).collect(),
        };
        if parts.iter().any(String::is_empty) {
            return Err("the name of a column is empty".to_owned());
        }
        Ok(DataRequest { name: name.to_owned(), path: path.into(), format, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_taken_apart() {
        let read = |argument: &str| argument.parse::<DataRequest>();
        let whole = read("x=a/b.csv").unwrap();
        assert_eq!(
            (whole.name.as_str(), whole.path, whole.format),
            ("x", "a/b.csv".into(), Format::Csv(Separator::COMMA))
        );
        assert!(whole.parts.is_empty());
        let columns = read("x=c:/b.csv.d/e.TSV:one,two").unwrap();
        assert_eq!((columns.path, columns.format), ("c:/b.csv.d/e.TSV".into(), Format::Tsv));
        assert_eq!(columns.parts, ["one", "two"]);
        assert_eq!(read("x=a.json:m.csv").unwrap().parts, ["m.csv"]);
        let separated = read("x=a.csv").unwrap().separated(Separator(b';'));
        assert_eq!(separated.format, Format::Csv(Separator(b';')));
        assert_eq!(read("x=a.npz:w").unwrap().separated(Separator(b';')).format, Format::Npz);
        for (text, separator) in [(";", b';'), ("|", b'|'), (" ", b' '), ("tab", b'\t'), ("\\t", b'\t'), ("\t", b'\t')]
        {
            assert_eq!(text.parse(), Ok(Separator(separator)));
        }
        for wrong in ["", ";;", "\"", "#", "1", "e", "-", ".", "ä", "\n"] {
            assert!(wrong.parse::<Separator>().is_err(), "{wrong}");
        }
        assert_eq!(read("x=a=b.npy").unwrap().path, PathBuf::from("a=b.npy"));
        for wrong in ["x", "=a.csv", "x=", "x=a.txt", "x=a.csvx", "x=a.csv:", "x=a.csv:b,,c"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}

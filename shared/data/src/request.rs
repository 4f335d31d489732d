//! The argument of `--data`: `NAME=FILE`, with the parts of the file that are wanted behind it.

use std::path::PathBuf;
use std::str::FromStr;

/// The format of a data file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rows of cells with commas between them.
    Csv,
    /// Rows of cells with tabs between them.
    Tsv,
    /// JSON.
    Json,
    /// An array of NumPy.
    Npy,
}

impl Format {
    /// The formats by their extensions.
    const ALL: [(&'static str, Format); 4] =
        [(".csv", Format::Csv), (".tsv", Format::Tsv), (".json", Format::Json), (".npy", Format::Npy)];
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
            return Err(format!("`{file}` ends with none of .csv, .tsv, .json and .npy"));
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
        assert_eq!((whole.name.as_str(), whole.path, whole.format), ("x", "a/b.csv".into(), Format::Csv));
        assert!(whole.parts.is_empty());
        let columns = read("x=c:/b.csv.d/e.TSV:one,two").unwrap();
        assert_eq!((columns.path, columns.format), ("c:/b.csv.d/e.TSV".into(), Format::Tsv));
        assert_eq!(columns.parts, ["one", "two"]);
        assert_eq!(read("x=a.json:m.csv").unwrap().parts, ["m.csv"]);
        assert_eq!(read("x=a=b.npy").unwrap().path, PathBuf::from("a=b.npy"));
        for wrong in ["x", "=a.csv", "x=", "x=a.txt", "x=a.csvx", "x=a.csv:", "x=a.csv:b,,c"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}

//! The choice of a program, and of how it is read.

use super::limits::Trust;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::render::Style;
use vlad_shared::core::source::{MOST_BYTES, SourceMap};
use vlad_shared::data::{DataRequest, Separator};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::{IncludableFiles, Input, Options};
use vlad_shared::language::{Language, ReverseOperator, Rewriting};

/// Reads a file whose name is an argument.
///
/// # Errors
/// A diagnostic for a file that cannot be read.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    // One byte beyond the limit is read: if it is there, the text is too long.
    match File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(error) => {
            let message = format!("{} cannot be read: {error}", path.display());
            Err(Box::new(Diagnostic::new(Kind::File, None, message)))
        }
    }
}

/// A program, and the options for reading it.
#[derive(Debug, Args)]
pub struct ProgramArguments {
    #[command(flatten)]
    source: SourceArguments,
    /// The options for reading it.
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// The options for reading programs and for showing errors in them.
#[derive(Debug, Args)]
pub struct ReadingArguments {
    /// Search this folder for included files; may be repeated.
    ///
    /// The folder of the including file is searched first, and the libraries of vlad last. In each folder the name is
    /// tried as it is, and then with .vlad appended.
    #[arg(short = 'I', value_name = "FOLDER")]
    include_folders: Vec<PathBuf>,
    /// Bind NAME to the data of a file before the program runs; may be repeated.
    ///
    /// The file is a table (.csv, .tsv), JSON (.json), a NumPy array (.npy) or an archive of such arrays (.npz). A table is
    /// bound as its rows. A colon selects a part: columns of a table (x=FILE.csv:first or x=FILE.csv:first,second), a member of
    /// JSON (x=FILE.json:member), or an array of an archive (x=FILE.npz:member).
    #[arg(long, value_name = "NAME=FILE")]
    data: Vec<DataRequest>,
    /// Set the character between cells of .csv files, or `tab` (default: a comma)
    #[arg(long, value_name = "CHARACTER", allow_hyphen_values = true)]
    separator: Option<Separator>,
    /// The style of errors.
    #[command(flatten)]
    color: ColorArguments,
    /// Restrict a program that is not trusted.
    ///
    /// It can include files only from below its own folder and the folders of -I. The default limits are 512M of memory,
    /// 10 seconds and 16M of output. Compiled programs are cached only if VLAD_CACHE names a folder.
    #[arg(long)]
    sandbox: bool,
    /// The language of the program.
    #[command(flatten)]
    language: LanguageArguments,
    /// The rewriting of the program.
    #[command(flatten)]
    rewriting: RewritingArguments,
    /// The operator of reverse mode in blocks.
    #[command(flatten)]
    adr: AdrArguments,
}

/// The choice of an operator of reverse mode for blocks.
#[derive(Debug, Args)]
pub struct AdrArguments {
    /// Choose the operator for `ADR` blocks of Farfel programs (default: record)
    #[arg(long, value_name = "HOW")]
    adr: Option<Adr>,
}

/// An operator of reverse mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Adr {
    /// `*j`, which records the whole execution
    Record,
    /// `checkpoint-*j`, which keeps a few states and executes intervals again
    Checkpoint,
}

impl AdrArguments {
    /// Returns the operator, if one is chosen.
    pub fn operator(&self) -> Option<ReverseOperator> {
        self.adr.map(|adr| match adr {
            Adr::Record => ReverseOperator::Recording,
            Adr::Checkpoint => ReverseOperator::Checkpointing,
        })
    }
}

/// The choice of rewriting.
#[derive(Debug, Args)]
pub struct RewritingArguments {
    /// Turn the rewriting of F-smooth programs on or off (default: on).
    ///
    /// Rewriting keeps the bits of all results, except for signs of zeros in derivatives and for sums of reverse mode,
    /// whose terms may be added in another order.
    #[arg(long, value_name = "WHEN", conflicts_with = "algebra")]
    rewrite: Option<Rewrite>,
    /// Rewrite F-smooth programs by rules of algebra as well; results may be rounded differently
    #[arg(long)]
    algebra: bool,
}

impl RewritingArguments {
    /// Returns the rewriting, if one is chosen.
    pub fn rewriting(&self) -> Option<Rewriting> {
        if self.algebra {
            return Some(Rewriting::Algebra);
        }
        self.rewrite.map(|rewrite| match rewrite {
            Rewrite::On => Rewriting::On,
            Rewrite::Off => Rewriting::Off,
        })
    }
}

/// The values of `--rewrite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rewrite {
    /// Rewrite the program before it runs
    On,
    /// Run the program as it is written
    Off,
}

/// The choice of colours.
#[derive(Debug, Args)]
pub struct ColorArguments {
    /// Choose when error messages are coloured
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

/// The choice of a language.
#[derive(Debug, Args)]
pub struct LanguageArguments {
    /// Set the language of the program (default: by the extension of its file, else vlad)
    #[arg(id = LANGUAGE, long = LANGUAGE, value_name = "LANGUAGE")]
    language: Option<String>,
}

/// The name of the option for a language.
pub const LANGUAGE: &str = "language";

impl LanguageArguments {
    /// Returns the language, if one is chosen.
    pub fn language(&self, languages: Languages) -> Option<&'static dyn Language> {
        self.language.as_deref().and_then(|name| languages.named(name))
    }
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct SourceArguments {
    /// The program's file, or - for standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Take this text as the program
    #[arg(short = 'e', value_name = "EXPRESSION", allow_hyphen_values = true)]
    expression: Option<OsString>,
}

/// The conditions under which errors are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// If standard error is a terminal and NO_COLOR is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The source of the numbers that a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSource {
    /// The standard input.
    StandardInput,
    /// Empty: the standard input was the program.
    Nowhere,
}

impl ProgramArguments {
    /// The program's text or file. A program from the standard input is read here, to its end.
    pub fn input(&self) -> Result<Input, Failure> {
        // A program that is in no file includes files from the working directory of the command, unless it is not
        // trusted.
        let folder = match self.reading.trust() {
            Trust::Trusted => Some(PathBuf::new()),
            Trust::Sandboxed => None,
        };
        if let Some(expression) = &self.source.expression {
            let bytes = expression.as_encoded_bytes().to_vec();
            return Ok(Input::Text { name: "<expression>".to_owned(), bytes, folder });
        }
        match &self.source.file {
            Some(file) if self.number_source() == NumberSource::StandardInput => Ok(Input::Path(file.clone())),
            _ => {
                let mut bytes = Vec::new();
                // One byte beyond the limit is read: if it is there, the text is too long.
                match io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes) {
                    Ok(_) => Ok(Input::Text { name: "<stdin>".to_owned(), bytes, folder }),
                    Err(error) => {
                        let message = format!("the program cannot be read from the standard input: {error}");
                        let diagnostics = vec![Diagnostic::new(Kind::File, None, message)];
                        Err(Failure { diagnostics, sources: SourceMap::default() })
                    }
                }
            }
        }
    }

    /// The file of the program, if it has one.
    pub fn file(&self) -> Option<&Path> {
        self.source.file.as_deref().filter(|file| file.as_os_str() != "-")
    }

    /// The program, whose text is read here, so that programs can be made of it several times.
    pub fn whole_input(&self) -> Result<Input, Failure> {
        match self.input()? {
            Input::Path(path) => match bytes_of(&path) {
                Ok(bytes) => Ok(Input::Read { path, bytes }),
                Err(diagnostic) => Err(Failure { diagnostics: vec![*diagnostic], sources: SourceMap::default() }),
            },
            read @ (Input::Text { .. } | Input::Read { .. } | Input::Kept(_)) => Ok(read),
        }
    }

    /// Returns the source of the program's numbers.
    pub fn number_source(&self) -> NumberSource {
        match &self.source.file {
            Some(file) if file.as_os_str() == "-" => NumberSource::Nowhere,
            Some(_) | None => NumberSource::StandardInput,
        }
    }

    /// Returns the options for finding files.
    pub fn options(&self, languages: Languages) -> Options {
        self.reading.options(languages)
    }

    /// Returns the style of errors: coloured or plain.
    pub fn style(&self) -> Style {
        self.reading.style()
    }
}

impl ReadingArguments {
    /// Returns the options for finding files. Untrusted programs include only files beneath the folders that they may
    /// use.
    pub fn options(&self, languages: Languages) -> Options {
        let reach = match self.trust() {
            Trust::Trusted => IncludableFiles::Anywhere,
            Trust::Sandboxed => IncludableFiles::Beneath,
        };
        let (include_folders, language) = (self.include_folders.clone(), self.language.language(languages));
        let (rewriting, reverse) = (self.rewriting.rewriting(), self.adr.operator());
        let separator = self.separator();
        let data = self.data.iter().cloned().map(|request| request.separated(separator)).collect();
        Options { include_folders, reach, languages, language, rewriting, reverse, data }
    }

    /// Returns true if the language of the program is given.
    pub fn names_language(&self) -> bool {
        self.language.language.is_some()
    }

    /// Returns true if data files are given.
    pub fn has_data(&self) -> bool {
        !self.data.is_empty()
    }

    /// Returns the character between the cells of tables.
    pub fn separator(&self) -> Separator {
        self.separator.unwrap_or(Separator::COMMA)
    }

    /// Returns the trust in the program: none with `--sandbox`.
    pub fn trust(&self) -> Trust {
        if self.sandbox { Trust::Sandboxed } else { Trust::Trusted }
    }

    /// Returns the style of errors.
    pub fn style(&self) -> Style {
        self.color.style()
    }
}

impl ColorArguments {
    /// Returns the style of errors. By default they are coloured if the standard error is a terminal other than `dumb`
    /// and NO_COLOR is not set.
    pub fn style(&self) -> Style {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        match self.color {
            Color::Always => Style::Coloured,
            Color::Never => Style::Plain,
            Color::Auto if io::stderr().is_terminal() && !set("NO_COLOR") && !dumb() => Style::Coloured,
            Color::Auto => Style::Plain,
        }
    }
}

//! The parser of cases: a case is a program whose comment lines, `;; KEYWORD: ...` in VLAD, state its expectations
//! (corpus/README.md).
//!
//! Invariant: a case can fail. An unknown keyword, a malformed line and a case without expectations are errors of the
//! case; none of them is silently passed over.

use super::compare::DEFAULT_TOLERANCE;
use std::path::PathBuf;
use std::time::Duration;
use vlad_shared::core::diagnostic::{Kind, Severity};
use vlad_shared::language::Comment;
use vlad_shared::language::suggest::suggest;
use vlad_shared::runtime::run::Limits;

/// The last part of the report.
pub const LAST_PART: u8 = 22;

/// A case: the expectations of a program, and the input and limits of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The lines of output, in order.
    pub output: Vec<ExpectedLine>,
    /// The errors, in the order reported.
    pub errors: Vec<ExpectedError>,
    /// The number of steps, if the case states it.
    pub steps: Option<u64>,
    /// The standard input.
    pub input: String,
    /// The bounds of the run.
    pub limits: CaseLimits,
    /// Folders to look for includes in, relative to the case.
    pub folders: Vec<PathBuf>,
    /// Parts of the report that an implementation needs for it, beyond those that its program shows ([`super::parts`]).
    pub parts: Vec<u8>,
    /// The comments that state expectations.
    pub comment: Comment,
}

/// An expected line of output.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedLine {
    /// The text.
    pub text: String,
    /// The way of comparing it with the actual line.
    pub agreement: Agreement,
    /// The line of the case (from 0) that states it.
    pub at: usize,
}

/// The way of comparing an expected line with the actual one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// Numbers within a relative tolerance, the rest as text.
    Within(f64),
    /// Numbers within a tolerance that is relative to numbers greater than 1, the rest as text: for implementations whose
    /// numbers round otherwise.
    Near(f64),
    /// Numbers within so many units in the last place, to the bit for 0, the rest as text: for implementations whose
    /// operations are those of the language.
    Units(u64),
    /// As text.
    Exact,
}

/// An expected error.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedError {
    /// Its kind.
    pub kind: Kind,
    /// Its place; none for an error without one.
    pub place: Option<TextPlace>,
    /// A part of its message.
    pub message: String,
    /// A part of its hint.
    pub hint: Option<String>,
    /// All pending calls, innermost first; none if the case does not mention them.
    pub calls: Option<Vec<PendingCall>>,
    /// The line of the case (from 0) that states it.
    pub at: usize,
}

/// A line of a chain of pending calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingCall {
    /// A call.
    At {
        /// The place of the expression whose value is awaited.
        place: TextPlace,
        /// The procedure that contains the expression; none at top level or in an anonymous procedure.
        procedure: Option<String>,
    },
    /// So many calls that the error leaves out.
    Elided(u64),
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The file, by the end of its path; none for the case's own.
    pub file: Option<String>,
    /// `LINE:COLUMN-LINE:COLUMN`.
    pub range: String,
}

/// The bounds of a case: [`Limits`] that can be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseLimits {
    /// The most steps.
    pub steps: Option<u64>,
    /// The most nested calls.
    pub depth: Option<u64>,
    /// The most bytes.
    pub memory: Option<u64>,
    /// The longest time.
    pub time: Option<Duration>,
}

/// The time that a case may take unless it says otherwise. A case that loops fails.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// The memory that a case may take unless it says otherwise.
const DEFAULT_MEMORY: u64 = 4 << 30;

impl CaseLimits {
    /// Returns true if there is any.
    pub fn are_any(self) -> bool {
        self != CaseLimits::default()
    }

    /// Returns the limits of the run, with the defaults of all cases filled in.
    pub fn limits(self) -> Limits {
        Limits {
            steps: self.steps,
            depth: self.depth,
            memory: Some(self.memory.unwrap_or(DEFAULT_MEMORY)),
            time: Some(self.time.unwrap_or(DEFAULT_TIME)),
            ..Limits::default()
        }
    }
}

/// The words that begin a line of expectations.
const KEYWORDS: [&str; 12] =
    ["expect", "exact", "tolerance", "error", "hint", "call", "calls", "input", "steps", "limit", "folder", "part"];

/// Reads the expectations of a case.
///
/// # Errors
/// Returns a message that names the line (from 1) if a line is malformed or nothing is expected.
pub fn parse(text: &str, comment: Comment) -> Result<Case, String> {
    let case = read(text, comment)?;
    if !case.expects_something() {
        return Err("the case expects neither output nor an error, so it cannot fail".to_owned());
    }
    Ok(case)
}

/// Reads the expectations of a text that need not be a case: a program without any of the keywords, and without a word that is a
/// misspelt one, expects nothing, whatever its other comments say.
///
/// # Errors
/// Returns a message that names the line (from 1) if a line is malformed.
pub fn parse_any(text: &str, comment: Comment) -> Result<Case, String> {
    // Short words, and words like `inputs`, are prose.
    let is_misspelt = |word: &str| {
        let meant = suggest(word, KEYWORDS.into_iter()).filter(|_| word.len() > 4);
        meant.is_some_and(|meant| word.strip_suffix('s') != Some(meant))
    };
    let is_keyword =
        |line| expectation(line, comment).is_some_and(|(word, _)| KEYWORDS.contains(&word) || is_misspelt(word));
    if text.lines().any(is_keyword) { read(text, comment) } else { Ok(Case::empty(comment)) }
}

/// Reads all lines of expectations; there may be none.
fn read(text: &str, comment: Comment) -> Result<Case, String> {
    let mut reading = PartialCase { case: Case::empty(comment), tolerance: DEFAULT_TOLERANCE };
    for (at, line) in text.lines().enumerate() {
        if let Some((keyword, rest)) = expectation(line, comment) {
            reading.take(at, keyword, rest).map_err(|message| format!("line {}: {message}: {line}", at + 1))?;
        }
    }
    Ok(reading.case)
}

/// Keyword and text of a comment that says `KEYWORD: ...`.
fn expectation(line: &str, comment: Comment) -> Option<(&str, &str)> {
    let (keyword, rest) = comment.content(line)?.split_once(':')?;
    let is_word = !keyword.is_empty() && keyword.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word.then(|| (keyword, rest.strip_prefix(' ').unwrap_or(rest)))
}

impl Case {
    fn empty(comment: Comment) -> Case {
        Case {
            output: Vec::new(),
            errors: Vec::new(),
            steps: None,
            input: String::new(),
            limits: CaseLimits::default(),
            folders: Vec::new(),
            parts: Vec::new(),
            comment,
        }
    }

    /// Returns true if it states output or an error of the program, so that it can fail.
    pub fn expects_something(&self) -> bool {
        !self.output.is_empty() || !self.errors.is_empty()
    }
}

/// A case as far as it has been read.
struct PartialCase {
    case: Case,
    tolerance: f64,
}

impl PartialCase {
    fn take(&mut self, at: usize, keyword: &str, text: &str) -> Result<(), String> {
        let case = &mut self.case;
        match keyword {
            "expect" | "exact" => {
                let agreement = if keyword == "exact" { Agreement::Exact } else { Agreement::Within(self.tolerance) };
                case.output.push(ExpectedLine { text: text.to_owned(), agreement, at });
            }
            "tolerance" => match text.parse() {
                Ok(tolerance) if tolerance > 0.0 && tolerance < 1.0 => self.tolerance = tolerance,
                _ => return Err("a tolerance is a number between 0 and 1".to_owned()),
            },
            "error" => case.errors.push(parse_error(text, at)?),
            "hint" => match case.errors.last_mut() {
                Some(error) if error.hint.is_none() => error.hint = Some(text.to_owned()),
                Some(_) => return Err("an error has one hint".to_owned()),
                None => return Err("a hint follows its error".to_owned()),
            },
            "call" => self.take_call(parse_call(text)?)?,
            "calls" => self.take_no_calls(text)?,
            "input" => {
                case.input.push_str(text);
                case.input.push('\n');
            }
            "steps" => {
                let steps = text.parse().map_err(|_| "a number of steps is a whole number".to_owned())?;
                once(&mut case.steps, steps)?;
            }
            "limit" => parse_limit(&mut case.limits, text)?,
            "folder" if text.is_empty() => return Err("a folder has a name".to_owned()),
            "folder" => case.folders.push(PathBuf::from(text)),
            "part" => match text.parse() {
                Ok(part @ 1..=LAST_PART) => case.parts.push(part),
                Ok(_) | Err(_) => return Err(format!("a part is a number from 1 to {LAST_PART}")),
            },
            _ => return Err(format!("the keyword `{keyword}` is not known; prose stands in other comments")),
        }
        Ok(())
    }

    fn take_call(&mut self, call: PendingCall) -> Result<(), String> {
        let error = self.case.errors.last_mut().ok_or("a call follows its error")?;
        match &mut error.calls {
            None => error.calls = Some(vec![call]),
            Some(calls) if calls.is_empty() => return Err("this error has no calls".to_owned()),
            Some(calls) => calls.push(call),
        }
        Ok(())
    }

    fn take_no_calls(&mut self, text: &str) -> Result<(), String> {
        if text != "none" {
            return Err("the calls are `none`, or each has its line `call:`".to_owned());
        }
        let error = self.case.errors.last_mut().ok_or("the calls follow their error")?;
        once(&mut error.calls, Vec::new())
    }
}

/// Fills a value that may be given only once.
fn once<T>(place: &mut Option<T>, value: T) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err("this is given twice".to_owned()),
    }
}

/// Parses `KIND PLACE TEXT`, which stands on a line (from 0).
fn parse_error(text: &str, at: usize) -> Result<ExpectedError, String> {
    let mut parts = text.splitn(3, ' ');
    let (name, place, message) =
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name && kind.severity() == Severity::Error);
    let kind = kind.ok_or_else(|| format!("`{name}` is no kind of error"))?;
    if message.is_empty() {
        return Err("an error gives a part of its message".to_owned());
    }
    Ok(ExpectedError { kind, place: parse_place(place)?, message: message.to_owned(), hint: None, calls: None, at })
}

/// Parses `PLACE`, `PLACE NAME` or `... N`.
fn parse_call(text: &str) -> Result<PendingCall, String> {
    let (place, name) = text.split_once(' ').map_or((text, None), |(place, name)| (place, Some(name)));
    if place == "..." {
        let elided = name.and_then(|number| number.parse().ok());
        return elided.map(PendingCall::Elided).ok_or_else(|| "`...` is followed by the number of calls".to_owned());
    }
    if name.is_some_and(|name| name.is_empty() || name.contains(char::is_whitespace)) {
        return Err("the name of a procedure is one word".to_owned());
    }
    let place = parse_place(place)?.ok_or("a call has a place")?;
    Ok(PendingCall::At { place, procedure: name.map(str::to_owned) })
}

/// Parses `-`, `LINE:COLUMN-LINE:COLUMN` or `FILE:LINE:COLUMN-LINE:COLUMN`.
fn parse_place(text: &str) -> Result<Option<TextPlace>, String> {
    if text == "-" {
        return Ok(None);
    }
    let is_position =
        |text: &str| text.split(':').count() == 2 && text.split(':').all(|part| part.parse::<u32>().is_ok());
    let malformed = || format!("`{text}` is not a place: LINE:COLUMN-LINE:COLUMN, FILE before it, or - for none");
    let (start, end) = text.rsplit_once('-').ok_or_else(malformed)?;
    let mut pieces = start.rsplitn(3, ':');
    let (column, line, file) = (pieces.next().unwrap_or_default(), pieces.next().unwrap_or_default(), pieces.next());
    let start = format!("{line}:{column}");
    if !is_position(&start) || !is_position(end) {
        return Err(malformed());
    }
    Ok(Some(TextPlace { file: file.map(str::to_owned), range: format!("{start}-{end}") }))
}

/// Parses `steps N`, `depth N`, `memory N[KMG]` or `time SECONDS`.
fn parse_limit(limits: &mut CaseLimits, text: &str) -> Result<(), String> {
    let (what, bound) = text.split_once(' ').unwrap_or((text, ""));
    match what {
        "steps" => once(&mut limits.steps, bound.parse().map_err(|_| "steps are a whole number".to_owned())?),
        "depth" => once(&mut limits.depth, bound.parse().map_err(|_| "a depth is a whole number".to_owned())?),
        "memory" => once(&mut limits.memory, parse_memory(bound)?),
        "time" => {
            let seconds = bound.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            once(&mut limits.time, seconds.ok_or_else(|| "a time is a number of seconds".to_owned())?)
        }
        _ => Err("a limit is one of steps, depth, memory, time".to_owned()),
    }
}

fn parse_memory(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K') => (text.trim_end_matches('K'), 10),
        Some(b'M') => (text.trim_end_matches('M'), 20),
        Some(b'G') => (text.trim_end_matches('G'), 30),
        _ => (text, 0),
    };
    match digits.parse::<u64>() {
        Ok(number) if number <= u64::MAX >> shift => Ok(number << shift),
        Ok(_) | Err(_) => Err("a memory is a number of bytes, or of K, M or G of them".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_shared::frontend::vlad::Vlad;
    use vlad_shared::language::Language;

    fn parse(text: &str) -> Result<Case, String> {
        super::parse(text, Vlad.comment())
    }

    fn parse_any(text: &str) -> Result<Case, String> {
        super::parse_any(text, Vlad.comment())
    }

    #[test]
    fn every_keyword_is_read() {
        let case = parse(
            "; prose: about the case\n(+ 1 2)\n;; expect: 3\n;; tolerance: 1e-9\n;; expect: 4\n;; exact: -0\n\
             ;; input: 1 2\n;; input: 3\n;; steps: 12\n;; limit: steps 20\n;; limit: memory 64M\n;; limit: time 0.5\n\
             ;; folder: parts\n;; part: 15\n;; error: type parts/b-c.vlad:3:4-3:10 `car` expects\n;; hint: try\n;; error: file - gone\n",
        )
        .unwrap();
        assert_eq!(case.input, "1 2\n3\n");
        let agreements: Vec<_> = case.output.iter().map(|line| (line.text.as_str(), line.agreement)).collect();
        assert_eq!(
            agreements,
            [("3", Agreement::Within(1e-12)), ("4", Agreement::Within(1e-9)), ("-0", Agreement::Exact)]
        );
        assert_eq!(case.steps, Some(12));
        assert_eq!(case.limits.memory, Some(64 << 20));
        assert_eq!(case.limits.time, Some(Duration::from_millis(500)));
        assert_eq!((case.folders, case.parts), (vec![PathBuf::from("parts")], vec![15]));
        let place = TextPlace { file: Some("parts/b-c.vlad".to_owned()), range: "3:4-3:10".to_owned() };
        assert_eq!(case.errors[0].place, Some(place));
        assert_eq!(case.errors[0].message, "`car` expects");
        assert_eq!(case.errors[0].hint.as_deref(), Some("try"));
        assert_eq!(case.errors[1].place, None);
    }

    #[test]
    fn pending_calls_are_read() {
        let case = parse(
            ";; error: type 1:1-1:2 a\n;; call: 1:1-1:5 f-1\n;; hint: try\n;; call: ... 12\n;; call: b.vlad:2:1-2:5\n\
             ;; error: type 1:1-1:2 b\n;; calls: none\n;; error: type 1:1-1:2 c\n",
        )
        .unwrap();
        let at = |file: Option<&str>, range: &str, procedure: Option<&str>| PendingCall::At {
            place: TextPlace { file: file.map(str::to_owned), range: range.to_owned() },
            procedure: procedure.map(str::to_owned),
        };
        let chain =
            vec![at(None, "1:1-1:5", Some("f-1")), PendingCall::Elided(12), at(Some("b.vlad"), "2:1-2:5", None)];
        let calls: Vec<_> = case.errors.into_iter().map(|error| error.calls).collect();
        assert_eq!(calls, [Some(chain), Some(vec![]), None]);
    }

    #[test]
    fn a_program_need_not_be_a_case() {
        assert!(!parse_any("(+ 1 2)\n;; note: prose of somebody else").unwrap().expects_something());
        assert!(!parse_any("(+ 1 2)\n;; inputs: two numbers").unwrap().expects_something());
        assert!(parse_any("(+ 1 2)\n;; expct: 3").unwrap_err().contains("`expct` is not known"));
        assert_eq!(parse_any("(read-real)\n;; input: 1").unwrap().input, "1\n");
        assert!(parse_any("1\n;; expect: 1").unwrap().expects_something());
        // One keyword makes it a case, in which others are mistakes.
        assert!(parse_any("1\n;; expect: 1\n;; expcet: 2").is_err());
    }

    #[test]
    fn malformed_cases_are_errors() {
        for text in [
            "(+ 1 2)",
            ";; expects: 3",
            ";; steps: 3",
            ";; expect: 3\n;; steps: many",
            ";; expect: 3\n;; steps: 1\n;; steps: 1",
            ";; error: oops 1:1-1:2 message",
            ";; error: type 1:1 message",
            ";; error: type 1:1-1:2",
            ";; error: type a:1:1-b:2 message",
            ";; hint: before its error",
            ";; call: 1:1-1:2",
            ";; calls: none",
            ";; error: type 1:1-1:2 message\n;; call: -",
            ";; error: type 1:1-1:2 message\n;; call: f 1:1-1:2",
            ";; error: type 1:1-1:2 message\n;; call: 1:1-1:2 f g",
            ";; error: type 1:1-1:2 message\n;; call: ...",
            ";; error: type 1:1-1:2 message\n;; calls: 3",
            ";; error: type 1:1-1:2 message\n;; calls: none\n;; call: 1:1-1:2",
            ";; error: type 1:1-1:2 message\n;; call: 1:1-1:2\n;; calls: none",
            ";; expect: 3\n;; limit: patience 3",
            ";; expect: 3\n;; limit: memory 3T",
            ";; expect: 3\n;; limit: time -1",
            ";; expect: 3\n;; tolerance: 0",
            ";; expect: 3\n;; part: 23",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}

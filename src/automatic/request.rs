//! A request to compile a program: plain data, for another process, which reads the program once more and makes C text of it.
//!
//! So a run begins before any of that is done, and what it takes is not taken from the run.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;
use vlad_compiler::cache::CachePolicy;
use vlad_compiler::foreign::Counting;
use vlad_compiler::{Settings, Task, Willingness, prepare};
use vlad_shared::load::{Input, KeptSources, Options, load};
use vlad_shared::source::Inclusion;

/// The most bytes of a request that are read.
const MOST_BYTES: u64 = 1 << 30;

/// A program to be compiled, and how. The size of the program decides how hard the compiler tries, and one that is huge is not
/// compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The program's texts.
    pub sources: KeptSources,
    /// The way in which it is to count its steps.
    pub counting: Counting,
    /// The C compiler that the user names; without one it is searched for.
    pub compiler: Option<OsString>,
    /// The use that is made of compiled objects that are kept.
    pub cache: CachePolicy,
    /// The time that the compiler has; none to let the size of the program decide.
    pub time_limit: Option<Duration>,
    /// The bytes of memory that each process may take which has a part in it.
    pub memory_limit: Option<u64>,
}

/// A request as it is written: a line of JSON.
#[derive(Serialize, Deserialize)]
struct Written<'request> {
    files: Cow<'request, [(String, String)]>,
    inclusions: Vec<Included>,
    is_stoppable: bool,
    /// A name need not be text.
    compiler: Option<Vec<u8>>,
    uses_cache: bool,
    time_limit: Option<Duration>,
    memory_limit: Option<u64>,
}

/// An [`Inclusion`] as it is written.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Included {
    First,
    Library,
    Again,
}

impl Request {
    /// A request for a program.
    pub fn new(task: Task<'_>, settings: &Settings) -> Request {
        Request {
            sources: KeptSources::of(task.program),
            counting: task.counting,
            compiler: settings.compiler.clone(),
            cache: settings.cache,
            time_limit: settings.time_limit,
            memory_limit: settings.memory_limit,
        }
    }

    /// The bytes of the object, which is compiled, and kept in the cache; or was there.
    ///
    /// # Errors
    /// There is none; why.
    pub fn carry_out(self) -> Result<Vec<u8>, String> {
        let Ok(program) = load(Input::Kept(self.sources), &Options::default()) else {
            return Err("the program cannot be read again".to_owned());
        };
        let settings = Settings {
            compiler: self.compiler,
            cache: self.cache,
            optimisation: None,
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
            willingness: Willingness::NotHuge,
        };
        let task = Task { program: &program, counting: self.counting };
        prepare(&[task], &settings).and_then(|prepared| prepared.bytes()).map_err(|error| error.to_string())
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of the output.
    pub fn send(&self, out: &mut impl Write) -> io::Result<()> {
        let included = |inclusion: &Inclusion| match inclusion {
            Inclusion::First => Included::First,
            Inclusion::Library => Included::Library,
            Inclusion::Again => Included::Again,
        };
        let written = Written {
            files: Cow::Borrowed(&self.sources.files),
            inclusions: self.sources.inclusions.iter().map(included).collect(),
            is_stoppable: self.counting == Counting::Stoppable,
            compiler: self.compiler.as_ref().map(|name| name.as_bytes().to_vec()),
            uses_cache: self.cache == CachePolicy::Use,
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
        };
        let mut out = BufWriter::new(out);
        serde_json::to_writer(&mut out, &written)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Reads one.
    ///
    /// # Errors
    /// Those of the input, or there is none.
    pub fn receive(input: &mut impl BufRead) -> io::Result<Request> {
        let mut line = Vec::new();
        input.take(MOST_BYTES).read_until(b'\n', &mut line)?;
        let written: Written<'_> = serde_json::from_slice(&line)?;
        drop(line);
        let inclusion = |included: &Included| match included {
            Included::First => Inclusion::First,
            Included::Library => Inclusion::Library,
            Included::Again => Inclusion::Again,
        };
        let inclusions = written.inclusions.iter().map(inclusion).collect();
        Ok(Request {
            sources: KeptSources { files: written.files.into_owned(), inclusions },
            counting: if written.is_stoppable { Counting::Stoppable } else { Counting::ByBlock },
            compiler: written.compiler.map(OsString::from_vec),
            cache: if written.uses_cache { CachePolicy::Use } else { CachePolicy::Bypass },
            time_limit: written.time_limit,
            memory_limit: written.memory_limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_arrive_as_they_were_sent() {
        let files = vec![("a.vlad".to_owned(), "(write \"1\")\n\u{2207}".to_owned()), (String::new(), String::new())];
        let request = Request {
            sources: KeptSources { files, inclusions: vec![Inclusion::First, Inclusion::Again, Inclusion::Library] },
            counting: Counting::Stoppable,
            compiler: Some(OsString::from_vec(vec![b'c', 0xFF])),
            cache: CachePolicy::Bypass,
            time_limit: Some(Duration::from_millis(1500)),
            memory_limit: Some(1 << 40),
        };
        let mut sent = Vec::new();
        request.send(&mut sent).unwrap();
        sent.push(b'g');
        let mut input = sent.as_slice();
        assert_eq!(Request::receive(&mut input).unwrap(), request);
        assert_eq!(input, b"g");
        for damaged in [&sent[..0], &sent[..4], &sent[..20]] {
            assert!(Request::receive(&mut &*damaged).is_err());
        }
    }
}

//! A request to compile a program: plain data for another process, which reads the program again and generates the C
//! code.
//!
//! So the run starts before code is generated, and generating it takes no time of the run.

use crate::run::serialised_sources::SerialisedSources;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_compiler::foreign::Counting;
use vlad_compiler::{Passes, Settings, SizePolicy, Specialise, Task, prepare};
use vlad_shared::ad::traps::Traps;
use vlad_shared::core::source::KeptSources;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::load_kept;

/// The most bytes of a request that are read.
const MOST_BYTES: u64 = 1 << 30;

/// A program to be compiled, with the settings of the compiler. The size of the program selects the level of
/// optimisation; a huge program is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The program's texts.
    pub sources: KeptSources,
    /// The way in which compiled code counts steps.
    pub counting: Counting,
    /// The first item that is not specialised, nor any after it.
    pub tagged_from: Option<usize>,
    /// The reaction of compiled code to operations that make a NaN or an infinity.
    pub traps: Traps,
    /// The C compiler that the user names; none to search for one.
    pub compiler: Option<OsString>,
    /// The use of the cache of compiled objects.
    pub cache: CachePolicy,
    /// The items that are specialised.
    pub specialise: Specialise,
    /// The passes over specialised code.
    pub passes: Passes,
    /// The time limit of the compiler; none if the size of the program is to decide.
    pub time_limit: Option<Duration>,
    /// The memory limit, in bytes, of each process that takes part.
    pub memory_limit: Option<u64>,
}

/// A request in its serialised form: a line of JSON.
#[derive(Serialize, Deserialize)]
struct SerialisedRequest<'request> {
    sources: SerialisedSources<'request>,
    is_stoppable: bool,
    tagged_from: Option<usize>,
    has_traps: bool,
    /// The name need not be UTF-8.
    compiler: Option<Vec<u8>>,
    uses_cache: bool,
    specialise: SerialisedSpecialise,
    passes: Cow<'request, str>,
    time_limit: Option<Duration>,
    memory_limit: Option<u64>,
}

/// The items that are specialised.
#[derive(Serialize, Deserialize)]
enum SerialisedSpecialise {
    Never,
    Auto,
    Always,
}

impl From<Specialise> for SerialisedSpecialise {
    fn from(specialise: Specialise) -> SerialisedSpecialise {
        match specialise {
            Specialise::Never => SerialisedSpecialise::Never,
            Specialise::Auto => SerialisedSpecialise::Auto,
            Specialise::Always => SerialisedSpecialise::Always,
        }
    }
}

impl From<SerialisedSpecialise> for Specialise {
    fn from(written: SerialisedSpecialise) -> Specialise {
        match written {
            SerialisedSpecialise::Never => Specialise::Never,
            SerialisedSpecialise::Auto => Specialise::Auto,
            SerialisedSpecialise::Always => Specialise::Always,
        }
    }
}

impl Request {
    /// A request for a program.
    pub fn new(task: Task<'_>, settings: &Settings) -> Request {
        Request {
            sources: KeptSources::of(&task.program.sources),
            counting: task.counting,
            tagged_from: task.tagged_from,
            traps: task.traps,
            compiler: settings.compiler.clone(),
            cache: settings.cache,
            specialise: settings.specialise,
            passes: settings.passes,
            time_limit: settings.time_limit,
            memory_limit: settings.memory_limit,
        }
    }

    /// Returns the bytes of the object: from the cache, or compiled and kept there.
    ///
    /// # Errors
    /// The reason why there is no object.
    pub fn carry_out(self, languages: Languages) -> Result<Vec<u8>, String> {
        let Some(program) = load_kept(self.sources, languages) else {
            return Err("the program cannot be read again".to_owned());
        };
        let settings = Settings {
            compiler: self.compiler,
            cache: self.cache,
            optimisation: None,
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
            willingness: SizePolicy::NotHuge,
            specialise: self.specialise,
            passes: self.passes,
        };
        let (counting, tagged_from, traps) = (self.counting, self.tagged_from, self.traps);
        let task = Task { program: &program, counting, tagged_from, traps };
        prepare(&[task], &settings).and_then(|prepared| prepared.bytes()).map_err(|error| error.to_string())
    }

    /// Writes the request.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn send(&self, out: &mut impl Write) -> io::Result<()> {
        let written = SerialisedRequest {
            sources: SerialisedSources::from(&self.sources),
            is_stoppable: self.counting == Counting::Stoppable,
            tagged_from: self.tagged_from,
            has_traps: self.traps == Traps::NonFinite,
            compiler: self.compiler.as_ref().map(|name| name.as_bytes().to_vec()),
            uses_cache: self.cache == CachePolicy::Use,
            specialise: self.specialise.into(),
            passes: self.passes.to_string().into(),
            time_limit: self.time_limit,
            memory_limit: self.memory_limit,
        };
        let mut out = BufWriter::new(out);
        serde_json::to_writer(&mut out, &written)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// Reads a request.
    ///
    /// # Errors
    /// The errors of the input, or of a malformed request.
    pub fn receive(input: &mut impl BufRead) -> io::Result<Request> {
        let mut line = Vec::new();
        input.take(MOST_BYTES).read_until(b'\n', &mut line)?;
        let written: SerialisedRequest<'_> = serde_json::from_slice(&line)?;
        drop(line);
        Ok(Request {
            sources: written.sources.into(),
            counting: if written.is_stoppable { Counting::Stoppable } else { Counting::ByBlock },
            tagged_from: written.tagged_from,
            traps: if written.has_traps { Traps::NonFinite } else { Traps::Off },
            compiler: written.compiler.map(OsString::from_vec),
            cache: if written.uses_cache { CachePolicy::Use } else { CachePolicy::Bypass },
            specialise: written.specialise.into(),
            passes: Passes::parse(&written.passes).map_err(io::Error::other)?,
            time_limit: written.time_limit,
            memory_limit: written.memory_limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_first_order::passes::Pass;
    use vlad_shared::core::source::{Inclusion, KeptFile};

    #[test]
    fn requests_arrive_as_they_were_sent() {
        let file = |name: &str, language: &str, text: &str| {
            let [name, language, text] = [name, language, text].map(str::to_owned);
            KeptFile { name, language, text }
        };
        let files = vec![file("a.vlad", "vlad", "(write \"1\")\n\u{2207}"), file("", "", "")];
        let request = Request {
            sources: KeptSources { files, inclusions: vec![Inclusion::First, Inclusion::Again, Inclusion::Library] },
            counting: Counting::Stoppable,
            tagged_from: Some(3),
            traps: Traps::NonFinite,
            compiler: Some(OsString::from_vec(vec![b'c', 0xFF])),
            cache: CachePolicy::Bypass,
            specialise: Specialise::Always,
            passes: Passes::NONE.with(Pass::Common).with(Pass::Tidy),
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

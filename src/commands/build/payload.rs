//! The payload of a built program: its texts, its code, and the options that its runs keep, as bytes.
//!
//! ```text
//! length of the header (8 bytes) | header (JSON) | object | object without specialised code
//! ```

use crate::options::limits::{DepthArgument, LimitArguments, Trust};
use crate::run::built_code::BuiltCode;
use crate::run::serialised_sources::SerialisedSources;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use vlad_engines::Engine;
use vlad_shared::ad::checkpointing::Strategy;
use vlad_shared::core::source::KeptSources;

/// A built program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// The texts, from which core is made again, and places are shown.
    pub sources: KeptSources,
    /// The code.
    pub code: BuiltCode,
    /// The options that its runs keep.
    pub kept: KeptOptions,
}

/// The options that are fixed when a program is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptOptions {
    /// The limits, unless a run is given others.
    pub limits: LimitArguments,
    /// The limit on nested calls, unless a run is given another.
    pub depth: DepthArgument,
    /// The trust in the program, on which the limits depend that are not given.
    pub trust: Trust,
    /// The division of the executions of `checkpoint-*j`.
    #[serde(with = "SerialisedStrategy")]
    pub strategy: Strategy,
}

/// A [`Strategy`] in its serialised form.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Strategy")]
enum SerialisedStrategy {
    Bisection { depth: Option<u64>, base_case: Option<u64> },
    Binomial { snapshots: Option<u64>, passes: Option<u64>, base_case: Option<u64> },
}

/// The header.
#[derive(Serialize, Deserialize)]
struct Header<'payload> {
    sources: SerialisedSources<'payload>,
    code: SerialisedCode<'payload>,
    kept: KeptOptions,
}

/// The code, without the bytes of objects.
#[derive(Serialize, Deserialize)]
enum SerialisedCode<'payload> {
    /// The lengths of the objects.
    Compiled { object: usize, tagged: Option<usize> },
    /// The name of the engine.
    Evaluated(Cow<'payload, str>),
}

impl Payload {
    /// Returns the payload as bytes.
    ///
    /// # Errors
    /// None that is known.
    pub fn bytes(&self) -> serde_json::Result<Vec<u8>> {
        let (code, objects) = match &self.code {
            BuiltCode::Compiled { object, tagged } => {
                let lengths = (object.len(), tagged.as_ref().map(Vec::len));
                let objects = [object.as_slice(), tagged.as_deref().unwrap_or_default()];
                (SerialisedCode::Compiled { object: lengths.0, tagged: lengths.1 }, objects)
            }
            BuiltCode::Evaluated(engine) => (SerialisedCode::Evaluated(engine.name().into()), [&[][..], &[]]),
        };
        let header = Header { sources: (&self.sources).into(), code, kept: self.kept };
        let header = serde_json::to_vec(&header)?;
        let length = (header.len() as u64).to_le_bytes();
        Ok([&length[..], &header, objects[0], objects[1]].concat())
    }

    /// Returns the payload of some bytes; none if they are no payload.
    pub fn of(bytes: &[u8]) -> Option<Payload> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (header, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let Header { sources, code, kept } = serde_json::from_slice(header).ok()?;
        let (code, rest) = match code {
            SerialisedCode::Compiled { object, tagged } => {
                let (object, rest) = rest.split_at_checked(object)?;
                let (tagged, rest) = match tagged {
                    Some(length) => {
                        rest.split_at_checked(length).map(|(tagged, rest)| (Some(tagged.to_vec()), rest))?
                    }
                    None => (None, rest),
                };
                (BuiltCode::Compiled { object: object.to_vec(), tagged }, rest)
            }
            SerialisedCode::Evaluated(name) => (BuiltCode::Evaluated(Engine::named(&name)?), rest),
        };
        rest.is_empty().then(|| Payload { sources: sources.into(), code, kept })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use vlad_shared::core::source::{Inclusion, KeptFile};

    fn payload(code: BuiltCode, strategy: Strategy) -> Payload {
        let file = |name: &str, text: &str| KeptFile { name: name.into(), language: "vlad".into(), text: text.into() };
        let files = vec![file("a \"b\".vlad", "(write \"1\")\n\u{2207}\0"), file("", "")];
        let limits = LimitArguments { timeout: Some(Duration::from_millis(1500)), ..LimitArguments::NONE };
        let sources = KeptSources { files, inclusions: vec![Inclusion::First, Inclusion::Again, Inclusion::Library] };
        Payload {
            sources,
            code,
            kept: KeptOptions {
                limits,
                depth: DepthArgument { max_depth: Some(7) },
                trust: Trust::Sandboxed,
                strategy,
            },
        }
    }

    #[test]
    fn payloads_arrive_as_they_were_sent() {
        let object = vec![0, 255, 10];
        let codes = [
            BuiltCode::Compiled { object: object.clone(), tagged: Some(vec![1, 2]) },
            BuiltCode::Compiled { object, tagged: None },
            BuiltCode::Evaluated(Engine::Hybrid),
            BuiltCode::Evaluated(Engine::Interp),
        ];
        let strategies =
            [Strategy::default(), Strategy::Binomial { snapshots: Some(u64::MAX), passes: None, base_case: Some(1) }];
        for (code, strategy) in codes.into_iter().flat_map(|code| strategies.map(|strategy| (code.clone(), strategy))) {
            let payload = payload(code, strategy);
            let bytes = payload.bytes().unwrap();
            assert_eq!(Payload::of(&bytes).as_ref(), Some(&payload));
            assert_eq!(payload.bytes().unwrap(), bytes);
            for length in (0..bytes.len()).step_by(7) {
                assert_eq!(Payload::of(&bytes[..length]), None);
            }
            assert_eq!(Payload::of(&[&bytes[..], &[0]].concat()), None);
        }
    }
}

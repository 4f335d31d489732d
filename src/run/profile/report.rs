//! The report of a profile: a table, a JSON object and a picture of the recorded data.

use super::recorder::Recorder;
use super::{object, picture, table};
use serde_json::Value;
use std::path::PathBuf;
use vlad_engines::Engine;
use vlad_files::output;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};

/// The requested parts of a profile, beside the table.
#[derive(Debug)]
pub struct ProfileRequest {
    /// The file for the picture, if one is wanted.
    pub picture: Option<PathBuf>,
}

/// A profile in its forms for the report.
#[derive(Debug)]
pub struct ProfileReport {
    /// The table, for people.
    pub table: String,
    /// The same and more, as JSON.
    pub object: Value,
    /// The error if the picture could not be written.
    pub error: Option<Diagnostic>,
    /// The note that the picture is empty, if it is.
    pub note: Option<String>,
}

impl ProfileRequest {
    /// Returns a recorder for a run on an engine.
    pub fn recorder(&self, engine: Engine) -> Recorder {
        Recorder::new(engine)
    }

    /// Makes all forms of the recorded profile, and writes the picture.
    pub fn report(&self, recorder: Recorder, program: &Program) -> ProfileReport {
        let profile = recorder.finish();
        let error = self.picture.as_ref().and_then(|path| {
            let cause = output::write(path, picture::draw(&profile, program).as_bytes()).err()?;
            let message = format!("the picture cannot be written to {}: {cause}", path.display());
            Some(Diagnostic::new(Kind::Output, None, message))
        });
        let is_empty = profile.checkpointed().next().is_none();
        let note = self.picture.as_ref().filter(|_| is_empty && error.is_none()).map(|path| {
            format!("note: no checkpoint-*j executed anything again, so {} shows nothing\n", path.display())
        });
        let (table, object) = (table::table(&profile, program), object::object(&profile, program));
        ProfileReport { table, object, error, note }
    }
}

//! `vlad profile`: a run, and what the operators that call procedures took in it.
//!
//! Engines tell of operators what is the same in all of them: what began where, how many steps it took, which actions
//! (`Host::observe`). Time and memory are measured here.

mod meter;
mod object;
mod picture;
mod recorder;
mod table;
mod trace;

pub use object::PROFILE_FORM;
pub use recorder::Recorder;

use crate::arguments::{Arguments, ProfileArguments};
use crate::choice::Choice;
use crate::ending::Ending;
use crate::running;
use clap::CommandFactory;
use clap::error::ErrorKind;
use recorder::Profile;
use serde_json::Value;
use std::path::PathBuf;
use vlad_conformance::engine::Engine;
use vlad_files::output;
use vlad_shared::core::Program;
use vlad_shared::diagnostic::{Diagnostic, Kind};

/// Runs a program and tells what its operators took.
pub fn profile(arguments: &ProfileArguments) -> Ending {
    if arguments.run.options.engine.engine == Choice::All {
        let error =
            clap::Error::raw(ErrorKind::ValueValidation, "one engine at a time is profiled: not --engine all\n");
        return Ending::of_usage(&error.format(&mut Arguments::command()));
    }
    running::run_with(&arguments.run, Some(&Wish { picture: arguments.svg.clone() }), None)
}

/// What is wanted of a profile, beside the table.
#[derive(Debug)]
pub struct Wish {
    picture: Option<PathBuf>,
}

/// A profile in the forms in which it is told.
#[derive(Debug)]
pub struct Told {
    /// The table, for people.
    pub table: String,
    /// The same and more, for programs.
    pub object: Value,
    /// Why the picture could not be written, if so.
    pub trouble: Option<Diagnostic>,
    /// That the picture shows nothing, if so.
    pub note: Option<String>,
}

impl Wish {
    /// Who listens to a run of a program on an engine.
    pub fn recorder(&self, engine: Engine) -> Recorder {
        Recorder::new(engine)
    }

    /// Puts what was heard into all its forms, and writes the picture.
    pub fn fulfil(&self, recorder: Recorder, program: &Program) -> Told {
        let profile = recorder.finish();
        let trouble = self.picture.as_ref().and_then(|path| {
            let error = output::write(path, picture::draw(&profile, program).as_bytes()).err()?;
            let message = format!("the picture cannot be written to {}: {error}", path.display());
            Some(Diagnostic::new(Kind::Output, None, message))
        });
        let is_empty = profile.checkpointed().next().is_none();
        let note = self.picture.as_ref().filter(|_| is_empty && trouble.is_none()).map(|path| {
            format!("note: no checkpoint-*j executed anything again, so {} shows nothing\n", path.display())
        });
        let (table, object) = (table::table(&profile, program), object::object(&profile, program));
        Told { table, object, trouble, note }
    }
}

impl Profile {
    /// The rows with actions of `checkpoint-*j`.
    fn checkpointed(&self) -> impl Iterator<Item = (&recorder::Row, &trace::Trace)> {
        self.rows.iter().filter_map(|row| Some((row, row.trace.as_deref()?)))
    }
}

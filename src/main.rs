//! The `vlad` command: connects the front end and an engine with the streams, limits and signals of a process.
//!
//! Results go to the standard output, everything else to the standard error. The command defines nothing of the language: the
//! front end defines the form of programs, the engines define what they do.

mod allocation;
mod arguments;
mod automatic;
mod bounded;
mod choice;
mod conclusion;
mod conform;
mod console;
mod division;
mod ending;
mod exhaustion;
mod fuzz;
mod gradcheck;
mod host;
mod inspection;
mod json;
mod limits;
mod memory;
mod options;
mod profile;
mod progress;
mod resume;
mod running;
mod signals;
mod suspend;
mod suspension;
mod toolchain;
mod watchdog;
mod words;

use arguments::{Arguments, Command};
use ending::Ending;
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

fn main() -> ExitCode {
    // Beyond a limit on the size of files (`ulimit -f`), a write is to fail with an error instead of ending the process. The
    // flag that the handler sets is never read; if the handler cannot be set, writing works as before.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return Ending::of_usage(&error).into(),
    };
    let ending = match arguments.command {
        Some(Command::CompileInBackground) => return automatic::helper::compile(),
        None => running::run(&arguments.run),
        Some(Command::Run(run)) => running::run(&run),
        Some(Command::Profile(profile)) => profile::profile(&profile),
        Some(Command::Suspend(suspend)) => suspend::suspend(&suspend),
        Some(Command::Resume(resume)) => resume::resume(&resume),
        Some(Command::Check(check)) => inspection::check(&check),
        Some(Command::Show(show)) => inspection::show(&show),
        Some(Command::Conform(conform)) => conform::conform(&conform),
        Some(Command::Fuzz(fuzz)) => fuzz::fuzz(&fuzz),
        Some(Command::Gradcheck(gradcheck)) => gradcheck::gradcheck(&gradcheck),
        Some(Command::Cache(cache)) => toolchain::cache(&cache),
        Some(Command::Doctor(doctor)) => toolchain::doctor(&doctor),
    };
    signals::wait_if_ending();
    ending.into()
}

//! The `vlad` command: wires the front end, an engine and the surroundings of a process together.
//!
//! Results go to the standard output, everything else to the standard error. The command holds no meaning of the
//! language: what a program does is the engines' matter, what it looks like the front end's.

mod allocation;
mod arguments;
mod automatic;
mod bounded;
mod choice;
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
mod profile;
mod progress;
mod resume;
mod running;
mod signals;
mod suspend;
mod toolchain;
mod watchdog;
mod words;

use arguments::{Arguments, Command};
use ending::Ending;
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

fn main() -> ExitCode {
    // Where files have a limit (`ulimit -f`) a write beyond it is to fail with an error, not to end the process. What the
    // handler notes is not asked for; if it cannot be set, writing works as before.
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

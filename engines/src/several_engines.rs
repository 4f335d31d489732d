//! Runs of one program on several engines with one input: each number is read from the input once, and the result of
//! writing a line is the same for all engines.
//!
//! Invariant: the first engine runs with the given host as if it were alone. The others get the same readings, by
//! position, and their output is only recorded. If an engine reads further than the first one did, its readings are
//! those of all later engines, too.

use crate::agreement::Behaviour;
use crate::{Engine, Ready, Task};
use std::io;
use vlad_core::Program;
use vlad_runtime::run::{Host, InputFault, Origin};
use vlad_table::number::Notation;
use vlad_values::Value;
use vlad_values::print::{self, Layout};

/// Runs a program on engines, one after the other; `before_each` is called before the start of each.
pub fn run_on_engines(
    engines: &[(Engine, Ready)],
    task: Task<'_>,
    host: &mut dyn Host,
    before_each: &mut dyn FnMut(),
) -> Vec<Behaviour> {
    let mut common = SharedHost { host, readings: Vec::new(), refusal: None };
    let mut conducts = Vec::new();
    for (number, (engine, ready)) in engines.iter().enumerate() {
        before_each();
        let role = if number == 0 { Role::Leads } else { Role::Follows };
        let mut place = EngineHost { common: &mut common, role, read: 0, output: Vec::new() };
        let report = ready.run(task, &mut place);
        let EngineHost { output, .. } = place;
        conducts.push(Behaviour { engine: *engine, output, outcome: report.outcome, steps: report.steps });
    }
    conducts
}

/// The state that the engines share.
struct SharedHost<'host> {
    host: &'host mut dyn Host,
    /// The result of each reading so far.
    readings: Vec<Result<f64, InputFault>>,
    /// The line of output that could not be written, from 0, if there was one.
    refusal: Option<(usize, Refusal)>,
}

/// An error of output that can be repeated.
struct Refusal {
    kind: io::ErrorKind,
    code: Option<i32>,
    text: String,
}

impl Refusal {
    fn of(error: &io::Error) -> Refusal {
        Refusal { kind: error.kind(), code: error.raw_os_error(), text: error.to_string() }
    }

    fn repeated(&self) -> io::Error {
        match self.code {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(self.kind, self.text.clone()),
        }
    }
}

/// The role of an engine: the first one leads, and its output is the one that is seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Leads,
    Follows,
}

/// The host of one engine.
struct EngineHost<'common, 'host> {
    common: &'common mut SharedHost<'host>,
    role: Role,
    /// The number of its readings so far.
    read: usize,
    output: Vec<String>,
}

impl EngineHost<'_, '_> {
    /// The answer to a question about the input: that which the first engine got when it asked.
    fn answer(&mut self, ask: impl FnOnce(&mut dyn Host) -> Result<f64, InputFault>) -> Result<f64, InputFault> {
        let reading = match self.common.readings.get(self.read) {
            Some(reading) => reading.clone(),
            None => {
                let reading = ask(self.common.host);
                self.common.readings.push(reading.clone());
                reading
            }
        };
        self.read += 1;
        reading
    }
}

impl Host for EngineHost<'_, '_> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.answer(|host| host.read_real())
    }

    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        let as_number = |test| if test { 1.0 } else { 0.0 };
        self.answer(|host| host.is_input_over().map(as_number)).map(|number| number != 0.0)
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        let number = self.output.len();
        self.output.push(text(program, value, origin.layout(), Notation::WithBits)?);
        match (self.role, &self.common.refusal) {
            (Role::Leads, _) => {
                let written = self.common.host.write(program, value, origin);
                if let Err(error) = &written {
                    self.common.refusal = Some((number, Refusal::of(error)));
                }
                written
            }
            (Role::Follows, Some((line, refusal))) if *line == number => Err(refusal.repeated()),
            (Role::Follows, Some(_) | None) => Ok(()),
        }
    }
}

/// Returns a value as a line of output, without the line end.
///
/// # Errors
/// Returns the error of printing the value, if there is one.
pub fn text(program: &Program, value: &Value, layout: Layout, notation: Notation) -> io::Result<String> {
    let mut line = Vec::new();
    print::write_line(&mut line, program, value, layout, notation)?;
    Ok(String::from_utf8(line).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::agreement::disagreements;
    use vlad_frontend::load::{Input, Options, load};
    use vlad_runtime::run::{Limits, Outcome, StreamHost};

    /// Runs a text twice on each engine and returns the conducts and the text that reached the output.
    fn run(text: &str, input: &str, room: usize) -> (Vec<Behaviour>, String) {
        let input_file = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        let program = load(input_file, &Options::default()).unwrap();
        let limits = Limits::default();
        let task = Task { program: &program, limits: &limits };
        let mut engines = Vec::new();
        for engine in Engine::ALL.into_iter().chain(Engine::ALL) {
            let ready = engine.make_ready(&[task], &Settings::default()).unwrap();
            engines.extend(ready.into_iter().map(|ready| (engine, ready)));
        }
        let mut host = StreamHost::new(input.as_bytes(), LimitedOutput { text: Vec::new(), room }, Notation::Shortest);
        let mut started = 0;
        let conducts = run_on_engines(&engines, task, &mut host, &mut || started += 1);
        assert_eq!(started, engines.len());
        assert_eq!(disagreements(&conducts, &program.sources), []);
        (conducts, String::from_utf8(host.into_output().text).unwrap())
    }

    /// An output that is closed after `room` bytes.
    struct LimitedOutput {
        text: Vec<u8>,
        room: usize,
    }

    impl io::Write for LimitedOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.text.len() + bytes.len() > self.room {
                return Err(io::Error::from(io::ErrorKind::BrokenPipe));
            }
            self.text.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_input_is_read_once_and_the_output_written_once() {
        let (conducts, seen) = run("(+ (read-real) (write (read-real)))", "1 2", 100);
        assert_eq!(seen, "2\n3\n");
        assert!(conducts.iter().all(|conduct| conduct.output == ["2[4000000000000000]", "3[4008000000000000]"]));
    }

    #[test]
    fn the_end_of_the_input_is_the_same_for_all() {
        let (conducts, _) = run("(read-real) (read-real)", "1", 100);
        assert!(conducts.iter().all(|conduct| matches!(conduct.outcome, Outcome::Failed(_))));
    }

    #[test]
    fn an_output_that_is_closed_is_closed_for_all() {
        let (conducts, seen) = run("1 2 3", "", 2);
        assert_eq!(seen, "1\n");
        assert!(conducts.iter().all(|conduct| matches!(conduct.outcome, Outcome::OutputClosed)));
        assert!(conducts.iter().all(|conduct| conduct.output.len() == 2));
    }
}

//! Tests of a host that panics while a program runs: the panic ends the run as an internal error on every engine, also
//! if the runtime in C has called the host, and does not affect later runs.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use vlad_compiler::{Settings, Specialise};
use vlad_conformance::fast_build::fast_build_settings;
use vlad_engines::{Engine, Task};
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::event::Event;
use vlad_shared::runtime::run::{Host, InputFault, Limits, Origin, Outcome, Report};
use vlad_shared::values::Value;

/// The operations of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostOperation {
    Read,
    Write,
    Begun,
    Measured,
    Action,
    Executed,
    Ended,
}

/// A host on which one operation panics.
struct PanickingHost {
    at: Option<HostOperation>,
    done: Vec<HostOperation>,
}

impl PanickingHost {
    fn does(&mut self, deed: HostOperation) {
        self.done.push(deed);
        assert!(self.at != Some(deed), "broken invariant: the host does not {deed:?}");
    }
}

impl Host for PanickingHost {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        self.does(HostOperation::Read);
        Ok(0.5)
    }

    fn write(&mut self, _: &Program, _: &Value, _: Origin) -> io::Result<()> {
        self.does(HostOperation::Write);
        Ok(())
    }

    fn observes(&self) -> bool {
        true
    }

    fn observe(&mut self, event: Event) {
        self.does(match event {
            Event::Begun { .. } => HostOperation::Begun,
            Event::Measured { .. } => HostOperation::Measured,
            Event::Action { .. } => HostOperation::Action,
            Event::Executed { .. } => HostOperation::Executed,
            Event::Ended { .. } => HostOperation::Ended,
            Event::Restarted => panic!("no run is given up"),
        });
    }
}

#[test]
fn a_panic_of_the_host_is_an_internal_error_on_every_engine() {
    let text = "(define (f x) (if (> x 9) (* x (read-real)) (f (* x 1.5))))
        (define p ((*j f) (*j 2))) ((cdr p) 1) (car (checkpoint-*j-bisection (lambda (x) (car (*j f (write x) 1))) 2 1 1 1))";
    let input = Input::Text { name: "program".to_owned(), bytes: text.into(), folder: None };
    let program = load(input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    let limits = Limits::default();
    let task = Task { program: &program, limits: &limits };
    // Specialised code is not observed.
    let settings = Settings { specialise: Specialise::Never, ..fast_build_settings() };
    for engine in Engine::ALL {
        let ready = engine.make_ready(&[task], &settings).unwrap().remove(0);
        let run = |at| {
            let mut host = PanickingHost { at, done: Vec::new() };
            let report = catch_unwind(AssertUnwindSafe(|| ready.run(task, &mut host)));
            (report, host.done)
        };
        let all = [
            HostOperation::Read,
            HostOperation::Write,
            HostOperation::Begun,
            HostOperation::Measured,
            HostOperation::Action,
            HostOperation::Executed,
            HostOperation::Ended,
        ];
        for deed in all {
            let (report, done) = run(Some(deed));
            let Err(panic) = report else { panic!("{engine}: {deed:?} is not done") };
            let message = panic.downcast_ref::<String>().unwrap();
            assert_eq!(*message, format!("broken invariant: the host does not {deed:?}"), "{engine}");
            assert_eq!(done.last(), Some(&deed), "{engine}: nothing is done after that");
            // The compiled code is still usable.
            let (report, done) = run(None);
            assert!(matches!(report, Ok(Report { outcome: Outcome::Finished, .. })), "{engine}: {report:?}");
            assert!(all.iter().all(|deed| done.contains(deed)), "{engine}: {done:?}");
        }
    }
}

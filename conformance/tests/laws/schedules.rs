//! Tests of the execution of `checkpoint-*j`: engines report each action of its schedule, and the number of steps
//! actually executed. The numbers are those of the closed forms, and the same on every engine.

use rstest::rstest;
use std::io;
use vlad_conformance::fast_build::fast_build_settings;
use vlad_engines::{Engine, Task};
use vlad_shared::ad::checkpointing::{Action, Strategy, eta};
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::event::Event;
use vlad_shared::runtime::run::{Host, InputFault, Limits, Origin, Outcome};
use vlad_shared::values::Value;

/// A host that records events.
#[derive(Default)]
struct Witness {
    events: Vec<Event>,
}

impl Host for Witness {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        Err(InputFault::End)
    }

    fn write(&mut self, _: &Program, _: &Value, _: Origin) -> io::Result<()> {
        Ok(())
    }

    fn observes(&self) -> bool {
        true
    }

    fn observe(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// The work of an application.
#[derive(Debug, Default, PartialEq)]
struct Work {
    steps: u64,
    advanced: u64,
    recorded: u64,
    reversals: u64,
    most_snapshots: usize,
}

/// A program with a loop of 15 n + 10 steps. The procedure's body before the loop takes 5: the application, the
/// variable, the pair, n and x. Each n takes 15: `if`, `(zero? i)` 3, then the application, the variable, the pair, `(-
/// i 1)` 5 and `(sin x)` 3. The end takes 5: `if`, `(zero? i)` 3 and x.
fn program(n: u64) -> Program {
    let text =
        format!("(define (go i x) (if (zero? i) x (go (- i 1) (sin x))))\n(checkpoint-*j (lambda (x) (go {n} x)) 1 1)");
    let input = Input::Text { name: "program".to_owned(), bytes: text.into_bytes(), folder: None };
    load(input, &Options::default()).unwrap()
}

fn taken(engine: Engine, n: u64, strategy: Strategy) -> Work {
    let program = program(n);
    let limits = Limits { strategy, ..Limits::default() };
    let task = Task { program: &program, limits: &limits };
    let ready = engine.make_ready(&[task], &fast_build_settings()).unwrap();
    let mut witness = Witness::default();
    let report = ready[0].run(task, &mut witness);
    assert!(matches!(report.outcome, Outcome::Finished), "{:?}", report.outcome);
    let mut taken = Work::default();
    let mut last = None;
    for event in witness.events {
        match event {
            Event::Measured { steps } => taken.steps = steps,
            Event::Action { action, snapshots } => {
                last = Some(action);
                // The snapshot that the action starts from is kept; an advance adds one.
                let added = usize::from(matches!(action, Action::Advance { .. }));
                taken.most_snapshots = taken.most_snapshots.max(snapshots + added);
            }
            Event::Executed { steps: executed } => match last.take().unwrap() {
                Action::Advance { steps, .. } => {
                    assert_eq!(executed, steps);
                    taken.advanced += executed;
                }
                Action::Reverse { steps, .. } => {
                    assert_eq!(executed, steps);
                    taken.recorded += executed;
                    taken.reversals += 1;
                }
            },
            Event::Ended { steps } => assert_eq!(steps, taken.steps),
            Event::Begun { .. } | Event::Restarted => {}
        }
    }
    assert_eq!(last, None);
    taken
}

#[rstest]
fn bisection_executes_half_of_the_steps_again_for_each_level(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[values(0, 1, 4, 6)] depth: u64,
) {
    // 15 * 1706 + 10 = 25600 = 400 * 64.
    let (n, steps) = (1706, 25_600);
    let found = taken(engine, n, Strategy::Bisection { depth: Some(depth), base_case: None });
    let expected = Work {
        steps,
        advanced: depth * steps / 2,
        recorded: steps,
        reversals: 1 << depth,
        most_snapshots: depth as usize + 1,
    };
    assert_eq!(found, expected);
}

#[rstest]
fn binomial_checkpointing_executes_the_fewest_steps_again(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[values((3, 4), (1, 6), (6, 2))] numbers: (u64, u64),
) {
    let (snapshots, passes) = numbers;
    let steps = 25_600_u64;
    // The first case also covers lengths that are no multiple of the base case; with a base case of one step the closed
    // form is exact.
    let strategy = Strategy::Binomial {
        snapshots: Some(snapshots),
        passes: None,
        base_case: Some(steps.div_ceil(eta(snapshots, passes))),
    };
    let found = taken(engine, 1706, strategy);
    let specified = taken(Engine::Interp, 1706, strategy);
    assert_eq!(found, specified);
    assert_eq!((found.steps, found.recorded), (steps, steps));
    assert!(found.most_snapshots as u64 <= snapshots + 1 && found.advanced <= passes * steps);
    let exact = Strategy::Binomial { snapshots: Some(snapshots), passes: None, base_case: Some(1) };
    // 15 * 6 + 10 = 100 steps.
    let found = taken(engine, 6, exact);
    let least = (0..).find(|passes| eta(snapshots, *passes) >= 100).unwrap();
    assert_eq!((found.steps, found.reversals), (100, 100));
    assert_eq!(found.advanced, least * 100 - eta(snapshots + 1, least - 1));
}

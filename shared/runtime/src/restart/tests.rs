//! Tests of journals by themselves; the tests of conformance restart runs on engines.

use crate::restart::*;
use vlad_core::{ExpressionId, GlobalId};
use vlad_values::print::Layout;

const DEFINITION: Item = Item::Define(GlobalId(0), ExpressionId(0));
const EXPRESSION: Item = Item::Expression(ExpressionId(0));

/// A host that reads 1, 2, 3, ... and then the end of the input, and keeps everything written.
#[derive(Default)]
struct World {
    read: f64,
    written: Vec<f64>,
}

impl Host for World {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        if self.read >= 5.0 {
            return Err(InputFault::End);
        }
        self.read += 1.0;
        Ok(self.read)
    }

    fn write(&mut self, _: &Program, value: &Value, _: Origin) -> io::Result<()> {
        if let Value::Real(real) = value {
            self.written.push(*real);
        }
        Ok(())
    }
}

fn write(run: &mut Restartable<'_>, real: f64) {
    run.write(&Program::default(), &Value::Real(real), Origin::Written(Layout::Datum)).unwrap();
}

/// A definition that reads, an expression that writes, a definition without effects, and an expression that does both,
/// up to a number of effects.
fn items(run: &mut Restartable<'_>, done: CompletedPart, effects: usize) {
    let mut steps = done.steps;
    for (number, item) in [DEFINITION, EXPRESSION, DEFINITION, EXPRESSION].into_iter().enumerate() {
        if done.covers(number, item) {
            continue;
        }
        run.begin_item(number, item, steps);
        steps += 10;
        match number {
            0 => assert_eq!(run.read_real(), Ok(1.0)),
            1 => write(run, 10.0),
            3 => {
                for effect in 0..effects {
                    if effect % 2 == 0 {
                        write(run, effect as f64);
                    } else {
                        run.read_real().unwrap();
                    }
                }
            }
            _ => {}
        }
    }
}

#[test]
fn effects_reach_the_world_once_wherever_the_run_is_restarted() {
    for first in 0..=5 {
        for second in 0..=5 {
            let mut world = World::default();
            let mut run = Restartable::new(&mut world, &|| true);
            items(&mut run, CompletedPart::default(), first);
            run.restart();
            // The expression at 1 took ten steps, and is not evaluated again.
            assert_eq!(run.done(), CompletedPart { item: 3, steps: 10 });
            items(&mut run, CompletedPart { item: 3, steps: 10 }, second.max(first));
            run.restart();
            items(&mut run, CompletedPart { item: 3, steps: 10 }, 5);
            run.begin_item(4, EXPRESSION, 40);
            run.restart();
            assert_eq!(run.done(), CompletedPart { item: 4, steps: 20 });
            assert_eq!((world.read, world.written), (3.0, vec![10.0, 0.0, 2.0, 4.0]));
        }
    }
}

#[test]
fn a_reading_that_failed_fails_again() {
    let mut world = World { read: 4.0, ..World::default() };
    let mut run = Restartable::new(&mut world, &|| true);
    for _ in 0..3 {
        run.begin_item(0, EXPRESSION, 0);
        assert_eq!(run.read_real(), Ok(5.0));
        assert_eq!(run.read_real(), Err(InputFault::End));
        run.restart();
    }
}

/// A host on whose output nothing can be written.
struct Full;

impl Host for Full {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        Err(InputFault::End)
    }

    fn write(&mut self, _: &Program, _: &Value, _: Origin) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::StorageFull, "the tape is full"))
    }
}

#[test]
fn a_writing_that_failed_fails_again() {
    let mut world = Full;
    let mut run = Restartable::new(&mut world, &|| true);
    for _ in 0..2 {
        run.begin_item(0, EXPRESSION, 0);
        let error = run.write(&Program::default(), &Value::Nil, Origin::Written(Layout::Datum)).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (io::ErrorKind::StorageFull, "the tape is full"));
        run.restart();
    }
}

#[test]
fn nothing_is_kept_of_a_run_that_may_not_be_restarted_any_more() {
    let may_restart = std::cell::Cell::new(true);
    let (mut world, asked) = (World::default(), || may_restart.get());
    let mut run = Restartable::new(&mut world, &asked);
    run.begin_item(0, EXPRESSION, 0);
    assert_eq!((run.read_real(), run.read_real()), (Ok(1.0), Ok(2.0)));
    run.restart();
    may_restart.set(false);
    run.begin_item(0, EXPRESSION, 0);
    // The journal is needed up to its end, and not after it.
    assert_eq!((run.read_real(), run.journal.is_some()), (Ok(1.0), true));
    assert_eq!((run.read_real(), run.read_real(), run.journal.is_some()), (Ok(2.0), Ok(3.0), false));
}

/// Asserts that the journal detects an engine that does not repeat the effects of the first one.
#[track_caller]
fn is_found(again: impl FnOnce(&mut Restartable<'_>) + std::panic::UnwindSafe) {
    let found = std::panic::catch_unwind(|| {
        let (mut world, may_restart) = (World::default(), || true);
        let mut run = Restartable::new(&mut world, &may_restart);
        run.begin_item(0, DEFINITION, 0);
        run.read_real().unwrap();
        write(&mut run, 1.0);
        run.begin_item(1, EXPRESSION, 5);
        write(&mut run, 2.0);
        run.restart();
        again(&mut run);
    });
    assert!(found.is_err());
}

#[test]
fn engines_that_do_other_things_are_found() {
    let definition = |run: &mut Restartable<'_>| {
        run.begin_item(0, DEFINITION, 0);
        run.read_real().unwrap();
        write(run, 1.0);
    };
    // Another value; another order; one effect too few, too many, of the other kind; another item.
    is_found(move |run| {
        definition(run);
        run.begin_item(1, EXPRESSION, 5);
        write(run, 3.0);
    });
    is_found(|run| {
        run.begin_item(0, DEFINITION, 0);
        write(run, 1.0);
        run.read_real().unwrap();
        run.begin_item(1, EXPRESSION, 5);
    });
    is_found(|run| {
        run.begin_item(0, DEFINITION, 0);
        run.read_real().unwrap();
        run.begin_item(1, EXPRESSION, 5);
    });
    is_found(move |run| {
        definition(run);
        write(run, 1.0);
    });
    is_found(move |run| {
        definition(run);
        run.begin_item(1, EXPRESSION, 5);
        run.read_real().unwrap();
    });
    is_found(move |run| {
        definition(run);
        run.begin_item(2, EXPRESSION, 5);
    });
}

/// Engines need not compute the same NaN: programs cannot tell one from another.
#[test]
fn every_nan_is_the_same_effect() {
    let mut world = World::default();
    let mut run = Restartable::new(&mut world, &|| true);
    run.begin_item(0, EXPRESSION, 0);
    write(&mut run, f64::NAN);
    run.restart();
    run.begin_item(0, EXPRESSION, 0);
    write(&mut run, -f64::NAN);
    write(&mut run, 1.0);
    assert_eq!(world.written.len(), 2);
}

//! What the runtime calls while a program runs: the watch, input and output.
//!
//! Invariant: a call that fails notes why, and the runtime ends the run; so at most one fault is noted.

use super::convert;
use super::interface::{HostCalls, RawValue};
use std::ffi::c_void;
use vlad_shared::apply::{Fault, input_fault, output_fault};
use vlad_shared::core::Program;
use vlad_shared::run::{Host, Origin, Watch};

/// The surroundings of a run, behind the pointer that the runtime is given.
pub struct Surroundings<'run> {
    /// The program.
    pub program: &'run Program,
    /// Input and output.
    pub host: &'run mut dyn Host,
    /// The clock and the memory.
    pub watch: Watch,
    /// Why a call has failed.
    pub fault: Option<Fault>,
}

/// The functions that the runtime calls, with a pointer to [`Surroundings`] that nobody else uses meanwhile.
pub const CALLS: HostCalls = HostCalls { look, read_real, write };

impl Surroundings<'_> {
    /// Notes a failure and says whether there was none.
    fn note<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                self.fault = Some(fault);
                None
            }
        }
    }
}

unsafe extern "C" fn look(host: *mut c_void) -> i32 {
    // SAFETY: the pointer is the one that the machine was given, to surroundings that live as long as it.
    let surroundings = unsafe { &mut *host.cast::<Surroundings<'_>>() };
    let looked = surroundings.watch.look().map_err(Fault::Trouble);
    surroundings.note(looked).is_some().into()
}

unsafe extern "C" fn read_real(host: *mut c_void, out: *mut f64) -> i32 {
    // SAFETY: as in `look`.
    let surroundings = unsafe { &mut *host.cast::<Surroundings<'_>>() };
    let read = surroundings.host.read_real().map_err(|fault| Fault::Trouble(input_fault(&fault)));
    match surroundings.note(read) {
        Some(real) => {
            // SAFETY: the runtime gives the place of a double.
            unsafe { *out = real };
            1
        }
        None => 0,
    }
}

unsafe extern "C" fn write(host: *mut c_void, value: RawValue) -> i32 {
    // SAFETY: as in `look`.
    let surroundings = unsafe { &mut *host.cast::<Surroundings<'_>>() };
    // SAFETY: the runtime lends a value that is alive.
    let copied = unsafe { convert::to_shared(value, &mut surroundings.watch) };
    let Some(value) = surroundings.note(copied.map_err(Fault::Trouble)) else { return 0 };
    let written = surroundings.host.write(surroundings.program, &value, Origin::Written);
    surroundings.note(written.map_err(|error| output_fault(&error))).is_some().into()
}

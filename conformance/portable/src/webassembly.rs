//! The functions that a host of WebAssembly calls: memory for the bytes of a program, and its digest.
#![allow(unsafe_code)]

use crate::packed::{Evaluator, PackedProgram};
use std::{ptr, slice};
use vlad_frontend::languages::Languages;

/// Returns memory for so many bytes, which the host fills. [`release`] gives it back.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(bytes: usize) -> *mut u8 {
    Box::leak(vec![0; bytes].into_boxed_slice()).as_mut_ptr()
}

/// Runs the program in JSON in memory of [`allocate`] on an evaluator, the interpreter for 0, and writes the 64 digits of its
/// digest to its begin. Returns 1; 0 if the bytes are no program or there is no digest.
///
/// # Safety
/// The memory is that of a call of [`allocate`] with the same number of bytes, at least 64, and no call has taken it yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn digest(program: *mut u8, bytes: usize, evaluator: u32) -> u32 {
    // SAFETY: the caller says so; nothing else refers to the memory during the call.
    let memory = unsafe { slice::from_raw_parts_mut(program, bytes) };
    let Ok(packed) = serde_json::from_slice::<PackedProgram>(memory) else { return 0 };
    let evaluator = if evaluator == 0 { Evaluator::Interp } else { Evaluator::Hybrid };
    let Some(digest) = packed.digest(Languages::default(), evaluator) else { return 0 };
    match memory.get_mut(..64) {
        Some(place) => place.copy_from_slice(digest.digits().as_bytes()),
        None => return 0,
    }
    1
}

/// Gives memory of [`allocate`] back.
///
/// # Safety
/// The memory is that of a call of [`allocate`] with the same number of bytes, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(memory: *mut u8, bytes: usize) {
    // SAFETY: the caller says so: it is a boxed slice of that length.
    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(memory, bytes)) });
}

//! Declarations of the types and functions of the runtime, as `value.h`, `machine.h`, `host_calls.h`, `computation.h`,
//! `record.h`, `driver.h` and `inspect.h` declare them.
//!
//! Invariant: every type here has the layout of its namesake in C, field by field; both sides assert the same sizes.
#![allow(missing_docs)] // the headers in C say what the fields are

use std::ffi::c_void;
use std::marker::{PhantomData, PhantomPinned};
use vlad_table::math;

/// `vlad_value`: 16 bytes, a tag and a word. A copy is not a reference: the code that copies adjusts the counts.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawValue {
    pub tag: u64,
    pub word: u64,
}

/// The kinds of values: the low byte of the tag.
pub mod kind {
    pub const NIL: u8 = 0;
    pub const BOOLEAN: u8 = 1;
    pub const REAL: u8 = 2;
    pub const PRIMITIVE: u8 = 3;
    pub const PLAIN: u8 = 4;
    pub const RAW: u8 = 5;
    pub const HOLE: u8 = 6;
    pub const LIFTED: u8 = 7;
    pub const VECTOR: u8 = 8;
    pub const PAIR: u8 = 9;
    pub const PROCEDURE: u8 = 10;
    pub const CAPSULE: u8 = 11;
    pub const SKELETON: u8 = 12;
    pub const PERTURBATION: u8 = 13;
    pub const SENSITIVITY: u8 = 14;
    pub const REVERSED: u8 = 15;
    pub const CONSTANT: u8 = 16;
    pub const BUNDLE: u8 = 17;
    pub const MARKED_BUNDLE: u8 = 18;
    pub const BACKPROPAGATOR: u8 = 19;
}

impl RawValue {
    pub const NIL: RawValue = RawValue { tag: kind::NIL as u64, word: 0 };

    /// Its kind.
    pub fn kind(self) -> u8 {
        (self.tag & 0xff) as u8
    }

    /// True if the value is in the heap.
    pub fn is_in_heap(self) -> bool {
        self.kind() >= kind::LIFTED
    }

    /// The code of a procedure.
    pub fn lambda(self) -> u32 {
        (self.tag >> 32) as u32
    }

    /// A procedure without captured slots.
    pub fn plain(lambda: u32) -> RawValue {
        RawValue { tag: u64::from(lambda) << 32 | u64::from(kind::PLAIN), word: 0 }
    }
}

/// `struct vlad_header`.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    pub count: u32,
    pub extent: u32,
}

/// `struct vlad_pair`, and `struct vlad_lifted` with its primal first.
#[repr(C)]
#[derive(Debug)]
pub struct RawPair {
    pub header: Header,
    pub first: RawValue,
    pub second: RawValue,
}

/// `struct vlad_slots`: `header.extent` values follow.
#[repr(C)]
#[derive(Debug)]
pub struct RawSlots {
    pub header: Header,
    pub values: [RawValue; 0],
}

/// `struct vlad_vector`, whose first word after the header is used only for reals of a level.
#[repr(C)]
#[derive(Debug)]
pub struct RawVector {
    pub header: Header,
    pub parts: *const c_void,
    pub capacity: u64,
    pub length: u64,
    /// Doubles, values, or a vector of primals.
    pub elements: *const c_void,
}

/// `enum` of the forms of vectors.
pub mod form {
    pub const PLAIN: u32 = 0;
    pub const VALUES: u32 = 1;
    /// The factor of the level: the form modulo this number is one of `VLAD_FORM_PLAIN` and so on.
    pub const LEVEL: u32 = 4;
}

/// Indices into the slots of a backpropagator: `VLAD_BACK_OPERATOR` and so on.
pub mod backpropagator {
    pub const OPERATOR: usize = 0;
    pub const OPERAND: usize = 1;
    pub const READS: usize = 4;
}

/// `struct vlad_reads`: `count` doubles follow.
#[repr(C)]
#[derive(Debug)]
pub struct RawReads {
    pub references: usize,
    pub count: u64,
    pub reals: [f64; 0],
}

/// `struct vlad_fault`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawFault {
    pub kind: u32,
    pub detail: u32,
    pub binder: u32,
    pub node: u32,
    pub site: u32,
    pub position: u32,
    pub index: u64,
    pub first: RawValue,
    pub second: RawValue,
}

/// `enum` of the kinds of faults.
pub mod fault {
    pub const STEPS: u32 = 1;
    pub const UNBOUND: u32 = 2;
    pub const PRIMITIVE: u32 = 3;
    pub const MISMATCH: u32 = 4;
    pub const NOT_APPLICABLE: u32 = 5;
    pub const CONFORMANCE: u32 = 6;
    pub const LEVELS: u32 = 7;
    pub const TAPE: u32 = 8;
    pub const MEMORY: u32 = 9;
    pub const TOO_LATE: u32 = 10;
    pub const HOST: u32 = 11;
    pub const FORGED: u32 = 12;
    pub const WITHOUT_TAG: u32 = 13;
    pub const NONFINITE: u32 = 14;
    pub const DEPTH: u32 = 15;
}

/// `VLAD_AT_CALL`, of `enum` of the positions of faults.
pub const AT_CALL: u32 = 1;
/// `VLAD_NO_INDEX`.
pub const NO_INDEX: u64 = u64::MAX;

/// `VLAD_BINDER_LET`, of `enum` of the binders.
pub const BINDER_LET: u32 = 1;
/// `enum vlad_companion`.
pub mod companion {
    pub const TANGENT: u32 = 0;
    pub const SUMMAND: u32 = 1;
    pub const TANGENT_OF_BUNDLE: u32 = 2;
    pub const SENSITIVITY: u32 = 3;
    /// The least number of this kind: the number of the operator's primitive is added to it.
    pub const COTANGENT: u32 = 4;
}
/// `enum vlad_status`, of an item that has ended or stopped.
pub mod status {
    pub const FINISHED: u32 = 1;
    pub const STOPPED: u32 = 2;
    pub const AT_POINT: u32 = 3;
    pub const GIVEN_UP: u32 = 4;
    pub const GIVEN_UP_FOR_MEMORY: u32 = 5;
    pub const GIVEN_UP_FOR_DEPTH: u32 = 6;
}
/// `VLAD_NO_LIMIT`.
pub const NO_LIMIT: i64 = i64::MAX;
/// `VLAD_MARK`: the tag of the mark of a frame in a row.
pub const MARK: u64 = kind::RAW as u64 | 1 << 32;
/// `VLAD_STOPPABLE`, of `enum` of the ways of counting.
pub const STOPPABLE: u32 = 1;
/// `VLAD_TRAPS_NONFINITE`, of `enum` of the reactions to operations that make a NaN or an infinity.
pub const TRAPS_NONFINITE: u32 = 1;
/// `VLAD_VERSION`: the version of compiled programs that this runtime runs.
pub const VERSION: u32 = 12;

/// `struct vlad_program`, of which only the first fields and the last are used here.
#[repr(C)]
#[derive(Debug)]
pub struct RawProgram {
    pub version: u32,
    pub counting: u32,
    pub items: u32,
    pub lambdas: u32,
    pub item_blocks: *const c_void,
    pub entries: *const c_void,
    pub code_class: *const u32,
    pub stride: u32,
    pub places: u32,
    pub specialised: *const *const c_void,
    pub procedures: *const c_void,
    pub procedure_count: u64,
    pub points: *const c_void,
    pub frames: *const c_void,
    pub nodes: u32,
    pub blocks: u32,
    pub traps: u32,
}

/// `struct vlad_frame`.
#[repr(C)]
#[derive(Debug)]
pub struct RawFrame {
    pub kind: u32,
    pub values: u32,
    pub node: u32,
    pub awaited: u32,
    pub interrupted: *const c_void,
    pub function: *const c_void,
    pub entry: *const c_void,
    pub place_class: u32,
    pub block: u32,
    pub instruction: u32,
    pub label: u32,
    pub offset: u32,
    pub has_slots: u32,
    pub has_site: u32,
    pub wants: u32,
    pub iteration: u32,
}

/// `VLAD_FRAME_POINT`, of `enum` of the kinds of frames.
pub const FRAME_POINT: u32 = 5;

/// `struct vlad_mathematics` of `mathematics.h`, which is generated (`rules::mathematics_header`).
#[repr(C)]
#[derive(Debug)]
pub struct Mathematics {
    pub functions: math::Functions,
    pub polygamma: math::Binary,
    pub sqrt: math::Unary,
    pub fabs: math::Unary,
}

/// `enum` of the answers of a host call.
pub mod answer {
    pub const PANICKED: i32 = -1;
    pub const FAILED: i32 = 0;
    pub const DONE: i32 = 1;
}

/// The layouts of a line of output, as the runtime numbers them.
pub mod layout {
    pub const DATUM: u32 = 0;
    pub const ROW: u32 = 1;
    pub const TEXT: u32 = 2;
}

/// `struct vlad_host_calls`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostCalls {
    pub look: unsafe extern "C" fn(host: *mut c_void) -> i32,
    pub room: unsafe extern "C" fn(host: *mut c_void, bytes: u64) -> i32,
    pub read_real: unsafe extern "C" fn(host: *mut c_void, out: *mut f64) -> i32,
    pub is_input_over: unsafe extern "C" fn(host: *mut c_void, out: *mut i32) -> i32,
    pub write: unsafe extern "C" fn(host: *mut c_void, layout: u32, value: RawValue) -> i32,
    pub journal_begin: unsafe extern "C" fn(host: *mut c_void) -> i32,
    pub journal_replay: unsafe extern "C" fn(host: *mut c_void, reads: *const f64, count: u64) -> i32,
    pub journal_end: unsafe extern "C" fn(host: *mut c_void, count: *mut u64) -> i32,
    pub journal_read: unsafe extern "C" fn(host: *mut c_void, reads: *mut f64) -> i32,
    pub journal_mark: unsafe extern "C" fn(host: *mut c_void, mark: *mut u64) -> i32,
    pub journal_rewind: unsafe extern "C" fn(host: *mut c_void, mark: u64) -> i32,
    pub journal_settle: unsafe extern "C" fn(host: *mut c_void) -> i32,
    pub schedule_begin: unsafe extern "C" fn(
        host: *mut c_void,
        primitive: u32,
        options: *const RawCheckpointOptions,
        steps: u64,
        begin: u64,
        end: u64,
    ) -> i32,
    pub schedule_next: unsafe extern "C" fn(
        host: *mut c_void,
        action: *mut RawAction,
        snapshots: u64,
        node: u64,
        executed: i64,
    ) -> i32,
    pub operator_begun: unsafe extern "C" fn(host: *mut c_void, primitive: u32, node: u32) -> i32,
    pub operator_ended: unsafe extern "C" fn(host: *mut c_void, steps: u64) -> i32,
}

/// `struct vlad_checkpoint_options`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawCheckpointOptions {
    pub numbers: [u64; 3],
}

/// `VLAD_NOT_GIVEN`, of the numbers of checkpoint options.
pub const NOT_GIVEN: u64 = u64::MAX;

/// `struct vlad_action`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawAction {
    pub kind: u32,
    pub from: u64,
    pub steps: u64,
}

/// `enum` of the kinds of actions.
pub mod action {
    pub const ADVANCE: u32 = 0;
    pub const REVERSE: u32 = 1;
}

/// `struct vlad_setup`.
#[repr(C)]
#[derive(Debug)]
pub struct Setup {
    pub program: *const RawProgram,
    pub mathematics: *const Mathematics,
    pub calls: HostCalls,
    pub host: *mut c_void,
    pub steps: i64,
    pub globals: u32,
    pub constants: u32,
    pub shipped_nodes: u32,
    pub is_observed: u32,
    pub taken: i64,
    pub memory: u64,
    pub gives_up_after: i64,
    pub most_depth: u64,
    pub suspension: i64,
}

/// `struct vlad_machine`, whose fields are private to the runtime.
#[repr(C)]
#[derive(Debug)]
pub struct RawMachine {
    _opaque: [u8; 0],
    _not_ours: PhantomData<(*mut u8, PhantomPinned)>,
}

/// `struct vlad_frame_walk`.
#[repr(C)]
#[derive(Debug)]
pub struct FrameWalk {
    pub machine: *const RawMachine,
    pub top: *const RawValue,
    pub segment: *const c_void,
    pub computations: usize,
}

/// `struct vlad_pending_frame`.
#[repr(C)]
#[derive(Debug)]
pub struct RawPendingFrame {
    pub node: u32,
    pub awaited: u32,
    pub site: u32,
    pub has_site: u32,
    pub iteration: f64,
}

// The sizes that `driver.c` asserts of the namesakes.
const _: () = assert!(size_of::<RawValue>() == 16 && size_of::<RawPair>() == 40 && size_of::<RawSlots>() == 8);
const _: () = assert!(size_of::<RawVector>() == 40);
const _: () = assert!(size_of::<RawFault>() == 64 && size_of::<RawProgram>() == 104);
const _: () = assert!(size_of::<RawFrame>() == 80);
const _: () = assert!(size_of::<RawCheckpointOptions>() == 24 && size_of::<RawAction>() == 24);
// The functions of C, then the other four of the generated header.
const _: () = assert!(size_of::<Mathematics>() == 8 * (math::UNARY.len() + math::BINARY.len() + 4));
const _: () = assert!(size_of::<Setup>() == 216 && size_of::<FrameWalk>() == 32);
const _: () = assert!(size_of::<RawPendingFrame>() == 24);

// SAFETY: these are the functions of `driver.h`, `inspect.h` and `record.h`, with those types. Each is called with a
// machine that `vlad_machine_new` returned and that was not freed, and not from within another call on the same
// machine.
unsafe extern "C" {
    pub fn vlad_machine_new(setup: *const Setup) -> *mut RawMachine;
    pub fn vlad_machine_free(machine: *mut RawMachine);
    pub fn vlad_run_item(machine: *mut RawMachine, item: u32, node: u32) -> u32;
    pub fn vlad_run_specialised(machine: *mut RawMachine, item: u32, node: u32) -> u32;
    pub fn vlad_go_on_with_item(machine: *mut RawMachine, node: u32, row: *const RawValue, length: u64) -> u32;
    pub fn vlad_row_length(machine: *const RawMachine) -> u64;
    pub fn vlad_take_row(machine: *mut RawMachine, row: *mut RawValue);
    pub fn vlad_point_of(machine: *mut RawMachine, node: u32) -> *const RawFrame;
    pub fn vlad_frame_of(machine: *mut RawMachine, block: u32) -> *const RawFrame;
    pub fn vlad_take_result(machine: *mut RawMachine) -> RawValue;
    pub fn vlad_steps_taken(machine: *const RawMachine) -> u64;
    pub fn vlad_fault_of(machine: *const RawMachine) -> *const RawFault;
    pub fn vlad_global(machine: *const RawMachine, global: u32) -> RawValue;
    pub fn vlad_set_global(machine: *mut RawMachine, global: u32, value: RawValue);
    pub fn vlad_set_constant(machine: *mut RawMachine, constant: u32, value: RawValue);
    pub fn vlad_pair_or_nil(machine: *mut RawMachine, first: RawValue, second: RawValue) -> RawValue;
    pub fn vlad_slots_or_nil(machine: *mut RawMachine, tag: u64, values: *const RawValue, count: u32) -> RawValue;
    pub fn vlad_vector_or_nil(machine: *mut RawMachine, values: *const RawValue, count: u64) -> RawValue;
    pub fn vlad_reals_or_nil(machine: *mut RawMachine, reals: *const f64, count: u64) -> RawValue;
    pub fn vlad_reads_or_none(machine: *mut RawMachine, count: u64) -> *mut RawReads;
    pub fn vlad_give_up(machine: *mut RawMachine, value: RawValue);
    pub fn vlad_live_at_end(machine: *mut RawMachine) -> u64;
    pub fn vlad_frames_begin(machine: *const RawMachine, walk: *mut FrameWalk);
    pub fn vlad_frames_next(walk: *mut FrameWalk, frame: *mut RawPendingFrame) -> i32;
}

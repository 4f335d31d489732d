//! The interface of the runtime for these tests: the declarations of the engine, and functions of differentiation,
//! which the engine calls only within the runtime.
#![allow(unsafe_code)] // C is called, and native values are read

use std::ffi::{c_int, c_void};
use std::ptr;
use std::rc::Rc;
use vlad_compiler::foreign::interface::{
    HostCalls, NO_INDEX, NO_LIMIT, RawAction, RawCheckpointOptions, RawMachine, RawPair, RawProgram, RawValue,
    RawVector, Setup, VERSION, answer, form, vlad_fault_of, vlad_give_up, vlad_machine_free, vlad_machine_new,
};
use vlad_compiler::foreign::mathematics::MATHEMATICS;
use vlad_table::Operation;
use vlad_values::{LevelPart, Lifted, Number};

/// A native value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Native {
    pub tag: u64,
    pub word: u64,
}

impl From<RawValue> for Native {
    fn from(raw: RawValue) -> Native {
        Native { tag: raw.tag, word: raw.word }
    }
}

/// The kinds of native values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Nil,
    Boolean,
    Real,
    Primitive,
    Plain,
    Raw,
    Lifted,
    Vector,
    Pair,
    Procedure,
}

unsafe extern "C" fn look(looks: *mut c_void) -> c_int {
    // SAFETY: the host of these machines is the counter of looks left, which outlives them.
    let left = unsafe { &mut *looks.cast::<u64>() };
    *left = left.saturating_sub(1);
    c_int::from(*left > 0)
}
unsafe extern "C" fn room(_: *mut c_void, _: u64) -> c_int {
    answer::DONE
}
unsafe extern "C" fn read_real(_: *mut c_void, _: *mut f64) -> c_int {
    0
}
unsafe extern "C" fn is_input_over(_: *mut c_void, _: *mut i32) -> c_int {
    0
}
unsafe extern "C" fn write(_: *mut c_void, _: u32, _: RawValue) -> c_int {
    0
}

/// Host calls that do nothing: these tests apply no operator that executes again or reports events.
const CALLS: HostCalls = {
    unsafe extern "C" fn nothing(_: *mut c_void) -> c_int {
        answer::DONE
    }
    unsafe extern "C" fn nothing_to_mark(_: *mut c_void, _: *mut u64) -> c_int {
        answer::DONE
    }
    unsafe extern "C" fn nothing_to_rewind(_: *mut c_void, _: u64) -> c_int {
        answer::DONE
    }
    unsafe extern "C" fn no_schedule(
        _: *mut c_void,
        _: u32,
        _: *const RawCheckpointOptions,
        _: u64,
        _: u64,
        _: u64,
    ) -> c_int {
        0
    }
    unsafe extern "C" fn no_action(_: *mut c_void, _: *mut RawAction, _: u64, _: u64, _: i64) -> c_int {
        0
    }
    unsafe extern "C" fn nothing_to_replay(_: *mut c_void, _: *const f64, _: u64) -> c_int {
        answer::DONE
    }
    unsafe extern "C" fn nothing_to_read(_: *mut c_void, _: *mut f64) -> c_int {
        answer::DONE
    }
    unsafe extern "C" fn nothing_begun(_: *mut c_void, _: u32, _: u32) -> c_int {
        answer::DONE
    }
    HostCalls {
        look,
        room,
        read_real,
        is_input_over,
        write,
        journal_begin: nothing,
        journal_replay: nothing_to_replay,
        journal_end: nothing_to_mark,
        journal_read: nothing_to_read,
        journal_mark: nothing_to_mark,
        journal_rewind: nothing_to_rewind,
        journal_settle: nothing,
        schedule_begin: no_schedule,
        schedule_next: no_action,
        operator_begun: nothing_begun,
        operator_ended: nothing_to_rewind,
    }
};

/// The runtime's description of a primitive: `struct vlad_primitive_row`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PrimitiveRow {
    pub form: u8,
    pub operation: u8,
    pub other: u8,
    pub has_empty: u8,
    pub single: u8,
    pub detail: u8,
    pub empty: f64,
    pub from: f64,
}

// SAFETY: declared as in inspect.h, memory.h, vector.h, arithmetic.h, operators.h and rules.h; `Native` has the layout
// of `vlad_value`.
unsafe extern "C" {
    fn vlad_live_at_end(machine: *mut RawMachine) -> u64;
    fn vlad_pair_or_nil(machine: *mut RawMachine, first: Native, second: Native) -> Native;
    fn vlad_make_slots(machine: *mut RawMachine, values: u32) -> *mut u64;
    fn vlad_vector_new(machine: *mut RawMachine, capacity: u64) -> *mut RawVector;
    fn vlad_vector_append(machine: *mut RawMachine, vector: *mut RawVector, element: Native);
    fn vlad_vector_element(machine: *mut RawMachine, vector: *const RawVector, index: u64) -> Native;
    fn vlad_unary(machine: *mut RawMachine, operation: u32, operand: Native) -> Native;
    fn vlad_binary(machine: *mut RawMachine, operation: u32, first: Native, second: Native) -> Native;
    fn vlad_forward_enter(machine: *mut RawMachine, x: Native, tangent: Native, level: *mut u32) -> Native;
    fn vlad_forward_leave(machine: *mut RawMachine, level: u32, y: Native) -> Native;
    fn vlad_reverse_enter(machine: *mut RawMachine, x: Native, level: *mut u32) -> Native;
    fn vlad_reverse_leave(machine: *mut RawMachine, level: u32, x: Native, y: Native, cotangent: Native) -> Native;
    fn vlad_zero(machine: *mut RawMachine, value: Native) -> Native;
    fn vlad_plus(machine: *mut RawMachine, first: Native, second: Native) -> Native;
    static vlad_primitive_rows: [PrimitiveRow; vlad_table::primitives::PRIMITIVES.len()];
}

/// The row of a primitive.
pub fn primitive_row(number: usize) -> PrimitiveRow {
    // SAFETY: a constant table of that length.
    let rows = unsafe { vlad_primitive_rows };
    rows[number]
}

impl Native {
    pub const NIL: Native = Native { tag: 0, word: 0 };

    pub fn real(x: f64) -> Native {
        Native { tag: 2, word: x.to_bits() }
    }

    pub fn kind(self) -> Kind {
        match self.tag & 0xff {
            0 => Kind::Nil,
            1 => Kind::Boolean,
            2 => Kind::Real,
            3 => Kind::Primitive,
            4 => Kind::Plain,
            5 => Kind::Raw,
            7 => Kind::Lifted,
            8 => Kind::Vector,
            9 => Kind::Pair,
            10 => Kind::Procedure,
            kind => panic!("no value has the kind {kind}"),
        }
    }

    pub fn double(self) -> f64 {
        f64::from_bits(self.word)
    }

    pub fn lambda(self) -> u32 {
        (self.tag >> 32) as u32
    }

    fn cell(self) -> *mut RawPair {
        assert!(matches!(self.kind(), Kind::Lifted | Kind::Vector | Kind::Pair | Kind::Procedure));
        ptr::with_exposed_provenance_mut(self.word as usize)
    }

    /// The primal and the other part of a lifted real, or the halves of a pair.
    pub fn halves(self) -> [Native; 2] {
        assert!(matches!(self.kind(), Kind::Lifted | Kind::Pair));
        // SAFETY: the word of such a value is the address of a live cell.
        unsafe { [(*self.cell()).first, (*self.cell()).second].map(Native::from) }
    }

    /// The level of a lifted real.
    pub fn level(self) -> u32 {
        // SAFETY: as above.
        unsafe { (*self.cell()).header.extent }
    }

    pub fn slots(self) -> Vec<Native> {
        if self.kind() == Kind::Plain {
            return Vec::new();
        }
        // SAFETY: the word of a procedure is the address of live slots, whose values follow the header.
        unsafe {
            let values = ptr::addr_of!((*self.cell()).first).cast::<Native>();
            (0..(*self.cell()).header.extent).map(|slot| *values.add(slot as usize)).collect()
        }
    }

    fn vector(self) -> *const RawVector {
        assert_eq!(self.kind(), Kind::Vector);
        ptr::with_exposed_provenance(self.word as usize)
    }

    /// The elements of a vector of any values, borrowed; none if it is one of reals.
    pub fn values(self) -> Option<Vec<Native>> {
        // SAFETY: the word of a vector is its address, and as many values are in its array.
        unsafe {
            let vector = &*self.vector();
            let values = vector.elements.cast::<Native>();
            let is_of_values = vector.header.extent % form::LEVEL == form::VALUES;
            is_of_values.then(|| (0..vector.length as usize).map(|index| *values.add(index)).collect())
        }
    }

    /// The elements of a vector of reals.
    pub fn numbers(self) -> Vec<Number> {
        // SAFETY: as above.
        unsafe { (0..(*self.vector()).length as usize).map(|index| number_at(self.vector(), index)).collect() }
    }

    /// Adds a reference.
    pub fn share(self) -> Native {
        if self.tag & 0xff >= 7 {
            // SAFETY: as above; the count comes first in every object.
            unsafe { (*self.cell()).header.count += 1 };
        }
        self
    }
}

/// The markers of a real that is not of the level, among nodes (`NO_NODE`) and among tangents (`NO_TANGENT`).
const NO_NODE: u64 = u64::MAX;
const NO_TANGENT: u64 = 0x7ff8_0000_766c_6164;

/// An element of a vector of reals.
///
/// # Safety
/// It is a live vector of reals, with so many elements.
unsafe fn number_at(vector: *const RawVector, index: usize) -> Number {
    // SAFETY: its arrays have as many elements, and the vectors that it is made of live as long.
    unsafe {
        let vector = &*vector;
        let level = vector.header.extent / form::LEVEL;
        let primal = || number_at(vector.elements.cast(), index);
        let part = match vector.header.extent % form::LEVEL {
            form::PLAIN => return Number::Real(*vector.elements.cast::<f64>().add(index)),
            2 => match number_at(vector.parts.cast(), index) {
                none if none.base().to_bits() == NO_TANGENT => return primal(),
                tangent => LevelPart::Tangent(tangent),
            },
            _ => match *vector.parts.cast::<u64>().add(index) {
                NO_NODE => return primal(),
                node => LevelPart::Node(node),
            },
        };
        Number::Lifted(Rc::new(Lifted { level, primal: primal(), part }))
    }
}

/// A machine without a program. Its clock check fails from the n-th time on, for the given n.
pub struct Machine {
    machine: *mut RawMachine,
    // The data that the machine refers to.
    _program: Box<RawProgram>,
    _classes: Vec<u32>,
    _looks: Box<u64>,
}

impl Machine {
    /// Creates a machine whose lambdas have these classes of code.
    pub fn new(classes: Vec<u32>, looks: u64) -> Machine {
        let program = Box::new(RawProgram {
            version: VERSION,
            counting: 0,
            items: 0,
            lambdas: classes.len() as u32,
            item_blocks: ptr::null(),
            entries: ptr::null(),
            code_class: classes.as_ptr(),
            stride: 1,
            places: 0,
            specialised: ptr::null(),
            procedures: ptr::null(),
            procedure_count: 0,
            points: ptr::null(),
            frames: ptr::null(),
            nodes: 0,
            blocks: 0,
            traps: 0,
        });
        let mut looks = Box::new(looks);
        let setup = Setup {
            program: &*program,
            mathematics: &*MATHEMATICS,
            calls: CALLS,
            host: ptr::from_mut(&mut *looks).cast(),
            steps: 0,
            globals: 0,
            constants: 0,
            shipped_nodes: 0,
            is_observed: 0,
            taken: 0,
            memory: u64::MAX,
            gives_up_after: -1,
            most_depth: u64::MAX,
            suspension: NO_LIMIT,
        };
        // SAFETY: all that the setup points to is kept as long as the machine.
        let machine = unsafe { vlad_machine_new(&setup) };
        assert!(!machine.is_null());
        Machine { machine, _program: program, _classes: classes, _looks: looks }
    }

    /// The kind and the detail of the recorded fault; kind 0 is none.
    pub fn fault(&self) -> (u32, u32) {
        // SAFETY: the machine is live.
        let fault = unsafe { &*vlad_fault_of(self.machine) };
        (fault.kind, fault.detail)
    }

    /// The two values of the recorded fault.
    pub fn fault_values(&self) -> [Native; 2] {
        // SAFETY: the machine is live.
        let fault = unsafe { &*vlad_fault_of(self.machine) };
        [fault.first, fault.second].map(Native::from)
    }

    /// The index in vectors of the parts that do not conform, if they are elements.
    pub fn fault_index(&self) -> Option<usize> {
        // SAFETY: the machine is live.
        let fault = unsafe { &*vlad_fault_of(self.machine) };
        (fault.index != NO_INDEX).then_some(fault.index as usize)
    }

    pub fn give_up(&self, value: Native) {
        // SAFETY: in these calls the machine is live, and so are the values.
        unsafe { vlad_give_up(self.machine, RawValue { tag: value.tag, word: value.word }) }
    }

    /// The number of live objects.
    pub fn live(&self) -> u64 {
        unsafe { vlad_live_at_end(self.machine) } // SAFETY: as above
    }

    pub fn pair(&self, first: Native, second: Native) -> Native {
        unsafe { vlad_pair_or_nil(self.machine, first, second) } // SAFETY: as above
    }

    /// The procedure with those slots, which it takes over.
    pub fn procedure(&self, lambda: u32, slots: &[Native]) -> Native {
        let tag = u64::from(lambda) << 32;
        if slots.is_empty() {
            return Native { tag: tag | 4, word: 0 };
        }
        // SAFETY: the values of new slots follow a header of 8 bytes.
        unsafe {
            let made = vlad_make_slots(self.machine, slots.len() as u32);
            ptr::copy_nonoverlapping(slots.as_ptr(), made.add(1).cast::<Native>(), slots.len());
            Native { tag: tag | 10, word: made.expose_provenance() as u64 }
        }
    }

    /// The vector of some elements, which it takes over.
    pub fn vector(&self, elements: &[Native]) -> Native {
        // SAFETY: as above; nobody else has the vector.
        unsafe {
            let made = vlad_vector_new(self.machine, 0);
            elements.iter().for_each(|element| vlad_vector_append(self.machine, made, *element));
            Native { tag: 8, word: made.expose_provenance() as u64 }
        }
    }

    /// An element of a vector, owned.
    pub fn element(&self, vector: Native, index: usize) -> Native {
        unsafe { vlad_vector_element(self.machine, vector.vector(), index as u64) } // SAFETY: as above
    }

    pub fn unary(&self, operation: Operation, operand: Native) -> Native {
        unsafe { vlad_unary(self.machine, operation as u32, operand) } // SAFETY: as above
    }

    pub fn binary(&self, operation: Operation, first: Native, second: Native) -> Native {
        unsafe { vlad_binary(self.machine, operation as u32, first, second) } // SAFETY: as above
    }

    pub fn forward_enter(&self, x: Native, tangent: Native) -> (u32, Native) {
        let mut level = 0;
        let lifted = unsafe { vlad_forward_enter(self.machine, x, tangent, &mut level) }; // SAFETY: as above
        (level, lifted)
    }

    pub fn forward_leave(&self, level: u32, y: Native) -> Native {
        unsafe { vlad_forward_leave(self.machine, level, y) } // SAFETY: as above
    }

    pub fn reverse_enter(&self, x: Native) -> (u32, Native) {
        let mut level = 0;
        let lifted = unsafe { vlad_reverse_enter(self.machine, x, &mut level) }; // SAFETY: as above
        (level, lifted)
    }

    pub fn reverse_leave(&self, level: u32, x: Native, y: Native, cotangent: Native) -> Native {
        unsafe { vlad_reverse_leave(self.machine, level, x, y, cotangent) } // SAFETY: as above
    }

    pub fn zero(&self, value: Native) -> Native {
        unsafe { vlad_zero(self.machine, value) } // SAFETY: as above
    }

    pub fn plus(&self, first: Native, second: Native) -> Native {
        unsafe { vlad_plus(self.machine, first, second) } // SAFETY: as above
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        unsafe { vlad_machine_free(self.machine) } // SAFETY: it is live, and not used again
    }
}

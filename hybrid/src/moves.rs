//! Parallel assignment of registers, sequentialised into moves.
//!
//! The arguments of a block or procedure are read as if at one instant, but registers are written one by one. A
//! register must not be written before its last read: by a later argument, or by the frame that saves the registers
//! that the caller needs after the call. An argument whose target is still to be read waits: in its own register if no
//! other move writes it, else in a spare one.

use crate::code::{Index, Location, Move, Moves};

/// The registers that moves may use beside the targets.
#[derive(Clone, Copy, Debug)]
pub struct RegisterRange {
    /// The start of the registers in the store: values below it never change.
    pub registers: Index,
    /// The first spare register.
    pub spare: Index,
}

/// The moves of arguments to their targets, and the number of spare registers that they use. `saved`, in ascending
/// order, are the registers that a frame saves between the two parts.
pub fn sequentialize(arguments: &[Location], targets: &[Index], saved: &[Index], room: RegisterRange) -> (Moves, u32) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut spares = 0;
    for (place, (argument, target)) in arguments.iter().zip(targets).enumerate() {
        if *argument == Location::Moved(*target) {
            continue;
        }
        let mut later = arguments.iter().skip(place + 1);
        let is_read_later = saved.binary_search(target).is_ok() || later.any(|argument| reads(*argument, *target));
        if !is_read_later {
            before.push(Move { from: *argument, to: *target });
        } else if can_wait(*argument, targets, room) {
            after.push(Move { from: *argument, to: *target });
        } else {
            let spare = room.spare + spares;
            spares += 1;
            before.push(Move { from: *argument, to: spare });
            after.push(Move { from: Location::Moved(spare), to: *target });
        }
    }
    (Moves { before: before.into(), after: after.into() }, spares)
}

fn reads(argument: Location, register: Index) -> bool {
    match argument {
        Location::Kept(index) | Location::Moved(index) => index == register,
        Location::Slot(_) | Location::Sibling(_) => false,
    }
}

/// Returns true if an argument is still in place after the other moves, and after a frame has saved its registers.
fn can_wait(argument: Location, targets: &[Index], room: RegisterRange) -> bool {
    match argument {
        Location::Moved(register) => !targets.contains(&register),
        Location::Kept(index) => index < room.registers,
        // The captured slots of the caller may be moved to the frame.
        Location::Slot(_) | Location::Sibling(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs moves on registers 0 to 9 (register r holds r) and returns the final registers; `saved` are taken in
    /// between.
    fn run(arguments: &[Location], targets: &[Index], saved: &[Index]) -> (Vec<Option<u32>>, Vec<u32>) {
        let (moves, _) = sequentialize(arguments, targets, saved, RegisterRange { registers: 0, spare: 10 });
        let mut registers: Vec<Option<u32>> = (0..20).map(Some).collect();
        let step = |registers: &mut Vec<Option<u32>>, one: &Move| {
            let value = match one.from {
                Location::Kept(index) => registers[index as usize],
                Location::Moved(index) => registers[index as usize].take(),
                Location::Slot(_) | Location::Sibling(_) => unreachable!(),
            };
            registers[one.to as usize] = Some(value.unwrap());
        };
        moves.before.iter().for_each(|one| step(&mut registers, one));
        let taken = saved.iter().map(|register| registers[*register as usize].take().unwrap()).collect();
        moves.after.iter().for_each(|one| step(&mut registers, one));
        (registers, taken)
    }

    /// All assignments of values of five registers to three parameters, in registers 0 to 2, with all sets of saved
    /// registers.
    #[test]
    fn every_assignment_of_three_registers_is_as_if_at_one_instant() {
        for number in 0..5_u32.pow(3) * 32 {
            let sources: Vec<u32> = (0..3).map(|digit| number / 5_u32.pow(digit) % 5).collect();
            let keep = number / 125;
            let saved: Vec<u32> = (0..5).filter(|register| keep & 1 << register != 0).collect();
            let arguments: Vec<Location> = sources
                .iter()
                .enumerate()
                .map(|(place, source)| {
                    let again = saved.contains(source) || sources[place + 1..].contains(source);
                    if again { Location::Kept(*source) } else { Location::Moved(*source) }
                })
                .collect();
            let (registers, taken) = run(&arguments, &[0, 1, 2], &saved);
            assert_eq!(taken, saved, "{arguments:?} {saved:?}");
            let expected: Vec<Option<u32>> = sources.into_iter().map(Some).collect();
            assert_eq!(&registers[..3], &expected, "{arguments:?} {saved:?}");
        }
    }
}

//! The memory of the machine and of the process, as the system reports it.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the default memory limit of a run; none where the system does not report the size of its memory.
pub fn default_limit() -> Option<u64> {
    Machine::told().map(Machine::limit_of_run)
}

/// Returns the memory limit of many runs in one process: all that can be had.
pub fn most() -> Option<u64> {
    Machine::told().map(Machine::most)
}

/// The memory that a process can count on, in bytes; at most the limit of its control group, if that has one.
#[derive(Clone, Copy)]
struct Machine {
    /// The physical memory.
    physical: u64,
    /// The part of it that is available.
    available: u64,
    /// The address space of the process.
    addressable: u64,
}

/// The least default memory limit, where so much is available.
const LEAST: u64 = 1 << 30;

impl Machine {
    /// Reads the figures from the system.
    fn told() -> Option<Machine> {
        let told = fs::read_to_string("/proc/meminfo").ok()?;
        let group = group_limit().unwrap_or(u64::MAX);
        let physical = kibibytes(&told, "MemTotal:")?.min(group);
        let available = kibibytes(&told, "MemAvailable:").unwrap_or(physical).min(group);
        Some(Machine { physical, available, addressable: address_limit().unwrap_or(u64::MAX) })
    }

    /// Returns the largest useful limit: a larger one would never be reached. Only half of the address space counts,
    /// since allocators reserve address space well before it is used.
    fn most(self) -> u64 {
        (self.available / 8 * 7).min(self.addressable / 2)
    }

    /// Returns the default limit of a run: a runaway program reaches it within seconds, and other processes keep the
    /// rest.
    fn limit_of_run(self) -> u64 {
        (self.physical / 4).max(LEAST).min(self.most())
    }
}

/// Returns the bytes of address space that the process may use (`ulimit -v`); none if that is unlimited.
fn address_limit() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the resident memory of the process; cheap enough for frequent calls.
pub fn usage() -> Option<u64> {
    memory_stats::memory_stats().map(|usage| usage.physical_mem as u64)
}

/// Returns the peak resident memory of the process.
pub fn peak() -> Option<u64> {
    let told = fs::read_to_string("/proc/self/status").ok().and_then(|text| kibibytes(&text, "VmHWM:"));
    told.or_else(usage)
}

/// Parses a line such as `VmHWM:  1234 kB` into bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = rest.split_whitespace().next()?.parse().ok()?;
    number.checked_mul(1024)
}

/// Returns the memory limit of the control groups that the process is in: the least one along the path to the root.
fn group_limit() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut limits = Vec::new();
    for group in groups.lines() {
        let mut fields = group.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        let inside = PathBuf::from(root).join(path.trim_start_matches('/'));
        let folders = inside.ancestors().take_while(|folder| folder.starts_with(root));
        limits.extend(
            folders.filter_map(|folder: &Path| fs::read_to_string(folder.join(file)).ok()?.trim().parse::<u64>().ok()),
        );
    }
    limits.into_iter().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_the_line_of_that_name() {
        let text = "VmPeak:\t  99 kB\nVmHWM:\t    12 kB\n";
        assert_eq!(kibibytes(text, "VmHWM:"), Some(12 * 1024));
        assert_eq!(kibibytes(text, "VmRSS:"), None);
    }

    #[test]
    fn a_quarter_is_the_limit() {
        let gibibyte = 1_u64 << 30;
        let limit = |physical, available, addressable| Machine { physical, available, addressable }.limit_of_run();
        assert_eq!(limit(64 * gibibyte, 60 * gibibyte, u64::MAX), 16 * gibibyte);
        assert_eq!(limit(6 * gibibyte, 6 * gibibyte, u64::MAX), 3 * gibibyte / 2);
        // At least a gibibyte,
        assert_eq!(limit(4 * gibibyte, 3 * gibibyte, u64::MAX), gibibyte);
        assert_eq!(limit(2 * gibibyte, 2 * gibibyte, u64::MAX), gibibyte);
        // but no more than there is.
        assert_eq!(limit(2 * gibibyte, gibibyte, u64::MAX), gibibyte / 8 * 7);
        assert_eq!(limit(64 * gibibyte, 8 * gibibyte, u64::MAX), 7 * gibibyte);
        assert_eq!(limit(gibibyte / 2, gibibyte / 2, u64::MAX), gibibyte / 16 * 7);
        assert_eq!(limit(64 * gibibyte, 60 * gibibyte, 4 * gibibyte), 2 * gibibyte);
        assert_eq!(limit(0, 0, u64::MAX), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_tells() {
        assert!(usage().unwrap() > 10_000 && peak().unwrap() > 10_000);
        assert!(default_limit().unwrap() > 1 << 20);
    }
}

//! The executable file of this process.

use std::env;
use std::io;
use std::path::PathBuf;

/// Returns a path of the running executable. On Linux it leads to the running one even if its file has been replaced.
pub fn path() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { env::current_exe() }
}

//! The allocator of tests that run many programs: that of the command, with which they take a fifth to a third less time.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

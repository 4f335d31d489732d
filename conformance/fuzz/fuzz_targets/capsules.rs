//! Fuzz target: any bytes after the beginning of a capsule file are refused, or are a run that is written again as it
//! was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vlad_conformance::readers::CAPSULES;

fuzz_target!(|bytes: &[u8]| vlad_fuzz::check(&CAPSULES, bytes));

//! Any word is a real or none, and reals read back as they were printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vlad_conformance::readers::NUMBERS;

fuzz_target!(|bytes: &[u8]| vlad_fuzz::check(&NUMBERS, bytes));

//! Fuzz target: any word is a real or none, and printed reals read back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vlad_conformance::readers::NUMBERS;

fuzz_target!(|bytes: &[u8]| vlad_fuzz::check(&NUMBERS, bytes));

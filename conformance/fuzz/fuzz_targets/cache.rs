//! Fuzz target: any bytes are refused as an entry of the cache, unless they are as stored.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vlad_conformance::readers::CACHE;

fuzz_target!(|bytes: &[u8]| vlad_fuzz::check(&CACHE, bytes));

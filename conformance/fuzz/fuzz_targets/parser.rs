//! Fuzz target: any bytes are a program with sound core, or have errors that can be shown.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vlad_conformance::readers::PARSER;

fuzz_target!(|bytes: &[u8]| vlad_fuzz::check(&PARSER, bytes));

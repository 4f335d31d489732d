//! Fuzz target: any bytes are tokens, errors, white space and comments, with consistent places.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vlad_conformance::readers::LEXER;

fuzz_target!(|bytes: &[u8]| vlad_fuzz::check(&LEXER, bytes));

//! Any bytes are tokens and errors, and what is neither is white space or a comment.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vlad_conformance::readers::LEXER;

fuzz_target!(|bytes: &[u8]| vlad_fuzz::check(&LEXER, bytes));

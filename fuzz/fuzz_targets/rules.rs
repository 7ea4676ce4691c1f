#![no_main]
#[path = "../rules.rs"]
mod rules;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| rules::check(bytes));

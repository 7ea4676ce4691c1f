#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| impinge_testkit::fuzz::curves(bytes));

#![no_main]
#[path = "../reader.rs"]
mod reader;

use impinge_io::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reader::check(Format::Dae, bytes));

#![no_main]
#[path = "../bundle.rs"]
mod bundle;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    bundle::check(bytes);
});

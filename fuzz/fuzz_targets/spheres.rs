#![no_main]
#[path = "../robot.rs"]
mod robot;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| robot::check_spheres(bytes));

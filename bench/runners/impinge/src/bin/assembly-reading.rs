//! Only reads a file, as the command `impinge check` does: the rest of the command's time is all other work.
use contract::assembly::{AssemblyLibrary, Found, Part, main as contract_main};
use std::process::ExitCode;

struct Reading;

impl AssemblyLibrary for Reading {
    const NAME: &'static str = "impinge-io";
    const VERSION: &'static str = "of this repository";
    const NOTES: &'static str = "only reads";
    const TAKES_POSES: bool = true;
    fn find(_parts: &[Part]) -> Result<Found, String> {
        Ok(Found::default())
    }
}

fn main() -> ExitCode {
    contract_main::<Reading>()
}

//! The command `impinge` as a program; all of it is in the library.
#![forbid(unsafe_code)]

use std::{env, process::ExitCode};

/// Makes the C library keep memory that is freed for what comes next. glibc gives blocks of more than 128 KB
/// back to the system, and each page that is then asked for again takes 2 us; but once a larger block has
/// been freed, of less than 32 MiB, it keeps blocks of that size (mallopt(3), `M_MMAP_THRESHOLD`). This one
/// is never touched. Elsewhere nothing happens.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(31 << 20)));
}

fn main() -> ExitCode {
    keep_freed_memory();
    ExitCode::from(impinge_cli::main(env::args_os()))
}

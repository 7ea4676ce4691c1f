//! The command `impinge` as a program; all of it is in the library.
#![deny(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    env,
    io::{self, Write},
    panic,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

/// Makes the C library keep freed memory for later allocations. By default, glibc returns freed blocks of
/// more than 128 KB to the system, and each page that is allocated again takes 2 us. Once a program has freed
/// a larger block of less than 32 MiB, glibc keeps blocks up to that size (mallopt(3), `M_MMAP_THRESHOLD`).
/// This function frees such a block, which it never touches. Other C libraries ignore it.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(31 << 20)));
}

/// The system's allocator; where it has no more memory, the program ends with one line and status 2. The
/// standard library would abort, with a core dump; its hook for this is not stable.
struct OrEnd;

#[global_allocator]
static ALLOCATOR: OrEnd = OrEnd;

/// Readers of files request larger pieces, and their error names the file.
const LARGE: usize = 1 << 30;

impl OrEnd {
    #[inline]
    fn checked(p: *mut u8, size: usize) -> *mut u8 {
        if p.is_null() && size < LARGE {
            end(size);
        }
        p
    }
}

// SAFETY: every call goes to the system's allocator unchanged, and its result comes back unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for OrEnd {
    // SAFETY: the contract is `GlobalAlloc`'s own, in this and the following.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, here and below.
        Self::checked(unsafe { System.alloc(layout) }, layout.size())
    }
    // SAFETY: see above.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: see above.
        Self::checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }
    // SAFETY: see above.
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: see above.
        Self::checked(unsafe { System.realloc(p, layout, size) }, size)
    }
    // SAFETY: see above.
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: see above.
        unsafe { System.dealloc(p, layout) }
    }
}

/// Ends the program for want of memory. Nothing here allocates but the removal of files, which may end here
/// again.
#[cold]
#[inline(never)]
fn end(size: usize) -> ! {
    if is_first() {
        let _ = writeln!(io::stderr(), "impinge: error: out of memory: cannot allocate {size} bytes");
        impinge_cli::clean_up();
    }
    exit()
}

/// True on the first call. Every later call waits a second, so that the first caller has the time to end the
/// program.
fn is_first() -> bool {
    static ENDS: AtomicBool = AtomicBool::new(false);
    let is_first = !ENDS.swap(true, Ordering::Relaxed);
    if !is_first {
        thread::sleep(Duration::from_secs(1));
    }
    is_first
}

/// A panic ends the program as in [`end`]; release builds of this workspace do not unwind. The library panics
/// where a large list does not fit in memory; any other panic is a fault of impinge.
fn end_at_panics() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !is_first() {
            exit();
        }
        match info.payload_as_str().filter(|text| text.starts_with("out of memory")) {
            Some(message) => {
                let _ = writeln!(io::stderr(), "impinge: error: {message}");
            }
            None => {
                report(info);
                let _ =
                    writeln!(io::stderr(), "impinge: error: this is a fault of impinge, please report it");
            }
        }
        impinge_cli::clean_up();
        exit();
    }));
}

/// At once: nothing that waits for the end of the process is run.
#[cfg(unix)]
fn exit() -> ! {
    signal_hook::low_level::exit(2)
}

#[cfg(not(unix))]
fn exit() -> ! {
    std::process::exit(2)
}

fn main() -> ExitCode {
    impinge_cli::prepare_for_signals();
    end_at_panics();
    keep_freed_memory();
    ExitCode::from(impinge_cli::main(env::args_os()))
}

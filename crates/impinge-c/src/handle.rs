//! Handles: objects of the library that C holds by a pointer.
//!
//! A debug build checks a word in each handle, which names its type. It keeps the memory of freed handles, so
//! that their word can still be read: a second `free` ends the program with a message, and each other use
//! returns an error.
use crate::{
    border::{is_null, place},
    status::{Done, Failure, impinge_status},
};
use std::{mem::MaybeUninit, ptr, sync::Mutex};

/// The word of a handle that was freed.
const FREED: u64 = u64::from_le_bytes(*b"im freed");

/// The word of a handle and its object; `None` once it was freed.
#[derive(Debug)]
pub(crate) struct Shell<V> {
    word: u64,
    value: Option<V>,
}

/// A type of handles.
pub(crate) trait Handle: Sized {
    type Value;
    /// Its word.
    const WORD: u64;
    /// The name of its type in C.
    const NAME: &'static str;
    fn new(shell: Shell<Self::Value>) -> Self;
    fn shell(&self) -> &Shell<Self::Value>;
    fn shell_mut(&mut self) -> &mut Shell<Self::Value>;
}

/// Makes a struct with one field, a [`Shell`], a handle.
macro_rules! handle {
    ($name:ident, $value:ty, $word:literal) => {
        impl $crate::handle::Handle for $name {
            type Value = $value;
            const WORD: u64 = u64::from_le_bytes(*$word);
            const NAME: &'static str = stringify!($name);
            fn new(shell: $crate::handle::Shell<$value>) -> Self {
                Self(shell)
            }
            fn shell(&self) -> &$crate::handle::Shell<$value> {
                &self.0
            }
            fn shell_mut(&mut self) -> &mut $crate::handle::Shell<$value> {
                &mut self.0
            }
        }
    };
}
pub(crate) use handle;

fn check<H: Handle>(handle: &H) -> Done {
    if !cfg!(debug_assertions) || handle.shell().word == H::WORD {
        return Ok(());
    }
    let text = match handle.shell().word {
        FREED => format!("this {} was freed", H::NAME),
        _ => format!("this is no {}", H::NAME),
    };
    Err(Failure::new(impinge_status::InvalidHandle, text))
}

fn freed<H: Handle>() -> Failure {
    Failure::new(impinge_status::InvalidHandle, format!("this {} was freed", H::NAME))
}

/// The object of a handle.
pub(crate) fn shared<H: Handle>(handle: Option<&H>) -> Done<&H::Value> {
    let handle = handle.ok_or_else(|| is_null(&format!("the {}", H::NAME)))?;
    check(handle)?;
    handle.shell().value.as_ref().ok_or_else(freed::<H>)
}

/// The object of a handle, to change it.
pub(crate) fn exclusive<H: Handle>(handle: Option<&mut H>) -> Done<&mut H::Value> {
    let handle = handle.ok_or_else(|| is_null(&format!("the {}", H::NAME)))?;
    check(handle)?;
    handle.shell_mut().value.as_mut().ok_or_else(freed::<H>)
}

/// Stores a new handle, or NULL if `make` fails.
pub(crate) fn create<H: Handle>(
    out: Option<&mut MaybeUninit<*mut H>>,
    make: impl FnOnce() -> Done<H::Value>,
) -> Done {
    let out = place(out, "the place of the new handle")?;
    out.write(ptr::null_mut());
    let value = make()?;
    out.write(Box::into_raw(Box::new(H::new(Shell { word: H::WORD, value: Some(value) }))));
    Ok(())
}

/// Freed handles of a debug build, which keeps their memory.
static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Frees a handle; NULL is none.
///
/// # Safety
/// [`create`] made the handle, and nobody uses it any more.
pub(crate) unsafe fn free<H: Handle>(handle: *mut H) {
    if handle.is_null() {
        return;
    }
    if !cfg!(debug_assertions) {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(handle) });
        return;
    }
    // SAFETY: the caller's promise; a freed handle keeps its memory.
    let shared = unsafe { &mut *handle };
    if let Err(failure) = check(shared) {
        abort(&format!("{}_free: {}", H::NAME, failure.text));
    }
    let shell = shared.shell_mut();
    shell.word = FREED;
    drop(shell.value.take());
    // So that tools which search for lost memory find a pointer to it.
    KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(handle as usize);
}

/// Ends the program: `free` returns no status.
#[expect(clippy::print_stderr)]
fn abort(text: &str) -> ! {
    eprintln!("{text}");
    std::process::abort()
}

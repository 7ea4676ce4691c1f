//! Status codes, and the text of the last error.
use std::{
    any::Any,
    cell::RefCell,
    ffi::{CStr, CString, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The result of a call. All but IMPINGE_STATUS_OK are errors: impinge_last_error() has the reason in words.
/// After an error results are not written, except where a comment says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum impinge_status {
    /// Success.
    Ok = 0,
    /// An argument is refused: NULL where an object is needed, a number that is NaN or out of range, a
    /// triangle without its vertex, text that is not UTF-8.
    InvalidArgument = 1,
    /// The buffer is too small. The count is written; the items are those that there was room for.
    BufferTooSmall = 2,
    /// A handle was freed, or is of another type. Only a debug build of the library finds this.
    InvalidHandle = 3,
    /// The query does not exist for such a body, such as the relation of a half-space.
    Unsupported = 4,
    /// A file cannot be opened, read or written.
    Io = 5,
    /// The content of a file, or of bytes, is not valid.
    InvalidContent = 6,
    /// impinge_stop_set() ended the work.
    Stopped = 7,
    /// A defect of impinge: please report it. The handles of the call can only be freed.
    Panic = 8,
}

/// Why a call fails.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: impinge_status,
    pub(crate) text: String,
}

pub(crate) type Done<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: impinge_status, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(impinge_status::InvalidArgument, text)
    }
    pub(crate) fn unsupported(text: impl Into<String>) -> Self {
        Self::new(impinge_status::Unsupported, text)
    }
    fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason");
        Self::new(impinge_status::Panic, format!("a defect of impinge: {text}"))
    }
    /// The same with the place of the defect before the text.
    pub(crate) fn at(self, place: impl std::fmt::Display) -> Self {
        Self { text: format!("{place}: {}", self.text), ..self }
    }
}

/// The remedy for a pose that is meant to be no rotation.
const AFFINE: &str = "impinge_body_new_affine(), impinge_query_set_affine(), \
                      impinge_scene_set_affine() and impinge_assembly_add_affine() allow affine poses";

impl From<impinge::Error> for Failure {
    fn from(error: impinge::Error) -> Self {
        match error.kind() {
            impinge::ErrorKind::Stopped => Self::new(impinge_status::Stopped, error.to_string()),
            // The text of the library names its own functions.
            impinge::ErrorKind::NotRigid { deviation, .. } => Self::argument(format!(
                "the pose is not rigid: R^T R differs from the identity by {deviation}, and at most 1e-6 is \
                 taken as rounding; impinge_pose_nearest_rigid() repairs more, and {AFFINE}"
            )),
            impinge::ErrorKind::Mirror => {
                Self::argument(format!("the pose is a mirror, no rotation; {AFFINE}"))
            }
            // And its own ids of bodies.
            impinge::ErrorKind::WrongKindOfBody { is_half_space: true, .. } => {
                Self::unsupported("the body is a half-space, which has no mesh, pose or radius")
            }
            impinge::ErrorKind::WrongKindOfBody { is_half_space: false, .. } => {
                Self::unsupported("the body is no half-space")
            }
            _ => Self::argument(error.to_string()),
        }
    }
}

impl From<impinge_io::Error> for Failure {
    fn from(error: impinge_io::Error) -> Self {
        let status = if error.is_io() { impinge_status::Io } else { impinge_status::InvalidContent };
        Self::new(status, error.to_string())
    }
}

impl From<impinge_check::Error> for Failure {
    fn from(error: impinge_check::Error) -> Self {
        let status =
            if error.is_cancelled() { impinge_status::Stopped } else { impinge_status::InvalidArgument };
        Self::new(status, error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(impinge_status::Io, error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a function of the header. A panic becomes a status: it must not cross into C.
pub(crate) fn call(work: impl FnOnce() -> Done) -> impinge_status {
    let done = catch_unwind(AssertUnwindSafe(work));
    match done.unwrap_or_else(|payload| Err(Failure::panic(&*payload))) {
        Ok(()) => impinge_status::Ok,
        Err(Failure { status, text }) => {
            let text = CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
            // A thread that ends has no memory for it any more.
            let _ = LAST.try_with(|last| last.replace(text));
            status
        }
    }
}

/// The reason of the last error on this thread: UTF-8 in one line, ended by a NUL. Empty before the first
/// error. A call that succeeds does not change it.
///
/// The text belongs to the library. It is valid until the next error on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The name of a status, such as "buffer too small": ASCII, ended by a NUL, valid for ever.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_status_name(status: std::mem::MaybeUninit<impinge_status>) -> *const c_char {
    const NAMES: [&CStr; 9] = [
        c"ok",
        c"invalid argument",
        c"buffer too small",
        c"invalid handle",
        c"unsupported",
        c"input or output failed",
        c"invalid content",
        c"stopped",
        c"panic",
    ];
    NAMES.get(crate::number::number(status) as usize).unwrap_or(&c"unknown status").as_ptr()
}

/// The version of the library, such as "0.1.0": ASCII, ended by a NUL, valid for ever.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::{Failure, call, impinge_last_error, impinge_status};
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: the text is valid until the next error on this thread.
        unsafe { CStr::from_ptr(impinge_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(last(), "");
        assert_eq!(call(|| panic!("no {}", "way")), impinge_status::Panic);
        assert_eq!(last(), "a defect of impinge: no way");
        assert_eq!(call(|| panic!("constant")), impinge_status::Panic);
        assert_eq!(last(), "a defect of impinge: constant");
    }

    #[test]
    fn an_error_stays_on_its_thread() {
        assert_eq!(call(|| Err(Failure::argument("here\0!"))), impinge_status::InvalidArgument);
        std::thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
        assert_eq!(call(|| Ok(())), impinge_status::Ok);
        assert_eq!(last(), "here\u{fffd}!");
    }
}

//! Arguments and results: what C passes becomes slices, texts and results that are checked.
//!
//! Handles and single results are references, which NULL makes `None`. Lists are a pointer and a count. That
//! pointers are valid for as many items is what the header asks of its caller.
use crate::status::{Done, Failure, impinge_status};
use std::{
    ffi::{CStr, c_char},
    mem::MaybeUninit,
    slice,
};

/// The length of a text that ends with a NUL: IMPINGE_CSTRING of the header.
const CSTRING: usize = usize::MAX;

/// The place of a single result.
pub(crate) fn place<'a, T>(out: Option<&'a mut MaybeUninit<T>>, what: &str) -> Done<&'a mut MaybeUninit<T>> {
    out.ok_or_else(|| is_null(what))
}

/// Options, or the default ones for NULL.
pub(crate) fn or_default<T: Copy + Default>(options: Option<&T>) -> T {
    options.copied().unwrap_or_default()
}

pub(crate) fn is_null(what: &str) -> Failure {
    Failure::argument(format!("{what} is NULL"))
}

fn check_list<T>(items: *const T, count: usize, what: &str) -> Done {
    if items.is_null() {
        return Err(is_null(what));
    }
    if !items.is_aligned() {
        return Err(Failure::argument(format!("{what} is not aligned for its type")));
    }
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Failure::argument(format!("{what} cannot have {count} items: memory is not that large"))),
    }
}

/// A list that the call reads. NULL is an empty list.
///
/// # Safety
/// The pointer is valid for `count` items while the call runs, and nobody writes them.
pub(crate) unsafe fn list<'a, T>(items: *const T, count: usize, what: &str) -> Done<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check_list(items, count, what)?;
    // SAFETY: the caller's promise; the pointer is aligned, and the size fits.
    Ok(unsafe { slice::from_raw_parts(items, count) })
}

/// A list of `count` groups of numbers, such as the coordinates of points.
///
/// # Safety
/// As [`list`], for `N * count` items.
pub(crate) unsafe fn groups<'a, T, const N: usize>(
    items: *const T,
    count: usize,
    what: &str,
) -> Done<&'a [[T; N]]> {
    // SAFETY: the caller's promise.
    unsafe { list(items.cast::<[T; N]>(), count, what) }
}

/// A vector of three numbers.
///
/// # Safety
/// The pointer is valid for three numbers, or NULL.
pub(crate) unsafe fn vector(items: *const f64, what: &str) -> Done<[f64; 3]> {
    // SAFETY: the caller's promise.
    Ok(unsafe { groups::<_, 3>(items, 1, what) }?[0])
}

/// A text in UTF-8.
///
/// # Safety
/// As [`list`]; for [`CSTRING`] the pointer is valid up to a NUL.
pub(crate) unsafe fn text<'a>(text: *const c_char, length: usize, what: &str) -> Done<&'a str> {
    let bytes = if length == CSTRING {
        check_list(text, 1, what)?;
        // SAFETY: the caller's promise.
        unsafe { CStr::from_ptr(text) }.to_bytes()
    } else {
        // SAFETY: the caller's promise.
        unsafe { list(text.cast::<u8>(), length, what) }?
    };
    std::str::from_utf8(bytes).map_err(|error| Failure::argument(format!("{what} is no UTF-8: {error}")))
}

/// A list of results whose length the caller knows.
///
/// # Safety
/// The pointer is valid for writes of `count` items while the call runs, and nobody else uses them.
pub(crate) unsafe fn results<'a, T>(
    items: *mut T,
    count: usize,
    what: &str,
) -> Done<&'a mut [MaybeUninit<T>]> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_list(items, count, what)?;
    // SAFETY: the caller's promise; the pointer is aligned, and the size fits.
    Ok(unsafe { slice::from_raw_parts_mut(items.cast(), count) })
}

/// Writes results one after the other.
pub(crate) fn write_all<T>(out: &mut [MaybeUninit<T>], items: impl IntoIterator<Item = T>) {
    for (out, item) in out.iter_mut().zip(items) {
        out.write(item);
    }
}

/// A buffer of the caller, for a list whose length it may not know.
pub(crate) struct Buffer<'a, T> {
    room: &'a mut [MaybeUninit<T>],
    count: &'a mut MaybeUninit<usize>,
}

impl<'a, T> Buffer<'a, T> {
    /// A buffer. NULL is one of capacity 0.
    ///
    /// # Safety
    /// As [`results`], for `capacity` items.
    pub(crate) unsafe fn new(
        items: *mut T,
        capacity: usize,
        count: Option<&'a mut MaybeUninit<usize>>,
    ) -> Done<Self> {
        let count = place(count, "the count")?;
        // SAFETY: the caller's promise.
        let room = unsafe { results(items, capacity, "the buffer") }?;
        Ok(Self { room, count })
    }
    pub(crate) fn capacity(&self) -> usize {
        self.room.len()
    }
    /// Writes the count, and as many items as there is room for.
    pub(crate) fn fill(self, items: impl ExactSizeIterator<Item = T>) -> Done {
        let count = items.len();
        write_all(self.room, items);
        self.finish(count)
    }
    /// Writes the count of items into a buffer of capacity 0.
    pub(crate) fn only_count(self, count: u64) -> Done {
        self.finish(usize::try_from(count).unwrap_or(usize::MAX))
    }
    fn finish(self, count: usize) -> Done {
        let capacity = self.room.len();
        self.count.write(count);
        if count <= capacity {
            return Ok(());
        }
        Err(Failure::new(
            impinge_status::BufferTooSmall,
            format!("the buffer has room for {capacity} of {count} items"),
        ))
    }
}

impl Buffer<'_, c_char> {
    /// Writes a text and a NUL, which does not count.
    pub(crate) fn fill_text(self, text: &str) -> Done {
        let (length, capacity) = (text.len(), self.room.len());
        self.count.write(length);
        if capacity > 0 {
            let end = text.floor_char_boundary(capacity - 1);
            let bytes = text.as_bytes()[..end].iter().chain([&0]);
            write_all(self.room, bytes.map(|&byte| byte as c_char));
        }
        if length < capacity {
            return Ok(());
        }
        Err(Failure::new(
            impinge_status::BufferTooSmall,
            format!("the buffer has room for {capacity} bytes; the text and its NUL take {}", length + 1),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, CSTRING, list, text};
    use crate::status::impinge_status;
    use std::{
        ffi::c_char,
        mem::MaybeUninit,
        ptr::{dangling, null, null_mut},
    };

    #[test]
    fn wrong_lists_are_refused() {
        // SAFETY: no pointer is read.
        unsafe {
            assert!(list(null::<u32>(), 0, "x").unwrap().is_empty());
            assert_eq!(list(null::<u32>(), 1, "x").unwrap_err().text, "x is NULL");
            assert!(list(dangling::<u8>().cast::<u32>(), 1, "x").unwrap_err().text.contains("aligned"));
            assert!(list(dangling::<u32>(), usize::MAX / 2, "x").unwrap_err().text.contains("items"));
            assert!(text(null(), CSTRING, "x").is_err() && text(null(), 0, "x").unwrap().is_empty());
            assert_eq!(text(c"\xff".as_ptr(), CSTRING, "x").unwrap_err().status as i32, 1);
            assert_eq!(text(c"abc".as_ptr(), 2, "x").unwrap(), "ab");
        }
    }

    #[test]
    fn a_text_ends_with_a_nul_and_at_a_character() {
        let mut room = [1 as c_char; 8];
        for capacity in 0..=room.len() {
            let mut count = MaybeUninit::uninit();
            // SAFETY: the buffer has so many bytes.
            let buffer = unsafe { Buffer::new(room.as_mut_ptr(), capacity, Some(&mut count)) }.unwrap();
            let filled = buffer.fill_text("aé€x");
            // SAFETY: it was written.
            assert_eq!(unsafe { count.assume_init() }, 7);
            assert_eq!(filled.is_ok(), capacity == 8);
            if let Err(failure) = filled {
                assert_eq!(failure.status, impinge_status::BufferTooSmall);
            }
            if capacity > 0 {
                // SAFETY: a NUL was written.
                let written = unsafe { text(room.as_ptr(), CSTRING, "x") }.unwrap();
                assert!("aé€x".starts_with(written) && written.len() < capacity);
                assert!(written.len() + 3 >= capacity, "{written} {capacity}");
            }
        }
        let mut count = MaybeUninit::uninit();
        // SAFETY: there is no buffer.
        let empty = unsafe { Buffer::<u32>::new(null_mut(), 0, Some(&mut count)) }.unwrap();
        assert!(empty.fill([1, 2].into_iter()).is_err());
    }
}

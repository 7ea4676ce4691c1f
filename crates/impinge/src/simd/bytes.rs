//! Words as bytes, for instruction sets that load eight of them at once.
#![allow(unsafe_code)]

/// The eight bytes from byte `at` on of words, the lower byte of each word first.
#[inline(always)]
pub(super) fn eight_bytes(words: &[i16], at: usize) -> &[u8; 8] {
    // SAFETY: these are the bytes of `words`, as many, borrowed as long. A byte may lie anywhere and hold
    // anything.
    let bytes = unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), size_of_val(words)) };
    // Two bounds, so that nothing wraps, however large `at` is.
    bytes[at..].first_chunk().expect("eight bytes")
}

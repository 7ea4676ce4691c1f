//! Reads a text file in blocks, so that the parser reuses memory it has just touched. A page that is new to a
//! process costs as much as parsing a third of it.
use std::io::{self, Read};

/// Number of bytes read at a time.
pub(crate) const SIZE: usize = 1 << 16;

/// Blocks of a file. Each ends at a line end, never inside lines that a backslash joins.
pub(crate) struct Blocks<R> {
    file: R,
    bytes: Vec<u8>,
    /// Number of bytes of the buffer that the caller has received.
    given: usize,
}

impl<R: Read> Blocks<R> {
    /// Blocks of a file; `start` holds the bytes already read from it.
    pub(crate) fn new(start: Vec<u8>, file: R) -> Self {
        Self { file, bytes: start, given: 0 }
    }

    /// The next block; `None` at the end.
    ///
    /// # Errors
    /// Errors of reading.
    pub(crate) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.bytes.copy_within(self.given.., 0);
        self.bytes.truncate(self.bytes.len() - self.given);
        // The remaining bytes contain no line end; a line may be longer than a block.
        let mut searched = 0;
        loop {
            self.bytes.try_reserve(SIZE)?;
            let more = (&mut self.file).take(SIZE as u64).read_to_end(&mut self.bytes)?;
            let end = if more < SIZE { Some(self.bytes.len()) } else { end_of_lines(&self.bytes, searched) };
            if let Some(end) = end {
                self.given = end;
                return Ok((end > 0).then(|| &self.bytes[..end]));
            }
            searched = self.bytes.len();
        }
    }
}

/// End of the last line that ends after `searched` and that no backslash joins to the next.
fn end_of_lines(bytes: &[u8], searched: usize) -> Option<usize> {
    let goes_on = |end: usize| {
        let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
        line.last() == Some(&b'\\')
    };
    memchr::memrchr_iter(b'\n', &bytes[searched..])
        .map(|k| searched + k)
        .find(|&end| !goes_on(end))
        .map(|k| k + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let n = to.len().min(self.1).min(self.0.len());
            to[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn blocks_are_the_file_and_end_with_lines() {
        let mut text = Vec::new();
        for line in 0..40_000 {
            let end = ["\n", "\r\n", "\\\n", "\\\r\n", "\r"][line % 7 % 5];
            text.extend_from_slice(format!("v {line} {}{end}", "1".repeat(line % 13)).as_bytes());
        }
        // Longer than a block.
        text.extend_from_slice(&vec![b' '; 3 * SIZE]);
        for tail in ["", "\n", "f 1 2 3", "\n\\\n"] {
            let text = [&text[..], tail.as_bytes()].concat();
            for (start, step) in [(0, SIZE), (5, 7), (SIZE, 1000), (text.len(), 1)] {
                let mut blocks = Blocks::new(text[..start].to_vec(), Slow(&text[start..], step));
                let (mut all, mut count) = (Vec::new(), 0);
                while let Some(block) = blocks.next().expect("no errors") {
                    let last = all.len() + block.len() == text.len();
                    assert!(last || block.ends_with(b"\n"));
                    assert!(last || !block.ends_with(b"\\\n") && !block.ends_with(b"\\\r\n"));
                    all.extend_from_slice(block);
                    count += 1;
                }
                assert!(all == text, "{start}, {step}");
                assert!(start == text.len() || count > 3, "{count}");
                assert!(blocks.next().expect("no errors").is_none());
            }
        }
        assert!(Blocks::new(Vec::new(), Slow(b"", 1)).next().expect("no errors").is_none());
    }
}

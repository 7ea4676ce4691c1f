//! [`XlsxPackage`]: the ZIP file of a workbook, written in one pass.
use crate::zip_options;
use std::{
    cell::RefCell,
    io::{self, Write},
    rc::Rc,
};
use zip::{CompressionMethod, ZipWriter, write::StreamWriter};

/// A ZIP file whose entries are written one after the other, and compressed at once. The next call after a
/// failed write returns its error.
pub(super) struct XlsxPackage<'a> {
    zip: ZipWriter<StreamWriter<Bounded<'a>>>,
    state: Rc<RefCell<State>>,
}

impl<'a> XlsxPackage<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        let state = Rc::new(RefCell::new(State::Open));
        let out = Bounded { out, length: 0, state: Rc::clone(&state) };
        Self { zip: ZipWriter::new_stream(out), state }
    }
    /// Adds an entry with this text.
    pub(super) fn file(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.start(name)?;
        self.write_all(text.as_bytes())
    }
    /// Adds an entry that is compressed already.
    pub(super) fn stored(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let stored = zip_options::new().compression_method(CompressionMethod::Stored);
        self.zip.start_file(name, stored.compression_level(None))?;
        self.write_all(bytes)
    }
    /// Begins an entry, which takes all writes until the next one begins.
    pub(super) fn start(&mut self, name: &str) -> io::Result<()> {
        self.zip.start_file(name, zip_options::new())?;
        self.state.borrow_mut().check()
    }
    pub(super) fn finish(self) -> io::Result<()> {
        self.zip.finish()?;
        self.state.borrow_mut().check()
    }
}

impl Write for XlsxPackage<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.zip.write(bytes)?;
        self.state.borrow_mut().check()?;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}

enum State {
    Open,
    /// A write has failed. Contains the error until it is returned.
    Failed(Option<io::Error>),
}

impl State {
    fn check(&mut self) -> io::Result<()> {
        match self {
            Self::Failed(error) => Err(error.take().unwrap_or_else(|| io::Error::other("the file failed"))),
            Self::Open => Ok(()),
        }
    }
}

/// Passes at most 4 GiB of bytes on. After an error it drops further bytes and reports success: the crate
/// `zip` writes the end of a file even then, and prints its errors.
struct Bounded<'a> {
    out: &'a mut dyn Write,
    length: u64,
    state: Rc<RefCell<State>>,
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state.borrow_mut();
        if let State::Open = *state {
            self.length += bytes.len() as u64;
            let done = if self.length > u64::from(u32::MAX) {
                Err(io::Error::other("a workbook has at most 4 GiB; write CSV or JSON"))
            } else {
                self.out.write_all(bytes)
            };
            if let Err(error) = done {
                *state = State::Failed(Some(error));
            }
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::XlsxPackage;
    use std::io::{self, Write};

    /// A writer that takes so many bytes, then fails.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("full"))?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_error_of_a_write_is_returned() {
        let text = |k: usize| format!("{:x}", k * k * 0x9e37_79b9);
        let written = |most: usize| {
            let mut out = Full(most);
            let mut package = XlsxPackage::new(&mut out);
            package.start("a")?;
            (0..20_000).try_for_each(|k| package.write_all(text(k).as_bytes()))?;
            package.file("b", "b")?;
            package.stored("c", b"c")?;
            package.finish()
        };
        assert!(written(1 << 20).is_ok());
        for most in [0, 40, 1000, 50_000] {
            assert_eq!(written(most).unwrap_err().to_string(), "full", "{most}");
        }
    }
}

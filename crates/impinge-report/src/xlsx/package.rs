//! [`XlsxPackage`]: the ZIP file of a workbook, written in one pass.
use crate::zip_options;
use std::io::{self, Write};
use zip::{CompressionMethod, ZipWriter, write::StreamWriter};

/// A ZIP file whose entries are written one after the other, compressed as they come.
pub(super) struct XlsxPackage<'a>(ZipWriter<StreamWriter<&'a mut dyn Write>>);

impl<'a> XlsxPackage<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self(ZipWriter::new_stream(out))
    }
    /// Adds an entry with this text.
    pub(super) fn file(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.start(name)?;
        self.write_all(text.as_bytes())
    }
    /// Adds an entry that is compressed already.
    pub(super) fn stored(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.0.start_file(name, zip_options::new().compression_method(CompressionMethod::Stored))?;
        self.write_all(bytes)
    }
    /// Begins an entry, which takes what is written until the next one begins.
    pub(super) fn start(&mut self, name: &str) -> io::Result<()> {
        Ok(self.0.start_file(name, zip_options::new())?)
    }
    pub(super) fn finish(self) -> io::Result<()> {
        Ok(self.0.finish().map(drop)?)
    }
}

impl Write for XlsxPackage<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

//! [`XlsxPackage`]: the ZIP file of a workbook, written in one pass.
use crc32fast::Hasher;
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use std::io::{self, Write};

/// A ZIP file whose entries are written one after the other, compressed as they come. Its bytes do not depend
/// on the machine, the time, or features of other crates.
pub(super) struct XlsxPackage<'a> {
    out: &'a mut dyn Write,
    /// Bytes so far.
    length: u64,
    /// Finished entries, as the directory lists them.
    directory: Vec<u8>,
    entries: u64,
    open: Option<Entry>,
}

struct Entry {
    name: String,
    start: u64,
    crc: Hasher,
    size: u64,
    /// Small writes, collected.
    pending: Vec<u8>,
    compressor: Option<Box<CompressorOxide>>,
    packed: u64,
}

/// 1 January 1980, the first day of ZIP, as a time (0) and a date.
const DATE: [u16; 2] = [0, 0x21];
/// Sizes and checksum follow the data (bit 3); names are UTF-8 (bit 11).
const FLAGS: u16 = 1 << 3 | 1 << 11;
/// The version of ZIP that a reader needs.
const VERSION: u16 = 20;
/// Bytes that are compressed at once.
const BLOCK: usize = 1 << 16;

impl<'a> XlsxPackage<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, length: 0, directory: Vec::new(), entries: 0, open: None }
    }
    /// Adds an entry with this text.
    pub(super) fn file(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.start(name)?;
        self.write_all(text.as_bytes())?;
        self.end()
    }
    /// Adds an entry that is compressed already.
    pub(super) fn stored(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.begin(name, None)?;
        self.write_all(bytes)?;
        self.end()
    }
    /// Begins an entry, which takes what is written until [`end`](Self::end).
    pub(super) fn start(&mut self, name: &str) -> io::Result<()> {
        let flags = create_comp_flags_from_zip_params(6, -15, 0);
        self.begin(name, Some(Box::new(CompressorOxide::new(flags))))
    }
    fn begin(&mut self, name: &str, compressor: Option<Box<CompressorOxide>>) -> io::Result<()> {
        let (start, size, packed, pending) = (self.length, 0, 0, Vec::new());
        let entry =
            Entry { name: name.to_owned(), start, crc: Hasher::new(), size, pending, compressor, packed };
        let mut header = b"PK\x03\x04".to_vec();
        entry.describe(&mut header, [0; 3]);
        header.extend(0_u16.to_le_bytes());
        header.extend(name.as_bytes());
        self.emit(&header)?;
        self.open = Some(entry);
        Ok(())
    }
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.pack(TDEFLFlush::Finish)?;
        let Some(entry) = self.open.take() else { return Ok(()) };
        let too_long = |_| io::Error::other("a workbook has at most 4 GiB; write CSV or JSON");
        let crc = entry.crc.clone().finalize();
        let [packed, size] = [entry.packed, entry.size].map(u32::try_from);
        let [packed, size] = [packed.map_err(too_long)?, size.map_err(too_long)?];
        let start = u32::try_from(entry.start).map_err(too_long)?;
        let numbers = [crc, packed, size];
        let mut descriptor = b"PK\x07\x08".to_vec();
        descriptor.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.emit(&descriptor)?;
        let directory = &mut self.directory;
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION.to_le_bytes());
        entry.describe(directory, numbers);
        // No extra field, no comment, first disk, no attributes.
        directory.extend([0; 12]);
        directory.extend(start.to_le_bytes());
        directory.extend(entry.name.as_bytes());
        self.entries += 1;
        Ok(())
    }
    pub(super) fn finish(mut self) -> io::Result<()> {
        let too_long = |_| io::Error::other("a workbook has at most 4 GiB and 65,535 files");
        let start = u32::try_from(self.length).map_err(too_long)?;
        let entries = u16::try_from(self.entries).map_err(too_long)?.to_le_bytes();
        let directory = std::mem::take(&mut self.directory);
        let length = u32::try_from(directory.len() as u64).map_err(too_long)?;
        self.emit(&directory)?;
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend(entries.iter().chain(&entries));
        end.extend(length.to_le_bytes());
        end.extend(start.to_le_bytes());
        end.extend([0; 2]);
        self.emit(&end)
    }
    fn emit(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.out.write_all(bytes)
    }
    /// Compresses what is pending.
    fn pack(&mut self, flush: TDEFLFlush) -> io::Result<()> {
        let Some(mut entry) = self.open.take() else { return Ok(()) };
        let bytes = std::mem::take(&mut entry.pending);
        entry.crc.update(&bytes);
        entry.size += bytes.len() as u64;
        let before = self.length;
        match &mut entry.compressor {
            None => self.emit(&bytes)?,
            Some(compressor) => {
                let mut done = Ok(());
                let (status, _) = compress_to_output(compressor, &bytes, flush, |packed| {
                    done = self.emit(packed);
                    done.is_ok()
                });
                done?;
                if !matches!(status, TDEFLStatus::Okay | TDEFLStatus::Done) {
                    return Err(io::Error::other("the workbook could not be compressed"));
                }
            }
        }
        entry.packed += self.length - before;
        self.open = Some(entry);
        Ok(())
    }
}

impl Entry {
    /// Writes what both headers of an entry have: CRC, packed size and size come last, before the name.
    fn describe(&self, to: &mut Vec<u8>, numbers: [u32; 3]) {
        let method = if self.compressor.is_some() { 8 } else { 0 };
        for word in [VERSION, FLAGS, method, DATE[0], DATE[1]] {
            to.extend(word.to_le_bytes());
        }
        to.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        to.extend((self.name.len() as u16).to_le_bytes());
    }
}

impl Write for XlsxPackage<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(entry) = &mut self.open {
            entry.pending.extend_from_slice(bytes);
            if entry.pending.len() >= BLOCK {
                self.pack(TDEFLFlush::None)?;
            }
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

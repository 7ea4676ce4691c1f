//! Writes a ZIP of stored entries. The writer of the crate `zip` must seek, and its bytes may change with its
//! version. Equal assemblies must give equal bundles.
use std::io::{self, Write};

/// 1 January 1980, the earliest date of ZIP: the bytes do not depend on the clock.
const DATE: u16 = 1 << 5 | 1;
/// Smallest values that are in a ZIP64 record instead of their field.
const MOST: u64 = u32::MAX as u64;
const MOST_ENTRIES: u64 = u16::MAX as u64;
/// Versions of ZIP that an entry needs: 1.0, or 4.5 for ZIP64.
const PLAIN: u16 = 10;
const ZIP64: u16 = 45;

struct ZipEntry {
    name: String,
    crc: u32,
    size: u64,
    offset: u64,
}

/// Writes entries, then the directory.
pub(super) struct StoredZip<'a, W: Write + ?Sized> {
    out: &'a mut W,
    entries: Vec<ZipEntry>,
    /// Bytes so far.
    at: u64,
}

/// Fields of a record, little-endian.
#[derive(Default)]
struct Record(Vec<u8>);

impl Record {
    fn u16(mut self, value: u16) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }
    fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }
    fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }
    /// A value, or the number that refers to a ZIP64 record.
    fn at_most_u32(self, value: u64) -> Self {
        self.u32(value.min(MOST) as u32)
    }
    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }
}

impl<'a, W: Write + ?Sized> StoredZip<'a, W> {
    pub(super) fn new(out: &'a mut W) -> Self {
        Self { out, entries: Vec::new(), at: 0 }
    }

    /// Writes an entry of `size` bytes, whose checksum is `crc`. `fill` must write exactly these bytes. The
    /// name must be ASCII.
    pub(super) fn entry(
        &mut self,
        name: String,
        size: u64,
        crc: u32,
        fill: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let is_large = size >= MOST;
        let extra =
            if is_large { Record::default().u16(1).u16(16).u64(size).u64(size) } else { Record::default() };
        let header = Record::default()
            .bytes(b"PK\x03\x04")
            .u16(if is_large { ZIP64 } else { PLAIN })
            // No flags; the method is 'stored'; the time is midnight.
            .u16(0)
            .u16(0)
            .u16(0)
            .u16(DATE)
            .u32(crc)
            .at_most_u32(size)
            .at_most_u32(size)
            .u16(name.len() as u16)
            .u16(extra.0.len() as u16)
            .bytes(name.as_bytes())
            .bytes(&extra.0);
        self.out.write_all(&header.0)?;
        fill(self.out)?;
        self.entries.push(ZipEntry { name, crc, size, offset: self.at });
        self.at += header.0.len() as u64 + size;
        Ok(())
    }

    /// Writes the directory.
    pub(super) fn finish(self) -> io::Result<()> {
        let start = self.at;
        let mut end = start;
        for ZipEntry { name, crc, size, offset } in &self.entries {
            let mut large = Record::default();
            if *size >= MOST {
                large = large.u64(*size).u64(*size);
            }
            if *offset >= MOST {
                large = large.u64(*offset);
            }
            let extra = match large.0.len() {
                0 => Record::default(),
                length => Record::default().u16(1).u16(length as u16).bytes(&large.0),
            };
            let version = if extra.0.is_empty() { PLAIN } else { ZIP64 };
            let header = Record::default()
                .bytes(b"PK\x01\x02")
                // The version that made the entry, for no system in particular, and the version that it
                // needs.
                .u16(version)
                .u16(version)
                .u16(0)
                .u16(0)
                .u16(0)
                .u16(DATE)
                .u32(*crc)
                .at_most_u32(*size)
                .at_most_u32(*size)
                .u16(name.len() as u16)
                .u16(extra.0.len() as u16)
                // No comment; the first disk; no attributes.
                .u16(0)
                .u16(0)
                .u16(0)
                .u32(0)
                .at_most_u32(*offset)
                .bytes(name.as_bytes())
                .bytes(&extra.0);
            self.out.write_all(&header.0)?;
            end += header.0.len() as u64;
        }
        let (count, size) = (self.entries.len() as u64, end - start);
        if count >= MOST_ENTRIES || start >= MOST || size >= MOST {
            let record = Record::default()
                .bytes(b"PK\x06\x06")
                // Bytes of this record after this field.
                .u64(44)
                .u16(ZIP64)
                .u16(ZIP64)
                .u32(0)
                .u32(0)
                .u64(count)
                .u64(count)
                .u64(size)
                .u64(start);
            let locator = Record::default().bytes(b"PK\x06\x07").u32(0).u64(end).u32(1);
            self.out.write_all(&record.bytes(&locator.0).0)?;
        }
        let count = count.min(MOST_ENTRIES) as u16;
        let record = Record::default()
            .bytes(b"PK\x05\x06")
            .u16(0)
            .u16(0)
            .u16(count)
            .u16(count)
            .at_most_u32(size)
            .at_most_u32(start)
            .u16(0);
        self.out.write_all(&record.0)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::StoredZip;
    use std::io::{self, Write};

    /// Keeps the bytes of records and counts those of contents.
    struct Headers(Vec<u8>);

    impl Write for Headers {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if bytes.len() < 1 << 20 {
                self.0.extend(bytes);
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The sizes and offsets of an entry of 5 GiB and of one behind it are in ZIP64 records.
    #[test]
    fn large_entries_have_their_sizes_in_zip64_records() {
        let mut out = Headers(Vec::new());
        let mut zip = StoredZip::new(&mut out);
        let size = 5_u64 << 30;
        let zeros = vec![0; 1 << 20];
        let fill = |out: &mut Headers| (0..size >> 20).try_for_each(|_| out.write_all(&zeros));
        zip.entry("large".to_owned(), size, 7, fill).unwrap();
        zip.entry("small".to_owned(), 1, 8, |out| out.write_all(b"x")).unwrap();
        zip.finish().unwrap();
        let bytes = out.0;
        let u32 = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        let u64 = |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        let find = |signature: &[u8]| -> Vec<usize> {
            (0..bytes.len()).filter(|&i| bytes[i..].starts_with(signature)).collect()
        };
        // The local header: the sizes refer to the extra field behind the name.
        assert_eq!((u32(18), u32(22), u64(30 + 5 + 4), u64(30 + 5 + 12)), (u32::MAX, u32::MAX, size, size));
        let [large, small] = find(b"PK\x01\x02")[..] else { panic!() };
        assert_eq!((u32(large + 20), u32(large + 42), u64(large + 46 + 5 + 4)), (u32::MAX, 0, size));
        let second = 30 + 5 + 20 + size;
        assert_eq!((u32(small + 20), u32(small + 42), u64(small + 46 + 5 + 4)), (1, u32::MAX, second));
        let [end] = find(b"PK\x06\x06")[..] else { panic!() };
        let start = second + 30 + 5 + 1;
        assert_eq!((u64(end + 24), u64(end + 32), u64(end + 48)), (2, 2, start));
        assert_eq!(u64(end + 56 + 8), start + (end - large) as u64);
        assert_eq!(find(b"PK\x05\x06"), [end + 56 + 20]);
    }
}

//! The ZIP package of a bundle. Every entry is read under a limit.
use super::DOCUMENT;
use crate::{Error, budget::passed, error::Place, quote::show};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Opens a ZIP. Two entries of the same name are an error.
pub(crate) fn open_zip(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, Error> {
    let archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|e| Error::invalid(Place::File, "this is not a whole ZIP package").because(e))?;
    // The ZIP reader keeps only the last of two entries with the same name.
    let start = usize::try_from(archive.central_directory_start()).unwrap_or(usize::MAX);
    let entries = headers(bytes.get(start..).unwrap_or_default());
    if entries != archive.len() {
        let what = format!("its directory has {entries} entries, but only {} names", archive.len());
        return Err(Error::byte(start, what));
    }
    Ok(archive)
}

pub(super) struct BundlePackage<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
}

impl<'a> BundlePackage<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        Ok(Self { archive: open_zip(bytes)? })
    }

    /// Text of the document; an error if it has more than `most` bytes.
    pub(super) fn document(&mut self, most: u64) -> Result<String, Error> {
        if self.archive.index_for_name(DOCUMENT).is_none() {
            let what = match self.archive.index_for_name("_rels/.rels") {
                Some(_) => "this is a 3MF package, or one of an office program, and not a bundle".to_owned(),
                None => format!("this ZIP has no '{DOCUMENT}', so it is no bundle"),
            };
            return Err(Error::invalid(Place::File, what));
        }
        let mut bytes = Vec::new();
        self.read(DOCUMENT, |content| {
            content.take(most.saturating_add(1)).read_to_end(&mut bytes).map(drop)
        })?;
        if bytes.len() as u64 > most {
            return Err(passed(Place::Item(DOCUMENT.to_owned()), most, "bytes by unpacking"));
        }
        String::from_utf8(bytes).map_err(|e| Error::item(DOCUMENT, "it is not UTF-8").because(e))
    }

    /// Reads an entry of exactly `size` bytes in blocks of at most `block` bytes. Allocates no more than a
    /// block.
    pub(super) fn blocks(
        &mut self,
        name: &str,
        size: u64,
        block: usize,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        let mut left = size;
        let mut buffer = vec![0; block.min(usize::try_from(size).unwrap_or(usize::MAX))];
        let mut is_longer = false;
        self.read(name, |content| {
            while left > 0 {
                let next = &mut buffer[..block.min(usize::try_from(left).unwrap_or(usize::MAX))];
                content.read_exact(next)?;
                take(next);
                left -= next.len() as u64;
            }
            // At the end of an entry the ZIP reader compares the checksum.
            is_longer = content.read(&mut [0])? > 0;
            Ok(())
        })?;
        if is_longer {
            return Err(Error::item(name, format!("it has more than the {size} bytes of its mesh")));
        }
        Ok(())
    }

    fn read(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        let mut file = self
            .archive
            .by_name(name)
            .map_err(|e| Error::item(name, "it cannot be taken from the package").because(e))?;
        read(&mut file).map_err(|e| Error::item(name, "it cannot be unpacked").because(e))
    }

    /// Size of an entry according to the package's directory.
    pub(super) fn size(&self, name: &str) -> Result<u64, Error> {
        let index = self.archive.index_for_name(name);
        let index = index.ok_or_else(|| Error::item(name, "it is missing in the package"))?;
        let data = self.archive.by_index_data(index);
        data.map(|data| data.size()).map_err(|e| Error::item(name, "it cannot be read").because(e))
    }

    /// Number of entries that are no folders and that `is_known` rejects, and the name of the first.
    pub(super) fn others(&self, is_known: impl Fn(&str) -> bool) -> Option<(usize, String)> {
        let names = self.archive.file_names_raw();
        let mut others =
            names.filter(|name| !name.ends_with(b"/") && !str::from_utf8(name).is_ok_and(&is_known));
        let first = others.next()?;
        Some((1 + others.count(), show(first)))
    }
}

/// Number of headers of the ZIP's directory, which is at the start of `bytes`.
fn headers(mut bytes: &[u8]) -> usize {
    let mut count = 0;
    while bytes.starts_with(b"PK\x01\x02") {
        let length = |at: usize| {
            let bytes = bytes.get(at..at + 2).and_then(|b| b.first_chunk());
            bytes.map_or(0, |&b| usize::from(u16::from_le_bytes(b)))
        };
        bytes = bytes.get(46 + length(28) + length(30) + length(32)..).unwrap_or_default();
        count += 1;
    }
    count
}

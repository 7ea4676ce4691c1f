//! The ZIP package, unpacked under a limit.
use crate::{Error, budget::passed, error::Place, quote::show};
use quick_xml::{Reader, events::Event};
use std::io::{Cursor, Read};
use zip::ZipArchive;

pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Maximum number of bytes that all files of the package may unpack to. Deflate packs up to 1000 times,
    /// so the packed size bounds little.
    most: u64,
    /// The part of that limit that remains.
    left: u64,
}

impl<'a> Package<'a> {
    pub(super) fn open(bytes: &'a [u8], most: u64) -> Result<Self, Error> {
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|e| Error::invalid(Place::File, "this is not a whole ZIP package").because(e))?;
        Ok(Self { archive, most, left: most })
    }

    /// The path of the model that the package's relationships name, in the form that [`Self::text`] accepts.
    pub(super) fn root_model(&mut self) -> Result<String, Error> {
        const RELATIONSHIPS: &str = "_rels/.rels";
        let none = || Error::invalid(Place::File, "the package names no 3D model, so it is no 3MF");
        if self.archive.index_for_name(RELATIONSHIPS).is_none() {
            return Err(none());
        }
        let text = self.text(RELATIONSHIPS)?;
        let mut reader = Reader::from_str(&text);
        loop {
            let at = |r: &Reader<&[u8]>| Place::Item(format!("{RELATIONSHIPS} byte {}", r.error_position()));
            let event = reader
                .read_event()
                .map_err(|e| Error::invalid(at(&reader), "this is not well-formed XML").because(e))?;
            match event {
                Event::Eof => return Err(none()),
                Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "Relationship" => {
                    let [mut kind, mut target] = [None, None];
                    // The XML reader's own search for an attribute costs n^2 for n attributes.
                    let mut all = tag.attributes();
                    for a in all.with_checks(false).filter_map(Result::ok) {
                        match a.key.0 {
                            "Type" => kind = kind.or(Some(a.value)),
                            "Target" => target = target.or(Some(a.value)),
                            _ => {}
                        }
                    }
                    if kind.is_some_and(|t| t.ends_with("/3dmodel"))
                        && let Some(target) = target
                    {
                        return Ok(target.into_owned());
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn text(&mut self, path: &str) -> Result<String, Error> {
        let place = || Place::Item(show(path.as_bytes()));
        let mut file = self
            .archive
            .by_name(path.trim_start_matches('/'))
            .map_err(|e| Error::invalid(place(), "it cannot be taken from the package").because(e))?;
        let mut bytes = Vec::new();
        let read = (&mut file).take(self.left.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|e| Error::invalid(place(), "it cannot be unpacked").because(e))?;
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Err(passed(place(), self.most, "bytes by unpacking"));
        };
        self.left = left;
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        String::from_utf8(bytes).map_err(|e| Error::invalid(place(), "it is not UTF-8").because(e))
    }
}

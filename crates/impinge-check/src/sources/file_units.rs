//! [`FileUnits`]: the unit of an assembly's coordinates, from its files and from the caller.
use crate::values::{error::Error, length::Length, named, named::StoredByName, text::printable};
use impinge_io::{Assembly, Source, Unit, Warning};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The unit of an assembly's coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CoordinateUnit {
    /// Every file states this unit.
    OfFiles(#[serde(with = "named")] Unit),
    /// The caller states it, for files that state none or different ones
    /// ([`Check::unit`](crate::Check::unit)).
    Stated(#[serde(with = "named")] Unit),
    /// The rules state it for files that state none ([`Check::rules`](crate::Check::rules)).
    OfRules(#[serde(with = "named")] Unit),
    /// A file states no unit, or there is no file.
    #[default]
    Unknown,
}

impl CoordinateUnit {
    /// The unit, if all coordinates have one.
    pub fn unit(self) -> Option<Unit> {
        match self {
            Self::OfFiles(unit) | Self::Stated(unit) | Self::OfRules(unit) => Some(unit),
            Self::Unknown => None,
        }
    }
}

impl StoredByName for Unit {
    const VALUES: &'static [Self] = Self::ALL;
    fn name(self) -> &'static str {
        Self::name(self)
    }
}

/// Collects the units of files, one after the other.
///
/// ```
/// use impinge_check::{Unit, sources::{FileUnits, Source}};
/// use std::path::Path;
///
/// let mut units = FileUnits::new(None);
/// units.add(&Source::new(Path::new("engine.glb")).with_unit(Unit::Metre));
/// assert_eq!(units.length("clearance", &"5mm".parse()?)?, 0.005);
/// units.add(&Source::new(Path::new("pipes.stl")));
/// units.check()?;
/// let error = units.length("clearance", &"5mm".parse()?).unwrap_err().to_string();
/// assert!(error.contains("pipes.stl"));
/// # Ok::<(), impinge_check::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FileUnits {
    stated: Option<Unit>,
    first: Option<(String, Unit)>,
    /// The first file that states another one.
    other: Option<(String, Unit)>,
    /// The first file that states none.
    without: Option<String>,
}

impl FileUnits {
    /// Starts without files. `stated` is the unit of files that state none. If files state different units,
    /// it is the unit of all coordinates.
    pub fn new(stated: Option<Unit>) -> Self {
        Self { stated, ..Self::default() }
    }
    /// The units of an assembly's files.
    ///
    /// # Errors
    /// Errors of [`FileUnits::check`].
    pub fn of(assembly: &Assembly, stated: Option<Unit>) -> Result<Self, Error> {
        let mut units = Self::new(stated);
        assembly.sources.iter().for_each(|source| units.add(source));
        let reached = assembly.sources.iter().fold(0_usize, |sum, source| sum.saturating_add(source.parts));
        if let Some(part) = assembly.parts.get(reached) {
            units.add(&Source::new(part.file.clone()));
        }
        units.check()?;
        Ok(units)
    }
    /// Adds a file.
    pub fn add(&mut self, source: &Source) {
        let file = || source.file.to_string_lossy().into_owned();
        match (source.unit, &self.first) {
            (None, _) => drop(self.without.get_or_insert_with(file)),
            (Some(unit), None) => self.first = Some((file(), unit)),
            (Some(unit), Some((_, first))) if unit != *first => {
                self.other.get_or_insert_with(|| (file(), unit));
            }
            _ => {}
        }
    }
    /// Returns an error if units contradict each other. Call it after all files are added.
    ///
    /// # Errors
    /// Files state different units, and the caller states none.
    pub fn check(&self) -> Result<(), Error> {
        match (&self.first, &self.other, self.stated) {
            (Some((a, first)), Some((b, other)), None) => {
                let [first, other] = [first, other].map(|unit| unit.symbol());
                Err(Error::new(printable(&format!(
                    "{a} is in {first}, and {b} in {other}, but coordinates are compared as they are: convert one \
                     of the files, or set the unit that all coordinates are in"
                ))))
            }
            _ => Ok(()),
        }
    }
    /// A warning if the caller states another unit than files do. All coordinates are then taken to be in the
    /// caller's unit; for example those of a GLB in millimetres, although the format requires metres.
    pub fn warning(&self) -> Option<Warning> {
        let (file, [stated, unit]) = self.other_than_stated()?;
        let text = format!("states the unit {unit}, but its coordinates are taken to be in {stated}, as set");
        Some(Warning::new(Path::new(file), None, text))
    }
    /// A text with the stated unit and a file that states another one, if there is one.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let (file, [stated, unit]) = self.other_than_stated()?;
        Some(printable(&format!("{stated}: {file} states another unit, {unit}")))
    }
    fn other_than_stated(&self) -> Option<(&str, [&'static str; 2])> {
        let stated = self.stated?;
        let differs = |found: &&(String, Unit)| found.1 != stated;
        let (file, unit) = self.first.iter().chain(&self.other).find(differs)?;
        Some((file, [stated, *unit].map(Unit::symbol)))
    }
    /// The unit of all files together.
    pub fn known(&self) -> CoordinateUnit {
        let all = self.first.as_ref().filter(|_| self.other.is_none() && self.without.is_none());
        match (all, self.stated) {
            (Some((_, unit)), stated) if stated.is_none_or(|stated| stated == *unit) => {
                CoordinateUnit::OfFiles(*unit)
            }
            (_, Some(stated)) => CoordinateUnit::Stated(stated),
            _ => CoordinateUnit::Unknown,
        }
    }
    /// A length in the unit of the coordinates. `option` begins the text of an error.
    ///
    /// # Errors
    /// The length has a unit and the unit of the coordinates is unknown, or the result is not finite.
    pub fn length(&self, option: &str, length: &Length) -> Result<f64, Error> {
        let unit = self.known().unit();
        if let Some(number) = length.within(unit) {
            return Ok(number);
        }
        let reason = match (&self.first, &self.other, &self.without) {
            _ if unit.is_some() => "is too large in the unit of the coordinates".to_owned(),
            (Some((a, unit)), Some((b, other)), _) => {
                format!("{a} is in {}, and {b} in {}", unit.symbol(), other.symbol())
            }
            (_, _, Some(file)) => format!("the unit of {file} is unknown; set the unit"),
            _ => "the unit of the coordinates is unknown; set the unit".to_owned(),
        };
        Err(Error::new(printable(&format!("{option} {length}: {reason}"))))
    }
}

#[cfg(test)]
mod tests {
    use super::{CoordinateUnit, FileUnits};
    use impinge_io::{Assembly, Part, Source, Unit};
    use std::path::Path;

    fn units(stated: Option<Unit>, files: &[Option<Unit>]) -> Result<FileUnits, crate::Error> {
        let mut units = FileUnits::new(stated);
        for (i, unit) in files.iter().enumerate() {
            let source = Source::new(Path::new(&format!("file {i}")));
            units.add(&unit.map_or(source.clone(), |unit| source.with_unit(unit)));
        }
        units.check().map(|()| units)
    }

    #[test]
    fn a_unit_is_known_if_every_file_states_it_or_the_caller_does() {
        use CoordinateUnit::{OfFiles, Stated, Unknown};
        let (m, mm) = (Some(Unit::Metre), Some(Unit::Millimetre));
        for (stated, files, known) in [
            (None, [m, m].as_slice(), OfFiles(Unit::Metre)),
            (m, &[m, m], OfFiles(Unit::Metre)),
            (m, &[m, None], Stated(Unit::Metre)),
            (mm, &[None], Stated(Unit::Millimetre)),
            (mm, &[], Stated(Unit::Millimetre)),
            (None, &[m, None], Unknown),
            (None, &[None, m], Unknown),
            (None, &[], Unknown),
            (mm, &[m, mm], Stated(Unit::Millimetre)),
            (mm, &[m, None, mm], Stated(Unit::Millimetre)),
            (Some(Unit::Inch), &[m, mm], Stated(Unit::Inch)),
        ] {
            assert_eq!(units(stated, files).unwrap().known(), known, "{stated:?} {files:?}");
        }
        let warning = |stated, files: &[_]| units(stated, files).unwrap().warning().map(|it| it.to_string());
        let text = "file 1: states the unit m, but its coordinates are taken to be in mm, as set";
        for files in [&[None, m][..], &[mm, m], &[mm, m, None]] {
            assert_eq!(warning(mm, files).as_deref(), Some(text), "{files:?}");
        }
        assert_eq!(units(mm, &[m]).unwrap().known(), Stated(Unit::Millimetre));
        for (stated, files) in [(mm, [mm, None]), (None, [m, None]), (mm, [None, None])] {
            assert_eq!(warning(stated, &files), None);
        }
        for files in [[m, mm, None], [m, None, mm], [None, m, mm]] {
            let error = units(None, &files).unwrap_err().to_string();
            assert!(
                error.contains(" is in m, and file 2 in mm, but") || error.contains("file 1 in mm, but"),
                "{error}"
            );
        }
    }

    #[test]
    fn lengths_without_a_known_unit_are_refused() {
        let m = Some(Unit::Metre);
        let (length, bare) = ("5mm".parse().unwrap(), "5".parse().unwrap());
        for (files, text) in [
            ([m, None].as_slice(), "chord 5mm: the unit of file 1 is unknown; set the unit"),
            (&[], "chord 5mm: the unit of the coordinates is unknown; set the unit"),
        ] {
            let units = units(None, files).unwrap();
            assert_eq!(units.length("chord", &length).unwrap_err().to_string(), text);
            assert_eq!(units.length("chord", &bare).unwrap(), 5.0);
        }
    }

    #[test]
    fn parts_without_a_source_have_no_unit() {
        let file = Path::new("a.glb");
        let part = || Part::new("a", file, impinge::Mesh::default(), impinge::Pose::IDENTITY);
        let mut assembly = Assembly::new();
        assembly.sources.push(Source::new(file).with_unit(Unit::Metre));
        assembly.push(part());
        let known = |assembly: &Assembly| FileUnits::of(assembly, None).unwrap().known();
        assert_eq!(known(&assembly), CoordinateUnit::OfFiles(Unit::Metre));
        assembly.parts.push(part());
        assert_eq!(known(&assembly), CoordinateUnit::Unknown);
    }
}

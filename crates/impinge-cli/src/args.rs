//! Arguments that several commands take.
use anyhow::bail;
use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use impinge::distance::Margin;
use impinge_check::{Length, Unit};
use impinge_io::Limits;
use std::path::{Path, PathBuf};

/// Format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// For programs; every number in full.
    Json,
    /// For spreadsheets.
    Csv,
}

/// Format of a result that is not a list for a spreadsheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people.
    Table,
    /// For programs; every number in full.
    Json,
}

/// Place and format of a result.
#[derive(Args)]
pub(crate) struct Output {
    /// Set the format: table, json or csv [default: by the ending of FILE]
    #[arg(long, value_enum, help_heading = "Output", hide_possible_values = true)]
    format: Option<Format>,

    /// Write the result to FILE (.txt, .json, .csv)
    ///
    /// The file is complete or not written at all. A summary is printed. `-` is standard output.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

/// A file that shows curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawing {
    /// Vertices and edges.
    Ply,
    /// Lines.
    Glb,
}

impl Output {
    /// The kind of drawing that the ending of the file's name stands for; `None` if a format is named.
    pub(crate) fn drawing(&self) -> Option<Drawing> {
        let extension = self.output.as_deref().filter(|_| self.format.is_none())?.extension()?;
        match extension.to_string_lossy().to_lowercase().as_str() {
            "ply" => Some(Drawing::Ply),
            "glb" => Some(Drawing::Glb),
            _ => None,
        }
    }
    /// The format of `--format`, else the format of the file's name.
    pub(crate) fn format(&self) -> anyhow::Result<Format> {
        chosen(self.format, self.output.as_deref(), Format::Table)
    }
}

/// Place and format of a result that is not a list for a spreadsheet.
#[derive(Args)]
pub(crate) struct Outcome {
    /// Set the format: table or json [default: by the ending of FILE]
    #[arg(
        long = "format",
        value_enum,
        value_name = "FORMAT",
        help_heading = "Output",
        hide_possible_values = true
    )]
    form: Option<Form>,

    /// Write the result to FILE (.txt or .json)
    ///
    /// The file is complete or not written at all. A summary is printed. `-` is standard output.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

impl Outcome {
    /// The format of `--format`, else the format of the file's name.
    pub(crate) fn form(&self) -> anyhow::Result<Form> {
        chosen(self.form, self.output.as_deref(), Form::Table)
    }
}

/// The named format, else the format of the file's ending, else a table. An unknown ending is an error:
/// such a file must not end up with a table in it.
pub(crate) fn chosen<T: ValueEnum>(asked: Option<T>, file: Option<&Path>, table: T) -> anyhow::Result<T> {
    let Some(extension) = file.and_then(Path::extension).filter(|_| asked.is_none()) else {
        return Ok(asked.unwrap_or(table));
    };
    let extension = extension.to_string_lossy().to_lowercase();
    match T::from_str(&extension, false) {
        _ if extension == "txt" => return Ok(table),
        Ok(form) if extension != "table" => return Ok(form),
        _ => {}
    }

    let names = T::value_variants().iter().filter_map(T::to_possible_value);
    let known: Vec<_> = names.map(|name| name.get_name().replace("table", "txt")).collect();
    let name = file.unwrap_or(Path::new("")).display();
    bail!("{name}: no result is written as .{extension}, only as .{}; --format names one", known.join(", ."))
}

/// Limits of what a file may make, and of the other files that it may open. A small file can ask for a large
/// result.
#[derive(Args, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Refuse files with more parts [default: 500000]
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub(crate) max_parts: Option<usize>,

    /// Refuse files with more points
    ///
    /// The default is five million, or the number of bytes of the file if that is more.
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub(crate) max_points: Option<usize>,

    /// Refuse files with more triangles
    ///
    /// The default is three million, or the number of bytes of the file if that is more.
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub(crate) max_triangles: Option<usize>,

    /// Refuse files that unpack to more bytes
    ///
    /// This limits ZIP archives and 3MF, meshes that a file places many times, and standard input. The
    /// default is 268,435,456, or 32 times the size of the file.
    #[arg(long, value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub(crate) max_bytes: Option<u64>,

    /// Let a .gltf file read data outside of its own folder
    #[arg(long, help_heading = "Limits", hide_short_help = true)]
    pub(crate) outside_folder: bool,

    /// Set the format of standard input
    ///
    /// Formats: stl, obj, ply, off, gltf, 3mf, dae, impinge. By default the content determines the format; only an
    /// OFF file that does not begin with OFF needs this option.
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = input_formats(),
        help_heading = "Input",
        hide_short_help = true,
        hide_possible_values = true
    )]
    pub(crate) input_format: Option<impinge_io::Format>,
}

impl Reading {
    /// The most bytes that a pipe may deliver.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or_else(|| Limits::new().bytes)
    }
}

/// The formats that can be read, by their extensions.
fn input_formats() -> impl TypedValueParser<Value = impinge_io::Format> {
    PossibleValuesParser::new(["stl", "obj", "ply", "off", "gltf", "3mf", "dae", "impinge"])
        .try_map(|name| name.parse::<impinge_io::Format>())
}

/// A number of threads: more than 1024 are a slip, and starting them can take minutes.
pub(crate) fn threads() -> impl TypedValueParser<Value = u16> {
    clap::value_parser!(u16).range(..=1024)
}

/// A number that is finite, and not negative.
pub(crate) fn ratio(text: &str) -> Result<Margin, String> {
    let number: f64 = text.trim().parse().map_err(|_| "not a number".to_owned())?;
    Margin::new(number).map_err(|_| "it is finite and not negative".to_owned())
}

/// A length, with or without a unit of its own.
pub(crate) fn length(text: &str) -> Result<Length, String> {
    text.parse().map_err(|error: impinge_check::Error| error.to_string())
}

/// The unit of files that state none.
#[derive(Args)]
pub(crate) struct Coordinates {
    /// State the unit of all coordinates: um, mm, cm, m, in or ft
    ///
    /// Coordinates do not change. STL, OBJ, PLY and OFF state no unit. Files that state different units are
    /// an error without this option; with it, a warning names each file that states another unit.
    #[arg(long, value_name = "UNIT", value_parser = unit, help_heading = "Input")]
    pub(crate) unit: Option<Unit>,
}

pub(crate) fn unit(text: &str) -> Result<Unit, String> {
    text.trim().parse().map_err(|error: impinge_io::UnknownUnit| error.to_string())
}

/// A number of bytes; K, M, G and T stand for powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let shift = match text.bytes().last().map(|c| c.to_ascii_uppercase()) {
        Some(b'K') => 10,
        Some(b'M') => 20,
        Some(b'G') => 30,
        Some(b'T') => 40,
        _ => 0,
    };
    let digits = if shift > 0 { &text[..text.len() - 1] } else { text };
    let number: u64 = digits.parse().map_err(|_| "not a number of bytes, such as 512M".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "more bytes than can be counted".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Form, Format, chosen, size};
    use std::path::Path;

    #[test]
    fn the_ending_of_a_file_says_the_format() {
        let of = |asked, file: &str| chosen(asked, Some(Path::new(file)), Format::Table);
        for (file, format) in [
            ("c.csv", Format::Csv),
            ("c.JSON", Format::Json),
            ("c.txt", Format::Table),
            ("c", Format::Table),
            ("/dev/null", Format::Table),
        ] {
            assert_eq!(of(None, file).unwrap(), format, "{file}");
            assert_eq!(of(Some(Format::Json), file).unwrap(), Format::Json, "{file}");
        }
        assert_eq!(chosen(None, None, Format::Table).unwrap(), Format::Table);
        for wrong in ["c.xlsx", "c.table", "engine.glb"] {
            assert!(
                of(None, wrong).unwrap_err().to_string().contains(".txt, .json, .csv; --format"),
                "{wrong}"
            );
            assert_eq!(of(Some(Format::Csv), wrong).unwrap(), Format::Csv);
        }
        // A result that is no list has no CSV.
        assert!(chosen(None, Some(Path::new("c.csv")), Form::Table).is_err());
    }

    #[test]
    fn a_size_has_a_unit() {
        assert_eq!(size("12"), Ok(12));
        assert_eq!(size("3k"), Ok(3072));
        assert_eq!(size("2G"), Ok(2 << 30));
        for wrong in ["", "G", "-1", "1.5G", "2GB", "99999999T", "é"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}

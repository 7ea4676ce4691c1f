//! Points that move straight: files of queries (see ../../README.md).
use crate::scene::Reader;

/// A query: four points at time 0, and at time 1.
#[derive(Clone, Copy, Debug)]
pub struct MovingPoints {
    /// Whether two edges meet; else a point and a triangle.
    pub edges: bool,
    /// Whether they meet, by exact numbers.
    pub meets: bool,
    /// The points at both times.
    pub points: [[[f64; 3]; 4]; 2],
}

/// All queries of a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or is no such file.
pub fn read(path: &str) -> Result<Vec<MovingPoints>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: cannot be read: {error}"))?;
    let mut reader = Reader { bytes: &bytes, at: 0 };
    file(&mut reader).map_err(|why| format!("{path}: byte {}: {why}", reader.at))
}

fn file(reader: &mut Reader<'_>) -> Result<Vec<MovingPoints>, String> {
    if &reader.take::<8>("the magic number")? != b"IMPMOVES" || reader.u32("the version")? != 1 {
        return Err("not a file of moving points of version 1".to_owned());
    }
    let count = reader.count("the number of queries", 200)?;
    (0..count)
        .map(|_| {
            let (edges, meets) = (reader.u32("a kind")? != 0, reader.u32("a truth")? != 0);
            let mut points = [[[0.0; 3]; 4]; 2];
            for point in points.as_flattened_mut() {
                *point = reader.numbers("a point")?;
            }
            Ok(MovingPoints { edges, meets, points })
        })
        .collect()
}

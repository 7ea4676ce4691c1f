//! Files of pairs of solids, and of points to be located in solids; `../../runners/cpp/solids.h` reads the
//! same files.
//!
//! Little-endian. Pairs: `IMPPAIRS`, u32 version 1, u32 pairs; a pair is a name (u32 bytes, then those) and
//! two bodies; a body is u32 1 if its mesh is an embedded two-manifold that faces outwards, a mesh, u32
//! pieces (each u32 1 if it is added, 0 if it is removed, and a mesh), and a pose. The body is the result of
//! its pieces, applied one after the other, or, without pieces, the set that its mesh bounds. Points:
//! `IMPPOINT`, u32 version 1, u32 sets; a set is a name, a mesh, u32 points, those.
use crate::{Mesh, Pose, scene::Reader};
use std::path::Path;

/// A piece of a body: an embedded two-manifold that faces outwards.
#[derive(Debug, Default)]
pub struct Piece {
    /// True if the piece is added to the previous ones, false if it is removed from them.
    pub added: bool,
    /// Its surface.
    pub mesh: Mesh,
}

/// A solid.
#[derive(Debug)]
pub struct Solid {
    /// True if the mesh is an embedded two-manifold that faces outwards, which rivals require.
    pub manifold: bool,
    /// The mesh, in any state that impinge accepts.
    pub mesh: Mesh,
    /// Pieces from which an oracle makes the same set; empty if it can use the mesh.
    pub pieces: Vec<Piece>,
    /// Pose of the body.
    pub pose: Pose,
}

/// Two solids.
#[derive(Debug)]
pub struct Pair {
    /// Name of its family.
    pub name: String,
    /// The two.
    pub bodies: [Solid; 2],
}

/// Points, and a solid that they are to be located in.
#[derive(Debug)]
pub struct Points {
    /// Name of its family.
    pub name: String,
    /// An embedded two-manifold.
    pub mesh: Mesh,
    /// The points.
    pub points: Vec<[f64; 3]>,
}

/// Reads pairs.
///
/// # Errors
/// Returns an error with the problem and its byte offset.
pub fn read_pairs(path: &str) -> Result<Vec<Pair>, String> {
    read(path, b"IMPPAIRS", 200, |reader| {
        let name = name(reader)?;
        Ok(Pair { name, bodies: [solid(reader)?, solid(reader)?] })
    })
}

/// Reads sets of points.
///
/// # Errors
/// Returns an error with the problem and its byte offset.
pub fn read_points(path: &str) -> Result<Vec<Points>, String> {
    read(path, b"IMPPOINT", 16, |reader| {
        let (name, mesh) = (name(reader)?, reader.mesh()?);
        let count = reader.count("the number of points", 24)?;
        let points = (0..count).map(|_| reader.numbers("a point")).collect::<Result<_, _>>()?;
        Ok(Points { name, mesh, points })
    })
}

/// Writes pairs.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_pairs(path: &Path, pairs: &[Pair]) -> Result<(), String> {
    let mut out = Writer::new(b"IMPPAIRS", pairs.len());
    for Pair { name, bodies } in pairs {
        out.name(name);
        for body in bodies {
            out.u32(u32::from(body.manifold));
            out.mesh(&body.mesh);
            out.u32(body.pieces.len() as u32);
            for piece in &body.pieces {
                out.u32(u32::from(piece.added));
                out.mesh(&piece.mesh);
            }
            body.pose.rows.iter().for_each(|row| out.numbers(row));
            out.numbers(&body.pose.translation);
        }
    }
    out.save(path)
}

/// Writes sets of points.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_points(path: &Path, sets: &[Points]) -> Result<(), String> {
    let mut out = Writer::new(b"IMPPOINT", sets.len());
    for Points { name, mesh, points } in sets {
        out.name(name);
        out.mesh(mesh);
        out.u32(points.len() as u32);
        points.iter().for_each(|point| out.numbers(point));
    }
    out.save(path)
}

fn read<T>(
    path: &str,
    magic: &[u8; 8],
    size: usize,
    one: impl Fn(&mut Reader<'_>) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: cannot be read: {error}"))?;
    let mut reader = Reader { bytes: &bytes, at: 0 };
    let mut all = || {
        if &reader.take::<8>("the magic number")? != magic {
            return Err(format!("does not begin with {}", String::from_utf8_lossy(magic)));
        }
        if reader.u32("the version")? != 1 {
            return Err("not of version 1".to_owned());
        }
        let count = reader.count("the count", size)?;
        let found = (0..count).map(|_| one(&mut reader)).collect::<Result<_, _>>()?;
        if reader.at < bytes.len() { Err("bytes are left over".to_owned()) } else { Ok(found) }
    };
    let found = all();
    found.map_err(|why| format!("{path}: byte {}: {why}", reader.at))
}

fn name(reader: &mut Reader<'_>) -> Result<String, String> {
    let count = reader.count("a name", 1)?;
    let bytes = (0..count).map(|_| Ok(reader.take::<1>("a name")?[0])).collect::<Result<_, String>>()?;
    String::from_utf8(bytes).map_err(|_| "a name is not UTF-8".to_owned())
}

fn solid(reader: &mut Reader<'_>) -> Result<Solid, String> {
    let manifold = reader.u32("a body")? == 1;
    let mesh = reader.mesh()?;
    let count = reader.count("the number of pieces", 12)?;
    let piece = |_| Ok(Piece { added: reader.u32("a piece")? == 1, mesh: reader.mesh()? });
    let pieces = (0..count).map(piece).collect::<Result<_, String>>()?;
    Ok(Solid { manifold, mesh, pieces, pose: reader.pose()? })
}

struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn new(magic: &[u8; 8], count: usize) -> Self {
        let mut out = Self { bytes: magic.to_vec() };
        out.u32(1);
        out.u32(count as u32);
        out
    }
    fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }
    fn numbers(&mut self, values: &[f64; 3]) {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
    }
    fn name(&mut self, name: &str) {
        self.u32(name.len() as u32);
        self.bytes.extend(name.as_bytes());
    }
    fn mesh(&mut self, mesh: &Mesh) {
        self.u32(mesh.points.len() as u32);
        self.u32(mesh.triangles.len() as u32);
        mesh.points.iter().for_each(|point| self.numbers(point));
        mesh.triangles.iter().flatten().for_each(|&index| self.u32(index));
    }
    fn save(self, path: &Path) -> Result<(), String> {
        std::fs::write(path, self.bytes).map_err(|error| format!("{}: {error}", path.display()))
    }
}

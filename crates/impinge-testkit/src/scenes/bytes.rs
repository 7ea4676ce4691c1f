//! Scenes as bytes, for programs in other languages. Little-endian: `IMPSCENE`, u32 version 1; for each mesh
//! u32 points, u32 triangles, three f64 a point, three u32 a triangle; u32 frames, and for each frame the
//! poses of both, twelve f64 each: R by rows, then t. A placed point is R v + t.
//!
//! Scenes of many bodies: `IMPMANYB`, u32 version 1; u32 meshes, each as above; u32 bodies, and for each the
//! u32 of its mesh; u32 frames, and for each the poses of all bodies. Scenes of boxes: `IMPBOXES`, u32
//! version 1; u32 boxes, and for each seven f64: its centre, half its side, its step.
use super::{Boxes, Error, Family, ManyBodies, Scene};
use impinge::{Mesh, Pose};
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"IMPSCENE";
const VERSION: u32 = 1;
const POSE: usize = 12 * 8;

impl Scene {
    /// Meshes and frames, without name and description.
    pub fn to_bytes(&self) -> Vec<u8> {
        let [a, b] = &self.meshes;
        let meshes: usize = [a, b].map(|m| 8 + 24 * m.points().len() + 12 * m.len()).iter().sum();
        let mut bytes = Vec::with_capacity(16 + meshes + 2 * POSE * self.frames.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        for mesh in [a, b] {
            write_mesh(mesh, &mut bytes);
        }
        bytes.extend((self.frames.len() as u32).to_le_bytes());
        for pose in self.frames.as_flattened() {
            write_pose(pose, &mut bytes);
        }
        bytes
    }

    /// The scene of these [bytes](Self::to_bytes); name and description are empty, the family is
    /// [`Family::Own`].
    ///
    /// # Errors
    /// Returns the problem and its byte offset for another magic number or version, too few bytes or too
    /// many, or an invalid mesh or pose.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader { rest: bytes, whole: bytes.len() };
        if reader.take(8, "the magic")? != MAGIC {
            return Err(Error::Bytes("byte 0: does not begin with IMPSCENE".into()));
        }
        let version = reader.u32("the version")?;
        if version != VERSION {
            return Err(Error::Bytes(format!("byte 8: version {version}, but only {VERSION} is supported")));
        }
        let meshes = [reader.mesh("the first mesh")?, reader.mesh("the second mesh")?].map(Arc::new);
        let count = reader.u32("the number of frames")? as usize;
        let place = reader.place();
        let frames = reader.items(count, 2 * POSE, "frames")?;
        let frames = frames.chunks_exact(2 * POSE).enumerate().map(|(i, frame)| {
            let at = |k: usize| {
                pose(&frame[k * POSE..(k + 1) * POSE]).map_err(|error| {
                    let byte = place + (2 * i + k) * POSE;
                    Error::Bytes(format!("byte {byte}: frame {i}, pose {k}: {error}"))
                })
            };
            Ok([at(0)?, at(1)?])
        });
        let frames = frames.collect::<Result<_, Error>>()?;
        if !reader.rest.is_empty() {
            let (place, more) = (reader.place(), reader.rest.len());
            return Err(Error::Bytes(format!("byte {place}: {more} bytes more than the scene has")));
        }
        let (name, about) = (String::new(), String::new());
        let (groups, models) = (Vec::new(), Vec::new());
        Ok(Self { name, about, family: Family::Own, meshes, frames, groups, stand_in: None, models })
    }
}

impl ManyBodies {
    /// Meshes, bodies and frames, without name and description.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::from(b"IMPMANYB");
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.meshes.len() as u32).to_le_bytes());
        for mesh in &self.meshes {
            write_mesh(mesh, &mut bytes);
        }
        bytes.extend((self.bodies.len() as u32).to_le_bytes());
        bytes.extend(self.bodies.iter().flat_map(|&mesh| (mesh as u32).to_le_bytes()));
        bytes.extend((self.frames.len() as u32).to_le_bytes());
        for pose in self.frames.iter().flatten() {
            write_pose(pose, &mut bytes);
        }
        bytes
    }
}

impl Boxes {
    /// Writes initial positions, sizes and motion.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::from(b"IMPBOXES");
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.boxes.len() as u32).to_le_bytes());
        for moving in &self.boxes {
            let numbers = moving.centre.iter().chain([&moving.half]).chain(&moving.step);
            bytes.extend(numbers.flat_map(|x| x.to_le_bytes()));
        }
        bytes
    }
}

fn write_mesh(mesh: &Mesh, bytes: &mut Vec<u8>) {
    // Counts fit: a mesh has at most 2^28 triangles, and a scene's points are those of its triangles.
    bytes.extend((mesh.points().len() as u32).to_le_bytes());
    bytes.extend((mesh.len() as u32).to_le_bytes());
    bytes.extend(mesh.points().as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(mesh.triangles().as_flattened().iter().flat_map(|i| i.to_le_bytes()));
}

fn write_pose(pose: &Pose, bytes: &mut Vec<u8>) {
    let numbers = pose.rows().as_flattened().iter().chain(pose.translation());
    bytes.extend(numbers.flat_map(|x| x.to_le_bytes()));
}

struct Reader<'a> {
    rest: &'a [u8],
    whole: usize,
}

impl<'a> Reader<'a> {
    fn place(&self) -> usize {
        self.whole - self.rest.len()
    }
    fn take(&mut self, n: usize, what: &str) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.rest.split_at_checked(n) else {
            let (place, left) = (self.place(), self.rest.len());
            return Err(Error::Bytes(format!("byte {place}: {what} needs {n} bytes, but {left} are left")));
        };
        self.rest = rest;
        Ok(taken)
    }
    fn items(&mut self, count: usize, size: usize, what: &str) -> Result<&'a [u8], Error> {
        // With 32 bits in usize the product of a false count may overflow.
        self.take(count.saturating_mul(size), &format!("a list of {count} {what}"))
    }
    fn u32(&mut self, what: &str) -> Result<u32, Error> {
        let b = self.take(4, what)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
    fn mesh(&mut self, what: &str) -> Result<Mesh, Error> {
        let place = self.place();
        let (points, triangles) = (self.u32(what)? as usize, self.u32(what)? as usize);
        let points = numbers(self.items(points, 24, "points")?).collect::<Vec<_>>();
        let triangles = self.items(triangles, 12, "triangles")?.as_chunks::<4>().0;
        let triangles = triangles.as_chunks::<3>().0.iter().map(|t| t.map(u32::from_le_bytes)).collect();
        Mesh::new(points.as_chunks::<3>().0.to_vec(), triangles)
            .map_err(|error| Error::Bytes(format!("byte {place}: {what}: {error}")))
    }
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b))
}

fn pose(bytes: &[u8]) -> Result<Pose, impinge::Error> {
    let mut x = [0.0; 12];
    x.iter_mut().zip(numbers(bytes)).for_each(|(x, number)| *x = number);
    Pose::affine([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]], [x[9], x[10], x[11]])
}

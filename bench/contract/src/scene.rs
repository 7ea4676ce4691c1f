//! Scene files: two meshes, and frames with a pose of each.

/// Vertices and triangles of the file.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Vertices.
    pub points: Vec<[f64; 3]>,
    /// Three vertex indices of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// x = R v + t.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// R, row by row.
    pub rows: [[f64; 3]; 3],
    /// t.
    pub translation: [f64; 3],
}

/// A pose of each mesh.
pub type Frame = [Pose; 2];

/// A scene file.
#[derive(Debug)]
pub struct Scene {
    /// The first mesh.
    pub a: Mesh,
    /// The second.
    pub b: Mesh,
    /// Poses of both meshes in each frame.
    pub frames: Vec<Frame>,
}

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// Returns an error with the problem and its byte offset.
    pub fn read(path: &str) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: cannot be read: {error}"))?;
        let mut reader = Reader { bytes: &bytes, at: 0 };
        reader.scene().map_err(|why| format!("{path}: byte {}: {why}", reader.at))
    }
}

pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl Reader<'_> {
    fn scene(&mut self) -> Result<Scene, String> {
        if &self.take::<8>("the magic number")? != b"IMPSCENE" {
            return Err("not a scene file: no IMPSCENE at its start".to_owned());
        }
        let version = self.u32("the version")?;
        if version != 1 {
            return Err(format!("version {version}, not 1"));
        }
        let (a, b) = (self.mesh()?, self.mesh()?);
        let count = self.count("the number of frames", 192)?;
        let frames = (0..count).map(|_| Ok([self.pose()?, self.pose()?])).collect::<Result<_, String>>()?;
        if self.at < self.bytes.len() {
            return Err("bytes are left over after the last frame".to_owned());
        }
        Ok(Scene { a, b, frames })
    }
    pub(crate) fn mesh(&mut self) -> Result<Mesh, String> {
        let points = self.u32("the number of vertices")?;
        let triangles = self.count("the number of triangles", 12)?;
        let points = (0..points).map(|_| self.numbers("a vertex")).collect::<Result<_, _>>()?;
        let mesh = Mesh { points, triangles: Vec::with_capacity(triangles) };
        (0..triangles).try_fold(mesh, |mut mesh, _| {
            let corners = [self.u32("a triangle")?, self.u32("a triangle")?, self.u32("a triangle")?];
            if let Some(bad) = corners.iter().find(|&&i| i as usize >= mesh.points.len()) {
                return Err(format!("a triangle names vertex {bad} of {}", mesh.points.len()));
            }
            mesh.triangles.push(corners);
            Ok(mesh)
        })
    }
    pub(crate) fn pose(&mut self) -> Result<Pose, String> {
        let mut row = || self.numbers("a pose");
        Ok(Pose { rows: [row()?, row()?, row()?], translation: row()? })
    }
    pub(crate) fn numbers(&mut self, what: &str) -> Result<[f64; 3], String> {
        let mut next = || Ok::<_, String>(f64::from_le_bytes(self.take(what)?));
        Ok([next()?, next()?, next()?])
    }
    /// A count of things of at least `size` bytes each, checked before memory is reserved for them.
    pub(crate) fn count(&mut self, what: &str, size: usize) -> Result<usize, String> {
        let count = self.u32(what)? as usize;
        if count.saturating_mul(size) > self.bytes.len() - self.at {
            return Err(format!("ends before {count} things of {size} bytes: {what} is wrong"));
        }
        Ok(count)
    }
    pub(crate) fn u32(&mut self, what: &str) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.take(what)?))
    }
    pub(crate) fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], String> {
        let rest = &self.bytes[self.at..];
        let taken = rest.first_chunk().ok_or_else(|| format!("ends within {what}"))?;
        self.at += N;
        Ok(*taken)
    }
}

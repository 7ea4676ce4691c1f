//! Shapes of parts: meshes that are equal up to a rigid motion have one shape.
use impinge::{Mesh, Pose};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, sync::Arc};

/// Largest distance of equal corners of two copies, as a fraction of the mesh's size.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// The shape of each mesh, and its placement in the mesh's frame.
#[derive(Default)]
pub(crate) struct Shapes {
    /// The number of each mesh's shape, which is the index of the first mesh with it.
    pub(crate) of: Vec<u32>,
    /// The motion from the first mesh of the shape to each mesh; `None` for that first mesh.
    pub(crate) moved: Vec<Option<Motion>>,
    /// For each mesh: its centre and size if it is compared with others and the first of its shape, else 0.
    pub(crate) frames: Vec<Frame>,
    /// The first mesh of each shape.
    first: HashMap<ShapeKey, Vec<(u32, Arc<Mesh>)>>,
}

/// The centre of a mesh, and the size relative to which corners of its copies may be off.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) centre: [f64; 3],
    /// 0 without a copy, or if all copies have equal points.
    pub(crate) size: f64,
}

impl Frame {
    fn of(mesh: &Mesh) -> Self {
        let points = mesh.points();
        let least = |k: usize| points.iter().map(|v| v[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| points.iter().map(|v| v[k]).fold(f64::NEG_INFINITY, f64::max);
        let centre = [0, 1, 2].map(|k| least(k) / 2.0 + most(k) / 2.0);
        Self { centre: if points.is_empty() { [0.0; 3] } else { centre }, size: 0.0 }
    }
}

/// Properties that meshes of one shape share: numbers of points and of triangles, the first triangle and the
/// one in the middle, and the bin of a length that no motion changes. Buildings have thousands of boxes of
/// different sizes. A hash of all triangles would take longer than comparing the few meshes with a common
/// key.
type ShapeKey = (usize, usize, [Option<[u32; 3]>; 2], i64);

/// The bin of a length. Lengths within a thousandth of each other are in one bin, or in neighbouring ones.
fn bin(length: f64) -> i64 {
    (length.max(f64::MIN_POSITIVE).ln() * 500.0).round() as i64
}

/// The sum of the distances of all points from the first one.
fn spread(mesh: &Mesh) -> f64 {
    let points = mesh.points();
    let Some(&first) = points.first() else { return 0.0 };
    let distance = |v: &[f64; 3]| {
        let off = sub(*v, first);
        dot(off, off).sqrt()
    };
    points.iter().map(distance).sum()
}

/// A rigid motion R v + t, rounded. It is accurate enough to compare shapes, but decides nothing.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Motion {
    pub(crate) rows: [[f64; 3]; 3],
    pub(crate) t: [f64; 3],
}

impl Shapes {
    /// Finds the shapes of meshes. Copies have equal numbers of points, and the same triangles by the indices
    /// of their points, in any position.
    pub(crate) fn new(meshes: &[Arc<Mesh>]) -> Self {
        let mut shapes = Self::default();
        meshes.iter().for_each(|mesh| shapes.add(mesh));
        shapes
    }
    /// Adds a mesh. It stays in memory if it is the first of its shape.
    pub(crate) fn add(&mut self, mesh: &Arc<Mesh>) {
        let (points, triangles) = (mesh.points().len(), mesh.triangles());
        let some = [0, triangles.len() / 2].map(|i| triangles.get(i).copied());
        let key = |bin: i64| (points, triangles.len(), some, bin);
        let own = bin(spread(mesh));
        let alike = |bin: i64| self.first.get(&key(bin)).into_iter().flatten();
        let same = [own - 1, own, own + 1]
            .into_iter()
            .flat_map(alike)
            .filter(|(_, first)| first.triangles() == triangles)
            .filter_map(|(other, first)| Some((*other, motion(first, mesh)?)))
            .min_by_key(|(other, _)| *other);
        match same {
            Some((other, Copied { moved, size })) => {
                let known = &mut self.frames[other as usize].size;
                *known = known.max(size);
                self.of.push(other);
                self.moved.push(Some(moved));
                self.frames.push(Frame::default());
            }
            None => {
                let first = self.first.entry(key(own)).or_default();
                first.push((self.of.len() as u32, Arc::clone(mesh)));
                self.add_other();
                self.frames[self.of.len() - 1] = Frame::of(mesh);
            }
        }
    }
    /// Adds a mesh that no other is compared with.
    pub(crate) fn add_other(&mut self) {
        self.of.push(self.of.len() as u32);
        self.moved.push(None);
        self.frames.push(Frame::default());
    }
}

impl Motion {
    pub(crate) fn of(pose: &Pose) -> Self {
        Self { rows: *pose.rows(), t: *pose.translation() }
    }
    /// The composition that applies `inner` first, then this motion.
    pub(crate) fn after(&self, inner: &Self) -> Self {
        let column = |k: usize| [0, 1, 2].map(|i| inner.rows[i][k]);
        let rows = self.rows.map(|row| [0, 1, 2].map(|k| dot(row, column(k))));
        let t = [0, 1, 2].map(|i| dot(self.rows[i], inner.t) + self.t[i]);
        Self { rows, t }
    }
    /// The composition that translates by a vector first, then applies this motion.
    pub(crate) fn about_centre(&self, centre: [f64; 3]) -> Self {
        Self { rows: self.rows, t: self.place(centre) }
    }
    pub(crate) fn inverse(&self) -> Self {
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|k| self.rows[k][i]));
        let t = rows.map(|row| -dot(row, self.t));
        Self { rows, t }
    }
    #[inline(always)]
    fn place(&self, v: [f64; 3]) -> [f64; 3] {
        let Self { rows: [x, y, z], t } = self;
        [dot(*x, v) + t[0], dot(*y, v) + t[1], dot(*z, v) + t[2]]
    }
}

// This crate is compiled for size. Without `map`, and inlined into their callers, these functions are fast
// all the same.

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

/// The motion from one mesh to another, and the distance of the farthest point from the first.
struct Copied {
    moved: Motion,
    size: f64,
}

/// The index of the last point with the greatest measure.
#[inline(always)]
fn farthest(points: &[[f64; 3]], measure: impl Fn([f64; 3]) -> f64) -> Option<usize> {
    let mut most: Option<(f64, usize)> = None;
    for (i, &v) in points.iter().enumerate() {
        let far = measure(v);
        if most.is_none_or(|(most, _)| far.total_cmp(&most).is_ge()) {
            most = Some((far, i));
        }
    }
    most.map(|(_, i)| i)
}

/// The motion that takes each point of one mesh to the point with the same index of another, if there is one.
fn motion(from: &Mesh, to: &Mesh) -> Option<Copied> {
    let (p, q) = (from.points(), to.points());
    if p == q {
        let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        return Some(Copied { moved: Motion { rows, t: [0.0; 3] }, size: 0.0 });
    }
    // Three points far from each other make a frame.
    let a = 0;
    let b = farthest(p, |v| dot(sub(v, p[a]), sub(v, p[a])))?;
    let along = unit(sub(p[b], p[a]))?;
    let c = farthest(p, |v| {
        let off = cross(along, sub(v, p[a]));
        dot(off, off)
    })?;
    let frame = |points: &[[f64; 3]]| {
        let x = unit(sub(points[b], points[a]))?;
        let z = unit(cross(x, sub(points[c], points[a])))?;
        Some([x, cross(z, x), z])
    };
    let (own, other) = (frame(p)?, frame(q)?);
    // R = other^T own, as both have the axes of their frames as rows.
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|k| (0..3).map(|j| other[j][i] * own[j][k]).sum()));
    let turn = Motion { rows, t: [0.0; 3] };
    let motion = Motion { rows, t: sub(q[a], turn.place(p[a])) };
    let size = dot(sub(p[b], p[a]), sub(p[b], p[a])).sqrt();
    let far = q.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    let most = TOLERANCE * size + 1e-12 * far;
    let is_near = |(v, w): (&[f64; 3], &[f64; 3])| {
        let off = sub(motion.place(*v), *w);
        dot(off, off) <= most * most
    };
    p.iter().zip(q).all(is_near).then_some(Copied { moved: motion, size })
}

#[cfg(test)]
mod tests {
    use super::Shapes;
    use impinge::{Mesh, Pose};
    use impinge_demo::{icosphere, rng::Rng};
    use std::sync::Arc;

    #[test]
    fn copies_are_found_wherever_they_are() {
        let mut rng = Rng::new(1);
        let bolt = Mesh::prism(1.0, 5.0, 12).unwrap();
        let moved = |mesh: &Mesh, scale: f64, flip: f64, rng: &mut Rng| {
            let place = [0; 3].map(|_| rng.between(-1e3, 1e3));
            let pose = Pose::rigid(rng.rotation(), place).unwrap();
            let point = |v: &[f64; 3]| pose.place([v[0] * scale, v[1] * scale, v[2] * scale * flip]);
            Arc::new(Mesh::new(mesh.points().iter().map(point).collect(), mesh.triangles().to_vec()).unwrap())
        };
        let meshes = [
            Arc::new(bolt.clone()),
            Arc::new(icosphere(1)),
            moved(&bolt, 1.0, 1.0, &mut rng),
            moved(&bolt, 1.01, 1.0, &mut rng),
            moved(&icosphere(1), 1.0, 1.0, &mut rng),
            Arc::new(bolt.clone()),
            Arc::new(Mesh::default()),
            Arc::new(Mesh::default()),
        ];
        let shapes = Shapes::new(&meshes);
        assert_eq!(shapes.of, [0, 1, 0, 3, 1, 0, 6, 6]);
        let motion = shapes.moved[2].unwrap();
        for (from, to) in bolt.points().iter().zip(meshes[2].points()) {
            let off = super::sub(motion.place(*from), *to);
            assert!(super::dot(off, off).sqrt() < 1e-9);
            let back = super::sub(motion.inverse().place(*to), *from);
            assert!(super::dot(back, back).sqrt() < 1e-9);
        }
        // Other triangles between the same points make another shape, whichever differ.
        let other = |t: usize| {
            let mut triangles = bolt.triangles().to_vec();
            triangles[t].rotate_left(1);
            Arc::new(Mesh::new(bolt.points().to_vec(), triangles).unwrap())
        };
        let meshes = [Arc::new(bolt.clone()), other(0), other(1), other(bolt.len() - 1), other(1)];
        assert_eq!(Shapes::new(&meshes).of, [0, 1, 2, 3, 2]);
        // A wedge and its mirror image are two shapes.
        let wedge = Mesh::new(
            vec![[0.0; 3], [3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]],
            vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        );
        let wedge = wedge.unwrap();
        let pair = [Arc::new(wedge.clone()), moved(&wedge, 1.0, -1.0, &mut rng)];
        assert_eq!(Shapes::new(&pair).of, [0, 1]);
    }
}

//! Convex hulls.
//!
//! The quickhull of Barber, Dobkin and Huhdanpaa (1996), with exact signs. It begins with a tetrahedron. Each
//! facet has a list of points outside of it, that is, on the outer side of its plane; a point is in one list.
//! The farthest point of a list replaces the facets that it is outside of, the *visible* ones, by facets from
//! their border, the *horizon*, to itself. Points of the lists of visible facets go to the lists of new
//! facets, or are dropped.
//!
//! # Nothing is lost
//! Facets in the plane of the point count as not visible. So a new facet has an area: if the point were on
//! the line of an edge of the horizon, the visible facet of that edge would not be visible. And a point that
//! is dropped is in the hull. Otherwise it is outside of a facet that stays, as well as of a visible one. The
//! facets that it is outside of are connected, so it is outside of two facets beside one edge of the horizon.
//! The normal of the new facet at that edge is a sum of both facets' normals with factors that are not
//! negative, so it is outside of that one, too.
//!
//! Only the choice of the farthest point rounds, which has no influence on the hull.
//!
//! # One result
//! Facets of one plane are merged. A point is a vertex if three merged facets or more have it. Vertices are
//! sorted by their coordinates, and each facet is a fan from its least vertex: equal sets of points give
//! equal meshes.
use super::Mesh;
use crate::{
    Error,
    exact::{self, InPlane},
    graph::DisjointSets,
    vector::{Vector, cross, dot, largest, sub},
};
use std::cmp::Ordering;

impl Mesh {
    /// The convex hull of points, exactly.
    ///
    /// The vertices are the points that are in the hull of no others. The mesh is closed, faces are outwards,
    /// and no two triangles of one plane belong to different faces: each face is a fan. Points of one plane
    /// have a flat polygon as their hull, points of one line a segment, and equal points a point. The result
    /// depends on the set of points alone. Cost: O(n log n) for most inputs. If many points are vertices of
    /// one face, O(n^2).
    ///
    /// ```
    /// use impinge::Mesh;
    /// let cube = Mesh::cuboid([2.; 3])?;
    /// let points = [cube.points(), &[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.5]]].concat();
    /// let hull = Mesh::hull(&points)?;
    /// assert_eq!((hull.points().len(), hull.len()), (8, 12));
    /// // Points of one plane.
    /// let flat = Mesh::hull(&[[0., 0., 1.], [2., 0., 1.], [0., 2., 1.], [0.5, 0.5, 1.], [1., 1., 1.]])?;
    /// assert_eq!(flat.points(), [[0., 0., 1.], [0., 2., 1.], [2., 0., 1.]]);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite.
    #[doc(alias("convex_hull", "qhull", "ConvexHull", "Convex"))]
    pub fn hull(points: &[[f64; 3]]) -> Result<Self, Error> {
        super::check(points)?;
        match Simplex::of(points) {
            Simplex::Empty => Self::new(Vec::new(), Vec::new()),
            Simplex::Point(p) => of_faces(points, &[vec![p]]),
            Simplex::Segment(ends) => of_faces(points, &[ends.to_vec()]),
            Simplex::Triangle(corners) => of_faces(points, &[polygon(points, corners)]),
            Simplex::Tetrahedron(corners) => {
                let mut hull = Hull::new(points, corners);
                hull.grow();
                of_faces(points, &hull.faces())
            }
        }
    }
}

/// Points in general position that span the same line, plane or space as all points.
enum Simplex {
    Empty,
    Point(u32),
    Segment([u32; 2]),
    Triangle([u32; 3]),
    /// The fourth corner is on the inner side of the others' plane.
    Tetrahedron([u32; 4]),
}

impl Simplex {
    fn of(points: &[Vector]) -> Self {
        let at = |i: u32| points[i as usize];
        let all = || 0..points.len() as u32;
        let Some(a) = all().min_by(|&i, &k| compare(&at(i), &at(k))) else { return Self::Empty };
        let Some(b) = all().max_by(|&i, &k| compare(&at(i), &at(k))) else { return Self::Empty };
        if at(a) == at(b) {
            return Self::Point(a);
        }
        // Differences of points in units of the largest one, halved, so that nothing overflows.
        let off = |i: u32| [0, 1, 2].map(|k| at(i)[k] / 2.0 - at(a)[k] / 2.0);
        let size = all().map(|i| largest(off(i).map(f64::abs))).fold(0.0, f64::max);
        let off = |i: u32| off(i).map(|x| x / size);
        let farthest = |height: &dyn Fn(u32) -> f64| all().max_by(|&i, &k| height(i).total_cmp(&height(k)));

        // The farthest point by rounded heights first, then all.
        let is_beside = |&i: &u32| !exact::are_collinear(&[at(a), at(b), at(i)]);
        let along = off(b);
        let area = |i: u32| largest(cross(along, off(i)).map(f64::abs));
        let Some(c) = farthest(&area).filter(is_beside).or_else(|| all().find(is_beside)) else {
            return Self::Segment([a, b]);
        };
        let corners = [at(a), at(b), at(c)];
        let (plane, normal) = (InPlane::new(&corners), cross(along, off(c)));
        let is_above = |&i: &u32| plane.side(&at(i)) != 0;
        let height = |i: u32| dot(normal, off(i)).abs();
        let Some(d) = farthest(&height).filter(is_above).or_else(|| all().find(is_above)) else {
            return Self::Triangle([a, b, c]);
        };
        if plane.side(&at(d)) < 0 { Self::Tetrahedron([a, b, c, d]) } else { Self::Tetrahedron([a, c, b, d]) }
    }
}

/// By the first coordinate, then the second, then the third; 0 and -0 are equal.
fn compare(p: &Vector, q: &Vector) -> Ordering {
    // Coordinates are finite.
    p.partial_cmp(q).unwrap_or(Ordering::Equal)
}

/// A triangle of the hull so far.
#[derive(Clone, Debug)]
struct HullFacet {
    /// Counter-clockwise as seen from outside.
    corners: [u32; 3],
    /// The facets beyond the edges from each corner to the next.
    beyond: [u32; 3],
    /// Points outside of its plane that are in no other list.
    outside: Vec<u32>,
    /// The last round in which it was visible, or was not.
    seen: u32,
    hidden: u32,
}

impl HullFacet {
    fn new(corners: [u32; 3], beyond: [u32; 3]) -> Self {
        Self { corners, beyond, outside: Vec::new(), seen: 0, hidden: 0 }
    }
    /// The number of the edge that begins at a corner.
    fn edge_from(&self, corner: u32) -> usize {
        self.corners.iter().position(|c| *c == corner).unwrap_or(0)
    }
}

/// An edge of the horizon, from a to b as the visible facet has it, and the facet beyond it.
#[derive(Clone, Copy)]
struct HorizonEdge {
    a: u32,
    b: u32,
    beyond: u32,
}

struct Hull<'a> {
    points: &'a [Vector],
    facets: Vec<HullFacet>,
    /// Facets that are no longer on the hull; their slots are used again.
    free: Vec<u32>,
    /// For each corner on the horizon the new facet whose edge of the horizon begins there.
    starts: Vec<u32>,
    round: u32,
}

impl<'a> Hull<'a> {
    fn new(points: &'a [Vector], [a, b, c, d]: [u32; 4]) -> Self {
        let facets = vec![
            HullFacet::new([a, b, c], [1, 2, 3]),
            HullFacet::new([b, a, d], [0, 3, 2]),
            HullFacet::new([c, b, d], [0, 1, 3]),
            HullFacet::new([a, c, d], [0, 2, 1]),
        ];
        let starts = vec![0; points.len()];
        let mut hull = Self { points, facets, free: Vec::new(), starts, round: 0 };
        hull.hand_out(&[0, 1, 2, 3], 0..points.len() as u32);
        hull
    }
    fn at(&self, i: u32) -> Vector {
        self.points[i as usize]
    }
    fn triangle(&self, facet: u32) -> [Vector; 3] {
        self.facets[facet as usize].corners.map(|i| self.at(i))
    }
    /// Gives points to the lists of facets that they are outside of.
    fn hand_out(&mut self, facets: &[u32], points: impl Iterator<Item = u32>) {
        let triangles: Vec<_> = facets.iter().map(|&facet| self.triangle(facet)).collect();
        let planes: Vec<_> = triangles.iter().map(InPlane::new).collect();
        for i in points {
            let point = self.at(i);
            if let Some(k) = planes.iter().position(|plane| plane.side(&point) > 0) {
                self.facets[facets[k] as usize].outside.push(i);
            }
        }
    }
    /// Adds all points that are outside.
    fn grow(&mut self) {
        let mut waiting = vec![0, 1, 2, 3];
        let (mut visible, mut horizon, mut new, mut left) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        while let Some(facet) = waiting.pop() {
            let Some(apex) = self.farthest(facet) else { continue };
            self.look(facet, apex, &mut visible, &mut horizon);
            self.join(apex, &horizon, &mut new);
            left.clear();
            for &gone in &visible {
                left.append(&mut self.facets[gone as usize].outside);
                self.free.push(gone);
            }
            self.hand_out(&new, left.iter().copied().filter(|&i| i != apex));
            waiting.extend(new.iter().filter(|&&facet| !self.facets[facet as usize].outside.is_empty()));
        }
    }
    /// The point of a facet's list that is farthest outside, but for rounding; `None` of an empty list.
    fn farthest(&self, facet: u32) -> Option<u32> {
        let outside = &self.facets[facet as usize].outside;
        if outside.len() < 2 {
            return outside.first().copied();
        }
        let [a, b, c] = self.triangle(facet).map(|p| p.map(|x| x / 4.0));
        let (u, v) = (sub(b, a), sub(c, a));
        let scaled = |u: Vector| {
            let most = largest(u.map(f64::abs));
            u.map(|x| x / most)
        };
        let n = cross(scaled(u), scaled(v));
        let height = |i: &u32| dot(n, sub(self.at(*i).map(|x| x / 4.0), a));
        outside.iter().max_by(|i, k| height(i).total_cmp(&height(k))).copied()
    }
    /// Finds the facets that a point is outside of, from one of them on, and the edges of their border.
    fn look(&mut self, from: u32, apex: u32, visible: &mut Vec<u32>, horizon: &mut Vec<HorizonEdge>) {
        self.round += 1;
        visible.clear();
        horizon.clear();
        visible.push(from);
        self.facets[from as usize].seen = self.round;
        let (mut next, apex) = (0, self.at(apex));
        while next < visible.len() {
            let HullFacet { corners, beyond, .. } = self.facets[visible[next] as usize];
            next += 1;
            for k in 0..3 {
                let (a, b, beyond) = (corners[k], corners[(k + 1) % 3], beyond[k]);
                let HullFacet { seen, hidden, .. } = self.facets[beyond as usize];
                if seen == self.round {
                    continue;
                }
                if hidden < self.round && InPlane::new(&self.triangle(beyond)).side(&apex) > 0 {
                    self.facets[beyond as usize].seen = self.round;
                    visible.push(beyond);
                } else {
                    self.facets[beyond as usize].hidden = self.round;
                    horizon.push(HorizonEdge { a, b, beyond });
                }
            }
        }
    }
    /// Makes the facets from the horizon to the apex.
    fn join(&mut self, apex: u32, horizon: &[HorizonEdge], new: &mut Vec<u32>) {
        new.clear();
        for &HorizonEdge { a, b, beyond } in horizon {
            let facet = HullFacet::new([a, b, apex], [beyond, 0, 0]);
            let number = match self.free.pop() {
                Some(number) => {
                    self.facets[number as usize] = facet;
                    number
                }
                None => {
                    self.facets.push(facet);
                    self.facets.len() as u32 - 1
                }
            };
            let edge = self.facets[beyond as usize].edge_from(b);
            self.facets[beyond as usize].beyond[edge] = number;
            self.starts[a as usize] = number;
            new.push(number);
        }
        for (&number, edge) in new.iter().zip(horizon) {
            let next = self.starts[edge.b as usize];
            self.facets[number as usize].beyond[1] = next;
            self.facets[next as usize].beyond[2] = number;
        }
    }
    /// The faces: facets of one plane together, each as the ring of its vertices.
    fn faces(&self) -> Vec<Vec<u32>> {
        let mut is_gone = vec![false; self.facets.len()];
        self.free.iter().for_each(|&facet| is_gone[facet as usize] = true);
        let all = || (0..self.facets.len() as u32).filter(|&facet| !is_gone[facet as usize]);
        let mut planes = DisjointSets::default();
        planes.reset(self.facets.len());
        for facet in all() {
            let triangle = self.triangle(facet);
            let plane = InPlane::new(&triangle);
            for &other in self.facets[facet as usize].beyond.iter().filter(|&&other| other > facet) {
                // The corners that both have are in the plane, too.
                if self.triangle(other).iter().all(|corner| plane.contains(corner)) {
                    planes.join(facet, other);
                }
            }
        }
        let face_of: Vec<u32> = (0..self.facets.len() as u32).map(|facet| planes.root(facet)).collect();
        // Edges between different faces: the face, and the ends.
        let mut edges = Vec::new();
        let mut faces_of = vec![0_u32; self.points.len()];
        for facet in all() {
            let HullFacet { corners, beyond, .. } = &self.facets[facet as usize];
            for k in 0..3 {
                let face = face_of[facet as usize];
                if face != face_of[beyond[k] as usize] {
                    edges.push([face, corners[k], corners[(k + 1) % 3]]);
                    faces_of[corners[k] as usize] += 1;
                }
            }
        }
        edges.sort_unstable();
        let is_vertex = |i: u32| faces_of[i as usize] > 2;
        let rings = edges.chunk_by(|one, next| one[0] == next[0]).map(|edges| {
            let next =
                |from: u32| edges.binary_search_by_key(&from, |edge| edge[1]).map_or(from, |k| edges[k][2]);
            let first = edges[0][1];
            let mut ring = Vec::with_capacity(edges.len());
            let mut i = first;
            loop {
                ring.extend(is_vertex(i).then_some(i));
                i = next(i);
                if i == first || ring.len() > edges.len() {
                    return ring;
                }
            }
        });
        rings.collect()
    }
}

/// The hull of points of one plane, which three of them span: counter-clockwise as seen along an axis.
fn polygon(points: &[Vector], [a, b, c]: [u32; 3]) -> Vec<u32> {
    let at = |i: u32| points[i as usize];
    // The first axis along which the plane is seen with an area.
    let axis = (0..3).find(|&axis| exact::turn(axis, &[at(a), at(b), at(c)]) != 0).unwrap_or(0);
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by(|&i, &k| compare(&at(i), &at(k)));
    order.dedup_by(|i, k| at(*i) == at(*k));
    // Two chains, of left turns alone (Andrew 1979).
    let chain = |order: &mut dyn Iterator<Item = u32>| {
        let mut chain: Vec<u32> = Vec::new();
        for i in order {
            while let [.., p, q] = chain[..]
                && exact::turn(axis, &[at(p), at(q), at(i)]) <= 0
            {
                chain.pop();
            }
            chain.push(i);
        }
        chain.pop();
        chain
    };
    let mut ring = chain(&mut order.iter().copied());
    ring.extend(chain(&mut order.iter().rev().copied()));
    ring
}

/// The mesh of faces that are rings of vertices, a single segment or a point.
fn of_faces(points: &[Vector], faces: &[Vec<u32>]) -> Result<Mesh, Error> {
    let at = |i: &u32| points[*i as usize];
    let mut vertices: Vec<u32> = faces.concat();
    vertices.sort_unstable();
    vertices.dedup();
    vertices.sort_by(|i, k| compare(&at(i), &at(k)));
    let mut number = vec![0; points.len()];
    vertices.iter().zip(0..).for_each(|(&i, k)| number[i as usize] = k);
    let mut triangles = Vec::new();
    for face in faces {
        let mut ring: Vec<u32> = face.iter().map(|&i| number[i as usize]).collect();
        let least = ring.iter().enumerate().min_by_key(|(_, i)| **i).map_or(0, |(k, _)| k);
        ring.rotate_left(least);
        match ring[..] {
            [] => {}
            [p] => triangles.push([p; 3]),
            [p, q] => triangles.push([p, q, q]),
            [p, ref others @ ..] => triangles.extend(others.windows(2).map(|edge| [p, edge[0], edge[1]])),
        }
    }
    triangles.sort_unstable();
    // -0.0 becomes 0.0: both are one point.
    Mesh::new(vertices.iter().map(|i| at(i).map(|x| x + 0.0)).collect(), triangles)
}

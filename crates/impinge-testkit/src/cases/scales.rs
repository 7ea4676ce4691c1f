//! Bodies and gaps of sizes from 2^-500 to 2^500. Queries are compared with a reference that shares no filter
//! with them.
mod reference;

use self::reference::Distances;
use super::Setup;
use crate::{meshes, oracle, rng::Rng};
use impinge::{
    Body, HalfSpace, Mesh, Model, Pose, Scene, brute_force,
    distance::{Accuracy, Margin},
    hierarchy::Vector,
    query::QueryCache,
    rays::Ray,
    regions::InRegion,
    scene::Detail,
};
use std::{cmp::Ordering, sync::Arc};

/// Two meshes at poses.
#[derive(Debug)]
struct Case {
    index: u64,
    /// Sizes of the first body, of the second and of the gap: powers of two.
    sizes: [i32; 3],
    meshes: [Mesh; 2],
    poses: [Pose; 2],
}

fn power(e: i32) -> f64 {
    2.0_f64.powi(e)
}

/// A random ratio of two sizes, as a power of two: near 1, near where f32 or the squares of f32 overflow or
/// underflow, or any.
fn ratio(rng: &mut Rng) -> i32 {
    let sign = if rng.one_in(2) { 1 } else { -1 };
    sign * match rng.below(5) {
        0 => rng.int(0, 8) as i32,
        1 => rng.int(8, 50) as i32,
        2 => rng.int(50, 85) as i32,
        3 => rng.int(95, 160) as i32,
        _ => rng.int(0, 1000) as i32,
    }
}

impl Case {
    fn new(index: u64) -> Self {
        let mut rng = Rng::for_case(33, index);
        let limit = |e: i32| e.clamp(-500, 500);
        let first = limit(ratio(&mut rng));
        let second = limit(first + ratio(&mut rng));
        let gap = match rng.below(3) {
            0 => first.max(second) + rng.int(0, 3) as i32,
            1 => first.min(second) + rng.int(0, 3) as i32,
            _ => first + ratio(&mut rng),
        };
        let sizes = [first, second, limit(gap)];
        let body = |rng: &mut Rng, size: i32| {
            let mesh = match rng.below(4) {
                0 => meshes::icosphere(0),
                1 => meshes::cuboid([1.0, 0.5, 0.25]),
                2 => meshes::needles(rng.next_u64(), 9),
                _ => meshes::soup(rng.next_u64(), 14, 0.5),
            };
            // A part of the size is the mesh's own, the rest the pose's.
            let own = match rng.below(3) {
                0 => size,
                1 => 0,
                _ => size / 2,
            };
            let mesh = meshes::mapped(&mesh, |v| v.map(|x| x * power(own)));
            let rows = if rng.one_in(2) { *Pose::IDENTITY.rows() } else { rng.rotation() };
            (mesh, rows.map(|row| row.map(|x| x * power(size - own))))
        };
        let ((mesh_a, rows_a), (mesh_b, rows_b)) = (body(&mut rng, sizes[0]), body(&mut rng, sizes[1]));
        // Both far from the origin, or the first one at it.
        let base = if rng.one_in(2) { [0.0; 3] } else { rng.point(1.0).map(|x| x * power(sizes[2])) };
        let along = if rng.one_in(3) { [1.0, 0.0, 0.0] } else { rng.direction() };
        let there = [0, 1, 2].map(|k| base[k] + along[k] * power(sizes[2]));
        let pose = |rows, t| Pose::affine(rows, t).expect("a rotation, scaled");
        Self { index, sizes, meshes: [mesh_a, mesh_b], poses: [pose(rows_a, base), pose(rows_b, there)] }
    }
    /// A random distance near one of the sizes.
    fn margin(&self, rng: &mut Rng) -> f64 {
        rng.between(0.5, 2.0) * power(*rng.pick(&self.sizes) + rng.int(-2, 2) as i32)
    }
}

/// Counts of the comparisons.
#[derive(Debug, Default)]
struct ComparisonCounts {
    met: usize,
    apart: usize,
    within: usize,
    hits: usize,
    inside: usize,
}

/// Runs random cases: each query of each setup must agree with the reference.
///
/// # Panics
/// Panics if a query disagrees, or if too few cases meet, are disjoint, or have hits.
pub fn all_queries(setups: &[Setup], cases: u64) {
    let mut tally = ComparisonCounts::default();
    for index in 0..cases {
        one(setups, index, &mut tally);
    }
    let each = cases as usize * setups.len() / 100;
    let ComparisonCounts { met, apart, within, hits, inside } = tally;
    assert!(met.min(apart).min(within).min(hits).min(inside) >= each, "{tally:?}: too few cases of a kind");
}

fn one(setups: &[Setup], index: u64, tally: &mut ComparisonCounts) {
    let case = Case::new(index);
    let [(mesh_a, a), (mesh_b, b)] = [0, 1].map(|i| (&case.meshes[i], case.poses[i]));
    let known = Distances::new([(mesh_a, a), (mesh_b, b)], 40);
    let point = Mesh::new(vec![[0.0; 3]], vec![[0; 3]]).expect("a point");
    let at = Pose::from_translation(*b.translation()).expect("finite");
    let of_point = Distances::new([(&point, at), (mesh_a, a)], 20);
    for setup in setups {
        let models = case.meshes.each_ref().map(|mesh| Arc::new(setup.model(mesh)));
        let asked = Asked { case: &case, setup, models: &models, known: &known };
        let mut rng = Rng::for_case(34, index);
        asked.pairs(tally);
        asked.distances(&mut rng, tally);
        asked.point(&of_point);
        asked.rays(&mut rng, tally);
        asked.regions(&mut rng, tally);
        asked.scene(&mut rng);
        asked.cached(&mut rng);
    }
}

/// A case, and the models of one setup.
struct Asked<'a> {
    case: &'a Case,
    setup: &'a Setup,
    models: &'a [Arc<Model>; 2],
    known: &'a Distances<'a>,
}

impl Asked<'_> {
    fn bodies(&self) -> [Body<'_>; 2] {
        [0, 1].map(|i| Body::new(&self.models[i], self.case.poses[i]))
    }
    fn name(&self) -> String {
        format!("{:?}, case {}, sizes {:?}", self.setup, self.case.index, self.case.sizes)
    }
    /// Compares a list of pairs with the pairs that certainly belong to it and those that may.
    fn check(&self, told: &[[u32; 2]], [least, most]: &[Vec<[u32; 2]>; 2], of: &str) {
        for pair in least {
            assert!(told.contains(pair), "{}: {of} misses {pair:?}", self.name());
        }
        for pair in told {
            assert!(most.contains(pair), "{}: {of} invents {pair:?}", self.name());
        }
    }
    fn pairs(&self, tally: &mut ComparisonCounts) {
        let ([a, b], mut query) = (self.bodies(), self.setup.query());
        let want = self.known.within(0.0);
        self.check(query.pairs(&a, &b), &want, "pairs");
        let met = query.intersects(&a, &b);
        assert_eq!(met, !query.pairs(&a, &b).is_empty(), "{}: intersects", self.name());
        tally.met += usize::from(met);
        tally.apart += usize::from(!met);
    }
    fn distances(&self, rng: &mut Rng, tally: &mut ComparisonCounts) {
        let ([a, b], mut query) = (self.bodies(), self.setup.query());
        let name = self.name();
        let mut margins = vec![self.case.margin(rng), self.case.margin(rng)];
        for stop in [Accuracy::new(), Accuracy::new().exact(), Accuracy::new().rel(0.01).expect("a part")] {
            let gap = query.with_accuracy(stop).distance(&a, &b).expect("triangles");
            assert!(gap.lo <= gap.hi && gap.hi < f64::INFINITY, "{name}: {gap:?}");
            for pair in self.known.pairs() {
                let order = self.known.compare(pair, gap.lo);
                assert_ne!(order, Some(Ordering::Less), "{name}: {stop:?} {gap:?}, but {pair:?} is nearer");
            }
            let order = self.known.compare(gap.triangles, gap.hi);
            assert_ne!(order, Some(Ordering::Greater), "{name}: {stop:?} {gap:?} is further");
            if stop == Accuracy::new().exact() {
                let same = brute_force::distance(&a, &b, stop).expect("triangles");
                assert!(gap == same || gap.hi == 0.0, "{name}: {gap:?}, by brute force {same:?}");
            }
            margins.extend([gap.lo, gap.hi, gap.hi * 1.01, gap.lo * 0.99]);
            let back = query.with_accuracy(stop).distance(&b, &a).expect("triangles");
            assert_eq!((gap.lo, gap.hi), (back.lo, back.hi), "{name}: {stop:?}, exchanged");
        }
        for margin in margins {
            let want = self.known.within(margin);
            let margin = Margin::new(margin).expect("finite");
            let of = format!("pairs within {margin:?}");
            self.check(query.pairs_within(&a, &b, margin), &want, &of);
            let is_near = query.within(&a, &b, margin);
            assert_eq!(is_near, !query.pairs_within(&a, &b, margin).is_empty(), "{name}: within {margin:?}");
            tally.within += usize::from(is_near);
        }
    }
    fn point(&self, known: &Distances<'_>) {
        let ([a, b], mut query) = (self.bodies(), self.setup.query());
        let name = self.name();
        for stop in [Accuracy::new(), Accuracy::new().exact()] {
            let found =
                query.with_accuracy(stop).closest_point(&a, *b.pose.translation()).expect("triangles");
            assert!(found.lo <= found.hi && found.hi < f64::INFINITY, "{name}: {found:?}");
            for pair in known.pairs() {
                let order = known.compare(pair, found.lo);
                assert_ne!(order, Some(Ordering::Less), "{name}: {stop:?} {found:?}, {pair:?} is nearer");
            }
            if stop == Accuracy::new().exact() {
                let same = brute_force::closest_point(&a, *b.pose.translation(), stop);
                assert_eq!(same, Some(found), "{name}: brute force");
            }
            let order = known.compare([0, found.triangle], found.hi);
            assert_ne!(order, Some(Ordering::Greater), "{name}: {stop:?} {found:?} is further");
        }
    }
    fn rays(&self, rng: &mut Rng, tally: &mut ComparisonCounts) {
        let ([a, b], mut query) = (self.bodies(), self.setup.query());
        let (origin, mesh) = (*b.pose.translation(), a.model.mesh());
        // At a triangle, or near it.
        let corners = mesh.corners(rng.below(mesh.len() as u64) as u32);
        let target =
            a.pose.place([0, 1, 2].map(|k| corners[0][k] / 2.0 + (corners[1][k] + corners[2][k]) / 4.0));
        let to: Vector = [0, 1, 2].map(|k| target[k] - origin[k]);
        let Ok(ray) = Ray::new(origin, to) else { return };
        let mut told: Vec<u32> = query.ray_all(&a, &ray).iter().map(|hit| hit.triangle).collect();
        told.sort_unstable();
        let is_met =
            |&i: &u32| oracle::segment_meets(&origin, &to, [0.0, f64::MAX], &mesh.corners(i), &a.pose);
        let want: Vec<u32> = (0..mesh.len() as u32).filter(is_met).collect();
        assert_eq!(told, want, "{}: {ray:?}", self.name());
        tally.hits += want.len();
    }
    fn regions(&self, rng: &mut Rng, tally: &mut ComparisonCounts) {
        let ([a, b], mut query) = (self.bodies(), self.setup.query());
        let mesh = a.model.mesh();
        let planes: Vec<(Vector, f64)> = (0..2)
            .map(|_| {
                let through = if rng.one_in(2) {
                    *b.pose.translation()
                } else {
                    a.pose.place(*rng.pick(mesh.points()))
                };
                let n = rng.direction().map(|x| x * power(rng.int(-30, 30) as i32));
                (n, n[0] * through[0] + n[1] * through[1] + n[2] * through[2])
            })
            .collect();
        let made: Vec<HalfSpace> =
            planes.iter().map(|&(n, d)| HalfSpace::new(n, d).expect("a plane")).collect();
        for (which, all) in [(InRegion::Partly, false), (InRegion::Wholly, true)] {
            let want: Vec<u32> = (0..mesh.len() as u32)
                .filter(|&i| oracle::is_in_region(&mesh.corners(i), &a.pose, &planes, all))
                .collect();
            assert_eq!(query.triangles_in(&a, &made, which), want, "{}: {planes:?}", self.name());
            tally.inside += want.len();
        }
    }
    fn scene(&self, rng: &mut Rng) {
        let ([a, b], mut query) = (self.bodies(), self.setup.query());
        let margin = Margin::new(self.case.margin(rng)).expect("finite");
        let (met, is_near) = (query.intersects(&a, &b), query.within(&a, &b, margin));
        let mut scene = Scene::new();
        scene.set_margin(margin);
        for body in [&a, &b] {
            let model = Arc::clone(&self.models[usize::from(std::ptr::eq(body, &b))]);
            scene.add(model, body.pose).expect("trees that fit");
        }
        for _ in 0..2 {
            scene.update(Detail::Bodies);
            assert_eq!(!scene.contacts().is_empty(), met, "{}: scene", self.name());
            assert_eq!(!scene.near().is_empty(), is_near && !met, "{}: scene, {margin:?}", self.name());
        }
        let x = *b.pose.translation();
        let [of_a, of_b] = [&a, &b].map(|body| query.closest_point(body, x).expect("triangles"));
        let nearest = scene.nearest_body(x, Accuracy::new()).expect("bodies").closest;
        assert_eq!(nearest.hi, of_a.hi.min(of_b.hi), "{}: nearest body", self.name());
    }
    fn cached(&self, rng: &mut Rng) {
        let ([a, b], mut query) = (self.bodies(), self.setup.query());
        let (mut cache, mut distances) = (QueryCache::new(), QueryCache::new());
        let step = rng.direction().map(|x| x * self.case.margin(rng) * 0.01);
        for k in 0..4 {
            let t = [0, 1, 2].map(|i| b.pose.translation()[i] + f64::from(k) * step[i]);
            let b = Body::new(b.model, Pose::affine(*b.pose.rows(), t).expect("a pose"));
            let want = query.pairs(&a, &b).to_vec();
            assert_eq!(query.with_cache(&mut cache).pairs(&a, &b), want, "{}: cached", self.name());
            let met = query.with_cache(&mut cache).intersects(&a, &b);
            assert_eq!(met, !want.is_empty(), "{}: cached", self.name());
            let gap = query.distance(&a, &b).map(|gap| [gap.lo, gap.hi]);
            let cached = query.with_cache(&mut distances).distance(&a, &b);
            assert_eq!(cached.map(|gap| [gap.lo, gap.hi]), gap, "{}: cached", self.name());
        }
    }
}

//! Pairs of triangles that just touch or just miss, to test exactness.
//!
//! A case is built in four steps. A *family* puts two triangles into exact contact, or near it, in small
//! integers or in random numbers. A *scale* moves them to where f64 is coarse, subnormal or huge. A
//! *disturbance* may move vertices by a few ulps. A *placement* puts them at poses. In each family between 3
//! and 7 of 10 pairs meet.
#[path = "near_degenerate/case.rs"]
mod case;
#[path = "near_degenerate/placement.rs"]
mod placement;

pub use self::{case::PairCase, placement::PLACEMENTS};

use self::placement::{INSTANCES, place};
use super::rng::{Rng, nudge};
use impinge::Pose;

type Triangle = [[f64; 3]; 3];
type PairFamily =
    (&'static str, Contact, fn(&mut Rng, &dyn Fn(&mut Rng) -> [f64; 3]) -> (Triangle, Triangle));

/// Effect of rounding on a contact.
#[derive(Clone, Copy, PartialEq)]
enum Contact {
    /// Rounding keeps the contact about as often as it breaks it.
    Sturdy,
    /// Rounding nearly always breaks the contact, so most cases avoid rounding.
    Fragile,
}
use Contact::{Fragile, Sturdy};

/// Families by touching feature. Each function takes a source of points, in integers divisible by 8 or in any
/// numbers.
const BUILDERS: [PairFamily; 16] = [
    ("small grid", Sturdy, small_grid),
    ("shared vertex", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let q = [p[0], any(rng), any(rng)];
        (p, q)
    }),
    ("vertex on edge", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let q = [on_edge(rng, &p), any(rng), any(rng)];
        (p, q)
    }),
    ("vertex on face", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let q = [in_plane(&p, rng.int(-3, 9), rng.int(-3, 9)), any(rng), any(rng)];
        (p, q)
    }),
    ("edge crosses edge", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let at = on_edge_or_beyond(rng, &p);
        (p, edge_through(rng, any, at))
    }),
    ("edge through face", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let at = in_plane(&p, rng.int(-3, 9), rng.int(-3, 9));
        (p, edge_through(rng, any, at))
    }),
    ("edge on face", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let q = [on_face_or_beside(rng, &p), on_face_or_beside(rng, &p), any(rng)];
        (p, q)
    }),
    ("shared edge", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let q = [p[0], p[1], any(rng)];
        (p, q)
    }),
    ("edges on one line", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        let q = [along(&p, rng.int(-12, 20)), along(&p, rng.int(-12, 20)), any(rng)];
        (p, q)
    }),
    ("coplanar", Fragile, |rng, any| {
        let p = triangle(rng, any);
        let q = std::array::from_fn(|_| in_plane(&p, rng.int(-6, 10), rng.int(-6, 10)));
        (p, q)
    }),
    ("coplanar touch", Fragile, |rng, any| {
        // Beyond the edge p1 p2, where the two weights add up to 8 or more; one vertex is on the edge itself.
        let p = triangle(rng, any);
        let first = rng.int(0, 8);
        let mut beyond = || {
            let first = rng.int(-8, 16);
            in_plane(&p, first, 8 - first + rng.int(0, 6))
        };
        let q = [in_plane(&p, first, 8 - first), beyond(), beyond()];
        (p, q)
    }),
    ("identical", Sturdy, |rng, any| {
        let p = triangle(rng, any);
        (p, p)
    }),
    ("sliver", Fragile, |rng, any| {
        // Both are over a million times as long as they are wide, and cross each other.
        let p = triangle(rng, any);
        let [a, b, c] = p;
        let thin = 2.0_f64.powi(-(rng.int(20, 50) as i32));
        let p = [a, b, mix(b, c, thin)];
        let (from, towards) = (along(&p, rng.int(0, 8)), any(rng));
        let q = [from, towards, mix(towards, any(rng), thin)];
        (p, q)
    }),
    ("segment on triangle", Fragile, |rng, any| {
        let p = triangle(rng, any);
        let on = if rng.one_in(2) { on_face_or_beside(rng, &p) } else { on_edge(rng, &p) };
        let other = if rng.one_in(3) { on_face_or_beside(rng, &p) } else { any(rng) };
        (p, degenerate_segment(rng, on, other))
    }),
    ("segment on segment", Fragile, |rng, any| {
        let p = triangle(rng, any);
        let on = along(&p, rng.int(0, 8));
        let other = if rng.one_in(2) { on_edge_or_beyond(rng, &p) } else { any(rng) };
        (degenerate_segment(rng, p[0], p[1]), degenerate_segment(rng, on, other))
    }),
    ("point", Fragile, |rng, any| {
        let p = triangle(rng, any);
        let on = match rng.below(4) {
            0 => p[0],
            1 => on_edge(rng, &p),
            _ => on_face_or_beside(rng, &p),
        };
        match rng.below(8) {
            0 => ([p[0]; 3], [*rng.pick(&[p[0], p[0], on]); 3]),
            1 | 2 => (degenerate_segment(rng, p[0], p[1]), [along(&p, rng.int(0, 8)); 3]),
            _ => (p, [on; 3]),
        }
    }),
];

/// The names of the families; case `index` is of family `index % FAMILIES.len()`.
pub const FAMILIES: [&str; BUILDERS.len()] = {
    let mut names = [""; BUILDERS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = BUILDERS[i].0;
        i += 1;
    }
    names
};

/// Case `index` under `seed`: the same bits on every machine, in any order, from any thread.
pub fn near_degenerate(seed: u64, index: u64) -> PairCase {
    let placement = index / BUILDERS.len() as u64 % PLACEMENTS.len() as u64;
    make(seed, index, placement)
}

/// A case with its own placement: two instances of parts that were modelled to touch. Each part is turned by
/// quarters at its place in the assembly, and the assembly by any rotation. Each pose is one product of
/// these, rounded, so they touch up to rounding.
pub fn near_touching_instances(seed: u64, index: u64) -> PairCase {
    make(seed, index, INSTANCES)
}

fn make(seed: u64, index: u64, placement: u64) -> PairCase {
    let mut rng = Rng::for_case(seed, index);
    let (family, contact, build) = BUILDERS[(index % BUILDERS.len() as u64) as usize];
    let exact = !rng.one_in(if contact == Fragile { 8 } else { 2 });
    let (mut p, mut q) = if !exact {
        build(&mut rng, &|rng| rng.point(8.0))
    } else {
        build(&mut rng, &|rng| rng.grid_point(4).map(|c| 8.0 * c))
    };
    rng.shuffle(&mut p);
    rng.shuffle(&mut q);
    if rng.one_in(2) {
        (p, q) = (q, p);
    }
    let size = rescale(&mut rng, exact, &mut p, &mut q);
    disturb(&mut rng, &mut p, &mut q);
    let case = PairCase { p, q, pose_p: Pose::IDENTITY, pose_q: Pose::IDENTITY, family };
    place(&mut rng, placement, exact, size, case)
}

fn triangle(rng: &mut Rng, any: &dyn Fn(&mut Rng) -> [f64; 3]) -> Triangle {
    std::array::from_fn(|_| any(rng))
}

/// Corners in -1..=1, -2..=2 or -3..=3; every second pair gets a common vertex or a common plane.
fn small_grid(rng: &mut Rng, _: &dyn Fn(&mut Rng) -> [f64; 3]) -> (Triangle, Triangle) {
    let half = rng.int(1, 3);
    let mut p: Triangle = std::array::from_fn(|_| rng.grid_point(half));
    let mut q: Triangle = std::array::from_fn(|_| rng.grid_point(half));
    match rng.below(4) {
        0 => q[0] = p[1],
        1 => {
            let axis = rng.below(3) as usize;
            p.iter_mut().chain(&mut q).for_each(|v| v[axis] = 1.0);
        }
        _ => {}
    }
    (p, q)
}

/// a + (b - a) w, exact for multiples of 8 and w in eighths.
fn mix(a: [f64; 3], b: [f64; 3], w: f64) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + (b[k] - a[k]) * w)
}

/// The point at `eighths` of the way from p0 to p1.
fn along(p: &Triangle, eighths: i64) -> [f64; 3] {
    mix(p[0], p[1], eighths as f64 / 8.0)
}

/// p0 + (p1 - p0) u / 8 + (p2 - p0) v / 8.
fn in_plane(p: &Triangle, u: i64, v: i64) -> [f64; 3] {
    let (u, v) = (u as f64 / 8.0, v as f64 / 8.0);
    std::array::from_fn(|k| p[0][k] + ((p[1][k] - p[0][k]) * u + (p[2][k] - p[0][k]) * v))
}

fn on_edge(rng: &mut Rng, p: &Triangle) -> [f64; 3] {
    along(p, rng.int(1, 7))
}

/// A point on the line p0 p1: mostly on the edge or its ends, sometimes past them.
fn on_edge_or_beyond(rng: &mut Rng, p: &Triangle) -> [f64; 3] {
    along(p, rng.int(-2, 10))
}

/// A point in the plane of p: in two of three cases on the triangle or its border.
fn on_face_or_beside(rng: &mut Rng, p: &Triangle) -> [f64; 3] {
    if rng.one_in(3) {
        return in_plane(p, rng.int(-2, 9), rng.int(-2, 9));
    }
    let u = rng.int(0, 8);
    in_plane(p, u, rng.int(0, 8 - u))
}

/// A triangle with an edge through `at`, or just reaching it.
fn edge_through(rng: &mut Rng, any: &dyn Fn(&mut Rng) -> [f64; 3], at: [f64; 3]) -> Triangle {
    let direction = any(rng);
    let (ahead, behind) = (rng.int(1, 8) as f64 / 8.0, rng.int(0, 8) as f64 / 8.0);
    let end = |w: f64| std::array::from_fn(|k| at[k] + direction[k] * w);
    [end(ahead), end(-behind), any(rng)]
}

/// A triangle that is the segment from `a` to `b`. Its third corner is an end, or nearly the midpoint.
fn degenerate_segment(rng: &mut Rng, a: [f64; 3], b: [f64; 3]) -> Triangle {
    let third = match rng.below(4) {
        0 => mix(a, b, 0.5),
        1 => b,
        _ => a,
    };
    [a, b, third]
}

/// Scales and shifts both triangles alike; returns their approximate size. `exact` selects powers of two,
/// which keep a contact in integers.
fn rescale(rng: &mut Rng, exact: bool, p: &mut Triangle, q: &mut Triangle) -> f64 {
    let (factor, shift): (f64, f64) = match (rng.below(9), exact) {
        (0..3, true) => (1.0, 0.0),
        (0..3, false) => (rng.between(0.1, 1.0), 0.0),
        // Details of 1e-3 at coordinates of 1e7.
        (3, true) => (2.0_f64.powi(-12), 1e7),
        (3, false) => (1e-4, 1e7),
        (4, true) => (2.0_f64.powi(-100), 0.0),
        (4, false) => (1e-30, 0.0),
        (5, true) => (1.0, 1e9),
        (5, false) => (0.1, 1e9),
        // Subnormal numbers, down to the smallest.
        (6, true) => (2.0_f64.powi(-1030) * 2.0_f64.powi(-rng.int(0, 44) as i32), 0.0),
        (6, false) => (1e-310, 0.0),
        (7, true) => (2.0_f64.powi(498), 0.0),
        (7, false) => (1e150, 0.0),
        (_, true) => (2.0_f64.powi(-20), 1.0),
        (_, false) => (1e-6, rng.between(0.5, 1.0)),
    };
    let shift = [shift, -shift, shift * 0.5];
    for v in p.iter_mut().chain(q) {
        *v = std::array::from_fn(|k| v[k] * factor + shift[k]);
    }
    (16.0 * factor).max(shift[0])
}

/// Half of the cases stay unchanged. In a third, single coordinates move by up to 3 ulps. In the rest all of
/// q moves by an ulp or two of the largest coordinate.
fn disturb(rng: &mut Rng, p: &mut Triangle, q: &mut Triangle) {
    match rng.below(6) {
        0..3 => {}
        3..5 => {
            for c in p.iter_mut().chain(q).flatten() {
                // Zeros rarely move: relative to 5e-324 all other numbers have a thousand bits.
                if *c != 0.0 || rng.one_in(16) {
                    *c = nudge(*c, rng.int(-3, 3));
                }
            }
        }
        _ => {
            let axis = rng.below(3) as usize;
            let largest = q.iter().map(|v| v[axis].abs()).fold(0.0, f64::max);
            let step = (largest.next_up() - largest) * *rng.pick(&[-2.0, -1.0, 1.0, 2.0]);
            q.iter_mut().for_each(|v| v[axis] += step);
        }
    }
}

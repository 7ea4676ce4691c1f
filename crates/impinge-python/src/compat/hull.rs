//! Convex bodies by their farthest points, and the nearest points of two of them.
use super::vector::{Point, along, cross, dot, length, minus};

/// A convex body whose surface no triangles make up.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Curved {
    /// About the z axis: radius, half the height.
    Cylinder(f64, f64),
    /// About the z axis, its point above: radius, half the height.
    Cone(f64, f64),
    /// Half axes.
    Ellipsoid(Point),
}

impl Curved {
    /// As Python gives it: 0, 1 or 2, and three numbers.
    pub(crate) fn from_numbers(kind: u8, [x, y, z]: Point) -> Self {
        match kind {
            0 => Curved::Cylinder(x, 0.5 * z),
            1 => Curved::Cone(x, 0.5 * z),
            _ => Curved::Ellipsoid([x, y, z]),
        }
    }
    pub(crate) fn numbers(self) -> (u8, Point) {
        match self {
            Curved::Cylinder(radius, half) => (0, [radius, radius, 2.0 * half]),
            Curved::Cone(radius, half) => (1, [radius, radius, 2.0 * half]),
            Curved::Ellipsoid(axes) => (2, axes),
        }
    }
    fn farthest(self, [x, y, z]: Point) -> Point {
        let on_circle = |radius: f64, height: f64| {
            let across = (x * x + y * y).sqrt();
            match across > 0.0 {
                true => [radius * (x / across), radius * (y / across), height],
                false => [radius, 0.0, height],
            }
        };
        match self {
            Curved::Cylinder(radius, half) => on_circle(radius, half.copysign(z)),
            Curved::Cone(radius, half) if radius * (x * x + y * y).sqrt() - half * z < half * z => {
                [0.0, 0.0, half]
            }
            Curved::Cone(radius, half) => on_circle(radius, -half),
            Curved::Ellipsoid(axes) => {
                let scaled = [axes[0] * x, axes[1] * y, axes[2] * z];
                let size = length(scaled);
                if size > 0.0 { [0, 1, 2].map(|k| axes[k] * (scaled[k] / size)) } else { [axes[0], 0.0, 0.0] }
            }
        }
    }
}

/// A convex body at a pose x = R v + t: a curved one, or the hull of some points.
pub(crate) struct Hull<'a> {
    pub(crate) points: &'a [Point],
    pub(crate) curved: Option<Curved>,
    pub(crate) rows: &'a [Point; 3],
    pub(crate) translation: Point,
}

impl Hull<'_> {
    /// A point that is farthest in a direction.
    pub(crate) fn farthest(&self, direction: Point) -> Point {
        let [x, y, z] = self.rows;
        let local = [0, 1, 2].map(|k| x[k] * direction[0] + y[k] * direction[1] + z[k] * direction[2]);
        let best = match self.curved {
            Some(curved) => curved.farthest(local),
            None => {
                let (mut best, mut height) = ([0.0; 3], f64::NEG_INFINITY);
                for &point in self.points {
                    let reach = dot(point, local);
                    if reach > height {
                        (best, height) = (point, reach);
                    }
                }
                best
            }
        };
        [0, 1, 2].map(|k| dot(self.rows[k], best) + self.translation[k])
    }
}

/// Two convex bodies: a point of each, the nearest ones, or that they meet.
#[expect(clippy::large_enum_variant)] // It is read at once, and a box would be an allocation.
pub(crate) enum Nearest {
    /// The bodies are between `least` and `distance` apart: `ends` are points of them that are so far apart,
    /// and two parallel planes across the line through these, `least` apart, have them on either side.
    Apart { distance: f64, least: f64, ends: [Point; 2] },
    /// They meet, or are within the limit; four differences about the origin, if the search found them.
    Meet(Option<[Difference; 4]>),
}

/// The difference of a point of A and a point of B.
#[derive(Clone, Copy, Default)]
pub(crate) struct Difference {
    pub(crate) value: Point,
    pub(crate) of: [Point; 2],
}

/// The difference that is farthest in a direction.
pub(crate) fn farthest(a: &Hull<'_>, b: &Hull<'_>, direction: Point) -> Difference {
    let of = [a.farthest(direction), b.farthest(direction.map(|x| -x))];
    Difference { value: minus(of[0], of[1]), of }
}

/// The quantity to compute.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Until {
    /// Only the decision whether the distance is more than this.
    Beyond(f64),
    /// The distance, unless it is at most this.
    KnownAbove(f64),
    /// The distance to within 1e-6 of the size of curved bodies, as depths are, unless it is at most this.
    RoughlyAbove(f64),
}

/// The nearest points of two convex bodies (GJK). Each step takes a simplex of differences a - b, adds the
/// corner that is farthest towards the origin, and finds the simplex's nearest point to the origin.
pub(crate) fn nearest(a: &Hull<'_>, b: &Hull<'_>, until: Until) -> Nearest {
    let first = farthest(a, b, minus(b.translation, a.translation));
    let (mut simplex, mut weights, mut count) = ([first; 4], [1.0, 0.0, 0.0, 0.0], 1);
    let mut nearest = first.value;
    let (mut size, mut least, mut is_final) = (length(nearest), 0.0, false);
    // To the corner of a polyhedron few steps lead, along a curved body many.
    let slack = match until {
        _ if a.curved.is_none() && b.curved.is_none() => 1e-13,
        Until::RoughlyAbove(_) => 1e-6,
        _ => 1e-10,
    };
    for _ in 0..128 {
        let distance = length(nearest);
        if distance <= 1e-14 * size {
            return Nearest::Meet(None);
        }
        let (Until::Beyond(reach) | Until::KnownAbove(reach) | Until::RoughlyAbove(reach)) = until;
        if distance <= reach {
            // No nearer point is needed.
            return Nearest::Meet(None);
        }
        let next = farthest(a, b, nearest.map(|x| -x));
        size = size.max(length(next.value));
        // All differences are at least so far in this direction.
        least = dot(next.value, nearest) / distance;
        if let Until::Beyond(reach) = until
            && least > reach
        {
            is_final = true;
            break;
        }
        let is_known = simplex[..count].iter().any(|corner| corner.value == next.value);
        if is_known || distance - least <= slack * size {
            is_final = true;
            break;
        }
        simplex[count] = next;
        let Some((found, kept, parts)) = nearest_of(&simplex[..=count]) else {
            return Nearest::Meet(Some(simplex));
        };
        if dot(found, found) >= dot(nearest, nearest) {
            if count == 1 {
                is_final = true;
                break;
            }
            // Corners so close to each other that roundings hide the way: go on from the nearest point.
            let of = ends_of(&simplex[..count], &weights);
            (simplex[0], weights[0], count) = (Difference { value: nearest, of }, 1.0, 1);
            continue;
        }
        let mut place = 0;
        for i in 0..=count {
            if kept & 1 << i != 0 {
                (simplex[place], weights[place]) = (simplex[i], parts[i]);
                place += 1;
            }
        }
        (nearest, count) = (found, place);
    }
    let ends = ends_of(&simplex[..count], &weights);
    let distance = length(nearest);
    if !is_final {
        least = dot(farthest(a, b, nearest.map(|x| -x)).value, nearest) / distance;
    }
    Nearest::Apart { distance, least, ends }
}

/// The points of either body whose difference lies between these by weights.
fn ends_of(simplex: &[Difference], weights: &[f64]) -> [Point; 2] {
    let each = || simplex.iter().zip(weights);
    [0, 1].map(|side| each().fold([0.0; 3], |sum, (corner, &weight)| along(sum, corner.of[side], weight)))
}

/// The nearest point to the origin of a simplex whose last corner is new, the corners that the point lies
/// between, as bits, and its weights; `None` if the origin is inside.
fn nearest_of(simplex: &[Difference]) -> Option<(Point, u8, [f64; 4])> {
    let last = simplex.len() - 1;
    let origin = simplex[last].value;
    let mut best = (origin, 1 << last, [0.0; 4]);
    best.2[last] = 1.0;
    let mut least = dot(origin, origin);
    for others in 1..1_u8 << last {
        let mut edges = [[0.0; 3]; 3];
        let mut places = [0; 3];
        let mut n = 0;
        for (i, corner) in simplex[..last].iter().enumerate() {
            if others & 1 << i != 0 {
                (edges[n], places[n]) = (minus(corner.value, origin), i);
                n += 1;
            }
        }
        let Some(parts) = parts_of(&edges[..n], origin) else { continue };
        let rest = 1.0 - parts[..n].iter().sum::<f64>();
        if rest <= 0.0 || parts[..n].iter().any(|&part| part <= 0.0) {
            continue;
        }
        if n == 3 {
            return None;
        }
        let point = (0..n).fold(origin, |sum, i| along(sum, edges[i], parts[i]));
        let square = dot(point, point);
        if square < least {
            let mut weights = [0.0; 4];
            weights[last] = rest;
            (0..n).for_each(|i| weights[places[i]] = parts[i]);
            (best, least) = ((point, others | 1 << last, weights), square);
        }
    }
    Some(best)
}

/// The numbers x that make origin + x1 edge1 + ... the nearest point to 0, if the edges are independent.
fn parts_of(edges: &[Point], origin: Point) -> Option<[f64; 3]> {
    let product = |i: usize, j: usize| dot(edges[i], edges[j]);
    let right = |i: usize| -dot(origin, edges[i]);
    match edges.len() {
        1 => {
            let square = product(0, 0);
            (square > 0.0).then(|| [right(0) / square, 0.0, 0.0])
        }
        2 => {
            let (a, b, c) = (product(0, 0), product(0, 1), product(1, 1));
            let determinant = a * c - b * b;
            (determinant > 1e-15 * a * c).then(|| {
                [
                    (right(0) * c - right(1) * b) / determinant,
                    (right(1) * a - right(0) * b) / determinant,
                    0.0,
                ]
            })
        }
        _ => {
            // The origin is inside, or another simplex is nearer: three edges give it directly.
            let across = [cross(edges[1], edges[2]), cross(edges[2], edges[0]), cross(edges[0], edges[1])];
            let determinant = dot(edges[0], across[0]);
            let scale = length(edges[0]) * length(across[0]);
            (determinant.abs() > 1e-14 * scale).then(|| across.map(|c| -dot(origin, c) / determinant))
        }
    }
}

//! The least width of two convex bodies by all separating axes: normals of faces, and products of edges.
use impinge::Body;
use num_bigint::BigInt;

type Whole = [BigInt; 3];

/// Bits behind the point of a length that is compared.
const LENGTH_BITS: i32 = 1200;
/// Axes whose width, by floating point, is this part of the size above the least one are not compared exactly.
const MARGIN: f64 = 1e-9;

/// Exponent of the last bit of a number that is not 0.
fn last_bit(x: f64) -> i32 {
    let (bits, raw) = (x.to_bits() & ((1 << 52) - 1), (x.to_bits() >> 52 & 0x7ff) as i32);
    let (m, e) = if raw == 0 { (bits, -1074) } else { (bits | 1 << 52, raw - 1075) };
    e + m.trailing_zeros() as i32
}

/// x 2^-unit, which has to be an integer.
fn whole(x: f64, unit: i32) -> BigInt {
    if x == 0.0 {
        return BigInt::from(0);
    }
    let (bits, raw) = (x.to_bits() & ((1 << 52) - 1), (x.to_bits() >> 52 & 0x7ff) as i32);
    let (m, e) = if raw == 0 { (bits, -1074) } else { (bits | 1 << 52, raw - 1075) };
    let m = BigInt::from(m) * if x < 0.0 { -1 } else { 1 };
    let by = e - unit;
    if by < 0 {
        let small = &m >> by.unsigned_abs();
        assert!(&small << by.unsigned_abs() == m);
        return small;
    }
    m << by.unsigned_abs()
}

/// A placed body: its corners exactly, in a unit of 2^unit, and rounded; directions of edges, normals of faces.
pub(super) struct Placed {
    corners: Vec<Whole>,
    rounded: Vec<[f64; 3]>,
    edges: Vec<[u32; 2]>,
    faces: Vec<[u32; 3]>,
    unit: i32,
}

impl Placed {
    pub(super) fn both(bodies: [&Body<'_>; 2]) -> [Self; 2] {
        let least = |numbers: &mut dyn Iterator<Item = f64>| {
            numbers.filter(|x| *x != 0.0).map(last_bit).min().unwrap_or(0)
        };
        let units = bodies.map(|body| {
            let rows = least(&mut body.pose.rows().as_flattened().iter().copied());
            let points = least(&mut body.model.mesh().points().as_flattened().iter().copied());
            (rows, points, least(&mut body.pose.translation().iter().copied()))
        });
        let unit = units.iter().map(|&(r, v, t)| (r + v).min(t)).min().unwrap();
        let place = |body: &Body<'_>| {
            let (mesh, rows, t) = (body.model.mesh(), body.pose.rows(), body.pose.translation());
            let r = least(&mut rows.as_flattened().iter().copied());
            let corner = |p: &[f64; 3]| {
                [0, 1, 2].map(|k| {
                    let products = (0..3).map(|i| whole(rows[k][i], r) * whole(p[i], unit - r));
                    products.sum::<BigInt>() + whole(t[k], unit)
                })
            };
            let mut edges: Vec<[u32; 2]> = mesh
                .triangles()
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            edges.sort_unstable();
            edges.dedup();
            Self {
                corners: mesh.points().iter().map(corner).collect(),
                rounded: mesh.points().iter().map(|p| body.pose.place(*p)).collect(),
                edges,
                faces: mesh.triangles().to_vec(),
                unit,
            }
        };
        bodies.map(place)
    }
}

fn minus(a: &Whole, b: &Whole) -> Whole {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}
fn cross(a: &Whole, b: &Whole) -> Whole {
    let minor = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
fn dot(a: &Whole, b: &Whole) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}
fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}
fn size(a: [f64; 3]) -> f64 {
    let most = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if most == 0.0 { 0.0 } else { most * a.map(|x| x / most).iter().map(|x| x * x).sum::<f64>().sqrt() }
}

/// The least width: d^2 = height^2 / square, in units of 2^(2 unit).
pub(super) struct Least {
    height: BigInt,
    square: BigInt,
    unit: i32,
    /// True if all widths are positive.
    pub(super) overlap: bool,
    /// The size of both bodies, for relative errors.
    pub(super) size: f64,
}

impl Least {
    /// Compares with a length: height^2 2^(2 unit) against (length 2^BITS)^2 square 2^(-2 BITS).
    fn sides(&self, length: f64) -> [BigInt; 2] {
        let length = whole(length, -LENGTH_BITS);
        let own = &self.height * &self.height;
        let other = &length * &length * &self.square;
        let by = 2 * (self.unit + LENGTH_BITS);
        if by >= 0 { [own << by.unsigned_abs(), other] } else { [own, other << by.unsigned_abs()] }
    }
    pub(super) fn is_at_least(&self, length: f64) -> bool {
        let [own, other] = self.sides(length);
        other <= own
    }
    pub(super) fn is_at_most(&self, length: f64) -> bool {
        let [own, other] = self.sides(length);
        own <= other
    }
}

/// The axes of two bodies: a face of one, or an edge of each.
enum Axis {
    Face(usize, usize),
    Edges(usize, usize),
}

/// The least width. It skips axes whose width is far larger in floating point, unless it takes `all`.
pub(super) fn least(bodies: &[Placed; 2], all: bool) -> Least {
    let [a, b] = bodies;
    let extent = |body: &Placed| {
        let range = |k: usize| {
            let x = body.rounded.iter().map(|p| p[k]);
            x.clone().fold(f64::NEG_INFINITY, f64::max) - x.fold(f64::INFINITY, f64::min)
        };
        size([range(0), range(1), range(2)])
    };
    let scale = extent(a) + extent(b);
    // Coordinates around a corner of the first body, in units of the size.
    let near = |body: &Placed| -> Vec<[f64; 3]> {
        body.rounded.iter().map(|p| sub(*p, a.rounded[0]).map(|x| x / scale)).collect()
    };
    let near = [near(a), near(b)];
    let edge = |x: usize, i: usize| {
        sub(near[x][bodies[x].edges[i][1] as usize], near[x][bodies[x].edges[i][0] as usize])
    };
    let plain = |u: [f64; 3], v: [f64; 3]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let product = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let mut axes = Vec::new();
    for (x, body) in bodies.iter().enumerate() {
        axes.extend((0..body.faces.len()).map(|i| Axis::Face(x, i)));
    }
    for i in 0..a.edges.len() {
        axes.extend((0..b.edges.len()).map(|k| Axis::Edges(i, k)));
    }
    // Widths by floating point, both ways; none if the direction is not certain to some 1e-10.
    let width = |axis: &Axis| {
        let [u, v] = match *axis {
            Axis::Face(x, i) => {
                let [p, q, r] = bodies[x].faces[i].map(|i| near[x][i as usize]);
                [sub(q, p), sub(r, p)]
            }
            Axis::Edges(i, k) => [edge(0, i), edge(1, k)],
        };
        let n = plain(u, v);
        let length = size(n);
        if !(length > 1e-3 * size(u) * size(v) && size(u).min(size(v)) > 1e-3) {
            return None;
        }
        let n = n.map(|x| x / length);
        let ends = [0, 1].map(|x| {
            let products = near[x].iter().map(|p| product(*p, n));
            [products.clone().fold(f64::INFINITY, f64::min), products.fold(f64::NEG_INFINITY, f64::max)]
        });
        Some((ends[0][1] - ends[1][0]).min(ends[1][1] - ends[0][0]))
    };
    let widths: Vec<_> = axes.iter().map(width).collect();
    let limit = widths.iter().flatten().copied().fold(f64::INFINITY, f64::min) + MARGIN;
    let mut best: Option<(BigInt, BigInt)> = None;
    let mut overlap = true;
    for (axis, width) in axes.iter().zip(&widths) {
        if !all && width.is_some_and(|width| width > limit) {
            continue;
        }
        let side = |x: usize, [i, k]: [u32; 2]| {
            minus(&bodies[x].corners[k as usize], &bodies[x].corners[i as usize])
        };
        let n = match *axis {
            Axis::Face(x, i) => {
                let [p, q, r] = bodies[x].faces[i];
                cross(&side(x, [p, q]), &side(x, [p, r]))
            }
            Axis::Edges(i, k) => cross(&side(0, a.edges[i]), &side(1, b.edges[k])),
        };
        let square = dot(&n, &n);
        if square == BigInt::from(0) {
            continue;
        }
        let ends = bodies.each_ref().map(|body| {
            let products: Vec<BigInt> = body.corners.iter().map(|p| dot(p, &n)).collect();
            [products.iter().min().unwrap().clone(), products.iter().max().unwrap().clone()]
        });
        let height = (&ends[0][1] - &ends[1][0]).min(&ends[1][1] - &ends[0][0]);
        if height <= BigInt::from(0) {
            overlap = false;
            break;
        }
        let is_less =
            best.as_ref().is_none_or(|(least, of)| &height * &height * of < least * least * &square);
        if is_less {
            best = Some((height, square));
        }
    }
    let (height, square) = best.unwrap_or_default();
    Least { height, square, unit: a.unit, overlap, size: scale }
}

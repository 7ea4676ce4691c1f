//! Nodes against rationals: the test solves linear equations for the point where a node's features meet.
use super::model;
use impinge::{Body, Mesh, Model, Pose, Query, curves::Feature};
use impinge_testkit::{cases::is_full, meshes, rng::Rng};
use num_bigint::BigInt;

/// A fraction, its denominator positive.
#[derive(Clone, Debug)]
struct Ratio(BigInt, BigInt);

impl Ratio {
    fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let (raw, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (m, e) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
        let m = BigInt::from(m) * if x < 0.0 { -1 } else { 1 };
        let power = |e: i32| BigInt::from(1) << e.max(0) as u32;
        Self(m * power(e), power(-e))
    }
    fn whole(n: i32) -> Self {
        Self(BigInt::from(n), BigInt::from(1))
    }
    fn sign(&self) -> i32 {
        let zero = BigInt::from(0);
        i32::from(self.0 > zero) - i32::from(self.0 < zero)
    }
    fn plus(&self, o: &Self) -> Self {
        Self(&self.0 * &o.1 + &o.0 * &self.1, &self.1 * &o.1)
    }
    fn minus(&self, o: &Self) -> Self {
        Self(&self.0 * &o.1 - &o.0 * &self.1, &self.1 * &o.1)
    }
    fn times(&self, o: &Self) -> Self {
        Self(&self.0 * &o.0, &self.1 * &o.1)
    }
    fn over(&self, o: &Self) -> Self {
        let sign = o.sign();
        assert_ne!(sign, 0);
        Self(&self.0 * &o.1 * sign, &self.1 * &o.0 * sign)
    }
    fn distance(&self, o: &Self) -> Self {
        let d = self.minus(o);
        if d.sign() < 0 { Self(-d.0, d.1) } else { d }
    }
    fn is_at_most(&self, o: &Self) -> bool {
        self.minus(o).sign() <= 0
    }
}

/// The corners of a feature, placed.
fn corners(body: &Body<'_>, feature: Feature) -> Vec<[Ratio; 3]> {
    let mesh = body.model.mesh();
    let numbers = match feature {
        Feature::Vertex(v) => vec![v],
        Feature::Edge([v, w]) => vec![v, w],
        Feature::Triangle(t) => mesh.triangles()[t as usize].to_vec(),
    };
    let place = |v: u32| {
        [0, 1, 2].map(|k| {
            let (row, point) = (body.pose.rows()[k], mesh.points()[v as usize]);
            let t = Ratio::of(body.pose.translation()[k]);
            (0..3).fold(t, |sum, i| sum.plus(&Ratio::of(row[i]).times(&Ratio::of(point[i]))))
        })
    };
    numbers.into_iter().map(place).collect()
}

/// The point in the relative interior of both features: its weights in both are positive. Panics if there is
/// not exactly one.
fn meeting(p: &[[Ratio; 3]], q: &[[Ratio; 3]]) -> [Ratio; 3] {
    let n = p.len() + q.len();
    let mut rows: Vec<Vec<Ratio>> = (0..3)
        .map(|k| {
            let of_p = p.iter().map(|corner| corner[k].clone());
            let of_q = q.iter().map(|corner| Ratio::whole(0).minus(&corner[k]));
            of_p.chain(of_q).chain([Ratio::whole(0)]).collect()
        })
        .collect();
    for first in [true, false] {
        let ones = (0..n).map(|i| Ratio::whole(i32::from((i < p.len()) == first)));
        rows.push(ones.chain([Ratio::whole(1)]).collect());
    }
    for column in 0..n {
        let pivot = (column..rows.len()).find(|&r| rows[r][column].sign() != 0).expect("one solution");
        rows.swap(column, pivot);
        let pivot = rows[column].clone();
        for (r, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != column) {
            assert!(r != column);
            let factor = row[column].over(&pivot[column]);
            if factor.sign() != 0 {
                row.iter_mut().zip(&pivot).for_each(|(x, y)| *x = x.minus(&factor.times(y)));
            }
        }
    }
    assert!(rows[n..].iter().all(|row| row[n].sign() == 0), "no solution");
    let weights: Vec<Ratio> = (0..n).map(|i| rows[i][n].over(&rows[i][i])).collect();
    assert!(weights.iter().all(|weight| weight.sign() > 0), "beside");
    [0, 1, 2].map(|k| {
        let terms = p.iter().zip(&weights).map(|(corner, weight)| corner[k].times(weight));
        terms.fold(Ratio::whole(0), |sum, term| sum.plus(&term))
    })
}

fn check(query: &mut Query, a: &Body<'_>, b: &Body<'_>, context: &str) -> usize {
    let pairs = query.pairs(a, b).to_vec();
    let curves = query.curves(a, b);
    // Only some nodes of each case, as fractions grow long.
    let some = curves.nodes().iter().step_by(curves.nodes().len() / 8 + 1);
    for node in some {
        let [p, q] = [(a, 0), (b, 1)].map(|(body, x)| corners(body, node.features[x]));
        let exact = meeting(&p, &q);
        for (x, exact) in node.point.iter().zip(&exact) {
            let off = exact.distance(&Ratio::of(*x));
            for next in [x.next_up(), x.next_down()] {
                assert!(off.is_at_most(&exact.distance(&Ratio::of(next))), "{context}: {node:?}");
            }
        }
    }
    // Every pair has a node that lies in both.
    let holds = |body: &Body<'_>, t: u32, feature: Feature| {
        let mesh = body.model.mesh();
        let point = |v: u32| mesh.points()[v as usize];
        let corners = mesh.corners(t);
        match feature {
            Feature::Vertex(v) => corners.contains(&point(v)),
            Feature::Edge(ends) => ends.iter().all(|&v| corners.contains(&point(v))),
            Feature::Triangle(u) => mesh.corners(u).iter().all(|v| corners.contains(v)),
        }
    };
    let features: Vec<_> = curves.nodes().iter().map(|node| node.features).collect();
    for [i, j] in pairs {
        let has = features.iter().any(|&[p, q]| holds(a, i, p) && holds(b, j, q));
        assert!(has, "{context}: {i} {j}");
    }
    // Nodes are sorted.
    for pair in curves.nodes().windows(2) {
        assert!(pair[0].point <= pair[1].point, "{context}");
    }
    curves.nodes().len()
}

#[test]
fn nodes_are_where_features_meet_and_nearest() {
    let shapes: Vec<Model> = [
        meshes::icosphere(1),
        meshes::torus(10, 7, 0.3),
        meshes::cuboid([0.5; 3]),
        meshes::to_grid(&meshes::icosphere(1), 4),
        meshes::cuboid([3.0, 2.0, 1.0]),
    ]
    .map(model)
    .into();
    // Some of a grid's triangles are degenerate, or lie on each other.
    let clean: Vec<&Model> = shapes.iter().filter(|model| !Query::new().self_intersects(model)).collect();
    assert!(clean.len() >= 4);
    let (mut query, mut nodes) = (Query::new(), 0);
    for index in 0..if is_full() { 300 } else { 20 } {
        let mut rng = Rng::for_case(313, index);
        let (a, b) = (*rng.pick(&clean), *rng.pick(&clean));
        let far = *rng.pick(&[0.0, 0.0, 1e6, 1e-9]);
        let pose = match rng.below(3) {
            0 => Pose::from_translation(rng.grid_point(2).map(|x| x + far)).unwrap(),
            1 => Pose::affine([0, 1, 2].map(|_| rng.point(1.0)), rng.point(0.5)).unwrap_or_default(),
            _ => Pose::rigid(rng.rotation(), rng.point(0.5).map(|x| x + far)).unwrap(),
        };
        let (a, b) = (Body::new(a, Pose::from_translation([far; 3]).unwrap()), Body::new(b, pose));
        nodes += check(&mut query, &a, &b, &format!("case {index}"));
    }
    assert!(nodes > 150, "{nodes}");
}

/// Bodies of sizes from one end of f64 to the other.
#[test]
fn extreme_sizes_are_rounded_correctly() {
    let mut query = Query::new();
    for (size, depth) in [(1e-300, 0.1), (1e300, 0.1), (f64::MIN_POSITIVE, 0.3), (5e-320, 0.3), (1.0, 1e-200)]
    {
        let triangle = |p: [[f64; 3]; 3]| {
            model(Mesh::new(p.map(|p| p.map(|x| x * size)).to_vec(), vec![[0, 1, 2]]).unwrap())
        };
        let floor = triangle([[0.0; 3], [7.0, 0.0, 0.0], [0.0, 7.0, 0.0]]);
        let wall = triangle([[1.0, 1.0, -depth], [2.0, 3.0, 1.0], [3.0, 1.0, -depth]]);
        let (a, b) = (Body::new(&floor, Pose::IDENTITY), Body::new(&wall, Pose::IDENTITY));
        assert_eq!(check(&mut query, &a, &b, &format!("{size:e}")), 2);
    }
}

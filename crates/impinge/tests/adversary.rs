//! Scenes made to break bounds: every pair of triangles is asked of the testkit's oracle, with no box in front, and every
//! tree, box test and order of the bodies must give those pairs. Counterexamples found by reading are kept with their bits.
use impinge::{
    Body, BuildOptions, Kind, Mesh, Model, Overlap, Pose, Query, Scratch, Split, WorldBox, brute_force, pose,
};
use impinge_testkit::{
    oracle,
    rng::{Rng, nudge},
};
use num_bigint::BigInt;
use std::collections::BTreeMap;

type Vector = [f64; 3];
type Matrix = [[f64; 3]; 3];

const UNIT: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn soup(corners: Vec<[Vector; 3]>) -> Mesh {
    let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(corners.into_iter().flatten().collect(), triangles).unwrap()
}

/// Every pair, by the oracle; and that all there is of the library says the same. Returns how many.
fn check(name: &str, a: &Mesh, pose_a: Pose, b: &Mesh, pose_b: Pose) -> usize {
    let mut want = Vec::new();
    for i in 0..a.len() as u32 {
        for j in 0..b.len() as u32 {
            if oracle::intersects(&a.corners(i), &pose_a, &b.corners(j), &pose_b) {
                want.push([i, j]);
            }
        }
    }
    let transposed = {
        let mut t: Vec<_> = want.iter().map(|&[i, j]| [j, i]).collect();
        t.sort_unstable();
        t
    };
    let (mut scratch, mut got) = (Scratch::new(), Vec::new());
    for &kind in Kind::ALL {
        for (split, leaf_size) in [(Split::Sah, 1), (Split::Midpoint, 1), (Split::Sah, 4)] {
            let options = BuildOptions { kind, split, leaf_size };
            let (a, b) = (Model::new(a.clone(), &options), Model::new(b.clone(), &options));
            a.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
            b.validate().unwrap_or_else(|e| panic!("{name}: {e}"));
            let (x, y) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            for (x, y, want) in [(&x, &y, &want), (&y, &x, &transposed)] {
                let bodies = || format!("{name}, {options:?}: {x:?} against {y:?}");
                brute_force::intersecting_pairs(x, y, &mut scratch, &mut got, &mut ());
                assert_eq!(&got, want, "brute force, {}", bodies());
                for overlap in [Overlap::SatLite, Overlap::Sat] {
                    Query { overlap }.intersecting_pairs(x, y, &mut scratch, &mut got, &mut ());
                    assert_eq!(&got, want, "{overlap:?}, {}", bodies());
                }
            }
            let boxes = [&x, &y].map(|body| WorldBox::new(body).unwrap());
            assert!(
                want.is_empty() || boxes[0].meets(&boxes[1]),
                "{name}: bodies that meet have boxes that do"
            );
        }
    }
    want.len()
}

fn power(e: i64) -> f64 {
    // In two steps, so that subnormal results come out, too.
    let p = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    p(e / 2) * p(e - e / 2)
}

fn times(m: &Matrix, n: &Matrix) -> Matrix {
    m.map(|row| std::array::from_fn(|j| (0..3).map(|k| row[k] * n[k][j]).sum()))
}
fn apply(m: &Matrix, v: &Vector) -> Vector {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

// ---- counterexamples ----

/// Both leaves' boxes overlap on z by 0.05. The edge axis e_x x m_x is (0, 0, 2^-1074): along it 0.8 rounded up to one,
/// the two half-widths of 0.45 down to nothing, and so did the pad.
#[test]
fn an_edge_axis_may_be_subnormal() {
    let tiny = f64::from_bits(1);
    let a = soup(vec![[[-0.9, 0.0, 0.0], [0.9, 0.0, 0.0], [0.0, 0.0, 0.45]]]);
    let b = soup(vec![[[0.0, -0.9, 0.4], [0.0, 0.9, 0.4], [0.0, 0.0, 0.85]]]);
    let turn = Pose::rigid([[1.0, -tiny, 0.0], [tiny, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]).unwrap();
    assert_eq!(check("subnormal axis", &a, Pose::IDENTITY, &b, turn), 1);
}

/// A speck inside a needle. In the speck's chart the needle is 2^515 long, and along the axis across it, of two
/// products that nearly cancel, one overflowed and the other did not: infinitely far apart.
#[test]
fn an_edge_axis_may_be_huge() {
    let speck = power(-516);
    let a = soup(vec![[[-speck, -speck, 0.0], [speck, -speck, 0.0], [0.0, speck, 0.0]]]);
    let thin = 1.0 / 1048576.0;
    let b = soup(vec![[[-0.9, -0.9, 0.0], [0.9, 0.9, 0.0], [0.9, -0.9, 0.0]]]);
    let rows = [[0.6, -0.8 * thin, 0.0], [0.8, 0.6 * thin, 0.0], [0.0, 0.0, thin]];
    // 0.48 (2 t 2^515) 2^515 is 2^1024, and `across` pulls the two products apart.
    let (t, across) = (power(-7) / 0.48, thin / 2.0);
    let at = [0.6 * t - 0.8 * across, 0.8 * t + 0.6 * across, 0.0];
    assert_eq!(check("huge axis", &a, Pose::IDENTITY, &b, Pose::affine(rows, at).unwrap()), 1);
}

/// Rounded outwards to f32, a chart of the largest mesh reaches a little beyond 4, and a product with
/// its box's doubled centre overflowed where the bound on its rounding did not.
#[test]
fn the_largest_mesh_may_be_sheared() {
    let m = f64::MAX;
    let (ulp, e) = (power(971), power(-24));
    let b = soup(vec![
        [[m, m, -ulp], [m, m, ulp], [m - ulp, m, ulp]],
        [[-m, -m, -m], [-m, -m, -m], [-m, -m, -m]],
    ]);
    let a = soup(vec![[[-0.9, -0.5, 0.0], [0.9, -0.5, 0.0], [0.0, 0.9, 0.9]]]);
    let (r, s) = (0.5 - e / 8.0, -(0.5 - e / 2.0));
    let rows = [[r, s, 0.0], [0.0, power(-1023), 0.0], [0.0, 0.0, 1.0]];
    // One ulp more, so that the corner lands beyond `a`.
    let t = nudge(-pose::place(&rows, &[0.0; 3], [m, m, 0.0])[0], 1);
    let pose = Pose::affine(rows, [t, -2.0, 0.0]).unwrap();
    assert_eq!(check("sheared giant", &a, Pose::IDENTITY, &b, pose), 1);
}

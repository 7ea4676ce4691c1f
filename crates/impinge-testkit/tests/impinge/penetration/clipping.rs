//! Volumes of the intersection of two tetrahedra, against clipping one by the planes of the other.
use super::{Point, count, determinant, image, is_sound, length, model, still};
use impinge::{Body, Pose, Query, penetration::PenetrationParts};
use impinge_testkit::rng::Rng;

/// The part of a convex polyhedron below a plane n . x = h.
fn clipped(faces: &[Vec<Point>], n: Point, h: f64) -> Vec<Vec<Point>> {
    let dot = |p: &Point| n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - h;
    let (mut all, mut cut): (Vec<Vec<Point>>, Vec<Point>) = (Vec::new(), Vec::new());
    for face in faces {
        let mut kept = Vec::new();
        for (i, p) in face.iter().enumerate() {
            let q = &face[(i + 1) % face.len()];
            let (s, t) = (dot(p), dot(q));
            if s <= 0.0 {
                kept.push(*p);
            }
            if (s < 0.0 && t > 0.0) || (s > 0.0 && t < 0.0) {
                let x = [0, 1, 2].map(|k| p[k] + s / (s - t) * (q[k] - p[k]));
                kept.push(x);
                cut.push(x);
            }
        }
        if kept.len() > 2 {
            all.push(kept);
        }
    }
    if cut.len() > 2 {
        // The face in the plane: its corners in the order of their angles.
        let c = [0, 1, 2].map(|k| cut.iter().map(|p| p[k]).sum::<f64>() / cut.len() as f64);
        let cross = |a: Point, b: Point| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let from = |p: &Point| [p[0] - c[0], p[1] - c[1], p[2] - c[2]];
        let u = from(&cut[0]);
        let v = cross(n, u);
        let angle = |p: &Point| {
            let d = from(p);
            let on = |w: Point| d[0] * w[0] + d[1] * w[1] + d[2] * w[2];
            (on(v) / length(v)).atan2(on(u) / length(u))
        };
        cut.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
        all.push(cut);
    }
    all
}

fn volume_of(faces: &[Vec<Point>]) -> f64 {
    let o = faces.first().map_or([0.0; 3], |face| face[0]);
    let from = |p: &Point| [p[0] - o[0], p[1] - o[1], p[2] - o[2]];
    let fans = faces
        .iter()
        .flat_map(|f| (1..f.len().max(2) - 1).map(move |i| [from(&f[0]), from(&f[i]), from(&f[i + 1])]));
    fans.map(|t| determinant(&t)).sum::<f64>() / 6.0
}

#[test]
fn tetrahedra_have_the_volume_that_clipping_finds() {
    let (mut query, mut rng, mut some) = (Query::new(), Rng::new(73), 0);
    for round in 0..count() {
        let mut solid = |shift: f64| {
            let mut p = [(); 4].map(|()| rng.point(1.0).map(|x| x + shift));
            let d = |i: usize| [0, 1, 2].map(|k| p[i][k] - p[0][k]);
            if determinant(&[d(1), d(2), d(3)]) < 0.0 {
                p.swap(2, 3);
            }
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|f| f.map(|i| p[i])).to_vec()
        };
        let [own, other] = [solid(0.0), solid(0.25)];
        let (mut p, mut q) = (rng.point(1.0), rng.rotation());
        if round % 2 == 0 {
            (p, q) = ([0.0; 3], *Pose::IDENTITY.rows());
        }
        let (a, b) = (model(&own), model(&other));
        let (a, b) = (still(&a), Body::new(&b, Pose::affine(q, p).unwrap()));
        let mut faces: Vec<Vec<Point>> = own.iter().map(|t| t.to_vec()).collect();
        for t in other.iter().map(|t| t.map(|v| image(&q, &p, v))) {
            let [u, v] = [1, 2].map(|i: usize| [0, 1, 2].map(|k| t[i][k] - t[0][k]));
            let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            faces = clipped(&faces, n, n[0] * t[0][0] + n[1] * t[0][1] + n[2] * t[0][2]);
        }
        let truth = volume_of(&faces);
        let found = query.penetration(&a, &b, &PenetrationParts::all());
        let [lo, hi] = found.overlap_volume.unwrap();
        // The truth is rounded here.
        assert!(lo <= truth + 1e-13 && truth - 1e-13 <= hi, "round {round}: {lo} {truth} {hi}");
        assert!(hi - lo < 1e-9 * truth + 1e-12, "round {round}: {lo} {truth} {hi}");
        is_sound(&mut query, [&a, &b], &found, &format!("round {round}"));
        some += u64::from(truth > 1e-6);
    }
    assert!(some > count() / 10, "{some}");
}

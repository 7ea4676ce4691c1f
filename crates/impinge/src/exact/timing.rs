//! What a decision of the exact stage costs, by class: it is private, so this is a test, and prints rather than judges.
//!
//! `cargo test --release -p impinge --lib exact::timing -- --ignored --nocapture`
#![allow(clippy::print_stdout)]
use super::{Map, Poses, Six, integer::limbs};
use crate::{
    Pose,
    narrow::extent,
    triangle::filter::{Verdict, decide},
};
use impinge_testkit::{
    near_degenerate::{self, FAMILIES, near_degenerate as case},
    rng::Rng,
};
use std::{hint::black_box, path::PathBuf, time::Instant};

type Triangle = [[f64; 3]; 3];
type Case = (Triangle, Pose, Triangle, Pose);

/// How a pair in the world is taken apart into two bodies. Contacts are kept to the last bit by equal poses and turned copies, by those
/// that translate where corners do not use all their bits, and by unrelated ones where luck has it.
const PLACEMENTS: [&str; 6] =
    ["equal poses", "translations", "same rotation", "turned copies", "turned copies, f32", "unrelated"];

fn pose(rows: Triangle, t: [f64; 3]) -> Pose {
    Pose::affine(rows, t).unwrap()
}

fn turned(r: &Triangle, v: &[f64; 3]) -> [f64; 3] {
    r.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn placed(placement: &str, rng: &mut Rng, p: Triangle, q: Triangle) -> Case {
    let (unit, rotation) = (*Pose::IDENTITY.rows(), rng.rotation());
    let short = rotation.map(|row| row.map(|x| f64::from(x as f32)));
    let t = [0; 3].map(|_| rng.int(-4000, 4000) as f64 / 64.0);
    let back = |v: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| v[k] - t[k]) };
    // q in a frame turned by a quarter: the columns of its rows are permuted the same way.
    let quarter = |r: &Triangle| r.map(|[x, y, z]| [y, -x, z]);
    let quartered = q.map(|[x, y, z]| [y, -x, z]);
    match placement {
        "equal poses" => (p, pose(rotation, t), q, pose(rotation, t)),
        "translations" => (p, Pose::IDENTITY, q.map(back), pose(unit, t)),
        // R of 24 bits and t of 19: R t has no rounding.
        "same rotation" => (p, pose(short, [0.0; 3]), q.map(back), pose(short, turned(&short, &t))),
        "turned copies" => (p, pose(rotation, t), quartered, pose(quarter(&rotation), t)),
        "turned copies, f32" => (p, pose(short, t), quartered, pose(quarter(&short), t)),
        "unrelated" => {
            let other = rng.rotation();
            let inverse = |r: &Triangle| std::array::from_fn(|i| std::array::from_fn(|j| r[j][i]));
            let local = |r: &Triangle, v: [f64; 3]| turned(&inverse(r), &back(v));
            (p.map(|v| local(&rotation, v)), pose(rotation, t), q.map(|v| local(&other, v)), pose(other, t))
        }
        _ => unreachable!("no placement {placement}"),
    }
}

/// The least of some runs, in ns a decision, and how many meet.
fn time(cases: &[Case]) -> (f64, usize) {
    // A query takes its poses apart once.
    let cases: Vec<_> = cases.iter().map(|(p, a, q, b)| (p, q, Poses::new(a, b))).collect();
    let mut best = f64::INFINITY;
    let mut met = 0;
    for _ in 0..7 {
        let start = Instant::now();
        met = cases.iter().filter(|(p, q, poses)| poses.meet(black_box(p), black_box(q))).count();
        best = best.min(start.elapsed().as_nanos() as f64 / cases.len() as f64);
    }
    (best, met)
}

fn row(class: &str, cases: &[Case]) {
    if cases.is_empty() {
        return println!("{class:44} none");
    }
    let (ns, met) = time(cases);
    let mut sizes = [0; 5];
    for (p, a, q, b) in cases {
        let maps = [a, b].map(|pose| Map::new(pose.rows(), pose.translation()));
        let lattice = Six::new(&maps, [p, q]).lattice();
        sizes[limbs(lattice.bits).clamp(1, 5) - 1] += 1;
    }
    let sizes = sizes.map(|n| format!("{:3}", 100 * n / cases.len())).join("");
    println!(
        "{class:44} {ns:5.0} ns {:6} decisions, {met:6} meet; % of 1 to 4 limbs, more:{sizes}",
        cases.len()
    );
}

/// Pairs in the world of ordinary size, by what touches what.
fn contacts(families: &[&str]) -> Vec<(Triangle, Triangle)> {
    let plain = |x: f64| x == 0.0 || (1e-9..1e3).contains(&x.abs());
    let placements = near_degenerate::PLACEMENTS.len() as u64;
    let all = (0..).filter(|i| (i / FAMILIES.len() as u64).is_multiple_of(placements));
    all.map(|i| case(5, i))
        .filter(|case| families.contains(&case.family))
        .filter(|case| case.p.iter().chain(&case.q).flatten().all(|&x| plain(x)))
        .take(2000)
        .map(|case| (case.p, case.q))
        .collect()
}

/// Pairs of triangles of two parts of an assembly that the filter leaves to the exact stage.
fn candidates(name: &str) -> Vec<(Triangle, Triangle)> {
    let folder = std::env::var_os("IMPINGE_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let Ok(assembly) = impinge_io::read(&folder.join(name)) else { return Vec::new() };
    let soups: Vec<Vec<Triangle>> = assembly
        .parts
        .iter()
        .map(|part| (0..part.mesh.len() as u32).map(|i| part.mesh.corners(i)).collect())
        .collect();
    let apart = |(lo, hi): &([f64; 3], [f64; 3]), (m, n): &([f64; 3], [f64; 3])| {
        (0..3).any(|k| lo[k] > n[k] || m[k] > hi[k])
    };
    let around = |soup: &[Triangle]| {
        soup.iter().map(extent).reduce(|(a, b), (c, d)| {
            (std::array::from_fn(|k| f64::min(a[k], c[k])), std::array::from_fn(|k| f64::max(b[k], d[k])))
        })
    };
    let mut found = Vec::new();
    for (i, a) in soups.iter().enumerate() {
        for b in &soups[i + 1..] {
            let (Some(of_a), Some(of_b)) = (around(a), around(b)) else { continue };
            let b: Vec<_> = b.iter().map(|q| (q, extent(q))).filter(|(_, e)| !apart(e, &of_a)).collect();
            for p in a.iter().filter(|p| !apart(&extent(p), &of_b)) {
                let of_p = extent(p);
                found.extend(
                    b.iter()
                        .filter(|(q, e)| !apart(e, &of_p) && decide(p, q, 0.0) == Verdict::Unsure)
                        .map(|(q, _)| (*p, **q)),
                );
            }
        }
        if found.len() > 20_000 {
            break;
        }
    }
    // A sample that stays in the second-level cache: each pair brings its own poses, which those of a query share.
    let step = found.len().div_ceil(2000).max(1);
    found.into_iter().step_by(step).collect()
}

#[test]
#[ignore = "prints times"]
fn by_class() {
    let mut groups = vec![
        ("general position".to_owned(), {
            let mut rng = Rng::new(3);
            (0..2000).map(|_| [0; 2].map(|_| [0; 3].map(|_| rng.point(8.0)))).map(|[p, q]| (p, q)).collect()
        }),
        ("vertex touches".to_owned(), contacts(&["shared vertex", "vertex on edge", "vertex on face"])),
        ("edge touches".to_owned(), contacts(&["edge crosses edge", "edge on face", "shared edge"])),
        ("coplanar".to_owned(), contacts(&["coplanar", "coplanar touch", "identical"])),
        ("slivers".to_owned(), contacts(&["sliver"])),
        ("no area".to_owned(), contacts(&["segment on triangle", "segment on segment", "point"])),
    ];
    for name in ["asm_as1_oc_214.obj", "brep_Motor_c.obj", "brep_Axis_of_bearing.obj"] {
        groups.push((name.to_owned(), candidates(name)));
    }
    for placement in PLACEMENTS {
        for (name, pairs) in &groups {
            let mut rng = Rng::new(9);
            let cases: Vec<Case> = pairs.iter().map(|&(p, q)| placed(placement, &mut rng, p, q)).collect();
            row(&format!("{placement}: {name}"), &cases);
        }
    }
}

/// The filter in front, on pairs in general position, most of which it decides.
#[test]
#[ignore = "prints times"]
fn of_the_filter() {
    // The less they are spread, the fewer are apart by a plane. Few enough for the second-level cache.
    for spread in [1.0, 0.3] {
        let mut rng = Rng::new(4);
        let mut near = |o: [f64; 3]| {
            [0; 3].map(|_| {
                let d = rng.point(1.0);
                std::array::from_fn(|k| o[k] + d[k])
            })
        };
        let offset = |i: u32| {
            [0, 8, 16].map(|shift| f64::from(i.wrapping_mul(2_654_435_761) >> shift & 255) / 128.0 * spread)
        };
        let pairs: Vec<(Triangle, Triangle)> = (0..4000).map(|i| (near([0.0; 3]), near(offset(i)))).collect();
        let (mut best, mut counts) = (f64::INFINITY, [0; 3]);
        for _ in 0..200 {
            let start = Instant::now();
            counts = [0; 3];
            for (p, q) in &pairs {
                counts[decide(black_box(p), black_box(q), 1e-15) as usize] += 1;
            }
            best = best.min(start.elapsed().as_nanos() as f64 / pairs.len() as f64);
        }
        println!("spread {spread}: {best:.1} ns; {counts:?} meet, are apart, are unsure");
    }
}

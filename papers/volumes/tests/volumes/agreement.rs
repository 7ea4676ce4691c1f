//! Trees against brute force: every kind, fit, split rule, arity, leaf size and overlap test gives the same
//! pairs.
use impinge::{Body, Mesh, Model, brute_force};
use impinge_testkit::{
    cases::{is_full, poses, scenes, share},
    ways::{papers, setups, splits},
};
use impinge_volumes::Options;
use std::thread;

pub(crate) fn every_option() -> Vec<Options> {
    let mut all = Vec::new();
    for kind in papers() {
        for &fit in kind.fits() {
            for &split in splits(kind) {
                for &overlap in kind.overlaps() {
                    // Arities and leaf sizes rotate: nine trees cover all nine pairs.
                    let (n, arities) = (all.len(), kind.arities());
                    let (arity, leaf_size) = (arities[n % arities.len()], [1, 3, 8][n / arities.len() % 3]);
                    let options = Options::new(kind).split(split).fit(fit).overlap(overlap);
                    all.push(options.leaf_size(leaf_size).arity(arity));
                }
            }
        }
    }
    all
}

#[test]
fn every_option_gives_the_pairs_of_brute_force() {
    // A thread per scene: there are many options.
    let totals: Vec<[usize; 2]> = thread::scope(|scope| {
        let work: Vec<_> = scenes()
            .into_iter()
            .enumerate()
            .map(|(turn, (name, a, b))| scope.spawn(move || every_option_on(name, &a, &b, turn)))
            .collect();
        work.into_iter().map(|thread| thread.join().expect("a scene's answers differ")).collect()
    });
    let [queries, found] =
        totals.into_iter().fold([0; 2], |[q, f], [queries, found]| [q + queries, f + found]);
    println!("{queries} queries, {found} pairs: trees and brute force agree");
    let least = if is_full() { 1_000_000 } else { 300_000 };
    assert!(found > least, "the scenes must touch for this test to mean anything");
}

/// Checks every option on a scene. Returns the number of queries and of the pairs they found. Scenes in
/// `turn` share the options, unless all are requested.
fn every_option_on(name: &str, a: &Mesh, b: &Mesh, turn: usize) -> [usize; 2] {
    let (mut queries, mut found) = (0, 0);
    let poses = poses();
    // Brute force once per pose: it uses no tree.
    let plain = [a, b].map(|mesh| Model::new(mesh.clone()));
    let wants: Vec<Vec<[u32; 2]>> = poses
        .iter()
        .map(|&(pose_a, pose_b)| {
            let (a, b) = (Body::new(&plain[0], pose_a), Body::new(&plain[1], pose_b));
            let want = brute_force::pairs(&a, &b);
            assert_eq!(
                brute_force::first_contact(&a, &b),
                want.first().copied(),
                "the reference's first contact is its least pair"
            );
            want
        })
        .collect();
    for setup in setups(share(every_option(), turn)) {
        let (a, b, mut query) = (setup.model(a), setup.model(b), setup.query());
        a.validate().unwrap_or_else(|e| panic!("{name}, {setup:?}: {e}"));
        b.validate().unwrap_or_else(|e| panic!("{name}, {setup:?}: {e}"));
        for (&(pose_a, pose_b), want) in poses.iter().zip(&wants) {
            let (a, b) = (Body::new(&a, pose_a), Body::new(&b, pose_b));
            assert_eq!(query.pairs(&a, &b), want, "{name}, {setup:?}, {pose_a:?}, {pose_b:?}");
            let witness = query.first_contact(&a, &b);
            assert_eq!(witness.is_some(), !want.is_empty(), "{name}, {setup:?}");
            assert!(witness.is_none_or(|w| want.contains(&w)), "{name}, {setup:?}: {witness:?}");
            queries += 1;
            found += want.len();
        }
    }
    [queries, found]
}

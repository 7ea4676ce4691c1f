//! Self-intersection: the fast tree against brute force, brute force against the oracle, and the definition
//! by example.
use impinge::{BuildOptions, Mesh, Model, Query};
use impinge_testkit::{
    cases::{
        Setup, soup,
        within::{by_oracle, closed_meshes, crossing_meshes, figure_eight, reference, small_cases},
    },
    meshes,
    rng::{Rng, nudge},
};

type Triangle = [[f64; 3]; 3];

/// Every instruction set, and leaves of 1 and 3 triangles.
fn setups() -> Vec<Setup> {
    let mut setups = Setup::on_all_levels();
    for leaf_size in [1, 3] {
        setups.push(Setup::wide(BuildOptions::new().leaf_size(leaf_size), Default::default()));
    }
    setups
}

#[test]
fn every_tree_gives_the_pairs_of_brute_force() {
    crossing_meshes(&setups());
}

#[test]
fn closed_meshes_do_not_meet_themselves() {
    closed_meshes(&setups());
}

#[test]
fn small_cases_are_as_defined() {
    small_cases(&setups());
}

#[test]
fn brute_force_gives_the_pairs_of_the_oracle() {
    let mut rng = Rng::new(77);
    // Numbers of pairs, by common corner points and by whether they count.
    let (mut tally, mut pairs) = ([[0_u32; 2]; 4], 0);
    for round in 0..900_u64 {
        // Few coordinates, so that everything occurs. In some rounds rounding makes points nearly collinear.
        let most = 1 + round % 3;
        let far = [0.0, 1e7, 0.1, 1e-310][(round / 3 % 4) as usize];
        let step = if far == 1e-310 { 1e-310 } else { [1.0, 0.1][(round / 12 % 2) as usize] };
        let mut all: Vec<Triangle> = (0..16)
            .map(|_| [(); 3].map(|()| [(); 3].map(|()| far + step * rng.below(most + 1) as f64)))
            .collect();
        // More neighbours than by chance, and triangles on one line.
        for i in 1..all.len() {
            let other = all[rng.below(i as u64) as usize];
            match rng.below(12) {
                0 => all[i] = [other[2], other[0], other[1]],
                1 => (all[i][0], all[i][2]) = (other[1], other[0]),
                2 => all[i][1] = other[2],
                3 => all[i][2] = std::array::from_fn(|k| (all[i][0][k] + all[i][1][k]) / 2.0),
                4 => all[i][2] = all[i][0],
                _ => {}
            }
        }
        // One zero is as good as the other.
        for x in all.as_flattened_mut().as_flattened_mut() {
            if *x == 0.0 && rng.one_in(2) {
                *x = -0.0;
            }
        }
        let mesh = soup(&all);
        let want = by_oracle(&mesh);
        for (i, s) in all.iter().enumerate() {
            for (j, t) in all.iter().enumerate().skip(i + 1) {
                let mut shared: Vec<_> = s.iter().filter(|v| t.contains(v)).collect();
                shared.dedup_by(|a, b| a == b);
                if shared.len() == 3 && shared[0] == shared[2] {
                    shared.pop();
                }
                let counts = want.binary_search(&[i as u32, j as u32]).is_ok();
                tally[shared.len()][usize::from(counts)] += 1;
                pairs += 1;
            }
        }
        assert_eq!(reference(&mesh), want, "round {round}: {all:?}");
    }
    println!("{pairs} pairs; by common corners those that do not count and that do: {tally:?}");
    assert!(pairs >= 100_000);
    assert!(tally.as_flattened().iter().all(|&n| n > 20), "{tally:?}");
}

/// Meshes with few distinct triangles near each other, moved by a last bit.
#[test]
fn nearly_degenerate_neighbours_are_decided_as_the_oracle_does() {
    let (mut rng, mut counts, mut pairs) = (Rng::new(5), 0, 0);
    for round in 0..3000 {
        let far = [0.0, 1.0, 1e6, 1e-8][round % 4];
        let grid: Vec<[f64; 3]> = (0..6)
            .map(|_| {
                rng.grid_point(2).map(|x| {
                    let x = far + 0.3 * x;
                    if rng.one_in(3) { nudge(x, rng.int(-1, 1)) } else { x }
                })
            })
            .collect();
        let index = |rng: &mut Rng| rng.below(6) as u32;
        let faces: Vec<[u32; 3]> = (0..6).map(|_| [(); 3].map(|()| index(&mut rng))).collect();
        let mesh = Mesh::new(grid, faces).unwrap();
        let want = by_oracle(&mesh);
        assert_eq!(reference(&mesh), want, "round {round}: {mesh:?}");
        counts += want.len();
        pairs += 15;
    }
    println!("{pairs} pairs of neighbours moved by last bits, {counts} count");
    assert!(counts > 1000);
}

#[test]
fn what_crosses_itself_is_found() {
    // Both loops pass through the middle: four squares' triangles, or two that touch there.
    let pairs = reference(&figure_eight(101));
    assert!(!pairs.is_empty() && pairs.iter().all(|&[i, j]| i.abs_diff(j) > 80), "{pairs:?}");
}

#[test]
fn reordering_the_triangles_renames_the_pairs() {
    for (seed, mesh) in [figure_eight(60), meshes::to_grid(&meshes::torus(24, 12, 0.4), 4)].iter().enumerate()
    {
        let (shuffled, names) = meshes::permuted(mesh, seed as u64);
        let want = reference(mesh);
        let mut renamed: Vec<_> = reference(&shuffled)
            .into_iter()
            .map(|[i, j]| [names[i as usize], names[j as usize]])
            .map(|[i, j]| [i.min(j), i.max(j)])
            .collect();
        renamed.sort_unstable();
        assert_eq!(renamed, want);
    }
}

/// The filter decides nearly all neighbours, in smooth meshes and in flat ones.
#[test]
fn neighbours_seldom_need_the_exact_stage() {
    let flat = meshes::mapped(&meshes::sheet(1, 60, 0.0), |v| v);
    for (name, mesh) in
        [("torus", meshes::torus(80, 40, 0.3)), ("ball", meshes::icosphere(4)), ("flat", flat)]
    {
        let model = Model::new(mesh);
        let mut query = Query::new().counting(true);
        assert!(query.self_pairs(&model).is_empty());
        let count = query.counters().unwrap().count;
        println!(
            "{name}: {} triangles, {} pairs tested, {} exactly",
            model.mesh().len(),
            count.triangle_tests,
            count.exact_tests
        );
        assert!(count.triangle_tests > 10_000, "{name}: {count:?}");
        assert!(count.exact_tests * 100 <= count.triangle_tests, "{name}: {count:?}");
    }
}

//! Refits of the fast tree: for every shape of a mesh, each triangle lies in all volumes above it, and
//! results are those of brute force.
use impinge::{BuildOptions, Mesh, Model, Quality, Threads};
use impinge_testkit::{
    cases::{
        Setup,
        deformations::{self, deformed},
        pools,
    },
    meshes,
};

fn setups() -> Vec<Setup> {
    let wide = BuildOptions::new();
    let options = [wide, wide.quality(Quality::Fast), wide.compact(true).leaf_size(3), wide.leaf_size(1)];
    options.map(|options| Setup::wide(options, Default::default())).into()
}

#[test]
fn whatever_the_deformation_answers_are_those_of_brute_force() {
    deformations::whole_refits(&setups());
}

#[test]
fn any_sequence_of_partial_refits_is_as_good_as_a_full_one() {
    deformations::partial_refits(&setups());
}

#[test]
fn a_corner_may_leave_a_flat_patch() {
    deformations::flat_patches(&setups());
}

#[test]
fn what_is_refused_changes_nothing() {
    deformations::refused_refits(&setups());
}

#[test]
fn decay_tells_when_to_build_anew() {
    deformations::decay(&setups());
}

/// A refit to the same points makes the tree of a build, bit by bit.
#[test]
fn a_refit_of_kind_wide_to_the_same_points_changes_nothing() {
    for mesh in [meshes::icosphere(3), meshes::needles(7, 500), meshes::torus(120, 90, 0.3)] {
        for quality in [Quality::High, Quality::Fast] {
            for compact in [false, true] {
                let options = BuildOptions::new().quality(quality).compact(compact);
                let built = Model::with_options(mesh.clone(), &options);
                let mut model = built.clone();
                model.refit(mesh.points()).unwrap();
                assert!(format!("{model:?}") == format!("{built:?}"), "{options:?}");
                assert_eq!(model.decay(), 1.0);
                let turned = deformed(&mesh, |&[x, y, z]| [y + 0.1 * z, z, -x]);
                model.refit(&turned).unwrap();
            }
        }
    }
}

/// Refits and builds make the same tree, with the same cost, bit by bit on any number of threads.
#[test]
fn divided_refits_and_builds_make_the_same_tree() {
    let options = [BuildOptions::new(), BuildOptions::new().quality(Quality::Fast)];
    let setup = |threads| {
        options.map(|options| Setup::wide(options.threads(threads), Default::default())).into_iter()
    };
    for (alone, shared) in setup(Threads::One).zip(setup(Threads::Pool)) {
        for mesh in [meshes::torus(120, 90, 0.3), meshes::soup(5, 9, 0.5), Mesh::default()] {
            deformations::divided(&mesh, &alone, &shared, &pools());
        }
    }
}

/// A refit does not change the mesh that other models share.
#[test]
fn clones_keep_their_shape() {
    let mesh = meshes::icosphere(1);
    let mut model = Model::new(mesh.clone());
    let (clone, shared) = (model.clone(), model.shared_mesh().clone());
    model.refit(&deformed(&mesh, |v| v.map(|x| x + 1.0))).unwrap();
    assert_eq!((clone.mesh(), &*shared), (&mesh, &mesh));
    clone.validate().unwrap();
}

//! Assemblies as designed: if nothing is rounded, the same pairs meet at every pose.
use super::{GENERATED, data, hits};
use crate::scenes::{Scene, Sources, assemblies::shift, build};

const NAMES: [&str; 4] = ["asm-saw", "asm-house", "asm-as1", "asm-voron"];

/// The share of the second mesh's coordinates, in thousandths rounded down, that lost no bit in the move.
fn kept(standing: &Scene, moved: &Scene) -> usize {
    let t = shift(&standing.meshes[1]);
    let (mut same, mut all) = (0, 0);
    for (v, w) in standing.meshes[1].points().iter().zip(moved.meshes[1].points()) {
        for k in 0..3 {
            // The rounding error of v - t (Knuth's two-sum).
            let back = w[k] - v[k];
            let lost = (v[k] - (w[k] - back)) + (-t[k] - back);
            (same, all) = (same + usize::from(lost == 0.0), all + 1);
        }
    }
    1000 * same / all
}

fn pair(name: &str, sources: &Sources<'_>) -> [Scene; 2] {
    [name.to_owned(), format!("{name}-moved")].map(|name| build(&name, sources).unwrap())
}

#[test]
fn frames_are_told_apart_by_bits_alone() {
    for name in NAMES {
        let [standing, moved] = pair(name, &GENERATED);
        assert_eq!(standing.meshes[0], moved.meshes[0]);
        assert!(standing.frames.iter().all(|[a, b]| a == b) && moved.frames.iter().all(|[a, b]| a != b));
        let t = shift(&standing.meshes[1]);
        for [a, b] in &moved.frames {
            assert_eq!((a.rows(), b.rows()), (standing.frames[0][0].rows(), standing.frames[0][0].rows()));
            assert!((0..3).all(|k| b.translation()[k] - a.translation()[k] == t[k]), "{name}");
        }
    }
}

#[test]
fn all_frames_of_the_gearbox_have_as_many_pairs() {
    // Its coordinates have few bits, so the moved copy is exact, too.
    for (name, want) in [("asm-house", 4671), ("asm-saw", 9342)] {
        let [standing, moved] = pair(name, &GENERATED);
        assert_eq!(kept(&standing, &moved), 1000, "{name}");
        assert_eq!((hits(&standing), hits(&moved)), (vec![want; 2], vec![want; 3]), "{name}");
    }
}

#[test]
fn moved_models_keep_most_of_their_bits_and_contacts() {
    let Some(folder) = data("") else { return };
    let sources = Sources { data: Some(&folder), quick: false };
    // By the share of bits kept: all contacts of the STEP models stay, a seventh of the saw's is lost.
    for (name, file, thousandths, [stand, move_on]) in [
        ("asm-saw", "asm_ReciprocatingSaw.obj", 763, [59_228, 51_043]),
        ("asm-house", "ifc_schependomlaan_root.obj", 948, [53_096, 50_540]),
        ("asm-as1", "asm_as1_oc_214.obj", 988, [12_500; 2]),
        ("asm-voron", "asm_voron_SKR_E3_V3_Din_Mount.obj", 1000, [4458; 2]),
    ] {
        if data(file).is_none() {
            continue;
        }
        let [standing, moved] = pair(name, &sources);
        assert_eq!(standing.stand_in, None, "{name}");
        assert_eq!(kept(&standing, &moved), thousandths, "{name}");
        assert_eq!((hits(&standing), hits(&moved)), (vec![stand; 2], vec![move_on; 3]), "{name}");
    }
}

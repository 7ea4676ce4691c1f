//! Claims of the paper, each with its rule.
use super::{
    deform::{Bent, Deformation},
    measurements::{AABB_LITE, AABB_SAT, ModelMeasurement, OBB_LITE, OBB_SAT},
};
use crate::{
    report::{By, Outcome, Verdict},
    table::rounded,
};

pub(super) fn on_queries(models: &[ModelMeasurement]) -> Vec<Verdict> {
    let list = |of: &dyn Fn(&ModelMeasurement) -> f64| {
        models.iter().map(|m| format!("{} {}", m.label, rounded(of(m)))).collect::<Vec<_>>().join(", ")
    };
    let all = |of: &dyn Fn(&ModelMeasurement) -> bool| Outcome::of(models.iter().map(of));
    // Models whose placements determine both costs.
    let shares =
        || models.iter().filter_map(|m| Some((m.label, m.leaf_share(AABB_SAT)?, m.leaf_share(OBB_SAT)?)));
    vec![
        Verdict {
            claim: "An AABB tree needs about twice as many box tests as an OBB tree (Table 1).".into(),
            by: By::Counts,
            rule: "Nv of AABB, SAT is 1.5 to 2.5 times that of OBB, SAT on each model",
            measured: format!("{} times.", list(&|m| m.tests(AABB_SAT, OBB_SAT))),
            outcome: all(&|m| (1.5..=2.5).contains(&m.tests(AABB_SAT, OBB_SAT))),
            why: "How many more depends on the shape: boxes along fixed axes fit a smooth surface that runs \
                askew to them worst. Here every model is turned at random before its tree is built, which \
                the paper does not say of its own. The generated spacecraft, with its long thin rods, plates \
                and struts that lie askew, \
                  is the worst case of all.",
        },
        Verdict {
            claim: "With SAT, queries take longer with AABB trees than with OBB trees, most on the torus \
                (Table 1)."
                .into(),
            by: By::Times,
            rule: "T of AABB, SAT is above T of OBB, SAT on each model, and the ratio is largest on the \
                torus",
            measured: format!("{} times.", list(&|m| m.times(AABB_SAT, OBB_SAT))),
            outcome: Outcome::of(
                models.iter().map(|m| m.times(AABB_SAT, OBB_SAT) > 1.0).chain(
                    models
                        .iter()
                        .skip(1)
                        .map(|m| m.times(AABB_SAT, OBB_SAT) < models[0].times(AABB_SAT, OBB_SAT)),
                ),
            ),
            why: "The spacecraft that replaces the X-wing has long thin triangles that lie askew to the \
                axes, and boxes along the axes fit them worse than they fit a torus.",
        },
        Verdict {
            claim: "SAT lite makes AABB trees faster (Table 2).".into(),
            by: By::Times,
            rule: "T of AABB, SAT lite is below T of AABB, SAT on each model",
            measured: format!(
                "Lite takes {} times as long, with {} times the tests.",
                list(&|m| m.times(AABB_LITE, AABB_SAT)),
                list(&|m| m.tests(AABB_LITE, AABB_SAT))
            ),
            outcome: all(&|m| m.times(AABB_LITE, AABB_SAT) < 1.0),
            why: "The 9 omitted axes cost little on this processor, and save tests.",
        },
        Verdict {
            claim: "For OBB trees SAT lite makes hardly a difference (Table 2).".into(),
            by: By::Times,
            rule: "T of OBB, SAT lite is within 10 % of T of OBB, SAT on each model",
            measured: format!("Lite takes {} times as long.", list(&|m| m.times(OBB_LITE, OBB_SAT))),
            outcome: all(&|m| (m.times(OBB_LITE, OBB_SAT) - 1.0).abs() <= 0.1),
            why: "Omitting 9 axes saves the multiplications of each and costs tests; where the line lies \
                between gain and loss depends on the processor.",
        },
        Verdict {
            claim: "With SAT lite the difference between AABB and OBB trees is greatly reduced (abstract, \
                section 4)."
                .into(),
            by: By::Times,
            rule: "T of AABB, SAT lite over T of OBB, SAT lite is nearer to 1 than under SAT, or below 1, on \
                each model",
            measured: format!(
                "SAT: {} times; SAT lite: {} times.",
                list(&|m| m.times(AABB_SAT, OBB_SAT)),
                list(&|m| m.times(AABB_LITE, OBB_LITE))
            ),
            outcome: all(&|m| {
                let [sat, lite] = [m.times(AABB_SAT, OBB_SAT), m.times(AABB_LITE, OBB_LITE)];
                lite < 1.0 || lite < sat
            }),
            why: "OBB trees gain from SAT lite here, too.",
        },
        Verdict {
            claim: "The test seldom ends at an axis that is a product of two edges (section 4).".into(),
            by: By::Counts,
            rule: "less than a quarter of the exits are at those 9 axes, for both trees on each model",
            measured: format!(
                "AABB (%): {}; OBB (%): {}.",
                list(&|m| 100.0 * m.edge_share(0)),
                list(&|m| 100.0 * m.edge_share(1))
            ),
            outcome: all(&|m| m.edge_share(0) < 0.25 && m.edge_share(1) < 0.25),
            why: "",
        },
        Verdict {
            claim: "OBB trees reach fewer pairs of triangles, for they fit more tightly (Table 1).".into(),
            by: By::Counts,
            rule: "Np of OBB, SAT is below that of AABB, SAT on each model",
            measured: format!(
                "AABB over OBB: {} times.",
                list(&|m| m.run(AABB_SAT).leaf_pairs() / m.run(OBB_SAT).leaf_pairs())
            ),
            outcome: all(&|m| m.run(OBB_SAT).leaf_pairs() < m.run(AABB_SAT).leaf_pairs()),
            why: "",
        },
        Verdict {
            claim: "An AABB tree is built faster than an OBB tree (Table 3).".into(),
            by: By::Times,
            rule: "it is on each model",
            measured: format!(
                "OBB over AABB: {} times.",
                list(&|m| m.builds[0].seconds / m.builds[1].seconds)
            ),
            outcome: all(&|m| m.builds[0].seconds > m.builds[1].seconds),
            why: "",
        },
        Verdict {
            claim: "Of the time of AABB trees a larger share goes to pairs of triangles than of that of OBB \
                trees (notes on the implementation)."
                .into(),
            by: By::Times,
            rule: "Tp / (Tv + Tp) of AABB, SAT is above that of OBB, SAT on each model whose placements \
                determine both",
            measured: format!(
                "AABB and OBB (%): {}.",
                shares()
                    .map(|(label, a, b)| format!("{label} {} and {}", rounded(100.0 * a), rounded(100.0 * b)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            outcome: Outcome::of(shares().map(|(_, a, b)| a > b)),
            why: "",
        },
        Verdict {
            claim: "An AABB tree takes about half the memory of an OBB tree: 6 floats a box in place of 15 \
                (on building trees)."
                .into(),
            by: By::Counts,
            rule: "it takes 0.35 to 0.65 times as many bytes on each model",
            measured: format!("{} times.", list(&|m| m.kibibytes(AABB_SAT) / m.kibibytes(OBB_SAT))),
            outcome: all(&|m| (0.35..=0.65).contains(&(m.kibibytes(AABB_SAT) / m.kibibytes(OBB_SAT)))),
            why: "A tree also has links and the order of its triangles, which are the same for both, and its \
                numbers need not be of one size.",
        },
        Verdict {
            claim: "To refit an AABB tree is about ten times as fast as to rebuild it (section 5).".into(),
            by: By::Times,
            rule: "a refit takes at most a fifth of a build",
            measured: format!(
                "A build takes {} times as long as a refit.",
                list(&|m| m.builds[1].seconds / m.refit.seconds)
            ),
            outcome: all(&|m| m.refit.seconds <= m.builds[1].seconds / 5.0),
            why: "",
        },
        Verdict {
            claim: "For deforming models AABB trees are the choice, whatever OBB trees gain in queries: \
                those must be rebuilt (Table 3)."
                .into(),
            by: By::Times,
            rule: "two refits and one query of AABB trees (SAT lite) take less time than two builds and one \
                query of OBB trees (SAT), on each model",
            measured: format!("AABB over OBB: {} times.", list(&|m| m.aabb_frame() / m.obb_frame())),
            outcome: all(&|m| m.aabb_frame() < m.obb_frame()),
            why: "",
        },
        Verdict {
            claim: "If models deform in every frame, refits are what takes the time, not queries (Table \
                3)."
            .into(),
            by: By::Times,
            rule: "two refits of AABB trees take longer than one query (SAT lite), on each model",
            measured: format!(
                "Two refits over a query: {} times.",
                list(&|m| 2.0 * m.refit.seconds / m.run(AABB_LITE).seconds())
            ),
            outcome: all(&|m| 2.0 * m.refit.seconds > m.run(AABB_LITE).seconds()),
            why: "Queries of the spacecraft's AABB trees are far more expensive than those of the others.",
        },
    ]
}

pub(super) fn on_deformations(models: &[Bent]) -> Vec<Verdict> {
    let bent = |of: &dyn Fn(&Deformation) -> f64| {
        let words = |m: &Bent| m.deformed.iter().map(|d| rounded(of(d))).collect::<Vec<_>>().join(", ");
        models.iter().map(|m| format!("{}: {}", m.label, words(m))).collect::<Vec<_>>().join("; ")
            + " times (twist, blow-up, fold)"
    };
    vec![
        Verdict {
            claim: "Excessive twists, blown-up features and self-crossing make a refitted tree's boxes \
                overlap more, and queries visit more nodes (section 5)."
                .into(),
            by: By::Counts,
            rule: "after each of the three deformations Nv of refitted trees is above Nv of rebuilt ones, on \
                each model",
            measured: format!("Nv: {}.", bent(&Deformation::more_tests)),
            outcome: Outcome::of(models.iter().flat_map(|m| &m.deformed).map(|d| d.more_tests() > 1.0)),
            why: "A tree's topology of before the deformation is at times the better one: to split at the \
                middle of the longest side is a good rule, and not the best.",
        },
        Verdict {
            claim: "Yet a refitted tree is nearly as good as a rebuilt one, after severe deformations, too, \
                as long as neighbours stay together (section 5)."
                .into(),
            by: By::Times,
            rule: "after the twist and after the fold queries of refitted trees take at most 1.5 times as \
                long as those of rebuilt ones, and after the blow-up, which parts all neighbours, longer \
                than after the fold, on each model",
            measured: format!("T: {}.", bent(&Deformation::slower)),
            outcome: Outcome::of(models.iter().map(|m| {
                let [twisted, blown, folded] = [0, 1, 2].map(|k| m.deformed[k].slower());
                twisted <= 1.5 && folded <= 1.5 && blown > folded
            })),
            why: "How far neighbours part depends on the triangles' size: a vertex that leaves by its own \
                distance makes slivers of all triangles at it, for which rebuilt trees are no good either. \
                And a full turn within a model's length pulls apart \
                  what the tree had together.",
        },
        Verdict {
            claim: "So deforming models are better refitted than rebuilt (abstract, section 5).".into(),
            by: By::Times,
            rule: "the refit of both copies and one query take less time than their rebuild and one query, \
                after each of the three deformations, on each model",
            measured: format!("A frame refitted over one rebuilt: {}.", bent(&|d| d.frame(0) / d.frame(1))),
            outcome: Outcome::of(models.iter().flat_map(|m| &m.deformed).map(|d| d.frame(0) < d.frame(1))),
            why: "",
        },
    ]
}

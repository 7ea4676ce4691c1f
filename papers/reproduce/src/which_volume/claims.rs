//! Claims of the page, each with its rule.
use super::measurements::{COMPACT, Cost, FAST, VolumeMeasurement, WIDE, bytes, contenders, times};
use crate::{
    report::{By, Outcome, Verdict},
    table::rounded,
};

const BOXTREE: &str = "boxtree";

/// Every volume of a paper.
fn papers() -> impl Iterator<Item = &'static str> {
    contenders()
        .into_iter()
        .map(|contender| contender.name)
        .filter(|name| ![WIDE, COMPACT, FAST].contains(name))
}

/// The name with the least value.
fn least(names: impl Iterator<Item = &'static str>, of: impl Fn(&str) -> f64) -> (&'static str, f64) {
    let all = names.map(|name| (name, of(name)));
    all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(("none", f64::NAN))
}

pub(super) fn verdicts(scenes: &[VolumeMeasurement]) -> Vec<Verdict> {
    let fastest = |cost: Cost, what: &str| {
        let (name, mean) = least(papers(), |name| times(scenes, cost, name).middle);
        let each = scenes.iter().map(|scene| {
            let (name, times) = least(papers(), |name| scene.times(cost, name));
            format!("{} {name} {}", scene.label, rounded(times))
        });
        Verdict {
            claim: format!("The default, `wide`, is the fastest for {what}."),
            by: By::Times,
            rule: "every volume of a paper takes longer in each scene",
            measured: format!(
                "The next best in the mean is {name}, {} times as long; scene by scene: {}.",
                rounded(mean),
                each.collect::<Vec<_>>().join(", ")
            ),
            outcome: Outcome::of(
                scenes.iter().flat_map(|scene| papers().map(|n| scene.times(cost, n) > 1.0)),
            ),
            why: "",
        }
    };
    let (smallest, small) = least(papers(), |name| bytes(scenes, name).middle);
    let boxtrees = bytes(scenes, BOXTREE).middle;
    let others = contenders().into_iter().filter(|c| c.name != BOXTREE).map(|c| bytes(scenes, c.name).middle);
    let others = others.fold(f64::INFINITY, f64::min);
    let (soonest, soon) = least(papers(), |name| times(scenes, Cost::Build, name).middle);
    let fast = times(scenes, Cost::Build, FAST).middle;
    let slower = |cost| times(scenes, cost, COMPACT).middle;
    vec![
        fastest(Cost::All, "all pairs"),
        fastest(Cost::First, "first contact"),
        Verdict {
            claim: "Boxtrees take the least memory.".into(),
            by: By::Counts,
            rule: "no other volume takes fewer bytes a triangle in the mean",
            measured: format!(
                "Bytes a triangle: {smallest} {}; `wide` {}, compact {}.",
                rounded(small),
                rounded(bytes(scenes, WIDE).middle),
                rounded(bytes(scenes, COMPACT).middle)
            ),
            outcome: Outcome::of([boxtrees < others]),
            why: "",
        },
        Verdict {
            claim: "`wide` in its compact form costs hardly any time.".into(),
            by: By::Times,
            rule: "it takes at most 1.1 times as long, all pairs and first contact, in the mean",
            measured: format!(
                "{} times for all pairs, {} for first contact.",
                rounded(slower(Cost::All)),
                rounded(slower(Cost::First))
            ),
            outcome: Outcome::of([Cost::All, Cost::First].map(|cost| slower(cost) <= 1.1)),
            why: "",
        },
        Verdict {
            claim: "`wide` with its fast build is built fastest.".into(),
            by: By::Times,
            rule: "every volume of a paper takes longer to build in the mean",
            measured: format!(
                "The fast build takes {} times as long as the default's, {soonest}, the next, {}.",
                rounded(fast),
                rounded(soon)
            ),
            outcome: Outcome::of([soon > fast]),
            why: "",
        },
    ]
}

//! [`Groups`]: findings that are alike, findings that share parts, and the parts that explain most of them.
use crate::{
    clash::Clash,
    meshes::distinct_meshes,
    report::Report,
    shapes::{Motion, Shapes},
};
use impinge::relation::RelationKind;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

/// Findings in groups: so many that a person can look through. No distance is chosen for any of them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Groups {
    /// Findings of the same two shapes with the same relation, by rank: the group with the gravest finding
    /// first.
    pub patterns: Vec<Pattern>,
    /// Parts that findings connect, and the findings between them, the most findings first.
    pub connected: Vec<Connected>,
    /// The parts that resolve most findings: each resolves more of what those before it leave than any other.
    pub explained: Vec<Explained>,
}

/// Findings of the same two shapes with the same relation: 'M6 bolt in housing, 24 times'.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pattern {
    /// What the parts are to each other; `None` of near pairs, and of checks about surfaces alone.
    pub relation: Option<RelationKind>,
    /// Whether they are near without meeting.
    pub is_near: bool,
    /// The parts of each finding, those of one shape first. The gravest finding comes first.
    pub pairs: Vec<[u32; 2]>,
    /// How many different relative placements they have: one placement is one finding, many times.
    pub placements: usize,
    /// The largest upper bound of a volume in common.
    pub volume: Option<f64>,
}

/// Parts that findings connect.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Connected {
    /// The parts, ascending.
    pub parts: Vec<u32>,
    /// The findings between them, in the order of the report.
    pub pairs: Vec<[u32; 2]>,
}

/// A part that explains findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explained {
    /// The part.
    pub part: u32,
    /// How many findings it has that no part before it has.
    pub findings: u64,
}

/// A finding, by what groups need of it.
struct Finding {
    parts: [u32; 2],
    relation: Option<RelationKind>,
    is_near: bool,
    volume: Option<f64>,
}

impl Groups {
    /// Groups the findings of a report: clashes that count, and near pairs.
    pub fn new(report: &Report) -> Self {
        let of_clash = |clash: &Clash| Finding {
            parts: clash.parts,
            relation: clash.relation,
            is_near: false,
            volume: report.depth(clash).and_then(|depth| depth.overlap_volume).map(|[_, hi]| hi),
        };
        let counting = report.ranked().filter(|clash| report.counts(clash)).map(of_clash);
        let mut near: Vec<_> = report.near().iter().collect();
        // Distances are not negative: as their bits go, so do they.
        near.sort_by_key(|near| (near.distance[1].to_bits(), near.parts));
        let of_near = near.into_iter().map(|near| Finding {
            parts: near.parts,
            relation: None,
            is_near: true,
            volume: None,
        });
        let findings: Vec<Finding> = counting.chain(of_near).collect();
        Self {
            patterns: patterns(&findings, &placed(report)),
            connected: connected(&findings, report.part_count()),
            explained: explained(&findings, report.part_count()),
        }
    }
}

/// For each part the number of its shape, and where the first mesh of that shape is.
fn placed(report: &Report) -> Vec<(u32, Motion)> {
    let Some(assembly) = report.assembly() else {
        // Without meshes, parts of one mesh are alike.
        return report.parts().map(|part| (part.mesh(), Motion::of(part.pose()))).collect();
    };
    let (meshes, mesh_of) = distinct_meshes(&assembly.parts);
    let shapes = Shapes::new(&meshes);
    let place = |(part, &mesh): (&impinge_io::Part, &usize)| {
        let pose = Motion::of(&part.pose);
        (shapes.of[mesh], shapes.moved[mesh].map_or(pose, |moved| pose.after(&moved)))
    };
    assembly.parts.iter().zip(&mesh_of).map(place).collect()
}

/// Numbers that are nearly equal for nearly equal placements of a second part in the frame of the first.
fn placement(a: &Motion, b: &Motion) -> [f64; 12] {
    let relative = a.inverse().after(b);
    std::array::from_fn(|i| if i < 9 { relative.rows[i / 3][i % 3] } else { relative.t[i - 9] })
}

/// Groups of findings in their order, so that the gravest of each comes first, and so does the gravest group.
fn patterns(findings: &[Finding], placed: &[(u32, Motion)]) -> Vec<Pattern> {
    let mut groups: Vec<Pattern> = Vec::new();
    let mut index: HashMap<(u32, u32, usize), usize> = HashMap::new();
    let mut places: Vec<Places> = Vec::new();
    for finding in findings {
        let [a, b] = finding.parts;
        let shape = |part: u32| placed[part as usize].0;
        // Of one shape, the order of the parts is that of the finding.
        let is_swapped = shape(b) < shape(a);
        let (first, second) = if is_swapped { (b, a) } else { (a, b) };
        let relation = match finding.relation {
            Some(RelationKind::AInB) if is_swapped => Some(RelationKind::BInA),
            Some(RelationKind::BInA) if is_swapped => Some(RelationKind::AInB),
            other => other,
        };
        let kind = relation.map_or(usize::from(finding.is_near), |kind| 2 + crate::relations::place(kind));
        let group = *index.entry((shape(first), shape(second), kind)).or_insert_with(|| {
            places.push(Places::default());
            groups.push(Pattern {
                relation,
                is_near: finding.is_near,
                pairs: Vec::new(),
                placements: 0,
                volume: None,
            });
            groups.len() - 1
        });
        groups[group].pairs.push([first, second]);
        if let Some(volume) = finding.volume {
            let most = groups[group].volume.get_or_insert(volume);
            *most = most.max(volume);
        }
        places[group].add(placement(&placed[first as usize].1, &placed[second as usize].1));
    }
    for (group, places) in groups.iter_mut().zip(&places) {
        group.placements = places.list.len();
    }
    groups
}

/// Placements that differ.
#[derive(Default)]
struct Places {
    list: Vec<[f64; 12]>,
    /// Places in the list, by the rounded distance.
    by_distance: HashMap<u64, Vec<u32>>,
}

impl Places {
    /// Adds a placement, unless it is one that is there: rotations within 1e-6, translations within 1e-6 of
    /// their length.
    fn add(&mut self, place: [f64; 12]) {
        let length = place[9..].iter().map(|x| x * x).sum::<f64>().sqrt();
        // Lengths within 1e-6 of each other have the same number, or neighbouring ones.
        let bin = (length.max(f64::MIN_POSITIVE).ln() * 1e5).round() as i64;
        let is_same = |other: &[f64; 12]| {
            (0..12).all(|i| {
                let most = if i < 9 { 1e-6 } else { 1e-6 * length };
                (place[i] - other[i]).abs() <= most
            })
        };
        let key = |bin: i64| bin as u64;
        for near in [bin - 1, bin, bin + 1] {
            let there = self.by_distance.get(&key(near)).into_iter().flatten();
            if there.into_iter().any(|&i| is_same(&self.list[i as usize])) {
                return;
            }
        }
        self.by_distance.entry(key(bin)).or_default().push(self.list.len() as u32);
        self.list.push(place);
    }
}

/// Components of the graph whose edges are findings.
fn connected(findings: &[Finding], parts: usize) -> Vec<Connected> {
    let mut parent: Vec<u32> = (0..parts as u32).collect();
    fn root(parent: &mut [u32], mut part: u32) -> u32 {
        while parent[part as usize] != part {
            parent[part as usize] = parent[parent[part as usize] as usize];
            part = parent[part as usize];
        }
        part
    }
    for finding in findings {
        let [a, b] = finding.parts.map(|part| root(&mut parent, part));
        parent[a.max(b) as usize] = a.min(b);
    }
    let mut found: HashMap<u32, Connected> = HashMap::new();
    let mut sorted: Vec<[u32; 2]> = findings.iter().map(|finding| finding.parts).collect();
    sorted.sort_unstable();
    for pair in sorted {
        let group = root(&mut parent, pair[0]);
        let empty = || Connected { parts: Vec::new(), pairs: Vec::new() };
        found.entry(group).or_insert_with(empty).pairs.push(pair);
    }
    for part in 0..parts as u32 {
        if let Some(group) = found.get_mut(&root(&mut parent, part)) {
            group.parts.push(part);
        }
    }
    let mut all: Vec<Connected> = found.into_values().collect();
    all.sort_unstable_by_key(|group| (Reverse(group.pairs.len()), group.parts[0]));
    all
}

/// A greedy cover: again and again the part with the most findings that are left; of several, the first.
fn explained(findings: &[Finding], parts: usize) -> Vec<Explained> {
    let mut of: Vec<Vec<u32>> = vec![Vec::new(); parts];
    for (i, finding) in (0..).zip(findings) {
        finding.parts.iter().for_each(|&part| of[part as usize].push(i));
    }
    let mut left: Vec<u64> = of.iter().map(|findings| findings.len() as u64).collect();
    let mut is_explained = vec![false; findings.len()];
    let mut heap: BinaryHeap<(u64, Reverse<u32>)> =
        (0..).zip(&left).filter(|(_, n)| **n > 0).map(|(part, &n)| (n, Reverse(part))).collect();
    let mut all = Vec::new();
    while let Some((count, Reverse(part))) = heap.pop() {
        let now = left[part as usize];
        if now == 0 {
            continue;
        }
        if now < count {
            heap.push((now, Reverse(part)));
            continue;
        }
        for &i in &of[part as usize] {
            if !std::mem::replace(&mut is_explained[i as usize], true) {
                findings[i as usize].parts.iter().for_each(|&part| left[part as usize] -= 1);
            }
        }
        all.push(Explained { part, findings: now });
    }
    all
}

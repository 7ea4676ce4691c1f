//! [`Acm`]: which pairs of links need no check, from samples and proofs.
use super::{Robot, proof::NeverProof, query::RobotQuery};
use crate::error::Error;
use impinge::distance::Margin;
use std::fmt::Write as _;

/// Relations of all pairs of links that have shapes, over the box of the joints' limits: an *allowed
/// collision matrix*.
#[derive(Clone, Debug)]
pub struct Acm {
    samples: usize,
    pairs: Vec<AcmPair>,
}

/// The relation of a pair of links, over all configurations.
#[derive(Clone, Debug, PartialEq)]
pub struct AcmPair {
    /// The links.
    pub parts: [usize; 2],
    /// The class of the pair.
    pub class: AcmClass,
    /// Number of samples in which they collide.
    pub hits: usize,
    /// A configuration in which they collide, if one was found.
    pub example: Option<Vec<f64>>,
}

/// Classes of pairs of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcmClass {
    /// A joint connects them, or joints and links without shapes do.
    Adjacent,
    /// Only fixed joints are between them.
    Rigid,
    /// They collide in all samples.
    Always,
    /// They collide where all positions are 0, or as near to it as limits allow.
    Default,
    /// They collide in some configurations.
    Sometimes,
    /// They collide in none of the samples. With 95 % confidence, the part of the box in which they collide
    /// is less than 3 / samples.
    Unseen,
    /// They collide nowhere, which is proved by so many cells of the box.
    Never {
        /// Number of cells.
        cells: usize,
    },
}

/// Samples that are drawn before any is decided.
const SAMPLES_AT_ONCE: usize = 4096;

impl AcmClass {
    /// True if the pair need not be checked: all but [`AcmClass::Sometimes`]. As in MoveIt's assistant,
    /// [`AcmClass::Default`] is a guess that the collision is one of the model.
    pub fn is_allowed(self) -> bool {
        self != Self::Sometimes
    }
}

impl RobotQuery {
    /// The relations of all pairs of links, from this many samples; with `most_cells`, pairs without a hit
    /// are tried to be proved with so many cells each ([`RobotQuery::prove_never`]). The samples depend on
    /// `seed` alone, on any number of threads. The pairs that the robot has allowed count as others, but for
    /// adjacent and rigid ones.
    ///
    /// # Errors
    /// A translation without limits; a pose that overflows.
    pub fn acm(&mut self, robot: &Robot, samples: usize, most_cells: usize, seed: u64) -> Result<Acm, Error> {
        let ranges = robot.ranges()?;
        let mut pairs: Vec<AcmPair> = Vec::new();
        let links = 0..robot.kinematics.links();
        for a in links.clone() {
            for b in a + 1..links.end {
                if robot.parts[a].shapes.is_empty() || robot.parts[b].shapes.is_empty() {
                    continue;
                }
                let class = if robot.kinematics.is_rigid(a, b) {
                    AcmClass::Rigid
                } else if robot.adjacent.contains(&[a, b]) {
                    AcmClass::Adjacent
                } else {
                    AcmClass::Unseen
                };
                pairs.push(AcmPair { parts: [a, b], class, hits: 0, example: None });
            }
        }
        let middle: Vec<f64> = ranges.iter().map(|[lower, upper]| 0.0_f64.clamp(*lower, *upper)).collect();
        let mut collides_first = Vec::with_capacity(pairs.len());
        self.place(robot, &middle)?;
        for pair in &mut pairs {
            let collides = self.do_parts_meet(robot, pair.parts);
            collides_first.push(collides);
            if collides {
                pair.example = Some(middle.clone());
            }
        }
        let mut state = seed;
        let mut left = samples;
        while left > 0 && !self.is_stopped() {
            let count = left.min(SAMPLES_AT_ONCE);
            left -= count;
            let mut q = Vec::with_capacity(count * ranges.len());
            for _ in 0..count {
                q.extend(ranges.iter().map(|[lower, upper]| {
                    let part = random(&mut state);
                    (1.0 - part) * lower + part * upper
                }));
            }
            let sample = |k: usize| &q[k * ranges.len()..(k + 1) * ranges.len()];
            let found = self.many(count, |query, k| {
                query.place(robot, sample(k))?;
                let tried = (0..).zip(&pairs).filter(|(_, pair)| pair.class == AcmClass::Unseen);
                let hit = tried.filter(|(_, pair)| query.do_parts_meet(robot, pair.parts));
                Ok(hit.map(|(index, _)| index).collect::<Vec<usize>>())
            })?;
            for (k, hits) in found.iter().enumerate() {
                for &index in hits {
                    pairs[index].hits += 1;
                    pairs[index].example.get_or_insert_with(|| sample(k).to_vec());
                }
            }
        }
        for (pair, collides_first) in pairs.iter_mut().zip(collides_first) {
            if pair.class != AcmClass::Unseen {
                continue;
            }
            if pair.hits == samples && samples > 0 {
                pair.class = AcmClass::Always;
            } else if collides_first {
                pair.class = AcmClass::Default;
            } else if pair.hits > 0 {
                pair.class = AcmClass::Sometimes;
            }
        }
        if most_cells > 0 {
            let open: Vec<usize> = (0..pairs.len()).filter(|k| pairs[*k].class == AcmClass::Unseen).collect();
            let proofs =
                self.many(open.len(), |query, k| query.prove_never(robot, pairs[open[k]].parts, most_cells))?;
            for (index, proof) in open.into_iter().zip(proofs) {
                match proof {
                    NeverProof::Never { cells } => pairs[index].class = AcmClass::Never { cells },
                    NeverProof::Collides { q, .. } => {
                        (pairs[index].class, pairs[index].example) = (AcmClass::Sometimes, Some(q));
                    }
                    NeverProof::Undecided { .. } => {}
                }
            }
        }
        Ok(Acm { samples, pairs })
    }

    /// True if two parts, as they are placed, are in collision.
    fn do_parts_meet(&mut self, robot: &Robot, [a, b]: [usize; 2]) -> bool {
        let [of_a, of_b] = [a, b].map(|part| robot.shapes_of(part));
        of_a.into_iter().any(|i| of_b.clone().any(|j| self.are_near(robot, [i, j], Margin::ZERO)))
    }
}

impl Acm {
    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.samples
    }
    /// All pairs of links that have shapes, sorted.
    pub fn pairs(&self) -> &[AcmPair] {
        &self.pairs
    }
    /// The text of an SRDF that disables the pairs that need no check, with reasons.
    pub fn to_srdf(&self, name: &str, robot: &Robot) -> String {
        let mut text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(name));
        for pair in self.pairs.iter().filter(|pair| pair.class.is_allowed()) {
            let [a, b] = pair.parts.map(|part| escaped(robot.parts[part].name()));
            let reason = match pair.class {
                AcmClass::Adjacent => "Adjacent".into(),
                AcmClass::Rigid => "Adjacent: only fixed joints between".into(),
                AcmClass::Always => format!("Always: in all of {} samples", self.samples),
                AcmClass::Default => format!("Default: {} of {} samples", pair.hits, self.samples),
                AcmClass::Never { cells } => format!("Never: proved with {cells} cells"),
                AcmClass::Unseen | AcmClass::Sometimes => {
                    let most = 300.0 / self.samples.max(3) as f64;
                    format!("Never: 0 of {} samples, below {most:.3} % at 95 %", self.samples)
                }
            };
            // A String takes all text.
            let _ = writeln!(text, "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>");
        }
        text + "</robot>\n"
    }
}

/// A random number from 0 to 1 (SplitMix64).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A text as the value of an XML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

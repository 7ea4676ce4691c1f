//! Pairs of links that an SRDF disables, and configurations in which they collide.
use crate::{
    error::Error,
    kinematics::Dof,
    robot::{PairReason, Robot, RobotQuery},
    srdf::Srdf,
    urdf::Urdf,
};

/// A pair of links that an SRDF disables.
#[derive(Clone, Debug, PartialEq)]
pub struct DisabledPair {
    /// Names of the links.
    pub links: [String; 2],
    /// The reason that the file states, such as `Never`.
    pub reason: Option<String>,
    /// What is known of it.
    pub use_of: DisabledUse,
    /// The parts of the robot.
    parts: Option<[usize; 2]>,
}

impl DisabledPair {
    /// True if a reason expects collisions: `Default`, `Always`, `Adjacent` or `User`, alone or before a
    /// colon, as [`Acm::to_srdf`](crate::Acm::to_srdf) writes it.
    ///
    /// ```
    /// use impinge_robot::DisabledPair;
    /// assert!(DisabledPair::expects_collisions(Some("Default: 12 of 10000 samples")));
    /// assert!(!DisabledPair::expects_collisions(Some("Never")));
    /// assert!(!DisabledPair::expects_collisions(None));
    /// ```
    pub fn expects_collisions(reason: Option<&str>) -> bool {
        let first = reason.and_then(|reason| reason.split(':').next()).unwrap_or("");
        matches!(first.trim(), "Default" | "Always" | "Adjacent" | "User")
    }
}

/// What is known of a pair that is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisabledUse {
    /// The robot lacks a link.
    Unknown,
    /// A link has no collision geometry: nothing to disable.
    NoShape,
    /// A joint connects them, or only fixed joints do: they are not checked in any case.
    Joined,
    /// They move against each other.
    Moving,
}

/// The pairs that an SRDF disables, and a robot that checks those that move against each other, and no others.
#[derive(Clone, Debug)]
pub struct DisabledPairs {
    pairs: Vec<DisabledPair>,
    robot: Robot,
}

impl DisabledPairs {
    /// The disabled pairs of a robot, which was made without the SRDF.
    ///
    /// # Errors
    /// A part that the robot does not have.
    pub fn new(mut robot: Robot, urdf: &Urdf, srdf: &Srdf) -> Result<Self, Error> {
        let has_shape = |link: usize| !urdf.links[link].collisions.is_empty();
        let checked = robot.checked_pairs();
        let pairs: Vec<DisabledPair> = srdf
            .disabled
            .iter()
            .map(|pair| {
                let links = pair.links.each_ref().map(|name| urdf.link(name));
                let (use_of, parts) = match links {
                    [Some(a), Some(b)] => {
                        let parts = [a.min(b), a.max(b)];
                        let use_of = match checked.binary_search(&parts) {
                            Ok(_) => DisabledUse::Moving,
                            Err(_) if !has_shape(a) || !has_shape(b) => DisabledUse::NoShape,
                            Err(_) => DisabledUse::Joined,
                        };
                        (use_of, Some(parts))
                    }
                    _ => (DisabledUse::Unknown, None),
                };
                DisabledPair { links: pair.links.clone(), reason: pair.reason.clone(), use_of, parts }
            })
            .collect();
        let mut wanted: Vec<[usize; 2]> = pairs
            .iter()
            .filter(|pair| pair.use_of == DisabledUse::Moving)
            .filter_map(|pair| pair.parts)
            .collect();
        wanted.sort_unstable();
        for pair in checked {
            if wanted.binary_search(&pair).is_err() {
                robot.set_allowed(pair, Some(PairReason::Allowed))?;
            }
        }
        Ok(Self { pairs, robot })
    }
    /// The pairs, in the order of the file.
    pub fn pairs(&self) -> &[DisabledPair] {
        &self.pairs
    }
    /// The robot.
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// A random configuration within the limits, of a number from 0 on: the same on every machine. Joints
    /// without limits turn by up to half a turn, and move by up to a metre, either way.
    pub fn sample(&self, seed: u64, number: u64) -> Vec<f64> {
        let dofs = self.robot.kinematics().dofs();
        let place = |i: usize| unit(mixed(mixed(seed ^ mixed(number)) ^ i as u64));
        dofs.iter().enumerate().map(|(i, dof)| within(dof, place(i))).collect()
    }

    /// The pairs that are in collision in a configuration, by their indices in [`DisabledPairs::pairs`].
    ///
    /// # Errors
    /// Those of the configuration.
    pub fn colliding(&self, query: &mut RobotQuery, q: &[f64]) -> Result<Vec<usize>, Error> {
        let found = query.colliding_pairs(&self.robot, q)?;
        let is_found = |pair: &DisabledPair| {
            pair.use_of == DisabledUse::Moving
                && pair.parts.is_some_and(|parts| found.binary_search(&parts).is_ok())
        };
        Ok((0..self.pairs.len()).filter(|&i| is_found(&self.pairs[i])).collect())
    }
}

/// A position at a place from 0 to 1 between the limits of a joint.
fn within(dof: &Dof, place: f64) -> f64 {
    let most =
        if dof.is_continuous || dof.lower < -1e9 && dof.upper > 1e9 { std::f64::consts::PI } else { 1.0 };
    let lower = if dof.lower.is_finite() { dof.lower } else { -most };
    let upper = if dof.upper.is_finite() { dof.upper } else { most };
    lower + place * (upper - lower)
}

/// A step of SplitMix64.
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// A number from 0 to less than 1, of the upper 53 bits.
fn unit(x: u64) -> f64 {
    (x >> 11) as f64 / (1_u64 << 53) as f64
}

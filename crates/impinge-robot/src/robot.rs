//! [`Robot`]: links with shapes, bodies that they carry, obstacles, and the pairs of them to check.
//!
//! # Meaning
//! [`Kinematics`] gives f64 poses of all shapes, and [`RobotQuery`] decides for exactly these whether shapes
//! meet: over the real numbers, with all radii and paddings. Shapes are solids where their meshes are closed,
//! so one that lies inside another is in collision.
//! [`ApproximatePose::error`](impinge::pose::ApproximatePose) bounds how far the true poses are away, some
//! 1e-14 for an arm. [`RobotQuery::certainty`] decides for the true poses.
mod acm;
mod allowed;
mod distance;
mod edge;
mod gradient;
mod part;
mod placed;
mod proof;
mod query;
mod resting;
mod shape;

pub use self::{
    acm::{Acm, AcmClass, AcmPair},
    allowed::PairReason,
    distance::RobotDistance,
    edge::RobotSweep,
    part::{PartKind, RobotPart},
    proof::NeverProof,
    query::RobotQuery,
    shape::RobotShape,
};

use self::{allowed::AllowedPairs, placed::PlacedShape, resting::RestingShapes};
use crate::{
    error::Error,
    kinematics::Kinematics,
    quote::shown,
    srdf::{LinkPair, Srdf},
    urdf::{Body, Urdf},
};
use impinge::{Model, Pose};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
    sync::{Arc, OnceLock},
};

/// The greatest padding and margin: sums of some do not overflow.
const MOST_LENGTH: f64 = f64::from_bits((1023 + 800) << 52);

/// A robot with shapes, the bodies that it carries, and obstacles.
///
/// ```
/// use impinge::{Mesh, Model, Pose};
/// use impinge_robot::{Error, Robot, RobotQuery, Urdf};
/// use std::sync::Arc;
/// let urdf = Urdf::parse(r#"<robot name="arm">
///   <link name="base"/>
///   <link name="hand"><collision><origin xyz="1 0 0"/>
///      <geometry><sphere radius="0.1"/></geometry></collision></link>
///   <joint name="shoulder" type="continuous"><parent link="base"/><child link="hand"/>
///      <axis xyz="0 0 1"/></joint>
/// </robot>"#)?;
/// let mut robot = Robot::new(&urdf, None, &mut |_| -> Result<_, Error> { unreachable!("no mesh") })?;
/// let wall = Arc::new(Model::new(Mesh::cuboid([1., 0.2, 1.]).unwrap()));
/// let wall = robot.add_obstacle("wall", wall, Pose::from_translation([0., 1., 0.]).unwrap(), 0.)?;
/// let mut query = RobotQuery::new();
/// assert!(!query.in_collision(&robot, &[0.])?);
/// assert_eq!(query.colliding_pairs(&robot, &[90_f64.to_radians()])?, [[1, wall]]);
/// # Ok::<(), impinge_robot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Robot {
    kinematics: Kinematics,
    parts: Vec<RobotPart>,
    allowed: AllowedPairs,
    /// Margins of pairs of parts, above 0.
    margins: BTreeMap<[usize; 2], f64>,
    unknown: Vec<LinkPair>,
    /// Pairs of links that a joint connects, or joints and links without shapes.
    adjacent: BTreeSet<[usize; 2]>,
    /// All shapes, as indices of part and shape: those that move, then those that rest.
    shapes: Vec<[usize; 2]>,
    /// Number of shapes that move.
    moving: usize,
    /// The shapes that rest, at their places; made when a query needs them.
    resting: OnceLock<RestingShapes>,
    /// Pairs of shapes that move and are checked, as indices into `shapes`, in the order of their parts.
    pairs: Vec<[u32; 2]>,
}

impl Robot {
    /// A robot whose parts are its links, in the order of the file. `load` gives the mesh of a file, with the
    /// factors of its coordinates.
    ///
    /// Pairs of links are not checked if
    /// 1. a joint connects them, or joints and links without shapes do;
    /// 2. only fixed joints are between them;
    /// 3. the SRDF disables them, by pair or by default.
    ///
    /// A pair that the SRDF enables is checked in all cases. Pairs of the SRDF whose links the robot does not
    /// have are in [`Robot::unknown_pairs`].
    ///
    /// # Errors
    /// Those of `load`; a planar or floating joint; a shape whose sizes overflow or are zero.
    pub fn new<E: From<Error>>(
        urdf: &Urdf,
        srdf: Option<&Srdf>,
        load: &mut dyn FnMut(&Body) -> Result<Arc<Model>, E>,
    ) -> Result<Self, E> {
        let kinematics = Kinematics::new(urdf)?;
        let mut parts = Vec::with_capacity(urdf.links.len());
        for (index, link) in urdf.links.iter().enumerate() {
            let shapes = link.collisions.iter().map(|body| RobotShape::of_body(body, load));
            let shapes = shapes.collect::<Result<Vec<_>, E>>()?;
            parts.push(RobotPart {
                name: link.name.clone(),
                kind: PartKind::Link(index),
                shapes,
                padding: 0.0,
            });
        }
        let mut robot = Self {
            kinematics,
            parts,
            allowed: AllowedPairs::default(),
            margins: BTreeMap::new(),
            unknown: Vec::new(),
            adjacent: BTreeSet::new(),
            shapes: Vec::new(),
            moving: 0,
            resting: OnceLock::new(),
            pairs: Vec::new(),
        };
        robot.allow_by_joints(urdf);
        if let Some(srdf) = srdf {
            robot.allow_by_srdf(srdf);
        }
        for part in 0..robot.parts.len() {
            for shape in &robot.parts[part].shapes {
                robot
                    .check_fit(shape.model())
                    .map_err(|e| Error::placed(urdf.links[part].place, e.to_string()))?;
            }
        }
        robot.list_pairs();
        Ok(robot)
    }

    /// The kinematics.
    pub fn kinematics(&self) -> &Kinematics {
        &self.kinematics
    }
    /// Parts: links in the order of the URDF, then bodies and obstacles in the order in which they came.
    pub fn parts(&self) -> &[RobotPart] {
        &self.parts
    }
    /// Index of the part of a name.
    pub fn part(&self, name: &str) -> Option<usize> {
        self.parts.iter().position(|part| part.name == name && part.kind != PartKind::Removed)
    }
    /// The reason for which a pair of parts is not checked; `None` if it is checked. Obstacles are not
    /// checked against each other, for which there is no reason.
    pub fn reason(&self, pair: [usize; 2]) -> Option<&PairReason> {
        self.allowed.get(pair)
    }
    /// Pairs of parts that are not checked, sorted, and their reasons.
    pub fn allowed(&self) -> impl Iterator<Item = ([usize; 2], &PairReason)> {
        self.allowed.iter()
    }
    /// Pairs of the SRDF that name a link that the robot does not have.
    pub fn unknown_pairs(&self) -> &[LinkPair] {
        &self.unknown
    }
    /// Pairs of parts that are checked, sorted.
    pub fn checked_pairs(&self) -> Vec<[usize; 2]> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|&pair| self.parts_of(pair)).collect();
        let parts =
            |of: Range<usize>| self.shapes[of].chunk_by(|a, b| a[0] == b[0]).map(|shapes| shapes[0][0]);
        for part in parts(0..self.moving) {
            let checked =
                parts(self.moving..self.shapes.len()).map(|rests| [part.min(rests), part.max(rests)]);
            pairs.extend(checked.filter(|pair| self.allowed.get(*pair).is_none()));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Adds a body that rests in the frame of the robot's root, and returns the index of the part.
    ///
    /// # Errors
    /// A pose that is not rigid; a radius that is negative or not finite; a model whose tree does not fit
    /// those of the others.
    pub fn add_obstacle(
        &mut self,
        name: &str,
        model: Arc<Model>,
        pose: Pose,
        radius: f64,
    ) -> Result<usize, Error> {
        self.add(name, PartKind::Obstacle, model, pose, radius)
    }
    /// Attaches a body to a link, at a pose in the link's frame, and returns the index of the part. It is
    /// checked against all but that link; [`Robot::set_allowed`] allows others.
    ///
    /// # Errors
    /// As [`Robot::add_obstacle`]; the link does not exist.
    pub fn attach(
        &mut self,
        link: usize,
        name: &str,
        model: Arc<Model>,
        pose: Pose,
        radius: f64,
    ) -> Result<usize, Error> {
        if link >= self.kinematics.links() {
            return Err(Error::new(format!("the robot has no link {link}")));
        }
        self.add(name, PartKind::Attached(link), model, pose, radius)
    }
    /// Removes an obstacle or an attached body. Indices of other parts do not change.
    ///
    /// # Errors
    /// The part is a link, or does not exist.
    pub fn remove(&mut self, part: usize) -> Result<(), Error> {
        match self.parts.get_mut(part) {
            Some(removed) if !matches!(removed.kind, PartKind::Link(_) | PartKind::Removed) => {
                (removed.kind, removed.shapes) = (PartKind::Removed, Vec::new());
            }
            _ => return Err(Error::new(format!("part {part} is no obstacle and no attached body"))),
        }
        self.allowed.forget(part);
        self.margins.retain(|pair, _| !pair.contains(&part));
        self.list_pairs();
        Ok(())
    }
    /// Moves an obstacle to a pose in the frame of the robot's root, or an attached body to one in the frame
    /// of its link.
    ///
    /// # Errors
    /// A pose that is not rigid; a part that is a link, or does not exist.
    pub fn set_pose(&mut self, part: usize, pose: Pose) -> Result<(), Error> {
        match self.parts.get_mut(part) {
            Some(of) if !matches!(of.kind, PartKind::Link(_) | PartKind::Removed) => {
                let refused = |e: impinge::Error| Error::new(format!("'{}': {e}", shown(&of.name)));
                for shape in &mut of.shapes {
                    *shape = shape.at(pose).map_err(refused)?;
                }
            }
            _ => return Err(Error::new(format!("part {part} is no obstacle and no attached body"))),
        }
        self.resting = OnceLock::new();
        Ok(())
    }
    /// Sets the length that is added to the radius of each shape of a part.
    ///
    /// # Errors
    /// The part does not exist, or the length is negative, not finite, or more than 2^800.
    pub fn set_padding(&mut self, part: usize, padding: f64) -> Result<(), Error> {
        if !(0.0..=MOST_LENGTH).contains(&padding) {
            return Err(Error::new(format!("the padding {padding} is not a length")));
        }
        self.check_part(part)?;
        self.parts[part].padding = padding;
        self.resting = OnceLock::new();
        Ok(())
    }
    /// Sets a distance up to which a pair of parts counts as in collision; 0 as at first. It adds to the margin
    /// of a query or a sweep, and the sum is rounded up. [`RobotQuery::distance`], [`RobotQuery::certainty`]
    /// and [`RobotQuery::acm`] do not use it.
    ///
    /// # Errors
    /// A part does not exist, or the distance is negative, not finite, or more than 2^800.
    pub fn set_margin(&mut self, [a, b]: [usize; 2], margin: f64) -> Result<(), Error> {
        if !(0.0..=MOST_LENGTH).contains(&margin) {
            return Err(Error::new(format!("the margin {margin} is not a length")));
        }
        self.check_part(a)?;
        self.check_part(b)?;
        let pair = [a.min(b), a.max(b)];
        if margin > 0.0 {
            self.margins.insert(pair, margin);
        } else {
            self.margins.remove(&pair);
        }
        Ok(())
    }
    /// Sets whether a pair of parts may collide: then it is not checked.
    ///
    /// # Errors
    /// A part does not exist.
    pub fn set_allowed(&mut self, pair: [usize; 2], reason: Option<PairReason>) -> Result<(), Error> {
        self.check_part(pair[0])?;
        self.check_part(pair[1])?;
        self.allowed.set(pair, reason);
        self.list_pairs();
        Ok(())
    }

    fn check_part(&self, part: usize) -> Result<(), Error> {
        match self.parts.get(part) {
            Some(found) if found.kind != PartKind::Removed => Ok(()),
            _ => Err(Error::new(format!("there is no part {part}"))),
        }
    }
    fn check_fit(&self, model: &Model) -> Result<(), impinge::Error> {
        let mut models = self.parts.iter().flat_map(|part| &part.shapes).map(RobotShape::model);
        models.next().map_or(Ok(()), |first| first.fits(model))
    }
    fn add(
        &mut self,
        name: &str,
        kind: PartKind,
        model: Arc<Model>,
        pose: Pose,
        radius: f64,
    ) -> Result<usize, Error> {
        let refused = |e: impinge::Error| Error::new(format!("'{}': {e}", shown(name)));
        self.check_fit(&model).map_err(refused)?;
        let shapes = vec![RobotShape::new(model, pose, radius).map_err(refused)?];
        let part = self.parts.len();
        self.parts.push(RobotPart { name: name.to_owned(), kind, shapes, padding: 0.0 });
        if let PartKind::Attached(link) = kind {
            self.allowed.set([link, part], Some(PairReason::Rigid));
        }
        self.list_pairs();
        Ok(part)
    }

    /// Allows links that a joint connects, and links that never move to each other.
    fn allow_by_joints(&mut self, urdf: &Urdf) {
        let mut neighbours = vec![Vec::new(); urdf.links.len()];
        for joint in &urdf.joints {
            neighbours[joint.parent].push(joint.child);
            neighbours[joint.child].push(joint.parent);
        }
        for link in 0..urdf.links.len() {
            if self.parts[link].shapes.is_empty() {
                continue;
            }
            // Through links without shapes.
            let (mut open, mut is_known) = (vec![link], vec![false; urdf.links.len()]);
            is_known[link] = true;
            while let Some(at) = open.pop() {
                for &next in &neighbours[at] {
                    if is_known[next] {
                        continue;
                    }
                    is_known[next] = true;
                    if self.parts[next].shapes.is_empty() {
                        open.push(next);
                    } else {
                        self.allowed.set([link, next], Some(PairReason::Adjacent));
                        self.adjacent.insert([link.min(next), link.max(next)]);
                    }
                }
            }
            for other in 0..link {
                let pair = [other, link];
                let has_shapes = !self.parts[other].shapes.is_empty();
                if has_shapes && self.allowed.get(pair).is_none() && self.kinematics.is_rigid(other, link) {
                    self.allowed.set(pair, Some(PairReason::Rigid));
                }
            }
        }
    }

    fn allow_by_srdf(&mut self, srdf: &Srdf) {
        let names: HashMap<&str, usize> = (0..).zip(&self.parts).map(|(k, part)| (&*part.name, k)).collect();
        let find = |pair: &LinkPair| match [0, 1].map(|k| names.get(&*pair.links[k]).copied()) {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        };
        for link in srdf.disabled_links.iter().filter_map(|link| names.get(&**link).copied()) {
            for other in (0..self.parts.len()).filter(|other| *other != link) {
                if self.allowed.get([link, other]).is_none() {
                    self.allowed.set([link, other], Some(PairReason::Listed(String::new())));
                }
            }
        }
        for pair in &srdf.disabled {
            match find(pair) {
                Some(links) => {
                    let reason = PairReason::Listed(pair.reason.clone().unwrap_or_default());
                    self.allowed.set(links, Some(reason));
                }
                None => self.unknown.push(pair.clone()),
            }
        }
        for pair in &srdf.enabled {
            match find(pair) {
                Some(links) => self.allowed.set(links, None),
                None => self.unknown.push(pair.clone()),
            }
        }
    }

    /// Lists shapes and the pairs of them to check.
    fn list_pairs(&mut self) {
        let of_kind = |moves: bool| {
            let parts = self.parts.iter().enumerate().filter(move |(_, part)| part.link().is_some() == moves);
            parts.flat_map(|(part, of)| (0..of.shapes.len()).map(move |shape| [part, shape]))
        };
        let mut shapes: Vec<_> = of_kind(true).collect();
        self.moving = shapes.len();
        shapes.extend(of_kind(false));
        self.shapes = shapes;
        self.resting = OnceLock::new();
        let mut pairs = Vec::new();
        // Shapes of a part follow each other.
        for of_a in self.shapes[..self.moving].chunk_by(|a, b| a[0] == b[0]) {
            let a = self.shapes_of(of_a[0][0]);
            for of_b in self.shapes[a.end as usize..self.moving].chunk_by(|a, b| a[0] == b[0]) {
                if self.allowed.get([of_a[0][0], of_b[0][0]]).is_none() {
                    let b = self.shapes_of(of_b[0][0]);
                    pairs.extend(a.clone().flat_map(|i| b.clone().map(move |j| [i, j])));
                }
            }
        }
        self.pairs = pairs;
    }
    /// The shapes that rest, at their places.
    fn resting(&self) -> &RestingShapes {
        let place = |index: usize| {
            let (part, shape) = self.shape(index);
            PlacedShape::at(*shape.pose(), part, shape)
        };
        let all = self.moving..self.shapes.len();
        self.resting.get_or_init(|| RestingShapes::new(all.map(place).collect()))
    }
    /// The parts of a pair of shapes, sorted.
    fn parts_of(&self, pair: [u32; 2]) -> [usize; 2] {
        let [a, b] = pair.map(|shape| self.shapes[shape as usize][0]);
        [a.min(b), a.max(b)]
    }
    /// The shapes of a part, as indices into `shapes`.
    fn shapes_of(&self, part: usize) -> Range<u32> {
        let (moving, resting) = self.shapes.split_at(self.moving);
        let (shapes, first) =
            if self.parts[part].link().is_some() { (moving, 0) } else { (resting, self.moving) };
        let [from, to] = [part, part + 1].map(|part| shapes.partition_point(|shape| shape[0] < part) + first);
        from as u32..to as u32
    }
    /// The margin of a pair of shapes.
    fn margin_of(&self, pair: [u32; 2]) -> f64 {
        if self.margins.is_empty() {
            0.0
        } else {
            self.margins.get(&self.parts_of(pair)).copied().unwrap_or(0.0)
        }
    }
    /// The largest margin of a pair.
    fn most_margin(&self) -> f64 {
        self.margins.values().copied().fold(0.0, f64::max)
    }
    /// The links that move two shapes, the root for one that rests, and the last link before both.
    fn links_of(&self, pair: [u32; 2]) -> ([usize; 2], usize) {
        let links = pair.map(|k| self.shape(k as usize).0.link().unwrap_or(self.kinematics.root()));
        (links, self.kinematics.common_ancestor(links[0], links[1]))
    }
    /// A shape, and the part that has it.
    fn shape(&self, index: usize) -> (&RobotPart, &RobotShape) {
        let [part, shape] = self.shapes[index];
        (&self.parts[part], &self.parts[part].shapes[shape])
    }
}

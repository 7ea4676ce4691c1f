//! Sweeps: whether bodies that move along paths come into contact, proved for every moment between.
//!
//! [`Query::sweep`] decides about *all* times from 0 to 1, not about samples. It never returns that bodies
//! are clear of each other, or free up to a time, where they are not: each rounding, also that of sine and
//! cosine, is covered by a bound. A thin plate is not missed, however fast the other body is.
//!
//! ```
//! use impinge::{Body, Mesh, Model, Pose, Query, path::Path, sweep::{Moving, Sweep, SweepOptions}};
//! // A small cube flies through a plate of a thousandth, 400 times as far as it is wide, and turns.
//! let plate = Model::new(Mesh::cuboid([10., 10., 0.001])?);
//! let cube = Model::new(Mesh::cuboid([0.1; 3])?);
//! let start = Pose::from_translation([0.3, 0.2, -20.])?;
//! let path = Path::screw(start, [0.3, 0.2, 0.], [0., 0., 1.], 30., 40.)?;
//! let plate = Body::new(&plate, Pose::IDENTITY);
//! let sweep = Query::new().sweep(plate, Moving::new(&cube, &path), &SweepOptions::new());
//! let Sweep::Contact { free_until, meets_at, .. } = sweep else { panic!("{sweep:?}") };
//! // Its front face reaches the plate after 20 - 0.05 - 0.0005 of 40.
//! assert!(free_until <= 0.4987375 && 0.4987375 <= meets_at && meets_at - free_until < 1e-9);
//! # Ok::<(), impinge::Error>(())
//! ```
//!
//! # Method
//! An interval of time is decided by one walk of both trees. Each volume and triangle is tested with the room
//! that its own points take in the interval: a displacement to first order, and a bound of the rest. What may
//! meet is handed on to the halves of the interval, the earlier half first. So contacts are found in the
//! order of time. The head of `drift.rs` has the bounds.
//!
//! The idea of bounds by intervals for meshes in motion is that of Redon, Kheddar and Coquillart, *Fast
//! continuous collision detection between rigid bodies* (2002), conservative advancement that of Mirtich
//! (1996); both leave rounding out.
mod heights;
mod least_gap;
mod options;
mod relative_motion;
mod search;
mod shift;
mod subject;

pub use self::{least_gap::LeastGap, options::SweepOptions, shift::ShiftContact};

use crate::{
    AnyBody, Body, HalfSpace, Model, Pose, Query, Rounded,
    model::checked_radius,
    path::{Path, Rates, Twist},
    pose::ApproximatePose,
    query::QueryParts,
    vector::length,
};

/// A model that moves along a path, or is at rest; with a radius, if it is rounded.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    model: &'a Model,
    track: Track<'a>,
    radius: f64,
}

#[derive(Clone, Copy, Debug)]
enum Track<'a> {
    Still(Pose),
    Along(&'a Path),
}

impl<'a> Moving<'a> {
    /// A model on a path.
    pub fn new(model: &'a Model, path: &'a Path) -> Self {
        Self { model, track: Track::Along(path), radius: 0.0 }
    }
    /// The points no farther than `radius` from this: see [`Rounded`].
    ///
    /// # Errors
    /// As [`Body::rounded`].
    pub fn rounded(self, radius: f64) -> Result<Self, crate::Error> {
        Ok(Self { radius: checked_radius(radius)?, ..self })
    }

    fn at(&self, t: f64) -> Body<'a> {
        Body::new(
            self.model,
            match self.track {
                Track::Still(pose) => pose,
                Track::Along(path) => path.at(t),
            },
        )
    }
    fn rounded_at(&self, t: f64) -> Rounded<'a> {
        let rounded = self.at(t).rounded(self.radius);
        rounded.unwrap_or_else(|error| unreachable!("the radius was checked: {error}"))
    }
    /// The body, its motion, and for a path without legs the pose with its error, computed together.
    fn moment(&self, t: f64, half: f64) -> (Body<'a>, Twist, Option<ApproximatePose>) {
        let reach = self.model.reach();
        let curve = match self.track {
            Track::Still(_) => None,
            Track::Along(path) => path.curve_moment(t, half, reach),
        };
        match curve {
            Some((pose, twist)) => (Body::new(self.model, *pose.pose()), twist, Some(pose)),
            None => (self.at(t), self.twist(t, half), None),
        }
    }
    /// The motion at a time, and bounds for times no further away than `half`.
    fn twist(&self, t: f64, half: f64) -> Twist {
        match self.track {
            Track::Still(_) => Twist::STILL,
            Track::Along(path) => path.twist(t, half, self.model.reach()),
        }
    }
    /// Bounds for a path that has legs.
    fn rates(&self, t: f64) -> Rates {
        match self.track {
            Track::Still(_) => Rates::STILL,
            Track::Along(path) => path.rates(t, self.model.reach()),
        }
    }
    /// Bound of the rate of rotation around a time, in radians.
    fn turning(&self, t: f64) -> f64 {
        match self.track {
            Track::Still(_) => 0.0,
            Track::Along(path) => path.turning(t),
        }
    }
    /// [`Moving::error`], for a path without legs from its pose.
    fn error_of(&self, t: f64, more: f64, curve: Option<&ApproximatePose>) -> f64 {
        match curve {
            Some(pose) => pose.error(length(self.model.reach().map(|x| x + more)) * (1.0 + 1e-9)),
            None => self.error(t, more),
        }
    }
    /// Bound of the distance of the body's points, and of those around that are `more` further, from where
    /// they are by [`Moving::at`].
    fn error(&self, t: f64, more: f64) -> f64 {
        match self.track {
            Track::Still(_) => 0.0,
            Track::Along(path) => path.error_at(t, &self.model.reach().map(|x| x + more)),
        }
    }
    /// The end of the leg that contains the time just after `t`.
    fn next_knot(&self, t: f64) -> f64 {
        match self.track {
            Track::Still(_) => 1.0,
            Track::Along(path) => path.next_knot(t),
        }
    }
    fn is_still(&self) -> bool {
        matches!(self.track, Track::Still(_))
    }
}

impl<'a> From<Body<'a>> for Moving<'a> {
    fn from(body: Body<'a>) -> Self {
        Self { model: body.model, track: Track::Still(body.pose), radius: 0.0 }
    }
}

impl<'a> From<Rounded<'a>> for Moving<'a> {
    fn from(rounded: Rounded<'a>) -> Self {
        Self { radius: rounded.any_radius(), ..rounded.body().into() }
    }
}

/// The result of a sweep: what is proved about the times from 0 to 1, or from [`SweepOptions::after`].
///
/// *Contact* means that triangles meet, or come as near as the radii and the margin. All times are those of
/// the paths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep {
    /// There is no contact at any time.
    Clear,
    /// There is a contact, and none before `free_until`. Both times are equal if the bodies are in contact at
    /// first.
    Contact {
        /// No time before this has a contact.
        free_until: f64,
        /// A time at which there is a contact.
        meets_at: f64,
        /// The pose of the second body at `meets_at`, [`Path::at`]: there the pair meets, exactly.
        pose: Pose,
        /// Triangles, of the first body and of the second, that meet. Which of several is not defined.
        pair: [u32; 2],
    },
    /// Between two times the bodies come so near that neither is proved: they graze each other, or the
    /// budget of work was not enough.
    Near {
        /// No time before this has a contact.
        free_until: f64,
        /// After this time, and before `meets_at`, there is no contact but in other moments as near as this.
        /// 1 if the budget ended.
        until: f64,
        /// Triangles that come so near.
        pair: [u32; 2],
        /// A later time at which there is a contact, if one was found.
        meets_at: Option<f64>,
        /// Why it is undecided.
        why: Undecided,
    },
}

impl Sweep {
    /// The time before which there certainly is no contact; 1 if there is none at all.
    pub fn free_until(&self) -> f64 {
        match self {
            Self::Clear => 1.0,
            Self::Contact { free_until, .. } | Self::Near { free_until, .. } => *free_until,
        }
    }
    /// A time at which there is a contact, if one was found.
    pub fn meets_at(&self) -> Option<f64> {
        match self {
            Self::Clear => None,
            Self::Contact { meets_at, .. } => Some(*meets_at),
            Self::Near { meets_at, .. } => *meets_at,
        }
    }
    /// Triangles of the first body and of the second that meet, or come near; `None` if all is clear.
    pub fn pair(&self) -> Option<[u32; 2]> {
        match self {
            Self::Clear => None,
            Self::Contact { pair, .. } | Self::Near { pair, .. } => Some(*pair),
        }
    }
}

/// Why a sweep is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The bodies come within the tolerance of each other, and are apart at the moments tested there.
    Grazing,
    /// The work would be more than [`SweepOptions::most_intervals`].
    Budget,
}

impl Query {
    /// The first contact of two bodies of which one or both move, proved for all times: see the
    /// [module](crate::sweep). Bodies are surfaces: one that starts inside the other is not in contact
    /// ([`Query::relation`] at time 0 decides that, and holds as long as they are clear).
    ///
    /// The cost is that of some hundred queries for one pose: it grows with the logarithm of 1 / resolution,
    /// and as gaps get smaller.
    ///
    /// ```
    /// use impinge::{Body, Model, Pose, Query, path::Path, sweep::{Moving, Sweep, SweepOptions}};
    /// // Two spheres of radius 1 pass each other, 0.001 apart.
    /// let center = Model::points(&[[0.; 3]])?;
    /// let path = Path::translation(Pose::from_translation([-5., 2.001, 0.])?, [10., 0., 0.])?;
    /// let resting = Body::new(&center, Pose::IDENTITY).rounded(1.)?;
    /// let moving = Moving::new(&center, &path).rounded(1.)?;
    /// assert_eq!(Query::new().sweep(resting, moving, &SweepOptions::new()), Sweep::Clear);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("cast_shapes_nonlinear", "continuousCollide", "time_of_impact", "conservative_advancement"))]
    pub fn sweep<'a>(
        &mut self,
        a: impl Into<Moving<'a>>,
        b: impl Into<Moving<'a>>,
        options: &SweepOptions,
    ) -> Sweep {
        let QueryParts { ask, scratches, .. } = self.parts();
        ask.sweep([a.into(), b.into()], options, options.until, &mut scratches.first().scratch)
    }

    /// [`Query::sweep`] of a half-space at rest, whose face has the number 0, and a body. O(n).
    ///
    /// ```
    /// use impinge::{HalfSpace, Mesh, Model, Pose, Query, path::Path, sweep::{Moving, Sweep, SweepOptions}};
    /// // A cube falls by 4 onto the floor, 2 below.
    /// let cube = Model::new(Mesh::cuboid([2.; 3])?);
    /// let path = Path::translation(Pose::from_translation([0., 0., 3.])?, [0., 0., -4.])?;
    /// let floor = HalfSpace::new([0., 0., 1.], 0.)?;
    /// let sweep = Query::new().sweep_half_space(&floor, Moving::new(&cube, &path), &SweepOptions::new());
    /// let Sweep::Contact { free_until, meets_at, .. } = sweep else { panic!("{sweep:?}") };
    /// assert!(free_until <= 0.5 && 0.5 <= meets_at && meets_at - free_until < 1e-9);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn sweep_half_space<'a>(
        &mut self,
        half_space: &HalfSpace,
        b: impl Into<Moving<'a>>,
        options: &SweepOptions,
    ) -> Sweep {
        let QueryParts { ask, scratches, .. } = self.parts();
        ask.sweep_over(half_space, b.into(), options, options.until, &mut scratches.first().scratch)
    }

    /// [`Query::sweep`] of `a` and of `b` along each of many paths, on the threads of the query.
    pub fn sweep_at<'a>(
        &mut self,
        a: impl Into<Moving<'a>>,
        b: &Model,
        paths: &[Path],
        options: &SweepOptions,
    ) -> &[Sweep] {
        let a = a.into();
        self.each(paths.len(), Sweep::Clear, |ask, i, scratch| {
            ask.sweep([a, Moving::new(b, &paths[i])], options, options.until, scratch)
        })
    }

    /// [`Query::sweep`] of each pair of bodies, on the threads of the query.
    pub fn sweep_each(&mut self, bodies: &[[Moving<'_>; 2]], options: &SweepOptions) -> &[Sweep] {
        self.each(bodies.len(), Sweep::Clear, |ask, i, scratch| {
            ask.sweep(bodies[i], options, options.until, scratch)
        })
    }
}

//! Sweeps, against exact queries at many moments, exact first contacts, closed forms and each other.
mod corpus;
mod exact_first;
mod levels;
mod own;
mod scenes;
mod soups;
mod symmetry;
mod translations;

use impinge::{
    Body, Model, Pose, Query,
    distance::Margin,
    path::Path,
    sweep::{Moving, Sweep, SweepOptions},
};

/// Where a body of a test is.
#[derive(Clone, Debug)]
enum Track {
    Still(Pose),
    Along(Path),
}

/// A body of a test.
#[derive(Clone, Debug)]
struct Side {
    model: Model,
    track: Track,
    radius: f64,
}

impl Side {
    fn still(model: Model, pose: Pose) -> Self {
        Self { model, track: Track::Still(pose), radius: 0.0 }
    }
    fn along(model: Model, path: Path) -> Self {
        Self { model, track: Track::Along(path), radius: 0.0 }
    }
    fn rounded(self, radius: f64) -> Self {
        Self { radius, ..self }
    }
    fn moving(&self) -> Moving<'_> {
        let moving = match &self.track {
            Track::Still(pose) => Moving::from(Body::new(&self.model, *pose)),
            Track::Along(path) => Moving::new(&self.model, path),
        };
        moving.rounded(self.radius).unwrap()
    }
    fn at(&self, t: f64) -> Body<'_> {
        let pose = match &self.track {
            Track::Still(pose) => *pose,
            Track::Along(path) => path.at(t),
        };
        Body::new(&self.model, pose)
    }
    /// The largest coordinate of the model.
    fn reach(&self) -> f64 {
        self.model.extent().as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    }
    /// Bound of the distance of the body's points from where they are by [`Side::at`].
    fn error(&self) -> f64 {
        match &self.track {
            Track::Still(_) => 0.0,
            Track::Along(path) => path.error(self.reach()),
        }
    }
}

/// Two bodies and the distance that counts as contact, beside their radii.
#[derive(Clone, Debug)]
struct Case {
    a: Side,
    b: Side,
    margin: f64,
}

/// What an exact query at a computed pose shows about the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Apart,
    /// A contact that the errors of the paths may explain.
    Marginal,
    Contact,
}

impl Case {
    fn new(a: Side, b: Side) -> Self {
        Self { a, b, margin: 0.0 }
    }
    fn options(&self) -> SweepOptions {
        SweepOptions::new().margin(Margin::new(self.margin).unwrap())
    }
    fn sweep(&self, query: &mut Query) -> Sweep {
        self.sweep_with(query, &self.options())
    }
    /// The sweep with a larger margin.
    fn sweep_within(&self, query: &mut Query, more: f64) -> Sweep {
        let margin = Margin::sum([self.margin, more, 0.0]).unwrap();
        self.sweep_with(query, &SweepOptions::new().margin(margin))
    }
    fn sweep_with(&self, query: &mut Query, options: &SweepOptions) -> Sweep {
        query.sweep(self.a.moving(), self.b.moving(), options)
    }
    /// The numbers whose sum is the distance that counts as contact.
    fn distances(&self) -> [f64; 3] {
        [self.margin, self.a.radius, self.b.radius]
    }
    fn error(&self) -> f64 {
        self.a.error() + self.b.error()
    }

    /// Tests one moment by exact queries at computed poses.
    fn look(&self, query: &mut Query, t: f64) -> Seen {
        let (a, b) = (self.a.at(t), self.b.at(t));
        let margin = Margin::sum(self.distances()).unwrap();
        if query.first_within(&a, &b, margin).is_none() {
            return Seen::Apart;
        }
        let error = 2.0 * self.error();
        if margin.get() > error {
            // What is computed to be nearer than this is within the margin at the exact poses.
            let within = Margin::new(margin.get() - error).unwrap();
            return if query.within(&a, &b, within) { Seen::Contact } else { Seen::Marginal };
        }
        // Surfaces that cross still do so after small shifts in all directions; those that touch do not.
        let shifts = (0..27).map(|k| [k % 3, k / 3 % 3, k / 9].map(|x| f64::from(x - 1) * 2.0 * error));
        for shift in shifts {
            let t = *b.pose.translation();
            let t = [0, 1, 2].map(|k| t[k] + shift[k]);
            let moved = Body::new(b.model, Pose::affine(*b.pose.rows(), t).unwrap());
            if !query.within(&a, &moved, margin) {
                return Seen::Marginal;
            }
        }
        Seen::Contact
    }
}

/// All times before this one are free, by a sweep. For `Clear` this includes the end.
fn free_until(sweep: &Sweep) -> f64 {
    match sweep {
        Sweep::Clear => 1.0,
        Sweep::Contact { free_until, .. } | Sweep::Near { free_until, .. } => *free_until,
    }
}

fn shift(t: [f64; 3]) -> Pose {
    Pose::from_translation(t).unwrap()
}

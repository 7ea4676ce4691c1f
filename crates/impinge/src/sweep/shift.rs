//! [`Query::first_shift_contact`]: the exact first contact of a body that is shifted.
use super::{Moving, Sweep, SweepOptions};
use crate::{
    Body, Error, Query,
    ccd::{FirstTime, ShiftedTriangle, first_shift_contact},
    distance::Margin,
    path::Path,
    vector::{Vector, length},
};

/// The first contact of a body that is shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftContact {
    /// The first time of contact, as an enclosure by f64 numbers next to each other.
    pub time: FirstTime,
    /// The triangles, of the first body and of the second, that meet then. Of several pairs whose times have
    /// this enclosure it is the least, except at time 0: there it is [`Query::first_contact`].
    pub pair: [u32; 2],
}

/// Part of the way by which an interval grows that has turned out to have no contact.
const STEP: f64 = 1e-9;

impl Query {
    /// The first time in [0, 1] at which triangles of two bodies meet, if the second is shifted by t `by` at
    /// time t: over the real numbers, enclosed by the nearest f64 numbers. `None` if they never meet.
    ///
    /// A [sweep](Query::sweep) along [`Path::translation`] takes less time and also turns bodies, but encloses
    /// the time to a resolution only, and leaves it undecided where bodies graze each other. This query
    /// decides these cases, too. Bodies are surfaces, as in sweeps.
    ///
    /// It costs a sweep, and for each pair of triangles that is near at the first contact some 0.1 ms. It
    /// allocates.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query};
    /// // A cube falls by 3 onto a table, one below.
    /// let [table, cube] = [Mesh::cuboid([9., 9., 2.])?, Mesh::cuboid([2.; 3])?].map(Model::new);
    /// let start = Pose::from_translation([0., 0., 3.])?;
    /// let (table, cube) = (Body::new(&table, Pose::IDENTITY), Body::new(&cube, start));
    /// let contact = Query::new().first_shift_contact(&table, &cube, [0., 0., -3.])?.unwrap();
    /// // One third is between two f64 numbers.
    /// assert_eq!(contact.time.free_until, 1. / 3.);
    /// assert_eq!(contact.time.meets_at, contact.time.free_until.next_up());
    /// # Ok::<(), impinge::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Path::translation`].
    #[doc(alias("linear_cast", "cast_shapes", "translational_ccd"))]
    pub fn first_shift_contact(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        by: Vector,
    ) -> Result<Option<ShiftContact>, Error> {
        let path = Path::translation(b.pose, by)?;
        if let Some(pair) = self.first_contact(a, b) {
            return Ok(Some(ShiftContact { time: FirstTime { free_until: 0.0, meets_at: 0.0 }, pair }));
        }
        let moving = Moving::new(b.model, &path);
        // The way, rounded up.
        let way = length(by) * (1.0 + 1e-9) + f64::MIN_POSITIVE;
        let (mut after, mut step) = (0.0, 0.0_f64);
        loop {
            let options = SweepOptions::new().after(after)?;
            let [free_until, until] = match self.sweep(*a, moving, &options) {
                Sweep::Clear => return Ok(None),
                Sweep::Contact { free_until, meets_at, .. } => [free_until, meets_at],
                Sweep::Near { free_until, until, .. } => [free_until, until],
            };
            // Poses of the path are rounded, so that this contact may be none over the real numbers.
            let until = until.max(free_until + step).min(1.0);
            let at = path.at(until);
            let room = way * (until - free_until) * (1.0 + 1e-9) + moving.error(until, 0.0) * (1.0 + 1e-9);
            let near = Margin::new(room + f64::MIN_POSITIVE)?;
            let pairs = self.pairs_within(a, &Body::new(b.model, at), near).to_vec();
            let mut first: Option<ShiftContact> = None;
            for pair in pairs {
                let [i, j] = pair;
                let resting =
                    ShiftedTriangle { pose: &a.pose, corners: a.model.mesh().corners(i), by: [0.0; 3] };
                let shifted = ShiftedTriangle { pose: &b.pose, corners: b.model.mesh().corners(j), by };
                let most = first.map_or(1.0, |first| first.time.meets_at);
                let found = first_shift_contact([&resting, &shifted], most);
                if let Some([free_until, meets_at]) = found
                    && first.is_none_or(|first| {
                        [free_until, meets_at] < [first.time.free_until, first.time.meets_at]
                    })
                {
                    first = Some(ShiftContact { time: FirstTime { free_until, meets_at }, pair });
                }
            }
            // Other pairs may meet later.
            if let Some(first) = first.filter(|first| first.time.meets_at <= until) {
                return Ok(Some(first));
            }
            if until >= 1.0 {
                return Ok(first);
            }
            after = until;
            step = (2.0 * step).max(STEP);
        }
    }
}

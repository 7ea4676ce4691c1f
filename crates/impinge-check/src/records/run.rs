//! [`Run`]: input and environment of all steps of a check.
use crate::{
    parts::chord::Tolerances,
    pool::Pool,
    question::{asked::Asked, reach::Reaches},
    watch::Watch,
};
use impinge::broad_phase::Aabb;
use impinge_io::Part;

/// Input and environment of all steps of a check: parts, settings, threads and listener.
pub(crate) struct Run<'a> {
    pub(crate) parts: &'a [Part],
    pub(crate) asked: &'a Asked,
    /// The chord error of each part, if the check has any.
    pub(crate) tolerances: Option<Tolerances>,
    pub(crate) pool: &'a Pool,
    pub(crate) watch: &'a Watch<'a>,
}

impl<'a> Run<'a> {
    /// Finds the chord error of each part. An error if a chord error names no part.
    pub(crate) fn new(
        parts: &'a [Part],
        asked: &'a Asked,
        pool: &'a Pool,
        watch: &'a Watch<'a>,
    ) -> anyhow::Result<Self> {
        let tolerances = asked.chord.as_ref().map(|chord| Tolerances::new(chord, parts)).transpose()?;
        Ok(Self { parts, asked, tolerances, pool, watch })
    }
    /// The boxes of parts, and the reach of each.
    pub(crate) fn reaches<'b>(&'b self, extents: &'b [Aabb]) -> Reaches<'b> {
        let longest = self.asked.clearance.as_ref().map(|clearance| clearance.longest());
        Reaches { extents, tolerances: self.tolerances.as_ref(), longest }
    }
}

//! [`Check`]: a query about the pairs of an assembly's parts.
#[cfg(feature = "files")]
use crate::cache::Cache;
use crate::{
    parts::chord::ChordOf,
    pool::Pool,
    question::{
        Question,
        asked::Asked,
        depth_of::{DepthOf, FirstDepths},
        pairs::Pairs,
        settings::{MOST_PAIRS, Settings},
    },
    records::{
        bodies::Bodies,
        decide::{self, Decided},
        floating,
        graph::ContactGraph,
        motion_gaps,
        near::Near,
        run::Run,
        self_intersections,
    },
    report::{Input, Report},
    rules::Rules,
    sources::{
        file_units::{CoordinateUnit, FileUnits},
        offsets,
        omission::Omission,
    },
    values::{count::Count, date::Date, error::Error, relations::Relations, warning::Warning},
    watch::Watch,
};
use impinge::solid::FillRule;
use impinge_io::{Assembly, Part, Unit};
#[cfg(feature = "files")]
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A query about the pairs of an assembly's parts. It holds all that a report depends on, except the parts.
/// Lengths are in the unit of the assembly's coordinates.
///
/// ```
/// use impinge::{Mesh, Pose};
/// use impinge_check::{Assembly, Check, Part, Watch};
/// use std::sync::Arc;
///
/// let cube = Arc::new(Mesh::cuboid([1.0; 3])?);
/// let mut assembly = Assembly::new();
/// for (name, x) in [("left", 0.0), ("middle", 0.75), ("right", 2.0)] {
///     let pose = Pose::from_translation([x, 0.0, 0.0])?;
///     assembly.push(Part::from_mesh(name, cube.clone(), pose));
/// }
/// let report = Check::new().clearance(0.5).run(assembly, &Watch::new())?;
/// let worst = report.ranked().next().expect("a clash");
/// let [a, b] = worst.parts.map(|part| report.part(part).name());
/// assert_eq!((a, b, report.near().len()), ("left", "middle", 1));
/// let [lo, hi] = report.depth(worst).and_then(|depth| depth.overlap_volume).expect("solids");
/// assert!(lo <= 0.25 && 0.25 <= hi && hi - lo < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Check {
    question: Question,
    first_depths: Option<FirstDepths>,
    threads: Workers,
}

#[derive(Clone, Debug)]
enum Workers {
    /// A new pool of this many threads for each run; 0 for as many as there are cores.
    Own(u16),
    /// The threads of an existing pool.
    Of(Pool),
}

impl Default for Workers {
    fn default() -> Self {
        Self::Own(0)
    }
}

impl Check {
    /// The default limit of [`Check::max_pairs`].
    pub const MOST_PAIRS: u64 = MOST_PAIRS;

    /// A check for relations and depths of all pairs; every relation but touch counts.
    pub fn new() -> Self {
        Self::default()
    }
    /// Sets the relations that count as findings.
    #[must_use]
    pub fn relations(self, relations: Relations) -> Self {
        self.set(|settings| settings.report = relations)
    }
    /// Sets the rule by which points are inside of a part whose edges close.
    #[must_use]
    pub fn fill_rule(self, fill_rule: FillRule) -> Self {
        self.set(|settings| settings.fill_rule = fill_rule)
    }
    /// Sets the clashes whose depth is computed.
    #[must_use]
    pub fn depth(self, depth: DepthOf) -> Self {
        self.set(|settings| settings.depth = depth)
    }
    /// Computes depths only of the first `count` clashes of [`Report::ranked`], for a list that shows no
    /// others; the others have no depth. It has no effect with a tolerance, which needs all depths, nor with
    /// rules, a cache or a plan of tasks, which keep all.
    #[must_use]
    pub fn first_depths(self, count: usize) -> Self {
        Self { first_depths: Some(FirstDepths::Clashes(count)), ..self }
    }
    /// Computes only the depths that [`Groups`](crate::Groups) by shapes need for the first `count` groups,
    /// with the gravest finding of each. Other groups may have no depths. It has no effect where
    /// [`Check::first_depths`] has none.
    #[must_use]
    pub fn first_groups(self, count: usize) -> Self {
        Self { first_depths: Some(FirstDepths::Groups(count)), ..self }
    }
    /// Sets the tolerance of clashes. A clash is shallow, and does not count, if its interference depth is at
    /// most this, or if the check finds a translation of at most this length that separates the parts. A
    /// clash that is shallow at one tolerance is shallow at every larger one.
    #[must_use]
    pub fn tolerance(self, length: f64) -> Self {
        self.set(|settings| settings.tolerance = Some(length))
    }
    /// Sets the clearance. Pairs that are at most this far apart without meeting are near, and count. Pairs
    /// with one part inside the other are not near, unless the check is about [`Check::surfaces`].
    #[must_use]
    pub fn clearance(self, length: f64) -> Self {
        self.set(|settings| settings.clearance = Some(length))
    }
    /// Counts the pairs that would be near, and the findings, at each of these clearances.
    #[must_use]
    pub fn what_if(self, lengths: impl Into<Vec<f64>>) -> Self {
        self.set(|settings| settings.what_if = lengths.into())
    }
    /// Counts the findings at each of these tolerances: [`Report::what_if_tolerance`].
    #[must_use]
    pub fn what_if_tolerance(self, lengths: impl Into<Vec<f64>>) -> Self {
        self.set(|settings| settings.what_if_tolerance = lengths.into())
    }
    /// Sets the chord error of all parts that [`Check::chord_of`] does not name and that do not state their
    /// own ([`Part::chord`]). It is the largest distance of their triangles from the true surface, and of the
    /// true surface from the triangles. Each finding is then definite or possible.
    ///
    /// [`Part::chord`]: crate::Part#structfield.chord
    #[must_use]
    pub fn chord(self, length: f64) -> Self {
        self.chords([ChordOf { parts: None, tolerance: length }])
    }
    /// Sets the chord error of parts whose name matches `parts`, in which `*` stands for any characters. The
    /// last pattern that matches counts, also for parts that state their own. Parts that no pattern matches
    /// are exact, unless they state a length or [`Check::chord`] gives them one.
    #[must_use]
    pub fn chord_of(self, parts: impl Into<String>, length: f64) -> Self {
        self.chords([ChordOf { parts: Some(parts.into()), tolerance: length }])
    }
    /// Adds several of [`Check::chord`] and [`Check::chord_of`].
    #[must_use]
    pub fn chords(mut self, all: impl IntoIterator<Item = ChordOf>) -> Self {
        self.question.settings.chord.extend(all);
        self
    }
    /// Sets the certainty that a finding needs to count. By default, findings must be definite where parts
    /// state their chord errors, as those of STEP files do; otherwise possible ones count, too.
    #[must_use]
    pub fn count(self, count: Count) -> Self {
        self.set(|settings| settings.count = Some(count))
    }
    /// Sets whether chord tolerances include the rounding of coordinates by the files' format, where a reader
    /// states it ([`Part::rounding`]). Files with f32 coordinates move points by up to 1e-7 of the model's
    /// size, so parts that nominally touch overlap or are apart by chance; their contact is then a possible
    /// finding. By default the coordinates of a file are taken as exact.
    ///
    /// [`Part::rounding`]: crate::Part#structfield.rounding
    #[must_use]
    pub fn rounding(self, is: bool) -> Self {
        self.set(|settings| settings.rounding = is)
    }
    /// Treats all parts as surfaces: every pair of parts that share a point counts. A part that lies inside
    /// another one without touching it does not.
    #[must_use]
    pub fn surfaces(self, is: bool) -> Self {
        self.set(|settings| settings.surfaces = is)
    }
    /// Measures the contacts of parts that touch: points, lines or areas, with their lengths and areas
    /// ([`Report::contact`]).
    #[must_use]
    pub fn contacts(self, is: bool) -> Self {
        self.set(|settings| settings.contacts = is)
    }
    /// Finds parts and groups that touch nothing else, and their nearest parts ([`Report::floating`]). With a
    /// clearance, parts that are near are attached, too.
    #[must_use]
    pub fn floating(self, is: bool) -> Self {
        self.with(|question| question.finds_floating = is)
    }
    /// Finds where the mesh of each part crosses, touches or covers itself, each mesh once
    /// ([`PartFacts::self_intersections`](crate::report::PartFacts::self_intersections)). Such parts count as
    /// findings.
    #[must_use]
    pub fn self_intersections(self, is: bool) -> Self {
        self.with(|question| question.finds_self_intersections = is)
    }
    /// Sets the rules, which choose the pairs and the findings that count. `today` decides which ignore rules
    /// have expired. Rules with tests state relations, tolerances and clearances themselves. Without a unit
    /// in the files and in [`Check::unit`], the unit of the rules is the unit of the coordinates.
    #[must_use]
    pub fn rules(self, rules: impl Into<Arc<Rules>>, today: Date) -> Self {
        self.with(|question| question.rules = Some((rules.into(), today)))
    }
    /// Sets the largest number of pairs of parts to test; more are an error. A pair that clashes takes up to
    /// 300 bytes.
    #[must_use]
    pub fn max_pairs(self, most: u64) -> Self {
        self.set(|settings| settings.max_pairs = most)
    }
    /// Sets the unit of coordinates of files that state none. It changes no result but [`Report::unit`]. If
    /// files state another unit or different ones, it is the unit of all coordinates, and a warning names
    /// such a file.
    #[must_use]
    pub fn unit(self, unit: Option<Unit>) -> Self {
        self.with(|question| question.unit = unit)
    }
    /// Sets the pairs of parts that the check is about.
    #[must_use]
    pub fn pairs(self, pairs: Pairs) -> Self {
        self.with(|question| question.pairs = pairs)
    }
    /// Sets the number of threads; 0 for as many as there are cores.
    #[must_use]
    pub fn threads(self, threads: u16) -> Self {
        Self { threads: Workers::Own(threads), ..self }
    }
    /// Works with the threads of this pool.
    #[must_use]
    pub fn pool(self, pool: &Pool) -> Self {
        Self { threads: Workers::Of(pool.clone()), ..self }
    }

    fn with(mut self, set: impl FnOnce(&mut Question)) -> Self {
        set(&mut self.question);
        self
    }
    fn set(self, set: impl FnOnce(&mut Settings)) -> Self {
        self.with(|question| set(&mut question.settings))
    }

    /// True if the check is about surfaces alone.
    pub fn is_of_surfaces(&self) -> bool {
        self.question.settings.surfaces
    }
    /// True if findings are counted at other lengths, too: [`Check::what_if`], [`Check::what_if_tolerance`].
    pub fn has_what_if(&self) -> bool {
        self.question.settings.has_what_if()
    }
    /// Opens the cache in a file, for [`Check::run_with`]. A file that does not exist is an empty cache. One
    /// that is damaged, or has other settings, counts as empty, and `watch` gets a warning or a note.
    ///
    /// # Errors
    /// The file cannot be read, or it is no cache and would be overwritten.
    #[cfg(feature = "files")]
    pub fn open_cache(&self, path: impl AsRef<Path>, watch: &Watch<'_>) -> Result<Cache, Error> {
        Ok(Cache::open(path.as_ref(), &self.question.settings, watch)?)
    }
    /// Finds contradictions in the settings, before any file is read.
    ///
    /// # Errors
    /// The contradiction: a length that is negative or not finite, a tolerance without depths.
    pub fn validate(&self) -> Result<(), Error> {
        Ok(self.question.settings.validate()?)
    }

    /// Decides all pairs of the parts of an assembly.
    ///
    /// # Errors
    /// [`Check::validate`], more pairs than [`Check::max_pairs`], a chord of parts that are not there, files
    /// with different units and no [`Check::unit`], or a run that was cancelled.
    pub fn run(&self, assembly: impl Into<Arc<Assembly>>, watch: &Watch<'_>) -> Result<Report, Error> {
        let (asked, unit, assembly) = self.question.asked(assembly.into())?;
        let pool = self.workers_for(pieces(&assembly.parts))?;
        let first = self.first_depths.filter(|_| !asked.needs_all_depths());
        let decided =
            decide::assembly(&Run::new(&assembly.parts, &asked, &pool, watch)?, &self.question.pairs, first)?;
        Ok(self.report(assembly, unit, asked, decided, &pool, watch)?)
    }
    /// Returns the report of [`Check::run`], with results that a cache holds. The cache's file contains all
    /// results afterwards.
    ///
    /// # Errors
    /// Errors of [`Check::run`], and a file that cannot be written.
    #[cfg(feature = "files")]
    pub fn run_with(
        &self,
        assembly: impl Into<Arc<Assembly>>,
        cache: Cache,
        watch: &Watch<'_>,
    ) -> Result<Report, Error> {
        let (asked, unit, assembly) = self.question.asked(assembly.into())?;
        let pool = self.workers_for(pieces(&assembly.parts))?;
        let decided = cache.find(&Run::new(&assembly.parts, &asked, &pool, watch)?, &self.question.pairs)?;
        Ok(self.report(assembly, unit, asked, decided, &pool, watch)?)
    }

    /// Computes the results that need more than pairs of parts, and builds the report.
    fn report(
        &self,
        assembly: Arc<Assembly>,
        unit: CoordinateUnit,
        asked: Asked,
        Decided { mut records, parts, models, extents, shapes }: Decided,
        pool: &Pool,
        watch: &Watch<'_>,
    ) -> anyhow::Result<Report> {
        let run = Run::new(&assembly.parts, &asked, pool, watch)?;
        let bodies = Bodies { parts: &assembly.parts, models: &models };
        records.motions = motion_gaps::all(&run, bodies, &self.question.pairs, &extents)?;
        if self.question.finds_floating || asked.tests.finds_floating() {
            let reported = |near: &&Near| asked.tests.reports_near(near);
            let graph = ContactGraph::new(&parts, &records.clashes);
            let near = records.nears.iter().flat_map(|nears| &nears.list).filter(reported);
            let graph = graph.with_near(near);
            records.floating = Some(floating::find(&run, bodies, &extents, &graph)?);
        }
        if self.question.finds_self_intersections {
            records.within = Some(self_intersections::find(&run, bodies)?);
        }
        let stated = FileUnits::of(&assembly, self.question.unit).ok().and_then(|units| units.warning());
        let input = Input {
            parts,
            warnings: assembly.warnings.iter().chain(&stated).map(Warning::from).collect(),
            omissions: assembly.omissions.iter().map(Omission::from).collect(),
            offsets: offsets::offsets(&assembly.sources),
            unit,
            shapes: shapes.map_or_else(OnceLock::new, OnceLock::from),
            assembly: Some(Arc::clone(&assembly)),
        };
        Ok(Report::new(input, self.question.clone(), asked, records).with_slight(&extents))
    }
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }
    pub(crate) fn workers(&self) -> Result<Pool, Error> {
        self.workers_for(usize::MAX)
    }
    /// The threads for at most `pieces` pieces of work.
    fn workers_for(&self, pieces: usize) -> Result<Pool, Error> {
        match &self.threads {
            Workers::Own(count) => Pool::for_work(*count, pieces),
            Workers::Of(pool) => Ok(pool.clone()),
        }
    }
}

/// Number of pieces of work that threads can share: pairs of parts, or groups of triangles.
fn pieces(parts: &[Part]) -> usize {
    const TRIANGLES: usize = 256;
    let triangles: usize = parts.iter().map(|part| part.mesh.len()).sum();
    (parts.len() * parts.len().saturating_sub(1) / 2).max(triangles / TRIANGLES)
}

#[cfg(test)]
mod tests {
    use super::Check;

    #[test]
    fn contradictions_are_found_without_work() {
        let refuse = |check: Check| check.validate().unwrap_err().to_string();
        for length in [-1.0, f64::NAN, f64::INFINITY] {
            refuse(Check::new().tolerance(length));
            refuse(Check::new().clearance(length));
            refuse(Check::new().what_if([length]));
            refuse(Check::new().chord(length));
        }
        refuse(Check::new().surfaces(true).chord(1.0));
        refuse(Check::new().surfaces(true).rounding(true));
        refuse(Check::new().chord(1.0).chord(2.0));
    }
}

//! The check of an assembly.
use crate::{
    assembly::impinge_assembly,
    border::text,
    handle::{create, shared},
    query::{fill_rule, impinge_fill_rule},
    report::impinge_report,
    status::{Done, Failure, call, impinge_status},
    stop::impinge_stop,
};
use impinge_check::{Check, Date, Rules, Watch, records::DepthOf};
use impinge_io::Unit;
use std::{
    ffi::c_char,
    mem::MaybeUninit,
    ptr,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Settings of a check. Start with impinge_check_options_default(). Lengths are in the unit of the parts; a
/// negative one means none.
#[repr(C)]
pub struct impinge_check_options {
    /// Pairs that do not meet, but are no further apart than this, are findings, too. -1.
    pub clearance: f64,
    /// Overlaps that a shift of this length removes are no findings. -1.
    pub tolerance: f64,
    /// The greatest distance of the true surfaces from the triangles: findings are then certain or possible.
    /// -1.
    pub chord: f64,
    /// True to compare surfaces only: no part is a solid. False.
    pub surfaces: bool,
    /// True if parts that touch are findings, too. False.
    pub touching: bool,
    /// True to measure the contacts of parts that touch, which some formats show. False.
    pub contacts: bool,
    /// True to find parts that touch nothing. False.
    pub floating: bool,
    /// True to find parts whose meshes meet themselves. False.
    pub self_intersections: bool,
    /// True to measure volumes and depths of findings. True.
    pub depths: bool,
    /// The points that are inside of a closed mesh. IMPINGE_FILL_RULE_NON_ZERO.
    pub fill_rule: MaybeUninit<impinge_fill_rule>,
    /// The number of threads; 0 is one for each core. 0.
    pub threads: u16,
    /// True if chord errors include the rounding of coordinates by the format of a file. False.
    pub rounding: bool,
    /// The most pairs of parts that are tested; more are an error. Three million.
    pub max_pairs: u64,
    /// The unit of coordinates of files that state none, and of parts that were added: "mm", "m", "in" and
    /// others, in UTF-8. It changes no result, but reports state it. NULL for none. NULL.
    pub unit: *const c_char,
    /// The length of the unit, or IMPINGE_CSTRING. 0.
    pub unit_length: usize,
    /// Rules in the language of impinge.toml, in UTF-8; NULL for none. NULL.
    pub rules: *const c_char,
    /// The length of the rules, or IMPINGE_CSTRING. 0.
    pub rules_length: usize,
    /// A flag that ends the check: it then returns IMPINGE_STATUS_STOPPED. NULL.
    pub stop: *const impinge_stop,
}

/// Returns the default settings of checks.
#[unsafe(no_mangle)]
pub extern "C" fn impinge_check_options_default() -> impinge_check_options {
    impinge_check_options {
        clearance: -1.0,
        tolerance: -1.0,
        chord: -1.0,
        surfaces: false,
        touching: false,
        contacts: false,
        floating: false,
        self_intersections: false,
        depths: true,
        fill_rule: MaybeUninit::new(impinge_fill_rule::NonZero),
        threads: 0,
        rounding: false,
        max_pairs: Check::MOST_PAIRS,
        unit: ptr::null(),
        unit_length: 0,
        rules: ptr::null(),
        rules_length: 0,
        stop: ptr::null(),
    }
}

impl impinge_check_options {
    /// # Safety
    /// The unit and the rules are texts as [`text`] takes them.
    unsafe fn checked(&self) -> Done<Check> {
        let mut check = Check::new()
            .surfaces(self.surfaces)
            .contacts(self.contacts)
            .floating(self.floating)
            .self_intersections(self.self_intersections)
            .rounding(self.rounding)
            .max_pairs(self.max_pairs)
            .fill_rule(fill_rule(self.fill_rule)?)
            .threads(self.threads);
        if self.touching {
            check = check.relations(impinge_check::Relations::ALL);
        }
        if !self.depths {
            check = check.depth(DepthOf::None);
        }
        if let Some(clearance) = length(self.clearance, "clearance")? {
            check = check.clearance(clearance);
        }
        if let Some(tolerance) = length(self.tolerance, "tolerance")? {
            check = check.tolerance(tolerance);
        }
        if let Some(chord) = length(self.chord, "chord")? {
            check = check.chord(chord);
        }
        if !self.unit.is_null() {
            // SAFETY: the caller's promise.
            let unit = unsafe { text(self.unit, self.unit_length, "unit") }?;
            let found = unit.parse::<Unit>();
            check =
                check.unit(Some(found.map_err(|why| Failure::argument(format!("unit: '{unit}' is {why}")))?));
        }
        if !self.rules.is_null() {
            // SAFETY: the caller's promise.
            let rules = unsafe { text(self.rules, self.rules_length, "rules") }?;
            check = check.rules(Rules::parse("rules", rules)?, today());
        }
        check.validate()?;
        Ok(check)
    }
}

/// A length; `None` if it is negative.
fn length(length: f64, what: &str) -> Done<Option<f64>> {
    if length.is_finite() {
        return Ok(Some(length).filter(|&length| length >= 0.0));
    }
    Err(Failure::argument(format!("{what} is {length}, which is no length")))
}

/// Today in UTC, for rules that end on a day.
fn today() -> Date {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Date::from_days((since.as_secs() / 86_400) as i64)
}

/// Checks all pairs of an assembly's parts, exactly. NULL as the options are the default ones.
///
/// Errors: an option that is out of range, rules that are not valid, files with units that contradict each
/// other, more than `max_pairs` pairs to test; IMPINGE_STATUS_STOPPED. Free the report with
/// impinge_report_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn impinge_check(
    assembly: Option<&impinge_assembly>,
    options: Option<&impinge_check_options>,
    out_report: Option<&mut MaybeUninit<*mut impinge_report>>,
) -> impinge_status {
    call(|| {
        create(out_report, || {
            let assembly = Arc::clone(shared(assembly)?);
            let default = impinge_check_options_default();
            let options = options.unwrap_or(&default);
            let check = unsafe { options.checked() }?;
            let stop = unsafe { options.stop.as_ref() };
            let stop = stop.map(|stop| shared(Some(stop))).transpose()?;
            let watch = Watch::new();
            let watch = match stop {
                Some(stop) => watch.stop(stop).cancel(stop),
                None => watch,
            };
            Ok(check.run(assembly, &watch)?)
        })
    })
}

//! [`SizeUnits`]: the units in which people read sizes.
use crate::heading::Heading;
use impinge_check::{
    Finding, Report, Unit,
    baseline::{Baseline, Measures},
    values::numbers::{amount, amount_beside, shortest, volume},
};

/// Units in which people read the sizes of a report's findings: one for all lengths, one for all volumes.
///
/// If the report's unit is metric, they are µm, mm or m, and mm³, cm³ or m³, whichever suits the median size.
/// Otherwise they are the report's unit. Programs read all numbers in the report's unit.
#[derive(Clone, Copy, Debug)]
pub struct SizeUnits {
    length: Scale,
    volume: Scale,
}

/// A unit, and the factor from the report's.
#[derive(Clone, Copy, Debug)]
struct Scale {
    times: f64,
    over: f64,
    /// `None` if the unit is unknown.
    symbol: Option<&'static str>,
}

/// Exponent of ten of a metric unit in metres or cubic metres, its symbol, and the least median size that it
/// suits.
type Choice = (i32, &'static str, f64);

const LENGTHS: [Choice; 3] = [(0, "m", 1.0), (-3, "mm", 1e-6), (-6, "µm", 0.0)];
const VOLUMES: [Choice; 3] = [(0, "m³", 0.1), (-6, "cm³", 1e-7), (-9, "mm³", 0.0)];

impl SizeUnits {
    /// The units for a report. Cost: linear in the findings.
    pub fn of(report: &Report) -> Self {
        let (mut lengths, mut volumes) = (Vec::new(), Vec::new());
        for finding in report.findings() {
            let size = report.size_of(finding);
            lengths.extend([size.depth, size.separating_distance, size.distance].into_iter().flatten());
            volumes.extend(size.volume.map(|[_, hi]| hi));
        }
        Self::suiting(report.unit(), lengths, volumes)
    }
    /// The units for a baseline. Cost: linear in the findings.
    pub fn of_baseline(baseline: &Baseline) -> Self {
        let (mut lengths, mut volumes) = (Vec::new(), Vec::new());
        for Measures { volume, depth, distance, .. } in
            baseline.findings().iter().map(|known| &known.measures)
        {
            lengths.extend([depth, distance].into_iter().flatten().map(|[_, hi]| *hi));
            volumes.extend(volume.map(|[_, hi]| hi));
        }
        Self::suiting(baseline.unit(), lengths, volumes)
    }
    fn suiting(unit: Option<Unit>, lengths: Vec<f64>, volumes: Vec<f64>) -> Self {
        let own = |symbol| Scale { times: 1.0, over: 1.0, symbol };
        match unit.map(Unit::decimal_metres) {
            Some((1, exponent)) => Self {
                length: Scale::suiting(exponent, lengths, LENGTHS),
                volume: Scale::suiting(3 * exponent, volumes, VOLUMES),
            },
            _ => Self {
                length: own(unit.map(Unit::symbol)),
                volume: own(unit.map(|unit| if unit == Unit::Inch { "in³" } else { "ft³" })),
            },
        }
    }

    /// A length as a number.
    pub fn length(&self, length: f64) -> String {
        amount(self.length.of(length))
    }
    /// A volume between two bounds as a number, or two.
    pub fn volume(&self, bounds: [f64; 2]) -> String {
        volume(bounds.map(|bound| self.volume.of(bound)))
    }
    /// The gap of a near pair as a number, with enough digits to show on which side of each compared length
    /// it is.
    pub fn gap(&self, report: &Report, finding: &Finding, gap: f64) -> String {
        match report.near_of(finding) {
            Some(near) => self.gap_beside(gap, &report.compared(near)),
            None => self.length(gap),
        }
    }
    /// A gap as a number, with enough digits to show which of these lengths it exceeds.
    pub fn gap_beside(&self, gap: f64, limits: &[f64]) -> String {
        let limits: Vec<f64> = limits.iter().map(|&limit| self.length.of(limit)).collect();
        amount_beside(self.length.of(gap), &limits)
    }
    /// A length that the user has given, as a number.
    pub fn given_length(&self, length: f64) -> String {
        // The factor, or a sum of given lengths, may have been rounded.
        let near = |towards: f64| self.length.of(length) * (1.0 + towards * f64::EPSILON);
        shortest([near(-4.0), near(4.0)])
    }
    /// Text followed by the unit of lengths.
    pub fn with_length_unit(&self, text: &str) -> String {
        with(text, self.length.symbol.unwrap_or_default())
    }
    /// Text followed by the unit of volumes.
    pub fn with_volume_unit(&self, text: &str) -> String {
        with(text, self.volume.symbol.unwrap_or_default())
    }
    /// Length or area of a contact, with its unit; `power` is 2 for areas.
    pub(crate) fn contact(&self, size: f64, power: i32) -> String {
        let Scale { times, over, symbol } = self.length;
        let symbol = symbol.map(|symbol| format!("{symbol}{}", if power == 2 { "²" } else { "" }));
        with(&amount(size * times.powi(power) / over.powi(power)), &symbol.unwrap_or_default())
    }
    /// Bounds of a volume in the unit of volumes: the first rounded down, the second up.
    pub(crate) fn volume_bounds(&self, bounds: [f64; 2]) -> [f64; 2] {
        self.volume.outwards(bounds)
    }
    /// Bounds of a length in the unit of lengths: the first rounded down, the second up.
    pub(crate) fn length_bounds(&self, bounds: [f64; 2]) -> [f64; 2] {
        self.length.outwards(bounds)
    }
    /// An upper bound of a length in the unit of lengths, rounded up.
    pub(crate) fn length_bound(&self, length: f64) -> f64 {
        self.length_bounds([0.0, length])[1]
    }
    /// The headings of volume, depth, separating distance and gap, for a [`Table`](crate::Table).
    pub fn headings(&self) -> [String; 4] {
        self.columns().map(|heading| heading.of_table())
    }
    pub(crate) fn columns(&self) -> [Heading; 4] {
        let [length, volume] = self.symbols();
        [
            Heading { what: "volume", unit: volume },
            Heading { what: "depth", unit: length },
            Heading { what: "separating\ndistance", unit: length },
            Heading { what: "gap", unit: length },
        ]
    }
    /// Symbols of the units of lengths and volumes.
    pub(crate) fn symbols(&self) -> [Option<&'static str>; 2] {
        [self.length.symbol, self.volume.symbol]
    }
}

fn with(text: &str, symbol: &str) -> String {
    if symbol.is_empty() { text.to_owned() } else { format!("{text} {symbol}") }
}

impl Scale {
    /// The unit that suits the median of sizes whose unit is 10^`exponent`.
    fn suiting(exponent: i32, mut sizes: Vec<f64>, choices: [Choice; 3]) -> Self {
        sizes.retain(|&size| size > 0.0);
        sizes.sort_unstable_by(f64::total_cmp);
        let own = choices.iter().find(|&&(own, ..)| own == exponent);
        let median = sizes.get(sizes.len() / 2).map(|size| size * 10.0_f64.powi(exponent));
        let suiting = median.and_then(|median| choices.iter().find(|(.., least)| median >= *least));
        let &(to, symbol, _) = suiting.or(own).unwrap_or(&choices[1]);
        let by = exponent - to;
        // Powers of ten are exact, their inverses are not.
        Self { times: 10.0_f64.powi(by.max(0)), over: 10.0_f64.powi((-by).max(0)), symbol: Some(symbol) }
    }
    fn is_one(self) -> bool {
        self.times == 1.0 && self.over == 1.0
    }
    fn of(self, size: f64) -> f64 {
        size * self.times / self.over
    }
    /// Bounds that are not negative, rounded outwards.
    fn outwards(self, [lo, hi]: [f64; 2]) -> [f64; 2] {
        if self.is_one() {
            return [lo, hi];
        }
        // One of the factors is 1, so that each bound is rounded once.
        [self.of(lo).next_down().max(0.0), if hi > 0.0 { self.of(hi).next_up() } else { hi }]
    }
}

#[cfg(test)]
mod tests {
    use super::SizeUnits;
    use impinge_check::Unit;

    fn units(unit: Unit, lengths: &[f64], volumes: &[f64]) -> SizeUnits {
        SizeUnits::suiting(Some(unit), lengths.to_vec(), volumes.to_vec())
    }

    #[test]
    fn the_median_decides() {
        let house = units(Unit::Metre, &[0.02, 0.0, 3.0, 0.004], &[1.924e-5, 0.3, 1e-6]);
        assert_eq!(house.symbols(), [Some("mm"), Some("cm³")]);
        assert_eq!(house.volume([1.924e-5; 2]), "19.24");
        assert_eq!((house.length(0.02), house.given_length(0.0035)), ("20.00".to_owned(), "3.5".to_owned()));
        assert_eq!((house.contact(0.02, 1), house.contact(0.02, 2)), ("20.00 mm".into(), "20000 mm²".into()));
        let machine = units(Unit::Millimetre, &[0.02, 0.01], &[0.5, 12_000.0]);
        assert_eq!(machine.symbols(), [Some("mm"), Some("cm³")]);
        assert_eq!(machine.volume([12_000.0; 2]), "12.00");
        assert_eq!(units(Unit::Millimetre, &[0.0002], &[1e-9]).symbols(), [Some("µm"), Some("mm³")]);
        assert_eq!(units(Unit::Millimetre, &[4000.0], &[1e9]).symbols(), [Some("m"), Some("m³")]);
    }

    #[test]
    fn other_units_stay() {
        assert_eq!(units(Unit::Inch, &[1e-5], &[1e-9]).symbols(), [Some("in"), Some("in³")]);
        assert_eq!(units(Unit::Micrometre, &[], &[]).symbols(), [Some("µm"), Some("cm³")]);
        let unknown = SizeUnits::suiting(None, vec![1e-5], Vec::new());
        assert_eq!((unknown.symbols(), unknown.length(1e-5)), ([None, None], "1.000e-5".to_owned()));
        assert_eq!(unknown.with_length_unit("5"), "5");
    }

    #[test]
    fn bounds_are_rounded_outwards() {
        let metres = units(Unit::Metre, &[0.1], &[0.001]);
        let [lo, hi] = metres.volume_bounds([1.1e-3, 1.1e-3]);
        assert!(lo < 1100.0 + 1e-9 && hi > 1100.0 - 1e-9 && lo < hi && hi - lo < 1e-9);
        assert_eq!(metres.volume_bounds([0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(units(Unit::Millimetre, &[0.1], &[]).length_bound(0.1), 0.1);
    }

    #[test]
    fn a_gap_shows_on_which_side_of_a_limit_it_is() {
        let metres = units(Unit::Metre, &[0.005], &[]);
        assert_eq!(metres.gap_beside(0.005, &[0.005]), "5.000");
        assert_eq!(metres.gap_beside(0.005_000_000_1, &[0.005]), "5.0000001");
    }
}

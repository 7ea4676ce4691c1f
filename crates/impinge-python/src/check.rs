//! Checks of assemblies.
use crate::{
    arrays,
    assembly::PyAssembly,
    baseline::{self, Against, DateTuple, PyBaseline},
    call::Call,
    errors, pool,
    report::PyReport,
    results,
    rules::PyRules,
};
use impinge_check::{Check, Pairs, Unit, parts::ChordOf, records::DepthOf};
use pyo3::prelude::*;
use std::{path::PathBuf, time::Duration};

/// The options of a check.
#[pyclass(frozen, name = "_Check", module = "impinge._core")]
pub(crate) struct PyCheck(pub(crate) Check);

#[pymethods]
impl PyCheck {
    #[new]
    #[expect(clippy::too_many_arguments)]
    fn new(
        report: Vec<String>,
        fill_rule: &str,
        depth: &str,
        tolerance: Option<f64>,
        clearance: Option<f64>,
        what_if: Vec<f64>,
        what_if_tolerance: Vec<f64>,
        chord: Vec<(Option<String>, f64)>,
        count: Option<&str>,
        rounding: bool,
        surfaces: bool,
        contacts: bool,
        max_pairs: Option<u64>,
        unit: Option<&str>,
    ) -> PyResult<Self> {
        let unit = unit
            .map(|name| name.parse::<Unit>().map_err(|why| errors::value(format!("unit: {name:?} is {why}"))))
            .transpose()?;
        let depth = match depth {
            "counted" => DepthOf::Counted,
            "all" => DepthOf::All,
            "none" => DepthOf::None,
            _ => {
                return Err(errors::value(format!(
                    "depth must be 'counted', 'all' or 'none', not {depth:?}"
                )));
            }
        };
        let chord = chord.into_iter().map(|(name, length)| match name {
            Some(name) => ChordOf::named(name, length),
            None => ChordOf::all(length),
        });
        let fill_rule = results::fill_rule(fill_rule)?;
        let mut check =
            Check::new().fill_rule(fill_rule).depth(depth).surfaces(surfaces).contacts(contacts).unit(unit);
        check = check.what_if(what_if).what_if_tolerance(what_if_tolerance).chords(chord).rounding(rounding);
        if let Some(count) = count {
            check = check
                .count(count.parse().map_err(|why| errors::value(format!("count: {count:?} is not {why}")))?);
        }
        if !report.is_empty() {
            check = check.relations(report.join(",").parse().map_err(|why| errors::check(&why))?);
        }
        if let Some(length) = tolerance {
            check = check.tolerance(length);
        }
        if let Some(length) = clearance {
            check = check.clearance(length);
        }
        if let Some(most) = max_pairs {
            check = check.max_pairs(most);
        }
        check.validate().map_err(|why| errors::check(&why))?;
        Ok(Self(check))
    }
    /// Checks the pairs of an assembly's parts: all, those of its first source and the others, a list, those
    /// of two groups, or those for which a function returns true.
    #[expect(clippy::too_many_arguments)]
    fn run(
        &self,
        py: Python<'_>,
        assembly: &PyAssembly,
        across: bool,
        listed: Option<&Bound<'_, PyAny>>,
        groups: Option<[Vec<usize>; 2]>,
        choose: Option<Py<PyAny>>,
        floating: bool,
        rules: Option<(PyRef<'_, PyRules>, DateTuple)>,
        baseline: Option<(PyRef<'_, PyBaseline>, f64, DateTuple)>,
        cache: Option<PathBuf>,
        #[pyo3(from_py_with = pool::count)] threads: Option<usize>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyReport> {
        let assembly = assembly.shared();
        let call = Call::new();
        let pairs = if across {
            Pairs::Across { second: assembly.sources.first().map_or(0, |source| source.parts) }
        } else if let Some(listed) = listed {
            Pairs::listed(arrays::part_pairs(listed, assembly.parts.len())?)
        } else if let Some(groups) = groups {
            between(groups, assembly.parts.len())?
        } else if let Some(choose) = choose {
            call.chosen(choose)
        } else {
            Pairs::All
        };
        let mut check = self.0.clone().pairs(pairs).floating(floating).threads(pool::for_own_pool(threads));
        if let Some((rules, today)) = rules {
            check = check.rules(rules.shared(), baseline::date(today)?);
        }
        let against = match baseline {
            Some((baseline, worse, today)) => Some(Against::new(&baseline, baseline::date(today)?, worse)),
            None => None,
        };
        let limit = time_limit.map(duration).transpose()?;
        let report = call.run(py, progress, limit, move |watch| {
            let report = match cache {
                Some(path) => {
                    let cache = check.open_cache(path, watch)?;
                    check.run_with(assembly, cache, watch)
                }
                None => check.run(assembly, watch),
            }?;
            match against {
                Some(against) => against.compare(report),
                None => Ok(report),
            }
        })?;
        Ok(PyReport::new(report))
    }
}

/// Pairs of a part of one group and a part of the other.
pub(crate) fn between(groups: [Vec<usize>; 2], parts: usize) -> PyResult<Pairs> {
    let mut is_in = [vec![false; parts], vec![false; parts]];
    for (is_in, group) in is_in.iter_mut().zip(groups) {
        for part in group {
            *is_in.get_mut(part).ok_or_else(|| errors::index(format!("there is no part {part}")))? = true;
        }
    }
    let [first, second] = is_in;
    Ok(Pairs::filter(move |a, b| {
        let [a, b] = [a as usize, b as usize];
        first[a] && second[b] || first[b] && second[a]
    }))
}

fn duration(seconds: f64) -> PyResult<Duration> {
    let duration = Duration::try_from_secs_f64(seconds);
    duration.map_err(|_| errors::value(format!("time_limit must be a number of seconds, not {seconds}")))
}

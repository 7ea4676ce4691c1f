//! Load of the machine while times are taken, and its bound for judging them.
use crate::Watch;
use serde::{Deserialize, Serialize};
use std::{fs, thread};

/// Mean number of runnable threads of the whole machine, ours among them, during a stretch of work.
///
/// This is not the usual load average, which covers a minute or more and so earlier work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Load {
    /// `None` if the system does not report it, or nothing was sampled.
    pub(crate) mean: Option<f64>,
    /// The greatest load at which claims about times are judged.
    pub(crate) bound: f64,
}

impl Load {
    pub(crate) fn is_too_much(self) -> bool {
        self.mean.is_some_and(|mean| mean > self.bound)
    }
    /// The load as text, for the report.
    pub(crate) fn words(self) -> String {
        match self.mean {
            Some(mean) => format!("{mean:.1}"),
            None => "unknown".into(),
        }
    }
}

/// Greatest load at which times are judged: our thread, and half a thread for each other core. With more,
/// others probably run on the other half of the same core, or on ours. On one core it is our thread and a
/// quarter.
fn bound(cores: usize) -> f64 {
    (1.0 + 0.5 * (cores as f64 - 1.0)).max(1.25)
}

/// The bound of this machine.
fn bound_here() -> f64 {
    bound(thread::available_parallelism().map_or(1, Into::into))
}

/// Samples the load at every step, and passes the progress on to another [`Watch`].
pub(crate) struct Sampling<'a> {
    watch: &'a mut dyn Watch,
    look: fn() -> Option<u32>,
    sum: f64,
    looks: u32,
}

impl<'a> Sampling<'a> {
    pub(crate) fn new(watch: &'a mut dyn Watch) -> Self {
        Self { watch, look: runnable, sum: 0.0, looks: 0 }
    }
    /// Mean over all steps so far.
    pub(crate) fn load(&self) -> Load {
        let mean = (self.looks > 0).then(|| self.sum / f64::from(self.looks));
        Load { mean, bound: bound_here() }
    }
}

impl Watch for Sampling<'_> {
    fn stage(&mut self, name: String, steps: usize) {
        self.watch.stage(name, steps);
    }
    fn step(&mut self) {
        if let Some(n) = (self.look)() {
            self.sum += f64::from(n);
            self.looks += 1;
        }
        self.watch.step();
    }
}

/// Threads that run or could run at this moment, this one included.
fn runnable() -> Option<u32> {
    parse(&fs::read_to_string("/proc/loadavg").ok()?)
}

/// Parses the fourth word of Linux's `/proc/loadavg`: runnable threads / all threads.
fn parse(text: &str) -> Option<u32> {
    text.split_ascii_whitespace().nth(3)?.split_once('/')?.0.parse().ok().filter(|&n| n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_says_how_many_threads_could_run() {
        assert_eq!(parse("5.80 2.32 0.89 3/210 4711\n"), Some(3));
        for text in ["", "5.80 2.32 0.89", "5.80 2.32 0.89 x/210 1", "5.80 2.32 0.89 0/210 1"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(runnable().is_some(), cfg!(any(target_os = "linux", target_os = "android")));
    }

    #[test]
    fn the_load_is_the_mean_over_the_steps() {
        let mut nobody = ();
        let mut sampling = Sampling::new(&mut nobody);
        assert_eq!(sampling.load().mean, None);
        for look in [(|| Some(1)) as fn() -> _, || Some(4), || None, || Some(1)] {
            sampling.look = look;
            sampling.step();
        }
        assert_eq!(sampling.load().mean, Some(2.0));
    }

    #[test]
    fn too_much_is_above_the_bound_and_unknown_is_not() {
        assert_eq!([1, 2, 4, 16].map(bound), [1.25, 1.5, 2.5, 8.5]);
        let load = |mean| Load { mean, bound: 1.5 };
        assert!(load(Some(1.6)).is_too_much());
        assert!(!load(Some(1.5)).is_too_much() && !load(None).is_too_much());
        assert_eq!([load(Some(3.44)), load(None)].map(Load::words), ["3.4", "unknown"]);
    }
}

//! `impinge work`: decides the pairs of tasks of a plan.
use crate::{
    args,
    output::Sink,
    progress::{OverTasks, Progress},
};
use anyhow::bail;
use clap::{ArgGroup, Args};
use impinge_check::{
    Pool, Watch,
    tasks::{Plan, TaskDone, Worker},
    values::{
        numbers::{count, grouped},
        text::{folded, printable},
    },
};
use std::path::PathBuf;

const BRIEF: &str = "\
Examples:
  impinge work plan --all
  impinge work plan --task 0-99";

const NOTES: &str = "\
Examples:
  impinge work plan --task 17            one task
  impinge work plan --task 0-99          tasks 0 to 99
  impinge work plan --all                all that have no result yet, one after the other
  seq 0 999 | xargs -P 8 -I {} impinge work plan --task {} --threads 1

A task that has a result already is done again, and must give the same result.
Exit status: 0 the tasks are done, whatever was found, 2 one could not be done.";

/// Do tasks of a plan: find the relations of their pairs of parts
///
/// It reads only the folder of the plan, and writes only the result of each task into it, complete or not at
/// all. Memory holds the meshes of one task. The result is the same for every number of threads and on every
/// machine.
#[derive(Args)]
#[command(after_help = BRIEF, after_long_help = NOTES)]
#[command(group(ArgGroup::new("which").required(true).args(["task", "all"])))]
pub(crate) struct Work {
    /// Folder that `impinge plan` wrote
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// Do task K, or tasks A-B; repeatable
    ///
    /// Tasks are numbered from 0.
    #[arg(long, value_name = "K", value_parser = tasks, help_heading = "Tasks")]
    task: Vec<[u32; 2]>,

    /// Do all tasks that have no result
    #[arg(long, help_heading = "Tasks")]
    all: bool,

    /// Use N threads [default: one for each core]
    ///
    /// At most eight for each core.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = args::threads(),
        help_heading = "Run",
        hide_default_value = true
    )]
    threads: u16,
}

/// A number, or two with a dash between them.
fn tasks(text: &str) -> Result<[u32; 2], String> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| "not a number of a task, nor two, as 3-10");
    let [first, last] = match text.split_once('-') {
        Some((first, last)) => [number(first)?, number(last)?],
        None => [number(text)?; 2],
    };
    if first > last { Err("the first is behind the last".to_owned()) } else { Ok([first, last]) }
}

impl Work {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let plan = Plan::open(&self.plan)?;
        let tasks = plan.tasks();
        if let Some([_, last]) = self.task.iter().find(|[_, last]| *last >= tasks) {
            bail!("there is no task {last}: the plan has {tasks}, numbered from 0");
        }
        let all = (0..tasks).filter(|&k| self.all && !plan.is_done(k));
        let chosen: Vec<u32> = self.task.iter().flat_map(|&[first, last]| first..=last).chain(all).collect();
        let mut worker = Worker::of(Pool::with_this_thread(self.threads, usize::MAX)?);
        // One bar: of the only task, or over all of them.
        let progress = Progress::new();
        let over_tasks = OverTasks::new(&progress);
        if chosen.len() > 1 {
            progress.stage("doing tasks", chosen.len() as u64);
        }
        for &k in &chosen {
            let watch = Watch::new();
            let watch =
                if chosen.len() > 1 { watch.listener(&over_tasks) } else { watch.listener(&progress) };
            let done = plan.work(k, &mut worker, &watch)?;
            over_tasks.done();
            let said = format!(
                "Task {k} of {tasks}: {}. {} {}.",
                numbers(&done),
                if done.is_new { "Written to" } else { "The same is in" },
                printable(&done.file.to_string_lossy()),
            );
            progress.aside(|| say(&said))?;
        }
        drop(progress);
        if chosen.is_empty() {
            say(&format!("Nothing left to do: all {tasks} tasks have results."))?;
        }
        Ok(())
    }
}

/// The numbers of a task, under the names of the coverage report.
fn numbers(done: &TaskDone) -> String {
    let mut text = format!("{} tested, {} clashing", count(done.tested, "part pair"), grouped(done.clashing));
    if let Some(inside) = done.inside_without_contact {
        text += &format!(", {} inside without contact", grouped(inside));
    }
    if let Some(distances) = done.distances {
        text += &format!("; {} within the distance by their boxes", grouped(distances.boxes_within));
        if let Some(near) = distances.near {
            text += &format!(", {} near", grouped(near));
        }
    }
    text
}

fn say(text: &str) -> anyhow::Result<()> {
    Sink::Stdout.write(|out| Ok(writeln!(out, "{}", folded(text, Sink::Stdout.columns()))?))
}

#[cfg(test)]
mod tests {
    use super::tasks;

    #[test]
    fn tasks_are_a_number_or_two() {
        assert_eq!(tasks("3"), Ok([3, 3]));
        assert_eq!(tasks("3-10"), Ok([3, 10]));
        for wrong in ["", "-", "3-", "-3", "3-2", "3..4", "x", "4294967296"] {
            assert!(tasks(wrong).is_err(), "{wrong}");
        }
    }
}

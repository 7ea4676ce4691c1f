//! A check in tasks, for many processes or machines: the folder of a plan with its tasks and their results.
mod cut;
mod folder;
mod merge;
mod open;
mod parts;
mod result;
mod store;
mod task;
mod tiles;
mod unfinished;
mod work;
mod write;

pub use self::{
    open::Plan,
    unfinished::remove_unfinished_plans,
    work::{TaskDistances, TaskDone, Worker},
    write::{PlanOptions, PlanWriter, Planned},
};

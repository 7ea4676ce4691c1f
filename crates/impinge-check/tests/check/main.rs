//! Tests of the public interface, in one binary because linking takes long.
mod chord;
mod contacts;
mod deliveries;
mod findings;
mod first_depths;
mod fragile;
mod groups;
mod lost_contacts;
mod merges;
mod motion_gaps;
mod noise;
mod rules;
mod shallow;
mod within_rounding;

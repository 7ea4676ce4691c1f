//! The command, run as users run it.
mod common;
mod compare;
mod pages;
mod reproduce;
mod volumes;

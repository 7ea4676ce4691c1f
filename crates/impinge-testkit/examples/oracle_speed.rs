//! Measures the oracle's time for a near-degenerate pair, by placement.
//!
//! `cargo run --release -p impinge-testkit --example oracle_speed`
use impinge_testkit::{
    near_degenerate::{FAMILIES, PLACEMENTS, PairCase, near_degenerate},
    oracle,
};
use std::time::Instant;

fn main() {
    const CASES: u64 = 640_000;
    let start = Instant::now();
    let cases: Vec<PairCase> = (0..CASES).map(|index| near_degenerate(1, index)).collect();
    println!("{:16} {:6.2} us a pair", "generated", start.elapsed().as_secs_f64() * 1e6 / CASES as f64);
    for (i, name) in PLACEMENTS.iter().enumerate() {
        let of_placement = cases.chunks(FAMILIES.len()).skip(i).step_by(PLACEMENTS.len()).flatten();
        let (mut pairs, mut met) = (0_u32, 0_u32);
        let start = Instant::now();
        for case in of_placement {
            pairs += 1;
            met += u32::from(oracle::intersects(&case.p, &case.pose_p, &case.q, &case.pose_q));
        }
        let microseconds = start.elapsed().as_secs_f64() * 1e6 / f64::from(pairs);
        println!("{name:16} {microseconds:6.2} us a pair, {met} of {pairs} meet");
    }
}

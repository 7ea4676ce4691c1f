//! Larsson and Akenine-Moller 2008, scene Spheres-L1: two spheres move through each other while they turn,
//! and are concentric in frame 250. Prints, for every volume, the mean work of a frame: over all frames, and
//! over those whose surfaces are close everywhere.
//!
//! Their table 3 gives Nv and Np as 99,733 and 10,585 for balls, 21,412 and 2,112 for slab cut balls, 13,350
//! and 1,135 for OBBs.
use impinge::{Body, Query};
use impinge_testkit::scenes::{Sources, build};
use impinge_volumes::{Kind, Options};
use std::{error::Error, sync::Arc, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let scene = build("spheres-l1", &Sources::default())?;
    let close = &scene.groups[1].frames;
    println!("mean of a frame     all: Nv         Np         us   244 to 256: Nv         Np         us");
    for &kind in Kind::ALL {
        let model = |n: usize| Options::new(kind).leaf_size(1).build(Arc::clone(&scene.meshes[n]));
        let (small, large, mut query) = (model(0)?, model(1)?, Query::new().counting(true));
        // Sums over all frames, and over the close ones: Nv, Np, microseconds, frames.
        let mut sums = [[0.0; 4]; 2];
        for (frame, [a, b]) in scene.frames.iter().enumerate() {
            let (a, b) = (Body::new(&small, *a), Body::new(&large, *b));
            query.reset_counters();
            let start = Instant::now();
            query.pairs(&a, &b);
            let us = start.elapsed().as_secs_f64() * 1e6;
            let count = query.counters().unwrap_or_default().count;
            for sum in &mut sums[..if close.contains(&frame) { 2 } else { 1 }] {
                let parts = [count.volume_tests as f64, count.leaf_pairs as f64, us, 1.0];
                *sum = std::array::from_fn(|i| sum[i] + parts[i]);
            }
        }
        let [all, close] = sums.map(|[nv, np, us, frames]| [nv / frames, np / frames, us / frames]);
        print!("{:16}", kind.name());
        println!(
            "{:12.0}{:11.0}{:11.0} {:15.0}{:11.0}{:11.0}",
            all[0], all[1], all[2], close[0], close[1], close[2]
        );
    }
    Ok(())
}

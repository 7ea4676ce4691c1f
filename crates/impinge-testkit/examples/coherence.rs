//! Measures the gain of a `QueryCache`: the frames of a scene in turn, each query from the roots and with the
//! data of the last frame.
//!
//! `coherence [--data DIR] [SCENE...]`; without names, the spheres. It prints means over all frames, and for
//! first contact over those in which the bodies meet or not, each the least of five passes, and compares the
//! results.
use impinge::{Body, Model, Query, query::QueryCache};
use impinge_testkit::scenes::{Sources, build};
use std::{path::PathBuf, process::ExitCode, time::Instant};

const PASSES: usize = 5;

type Ask<'a> = &'a mut dyn FnMut(&Body<'_>, &Body<'_>, &mut QueryCache, &mut Query, &mut Vec<[u32; 2]>);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut names, mut data) = (Vec::new(), None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--data" => data = arguments.next().map(PathBuf::from),
            _ => names.push(argument),
        }
    }
    if names.is_empty() {
        names.push("spheres-l1".to_owned());
    }
    println!(
        "us a frame: first contact cold, cached, ratio; all pairs cold, cached, ratio; frames, meeting ones"
    );
    for name in names {
        if let Err(error) = race(&name, data.as_deref()) {
            eprintln!("coherence: {name}: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn race(name: &str, data: Option<&std::path::Path>) -> Result<(), Box<dyn std::error::Error>> {
    let scene = build(name, &Sources { data, quick: false })?;
    let models = scene.meshes.clone().map(Model::new);
    let (mut query, mut pairs) = (Query::new(), Vec::new());
    // Results of each way, frame by frame.
    let mut way = |ask: Ask<'_>| {
        let (mut best, mut found) = ([f64::INFINITY; 2], Vec::new());
        for _ in 0..PASSES {
            found.clear();
            let (mut cache, mut spent) = (QueryCache::new(), [0.0; 2]);
            for frame in &scene.frames {
                let a = Body::new(&models[0], frame[0]);
                let b = Body::new(&models[1], frame[1]);
                let start = Instant::now();
                ask(&a, &b, &mut cache, &mut query, &mut pairs);
                spent[usize::from(!pairs.is_empty())] += start.elapsed().as_secs_f64();
                found.push(pairs.clone());
            }
            if spent[0] + spent[1] < best[0] + best[1] {
                best = spent;
            }
        }
        // Microseconds of disjoint frames and of meeting ones.
        (best.map(|t| 1e6 * t), found)
    };
    let (cold, met) = way(&mut |a, b, _, query, pairs| {
        pairs.clear();
        pairs.extend(query.first_contact(a, b));
    });
    let (warm, met_again) = way(&mut |a, b, cache, query, pairs| {
        pairs.clear();
        pairs.extend(query.with_cache(cache).first_contact(a, b));
    });
    let (all_cold, all) = way(&mut |a, b, _, query, pairs| {
        query.pairs_into(a, b, pairs);
    });
    let (all_warm, all_again) = way(&mut |a, b, cache, query, pairs| {
        pairs.clear();
        pairs.extend_from_slice(query.with_cache(cache).pairs(a, b));
    });
    if all != all_again || met.iter().zip(&met_again).any(|(x, y)| x.is_empty() != y.is_empty()) {
        return Err("the cache changed a result".into());
    }
    let meet = met.iter().filter(|pairs| !pairs.is_empty()).count();
    let mean = |[apart, meeting]: [f64; 2]| (apart + meeting) / met.len() as f64;
    let [first, all] = [[cold, warm], [all_cold, all_warm]].map(|ways| ways.map(mean));
    print!("{name:24} {:8.2} {:8.2} {:5.2}   ", first[0], first[1], first[0] / first[1]);
    println!("{:8.2} {:8.2} {:5.2}   {} {meet}", all[0], all[1], all[0] / all[1], met.len());
    for (k, (what, frames)) in [("apart", met.len() - meet), ("meeting", meet)].into_iter().enumerate() {
        if frames > 0 {
            let [cold, warm] = [cold[k], warm[k]].map(|t| t / frames as f64);
            println!("  {what:22} {cold:8.2} {warm:8.2} {:5.2}   {frames} frames", cold / warm);
        }
    }
    Ok(())
}

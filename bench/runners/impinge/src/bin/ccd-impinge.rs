//! impinge in the race of moving points: `ccd-impinge FILE PASSES`. Prints the library, then a line with the
//! engine, nanoseconds of processor time a query over those that meet and over the others, the median of
//! PASSES passes after an untimed one, 0 for a call's, the median of all queries, and the results: 0 or 1 for
//! each query.
use contract::{
    ccd::{MovingPoints, read},
    complain, spent,
};
use impinge::ccd;
use std::{process::ExitCode, time::Instant};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let [file, passes] = words else { return Err("usage: ccd-impinge FILE PASSES".to_owned()) };
    let passes: usize = passes.parse().map_err(|_| format!("`{passes}` is not a number"))?;
    let queries = read(file)?;
    let mut results = vec!['0'; queries.len()];
    let (mut ns, mut each) = (Vec::new(), vec![0; queries.len()]);
    for meets in [true, false] {
        let some: Vec<usize> = (0..queries.len()).filter(|&k| queries[k].meets == meets).collect();
        let mut spans = Vec::new();
        for _ in 0..=passes.max(1) {
            let start = spent()?;
            for &k in &some {
                results[k] = if decide(&queries[k])? { '1' } else { '0' };
            }
            spans.push((spent()? - start).as_nanos() as f64 / some.len().max(1) as f64);
        }
        spans.remove(0);
        spans.sort_by(f64::total_cmp);
        ns.push(spans[spans.len() / 2]);
    }
    for (query, ns) in queries.iter().zip(&mut each) {
        let start = Instant::now();
        decide(query)?;
        *ns = start.elapsed().as_nanos();
    }
    each.sort_unstable();
    println!("#version\t{}", env!("CARGO_PKG_VERSION"));
    let (median, results) = (each[each.len() / 2], results.iter().collect::<String>());
    println!("impinge\t{:.1}\t{:.1}\t0\t{median}\t{results}", ns[0], ns[1]);
    Ok(())
}

fn decide(query: &MovingPoints) -> Result<bool, String> {
    let [at_0, at_1] = query.points;
    let found = if query.edges {
        let edge = |i: usize| [[at_0[i], at_0[i + 1]], [at_1[i], at_1[i + 1]]];
        ccd::edge_edge(edge(0), edge(2))
    } else {
        let corners = |at: [[f64; 3]; 4]| [at[1], at[2], at[3]];
        ccd::point_triangle([at_0[0], at_1[0]], [corners(at_0), corners(at_1)])
    };
    Ok(found.map_err(|error| error.to_string())?.is_some())
}

//! Groups a million clashes: seconds and memory, with and without rules.
//!
//! ```sh
//! cargo run --release -p impinge-check --example group_a_million
//! ```
use impinge::{Mesh, Pose};
use impinge_check::{Assembly, Check, Groups, Part, Rules, Watch, records::DepthOf};
use std::{sync::Arc, time::Instant};

/// The most memory that the process has had, in MB; 0 where that is not known.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 1,415 boxes of 20 shapes around one point: all pairs overlap.
    let mut assembly = Assembly::new();
    let meshes: Vec<Arc<Mesh>> = (0..20)
        .map(|n| Mesh::cuboid([10.0 + f64::from(n), 11.0, 12.0]).map(Arc::new))
        .collect::<Result<_, _>>()?;
    for i in 0..1415_u32 {
        let place = [i % 7, i % 11, i % 13].map(|x| f64::from(x) / 16.0);
        let mesh = Arc::clone(&meshes[i as usize % meshes.len()]);
        assembly.push(Part::from_mesh(format!("box_{i}"), mesh, Pose::from_translation(place)?));
    }
    let assembly = Arc::new(assembly);
    let rules = "version = 1\n[sets]\nfirst = \"box_1*\"\n[[test]]\nname = \"all\"\na = \"*\"\n\
                 [[ignore]]\nreason = \"an example\"\na = \"first\"\nmax_volume = 1\n";
    let rules = Arc::new(Rules::parse("rules", rules)?);
    for with_rules in [false, true] {
        let check = Check::new().depth(DepthOf::None);
        let check = if with_rules { check.rules(Arc::clone(&rules), "2026-11-25".parse()?) } else { check };
        let start = Instant::now();
        let report = check.run(Arc::clone(&assembly), &Watch::new())?;
        let (found, before) = (start.elapsed(), peak());
        let start = Instant::now();
        let groups = Groups::new(&report);
        println!(
            "rules: {with_rules}, findings: {}, check: {:.2} s, groups: {} in {:.2} s, peak {before} MB before, {} MB after",
            report.findings().len(),
            found.as_secs_f64(),
            groups.groups.len(),
            start.elapsed().as_secs_f64(),
            peak(),
        );
    }
    Ok(())
}

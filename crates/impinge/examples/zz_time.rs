use impinge::*;
use std::time::Instant;
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let parts = impinge_io::read(name.as_ref()).unwrap().parts;
    let options = BuildOptions::new().quality(Quality::OnDemand);
    let models: Vec<Model> = parts.iter().map(|p| Model::new(p.mesh.clone(), &options)).collect();
    let boxes: Vec<Option<WorldBox>> = parts.iter().map(|p| WorldBox::new(&p.mesh, &p.pose)).collect();
    let body = |i: usize| Body::new(&models[i], parts[i].pose);
    let near = |i: usize, j: usize| boxes[i].as_ref().zip(boxes[j].as_ref()).is_some_and(|(a, b)| a.meets(b));
    let pairs: Vec<[usize; 2]> = (0..parts.len())
        .flat_map(|i| (i + 1..parts.len()).map(move |j| [i, j]))
        .filter(|&[i, j]| near(i, j))
        .collect();
    let bodies: Vec<[Body<'_>; 2]> = pairs.iter().map(|pair| pair.map(body)).collect();
    let mut query = Query::new();
    let t = Instant::now();
    let relations = query.relation_each(&bodies).to_vec();
    println!("{} relations {:?}", bodies.len(), t.elapsed());
    let t = Instant::now();
    query.relation_each(&bodies);
    println!("again {:?}", t.elapsed());
    let deep: Vec<usize> = (0..bodies.len()).filter(|&i| relations[i].interiors_meet()).collect();
    let lists: Vec<Vec<[u32; 2]>> =
        deep.iter().map(|&i| query.pairs(&bodies[i][0], &bodies[i][1]).to_vec()).collect();
    println!("{} deep, {} triangle pairs", deep.len(), lists.iter().map(Vec::len).sum::<usize>());
    let all = [
        ("volume", PenetrationParts::new().overlap_volume(true)),
        ("volume again", PenetrationParts::new().overlap_volume(true)),
        ("depth", PenetrationParts::new().depth_at_least(true)),
        ("clear", PenetrationParts::new().clear_by(true)),
        ("volume, clear", PenetrationParts::new().overlap_volume(true).clear_by(true)),
        ("at most 0.01", PenetrationParts::new().at_most(0.01)),
        ("all", PenetrationParts::all()),
    ];
    for (what, wanted) in all {
        let t = Instant::now();
        let (mut none, mut wide, mut zero, mut longest, mut d, mut c) = (0, 0, 0, (0.0_f64, 0), 0, 0);
        let mut hist = [0; 12];
        let mut bad = 0;
        for (&i, list) in deep.iter().zip(&lists) {
            let s = Instant::now();
            let [a, b] = &bodies[i];
            let p = query.penetration_of_pairs(a, b, &wanted, list);
            match p.overlap_volume {
                None => none += 1,
                Some([lo, hi]) => {
                    wide += usize::from(hi - lo > 1e-9 * hi);
                    zero += usize::from(lo <= 0.0);
                }
            }
            if let Some(depth) = p.depth_at_least {
                d += 1;
                if let Some(c) = p.clear_by {
                    if depth.length > c.iter().map(|x| x * x).sum::<f64>().sqrt() {
                        bad += 1;
                    }
                }
            }
            if let Some(t) = p.clear_by {
                c += 1;
                let l = t.iter().map(|x| x * x).sum::<f64>().sqrt();
                let k = if l == 0.0 { 0 } else { (l.log10().floor() as i32 + 7).clamp(1, 11) as usize };
                hist[k] += 1;
            }
            let e = s.elapsed().as_secs_f64();
            if e > longest.0 {
                longest = (e, i);
            }
        }
        let spent = t.elapsed();
        println!(
            "{what}: {spent:?}, {:?} each; volumes: {none} none, {wide} wide, {zero} zero; depths {d}, clear {c} {hist:?}, bad {bad}; longest {longest:?}: {} {}",
            spent / deep.len().max(1) as u32,
            bodies[longest.1][0].model.mesh().len(),
            bodies[longest.1][1].model.mesh().len()
        );
    }
}

//! throw-away
use impinge::*;
use impinge_testkit::scenes::{Sources, build};
#[derive(Default, Debug)]
struct C { blocks: u64, pairs: u64, ll: u64, lanes: u64, cand: u64, filter: u64, exact: u64 }
impl Probe for C {
    fn volumes_tested(&mut self, n: u64) { self.blocks += 1; self.pairs += n; }
    fn leaves_met(&mut self, n: u64) { self.ll += 1; self.lanes += n; }
    fn triangles_tested(&mut self, n: u64) { self.cand += n; }
    fn left_to_filter(&mut self) { self.filter += 1; }
    fn decided_exactly(&mut self) { self.exact += 1; }
}
fn main() {
    for name in std::env::args().skip(1) {
        let scene = build(&name, &Sources { data: Some(std::path::Path::new("/work/shared/data")), quick: true }).unwrap();
        let options = BuildOptions { kind: Kind::Wide, ..BuildOptions::default() };
        let t = std::time::Instant::now();
        let [a, b] = scene.meshes.map(|mesh| Model::new(mesh, &options));
        let bt = t.elapsed();
        let (mut s, mut p, mut c, mut hits) = (Scratch::new(), vec![], C::default(), 0);
        let n = scene.frames.len() as u64;
        for &[x, y] in &scene.frames {
            Query::default().intersecting_pairs(&Body::new(&a, x), &Body::new(&b, y), &mut s, &mut p, &mut c);
            hits += p.len() as u64;
        }
        let st = a.stats();
        println!("{name}: frame: blocks {} lanepairs {} ll {} (x{:.1}) cand {} filter {} exact {} hits {} | fill {:.2} lanes/node {:.2} bytes/tri {:.1} depth {} build {:.0} ns/tri",
            c.blocks/n, c.pairs/n, c.ll/n, c.lanes as f64/c.ll.max(1) as f64, c.cand/n, c.filter/n, c.exact/n, hits/n,
            a.mesh().len() as f64/st.leaves as f64, (st.leaves+st.nodes-1) as f64/st.nodes as f64, st.bytes as f64/a.mesh().len() as f64, st.depth, bt.as_nanos() as f64/(a.mesh().len()+b.mesh().len()) as f64);
    }
}

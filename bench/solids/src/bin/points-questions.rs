//! Points and rays as queries to the first mesh of a scene: `points-questions SCENE OUT COUNT SEED`.
use contract::{
    Mesh, Scene, complain,
    points::{File, Kind, Questions},
};
use impinge_testkit::rng::Rng;
use std::{path::Path, process::ExitCode};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let [scene, out, count, seed] = words else {
        return Err("usage: points-questions SCENE OUT COUNT SEED".to_owned());
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a number"));
    let (count, mut rng) = (number(count)? as usize, Rng::new(number(seed)?));
    let mesh = Scene::read(scene)?.a;
    let place = Place::of(&mesh);
    let mut sets = Vec::new();
    let mut add = |name: &str, kind, one: &mut dyn FnMut(&mut Rng) -> [f64; 6]| {
        let asked = (0..count).map(|_| one(&mut rng)).collect();
        sets.push(Questions { name: name.to_owned(), kind, asked });
    };
    let point = |[x, y, z]: [f64; 3]| [x, y, z, 0.0, 0.0, 0.0];
    let ray = |[x, y, z]: [f64; 3], to: [f64; 3]| [x, y, z, to[0] - x, to[1] - y, to[2] - z];
    add("closest, within 1 % of the surface", Kind::Closest, &mut |rng| {
        let (on, by) = (surface(&mesh, rng), direction(rng));
        let far = rng.between(-0.01, 0.01) * place.radius;
        point([0, 1, 2].map(|k| on[k] + far * by[k]))
    });
    add("closest, 0.5 to 2 radii", Kind::Closest, &mut |rng| point(place.out(rng, 0.5, 2.0)));
    add("closest, 2 to 10 radii", Kind::Closest, &mut |rng| point(place.out(rng, 2.0, 10.0)));
    add("first hit, from outside to the surface", Kind::First, &mut |rng| {
        ray(place.out(rng, 2.0, 2.0), surface(&mesh, rng))
    });
    add("first hit, from outside across", Kind::First, &mut |rng| {
        ray(place.out(rng, 2.0, 2.0), place.out(rng, 0.0, 1.5))
    });
    add("first hit, from within the box", Kind::First, &mut |rng| {
        ray(place.out(rng, 0.0, 0.5), place.out(rng, 2.0, 2.0))
    });
    let solid = impinge::Model::new(solids::mesh(&mesh)?);
    if solid.solid().status() == impinge::solid::Closedness::Closed {
        add("inside, within the box", Kind::Inside, &mut |rng| point(place.within(rng)));
        add("inside, within 1 % of the surface", Kind::Inside, &mut |rng| {
            let (on, by) = (surface(&mesh, rng), direction(rng));
            let far = rng.between(-0.01, 0.01) * place.radius;
            point([0, 1, 2].map(|k| on[k] + far * by[k]))
        });
    }
    File { mesh, sets }.write(Path::new(out))
}

/// A box, its centre, and half of its diagonal.
struct Place {
    lo: [f64; 3],
    hi: [f64; 3],
    middle: [f64; 3],
    radius: f64,
}

impl Place {
    fn of(mesh: &Mesh) -> Self {
        let (mut lo, mut hi) = ([f64::MAX; 3], [f64::MIN; 3]);
        for p in &mesh.points {
            for k in 0..3 {
                (lo[k], hi[k]) = (lo[k].min(p[k]), hi[k].max(p[k]));
            }
        }
        let middle = [0, 1, 2].map(|k| (lo[k] + hi[k]) / 2.0);
        let radius = (0..3).map(|k| (hi[k] - lo[k]).powi(2)).sum::<f64>().sqrt() / 2.0;
        Self { lo, hi, middle, radius }
    }
    /// A point at a random number of radii from the centre.
    fn out(&self, rng: &mut Rng, least: f64, most: f64) -> [f64; 3] {
        let (by, far) = (direction(rng), rng.between(least, most) * self.radius);
        [0, 1, 2].map(|k| self.middle[k] + far * by[k])
    }
    fn within(&self, rng: &mut Rng) -> [f64; 3] {
        [0, 1, 2].map(|k| rng.between(self.lo[k], self.hi[k]))
    }
}

fn surface(mesh: &Mesh, rng: &mut Rng) -> [f64; 3] {
    let [a, b, c] = rng.pick(&mesh.triangles).map(|corner| mesh.points[corner as usize]);
    let (u, v) = (rng.unit(), rng.unit());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    [0, 1, 2].map(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]))
}

fn direction(rng: &mut Rng) -> [f64; 3] {
    loop {
        let v = [0, 1, 2].map(|_| rng.between(-1.0, 1.0));
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (0.1..=1.0).contains(&length) {
            return v.map(|x| x / length);
        }
    }
}

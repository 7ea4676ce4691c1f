//! Cost and benefit of refits: `refit_speed [--data DIR]`, a few seconds, one thread. Times are the least of
//! some runs.
//!
//! 1. Triangles a second: a refit to new points, a partial one of a hundredth of all vertices, a build.
//! 2. The galloping horse (`anim_horse_gallop`, in DIR): each of its frames in turn, refitted.
//! 3. Decay: cost of a query of a refitted tree relative to a rebuilt one, by the measure
//!    `Model::decay`.
use impinge::{Body, Mesh, Pose, Quality, Query};
use impinge_testkit::meshes;
use impinge_volumes::{Kind, Options};
use std::{error::Error, hint::black_box, path::Path, path::PathBuf, time::Instant};

type Points = Vec<[f64; 3]>;
type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let mut data = PathBuf::from("../shared/data");
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--data", Some(folder)) => data = folder.into(),
            _ => return Err("usage: refit_speed [--data DIR]".into()),
        }
    }
    speed()?;
    horse(&data)?;
    decay()
}

/// The least time of some runs, in seconds.
fn least(runs: usize, mut run: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn moved(mesh: &Mesh, mut f: impl FnMut(&[f64; 3]) -> [f64; 3]) -> Points {
    mesh.points().iter().map(&mut f).collect()
}

fn wave(mesh: &Mesh, height: f64) -> Points {
    moved(mesh, |&[x, y, z]| [x + height * (3.0 * y).sin(), y, z + height * (2.0 * x + y).sin()])
}

fn speed() -> Outcome<()> {
    println!(
        "million triangles a second, and ns a triangle; the last: us for the first 1 % of the \
         vertices (the torus's are neighbours, the ball's strewn) and the first 10"
    );
    println!(
        "{:24} {:>9} {:>8} {:>8} {:>8} {:>7} {:>9} {:>7}",
        "", "triangles", "refit", "ns", "build ns", "ratio", "part", "ten"
    );
    // Other kinds are slow to fit, so a small mesh suffices for them.
    let all = [
        ("torus", meshes::torus(130, 64, 0.3)),
        ("ball", meshes::icosphere(6)),
        ("ring", meshes::torus(40, 20, 0.3)),
    ];
    for (what, mesh) in all {
        let n = mesh.len();
        let shapes = [wave(&mesh, 0.1), wave(&mesh, 0.12)];
        let few: Vec<(u32, [f64; 3])> =
            (0..mesh.points().len() as u32 / 100).map(|i| (i, shapes[0][i as usize])).collect();
        let back: Vec<(u32, [f64; 3])> = few.iter().map(|&(i, _)| (i, mesh.points()[i as usize])).collect();
        for &kind in Kind::ALL {
            for quality in [Quality::High, Quality::Fast] {
                let dops = [Kind::Dop14, Kind::Dop18, Kind::Dop24, Kind::Dop26];
                let is_asked = match what {
                    "ball" => matches!(kind, Kind::Wide | Kind::Aabb),
                    "torus" => matches!(kind, Kind::Wide | Kind::Aabb) || dops.contains(&kind),
                    _ => !dops.contains(&kind) && kind != Kind::Wide,
                };
                if !is_asked || quality == Quality::Fast && kind != Kind::Wide {
                    continue;
                }
                let options = Options::new(kind).quality(quality);
                let build = least(2, || {
                    black_box(options.build(mesh.clone())?);
                    Ok(())
                })?;
                let mut model = options.build(mesh.clone())?;
                let mut k = 0;
                let runs = (0.05 / build) as usize + 2;
                let refit = least(runs.min(50), || {
                    k = 1 - k;
                    Ok(model.refit(&shapes[k])?)
                })?;
                model.refit(mesh.points())?;
                let mut part = |moved: &[(u32, [f64; 3])], back: &[(u32, [f64; 3])]| {
                    least(10, || {
                        k = 1 - k;
                        Ok(model.refit_some(if k == 0 { moved } else { back })?)
                    })
                };
                let one = part(&few, &back)?;
                let ten = part(&few[..few.len().min(10)], &back[..few.len().min(10)])?;
                let name =
                    format!("{what} {}{}", kind.name(), if quality == Quality::Fast { " fast" } else { "" });
                println!(
                    "{name:24} {n:9} {:8.1} {:8.1} {:8.1} {:7.1} {:9.1} {:7.1}",
                    1e-6 * n as f64 / refit,
                    1e9 * refit / n as f64,
                    1e9 * build / n as f64,
                    build / refit,
                    1e6 * one,
                    1e6 * ten,
                );
            }
        }
    }
    Ok(())
}

fn horse(data: &Path) -> Outcome<()> {
    let (ply, frames) = (data.join("anim_horse_gallop.ply"), data.join("anim_horse_gallop.f32"));
    if !ply.is_file() || !frames.is_file() {
        println!("\nSKIPPED: the galloping horse; there is no {} (--data DIR)", ply.display());
        return Ok(());
    }
    let mesh = impinge_io::read(&ply)?.parts.swap_remove(0).mesh;
    let bytes = std::fs::read(frames)?;
    let numbers: Vec<f64> =
        bytes.as_chunks::<4>().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))).collect();
    let frames: Vec<Points> =
        numbers.as_chunks::<3>().0.chunks_exact(mesh.points().len()).map(<[_]>::to_vec).collect();
    println!(
        "\nthe horse, {} triangles, {} frames: ms a refit (mean, most), ms a build; decay (most); us \
         for all its pairs with itself 0.05 away, refitted and rebuilt (means)",
        mesh.len(),
        frames.len()
    );
    let away = Pose::rigid(*Pose::IDENTITY.rows(), [0.05, 0.0, 0.0])?;
    let mut query = Query::new();
    for kind in [Kind::Wide, Kind::Aabb, Kind::Dop14, Kind::Obb, Kind::Sphere] {
        let options = Options::new(kind);
        let mut model = options.build(mesh.clone())?;
        let (mut sum, mut most, mut decay, mut spent, mut build) =
            (0.0, 0.0_f64, 1.0_f64, [0.0; 2], f64::INFINITY);
        let slow = matches!(kind, Kind::Obb | Kind::Sphere);
        let frames: Vec<&Points> = frames.iter().step_by(if slow { 16 } else { 1 }).collect();
        for &points in &frames {
            let time = least(if slow { 1 } else { 3 }, || Ok(model.refit(points)?))?;
            (sum, most, decay) = (sum + time, most.max(time), decay.max(model.decay()));
            let anew = Mesh::new(points.clone(), mesh.triangles().to_vec())?;
            let start = Instant::now();
            let anew = options.build(anew)?;
            build = build.min(start.elapsed().as_secs_f64());
            if matches!(kind, Kind::Wide | Kind::Aabb) {
                for (model, spent) in [&model, &anew].into_iter().zip(&mut spent) {
                    let (a, b) = (Body::new(model, Pose::IDENTITY), Body::new(model, away));
                    *spent += least(2, || {
                        query.pairs(&a, &b);
                        Ok(())
                    })?;
                }
            }
        }
        let n = frames.len() as f64;
        println!(
            "{:24} {:7.3} {:7.3} {:8.2}   {decay:5.2}   {:8.0} {:8.0}",
            kind.name(),
            1e3 * sum / n,
            1e3 * most,
            1e3 * build,
            1e6 * spent[0] / n,
            1e6 * spent[1] / n,
        );
    }
    Ok(())
}

fn decay() -> Outcome<()> {
    println!(
        "\ndecay: the measure, and the time of a query of a refitted tree \
         over that of a rebuilt one (all pairs with the shape as it was, least of 5)"
    );
    let mesh = meshes::torus(130, 64, 0.3);
    let waves = [0.05, 0.2, 0.5, 1.0].map(|h| (format!("wave {h}"), wave(&mesh, h)));
    let twists = [0.5, 2.0, 5.0, 10.0].map(|t| {
        let twist = |&[x, y, z]: &[f64; 3]| {
            let (s, c) = (t * x).sin_cos();
            [x, c * y - s * z, s * y + c * z]
        };
        (format!("twist {t}"), moved(&mesh, twist))
    });
    let bumps = [0.5, 2.0, 8.0].map(|f| {
        let bump = |v: &[f64; 3]| {
            let r = 1.0 + f * (5.0 * v[0]).sin().abs();
            v.map(|x| x * r)
        };
        (format!("blow-up {f}"), moved(&mesh, bump))
    });
    let mut rng = impinge_testkit::rng::Rng::new(1);
    let noises = [0.01, 0.03, 0.1].map(|r| {
        let noise = |v: &[f64; 3]| {
            let e = rng.point(r);
            [0, 1, 2].map(|k| v[k] + e[k])
        };
        (format!("noise {r}"), moved(&mesh, noise))
    });
    // Sheets that fold over: neighbours move apart.
    let folds = [2.0, 6.0, 20.0].map(|f| {
        (
            format!("fold {f}"),
            moved(&mesh, |&[x, y, z]| [(f * x).sin(), (f * y).cos(), (f * z).sin() + 0.1 * x]),
        )
    });
    let mut query = Query::new();
    let away = Pose::rigid(*Pose::IDENTITY.rows(), [0.31, 0.17, 0.05])?;
    for (name, points) in waves.into_iter().chain(twists).chain(bumps).chain(noises).chain(folds) {
        print!("{name:12}");
        let mut found = 0;
        for kind in [Kind::Wide, Kind::Aabb] {
            let options = Options::new(kind);
            let still = options.build(mesh.clone())?;
            let mut model = still.clone();
            model.refit(&points)?;
            let mut anew = model.clone();
            anew.rebuild();
            let mut times = [0.0; 2];
            for (model, time) in [&model, &anew].into_iter().zip(&mut times) {
                let (a, b) = (Body::new(model, away), Body::new(&still, Pose::IDENTITY));
                *time = least(5, || {
                    found = query.pairs(&a, &b).len();
                    Ok(())
                })?;
            }
            print!(
                "   {} {:5.2}: {:5.2} ({:6.0} us)",
                kind.name(),
                model.decay(),
                times[0] / times[1],
                1e6 * times[1]
            );
        }
        println!("   {found} pairs");
    }
    Ok(())
}

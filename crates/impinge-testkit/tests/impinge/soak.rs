//! Ten thousand frames: a scene with caches agrees with cold queries, and its memory does not grow.
use crate::allocator;
use impinge::{
    Body, Model, Pose, Query, Scene,
    broad_phase::BroadPhaseKind,
    scene::{Detail, Enclosure, SceneOptions},
};
use impinge_testkit::{meshes, rng::Rng};
use std::sync::Arc;

const FRAMES: usize = 10_000;
const BODIES: usize = 10;

/// A rotating body on a slow closed path.
struct Mover {
    rows: [[f64; 3]; 3],
    path: [[f64; 3]; 2],
    axis: usize,
    speed: f64,
}

impl Mover {
    fn at(&self, frame: usize) -> Pose {
        let angle = self.speed * frame as f64;
        let (s, c) = angle.sin_cos();
        let t = [0, 1, 2].map(|k| self.path[0][k] * c + self.path[1][k] * s);
        let (i, j) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let mut rows = self.rows;
        rows[i] = [0, 1, 2].map(|k| c * self.rows[i][k] - s * self.rows[j][k]);
        rows[j] = [0, 1, 2].map(|k| s * self.rows[i][k] + c * self.rows[j][k]);
        Pose::rigid(rows, t).unwrap()
    }
}

#[test]
fn ten_thousand_frames_hot_and_cold() {
    let mut rng = Rng::new(8);
    let models = [meshes::torus(16, 10, 0.35), meshes::icosphere(2), meshes::needles(5, 100)]
        .map(|mesh| Arc::new(Model::new(mesh)));
    let movers: Vec<Mover> = (0..BODIES)
        .map(|n| Mover {
            rows: rng.rotation(),
            path: [rng.point(1.8), rng.point(1.8)],
            axis: n % 3,
            speed: rng.between(2e-4, 4e-3),
        })
        .collect();
    let options = SceneOptions::new().broad_phase(BroadPhaseKind::Grid).enclosure(Enclosure::Cubic);
    let (mut scene, mut query) = (Scene::with_options(options), Query::new());
    let ids: Vec<_> =
        (0..BODIES).map(|n| scene.add(Arc::clone(&models[n % 3]), movers[n].at(0)).unwrap()).collect();
    let (mut met, mut began) = (0, 0);
    // Most bytes in use after a frame, by tenths of the run.
    let mut most = [0_isize; 10];
    let start = allocator::bytes();
    for frame in 0..FRAMES {
        for (n, mover) in movers.iter().enumerate() {
            // Some rest for a while.
            if (frame / 50 + n) % 4 != 0 {
                scene.set_pose(ids[n], mover.at(frame)).unwrap();
            }
        }
        let detail = if frame / 100 % 2 == 0 { Detail::Triangles } else { Detail::Bodies };
        scene.update(detail);
        let mut contacts = scene.contacts().iter().peekable();
        for i in 0..BODIES {
            for j in i + 1..BODIES {
                let of = |n: usize| scene.body(ids[n]).unwrap();
                let ((m, p), (o, q)) = (of(i), of(j));
                let (a, b) = (Body::new(m, *p), Body::new(o, *q));
                let want = query.pairs(&a, &b);
                let contact = contacts.next_if(|contact| contact.bodies == [ids[i], ids[j]]);
                assert_eq!(contact.is_some(), !want.is_empty(), "frame {frame}, bodies {i} and {j}");
                let Some(contact) = contact else { continue };
                assert!(want.contains(&contact.witness.unwrap()), "frame {frame}");
                if detail == Detail::Triangles {
                    assert_eq!(scene.triangle_pairs(contact).unwrap(), want, "frame {frame}");
                }
                met += 1;
                began += usize::from(contact.began);
            }
        }
        assert!(contacts.next().is_none(), "frame {frame}");
        let tenth = &mut most[10 * frame / FRAMES];
        *tenth = (*tenth).max(allocator::bytes() - start);
    }
    println!("{met} contacts, {began} began; most bytes by tenths {most:?}");
    assert!(met > 50_000 && began > 200, "bodies must meet and part");
    assert!(most[0] > 10_000, "what the scene keeps is counted");
    // The path of each body comes back at most six times, at its own pace: a later tenth may see a little
    // more than the first half, but nothing piles up.
    let early = most[..5].iter().max().unwrap();
    assert!(most[5..].iter().all(|late| *late < early + early / 4), "memory grows: {most:?}");
}

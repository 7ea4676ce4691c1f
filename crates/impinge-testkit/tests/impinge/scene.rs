//! A scene after any edits agrees with brute force on its bodies, and on changes since the last update.
use impinge::{
    Body, ErrorKind, Mesh, Model, Pose, Query, Scene, Threads,
    broad_phase::BroadPhaseKind,
    brute_force,
    model::Rebuild,
    relation::RelationKind,
    scene::{BodyId, Detail, Enclosure, Filter, Progress, SceneOptions, Watch},
};
use impinge_testkit::{
    cases::{pools, share},
    lattice::{SITE, lattice},
    meshes,
    rng::Rng,
};
use rayon::ThreadPool;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// An edit of a scene. Bodies are numbered in the order in which they were added.
#[derive(Clone, Debug)]
enum Edit {
    Add {
        shape: usize,
        pose: Pose,
    },
    Remove(usize),
    Move(usize, Pose),
    Reshape(usize, usize),
    /// Moves all points or only the first, by a random seed. A point that is not finite is refused.
    Deform(usize, u64),
    Filter(usize, Filter),
    Allow([usize; 2], bool),
    Update {
        detail: Detail,
        /// Index of the pool: 0 has one thread, 2 has three.
        pool: usize,
        /// Number of progress reports after which the update is stopped.
        stop: Option<usize>,
    },
}

const SHAPES: usize = 9;

fn shapes() -> Vec<Arc<Model>> {
    let meshes = [
        meshes::cuboid([0.25, 0.25, 0.25]),
        meshes::icosphere(1),
        meshes::needles(3, 20),
        meshes::torus(8, 6, 0.4),
        Mesh::new(vec![[0.0; 3]], vec![[0, 0, 0]]).unwrap(),
        Mesh::new(vec![], vec![]).unwrap(),
        // A flat patch, triangles on one line, and triangles that are one point.
        meshes::mapped(&meshes::sheet(1, 1, 0.0), |[x, y, _]| [x, y, 0.0]),
        meshes::mapped(&meshes::sheet(1, 2, 0.0), |[x, y, _]| [x + y, 0.0, 0.0]),
        meshes::mapped(&meshes::sheet(1, 2, 0.0), |_| [0.25; 3]),
    ];
    assert_eq!(meshes.len(), SHAPES);
    meshes.into_iter().map(|mesh| Arc::new(Model::new(mesh))).collect()
}

fn pose(rng: &mut Rng) -> Pose {
    // Half of them on a lattice, where faces coincide.
    if rng.between(0.0, 1.0) < 0.5 {
        Pose::from_translation(rng.point(3.0).map(|x| x.round() / 2.0)).unwrap()
    } else {
        Pose::rigid(rng.rotation(), rng.point(1.5)).unwrap()
    }
}

fn edits(seed: u64, count: usize) -> Vec<Edit> {
    let mut rng = Rng::new(seed);
    let mut below = move |n: usize| ((rng.between(0.0, n as f64)) as usize).min(n - 1);
    let mut rng = Rng::new(seed + 1);
    let (mut added, mut edits) = (0, Vec::new());
    let mut poses: Vec<Pose> = Vec::new();
    for _ in 0..count {
        let action = if added < 4 { 0 } else { below(20) };
        edits.push(match action {
            0..3 => {
                added += 1;
                poses.push(pose(&mut rng));
                Edit::Add { shape: below(SHAPES), pose: poses[added - 1] }
            }
            3 => Edit::Remove(below(added)),
            4..7 => Edit::Move(below(added), pose(&mut rng)),
            7..11 => {
                // Moves a body a little.
                let body = below(added);
                let t = rng.point(0.01);
                let from = poses[body];
                let t = [0, 1, 2].map(|k| from.translation()[k] + t[k]);
                poses[body] = Pose::affine(*from.rows(), t).unwrap();
                Edit::Move(body, poses[body])
            }
            11 => Edit::Deform(below(added), below(1 << 20) as u64),
            12 => Edit::Reshape(below(added), below(SHAPES)),
            13 => Edit::Filter(below(added), Filter { groups: 1 << below(3), mask: 1 + below(7) as u32 }),
            14 => Edit::Allow([below(added), below(added)], below(3) > 0),
            _ => Edit::Update {
                detail: DETAILS[below(4)],
                pool: 2 * below(2),
                stop: (below(4) == 0).then(|| below(12)),
            },
        });
    }
    edits.push(Edit::Update { detail: Detail::Relations, pool: 2, stop: None });
    edits
}

const DETAILS: [Detail; 4] = [Detail::Bodies, Detail::Counts, Detail::Triangles, Detail::Relations];

type Known = (BodyId, Arc<Model>, Pose, Filter);

/// Pairs of triangles that meet, and the relation if it is wanted, by bodies with a point in common.
type Wanted = BTreeMap<[BodyId; 2], (Vec<[u32; 2]>, Option<RelationKind>)>;

/// Expected state of a scene: its bodies, the pairs that may meet, and those that met in the last update.
#[derive(Default)]
struct Expected {
    bodies: Vec<Option<Known>>,
    allowed: BTreeSet<[BodyId; 2]>,
    met: BTreeSet<[BodyId; 2]>,
}

#[derive(Default)]
struct Counts {
    updates: usize,
    met: usize,
    contained: usize,
    began: usize,
    ended: usize,
    reused: usize,
    stopped: usize,
}

impl Expected {
    fn pairs(&self, detail: Detail) -> Wanted {
        let mut all = BTreeMap::new();
        let here: Vec<_> = self.bodies.iter().flatten().collect();
        for (n, a) in here.iter().enumerate() {
            for b in &here[n + 1..] {
                let [a, b] = if a.0 < b.0 { [a, b] } else { [b, a] };
                if !a.3.meets(&b.3) || self.allowed.contains(&[a.0, b.0]) {
                    continue;
                }
                let (body_a, body_b) = (Body::new(&a.1, a.2), Body::new(&b.1, b.2));
                let pairs = brute_force::pairs(&body_a, &body_b);
                let kind =
                    (detail == Detail::Relations).then(|| Query::new().relation(&body_a, &body_b).kind);
                if !pairs.is_empty() || kind.is_some_and(|kind| kind != RelationKind::Apart) {
                    all.insert([a.0, b.0], (pairs, kind));
                }
            }
        }
        all
    }
}

/// Makes the edits whose bodies exist, and checks each update. Returns an error as text.
fn run(
    edits: &[Edit],
    options: SceneOptions,
    (shapes, pools): (&[Arc<Model>], &[ThreadPool]),
    counts: &mut Counts,
) -> Result<(), String> {
    let (mut scene, mut expected) = (Scene::with_options(options), Expected::default());
    let error = |e: impinge::Error| e.to_string();
    for (n, edit) in edits.iter().enumerate() {
        let id = |k: &usize| expected.bodies.get(*k).and_then(|b| b.as_ref()).map(|b| b.0);
        match edit {
            Edit::Add { shape, pose } => {
                let id = scene.add(Arc::clone(&shapes[*shape]), *pose).map_err(error)?;
                expected.bodies.push(Some((id, Arc::clone(&shapes[*shape]), *pose, Filter::default())));
            }
            Edit::Remove(k) => {
                let Some(id) = id(k) else { continue };
                scene.remove(id).map_err(error)?;
                if scene.set_pose(id, Pose::IDENTITY).is_ok() || scene.body(id).is_ok() {
                    return Err(format!("{n}: {id:?} is still there"));
                }
                expected.bodies[*k] = None;
                expected.allowed.retain(|pair| !pair.contains(&id));
            }
            Edit::Move(k, pose) => {
                let Some(id) = id(k) else { continue };
                scene.set_pose(id, *pose).map_err(error)?;
                expected.bodies[*k].as_mut().unwrap().2 = *pose;
            }
            Edit::Reshape(k, shape) => {
                let Some(id) = id(k) else { continue };
                scene.set_model(id, Arc::clone(&shapes[*shape])).map_err(error)?;
                expected.bodies[*k].as_mut().unwrap().1 = Arc::clone(&shapes[*shape]);
            }
            Edit::Deform(k, seed) => {
                let Some(id) = id(k) else { continue };
                let known = &mut expected.bodies[*k].as_mut().unwrap().1;
                let mut points = known.mesh().points().to_vec();
                has(scene.body(id).map_err(error)?.0.mesh(), &points)?;
                let mut rng = Rng::new(*seed);
                let size = [0.01, 0.3][(seed % 2) as usize];
                let moved = if seed % 3 == 0 { points.len().min(1) } else { points.len() };
                for v in &mut points[..moved] {
                    let d = rng.point(size);
                    *v = [0, 1, 2].map(|k| v[k] + d[k]);
                }
                let bad = seed % 5 == 0 && moved > 0;
                if bad {
                    points[moved - 1][1] = f64::NAN;
                }
                let some: Vec<(u32, [f64; 3])> = (0..).zip(points.iter().copied()).take(moved).collect();
                let policy = [Rebuild::Never, Rebuild::Always, Rebuild::default()][(seed % 7 % 3) as usize];
                let done = if seed % 3 == 0 {
                    scene.deform_some(id, &some)
                } else {
                    scene.deform(id, &points, policy).map(|_| ())
                };
                if done.is_ok() == bad {
                    return Err(format!("{n}: {done:?}"));
                }
                if !bad {
                    let mesh = Mesh::new(points, known.mesh().triangles().to_vec()).map_err(error)?;
                    *known = Arc::new(Model::new(mesh));
                }
            }
            Edit::Filter(k, filter) => {
                let Some(id) = id(k) else { continue };
                scene.set_filter(id, *filter).map_err(error)?;
                expected.bodies[*k].as_mut().unwrap().3 = *filter;
            }
            Edit::Allow([k, l], allow) => {
                let (Some(a), Some(b)) = (id(k), id(l)) else { continue };
                scene.set_allowed([a, b], *allow).map_err(error)?;
                let pair = [a.min(b), a.max(b)];
                if *allow {
                    expected.allowed.insert(pair)
                } else {
                    expected.allowed.remove(&pair)
                };
            }
            Edit::Update { detail, pool, stop } => {
                let done = pools[*pool].install(|| match stop {
                    Some(after) => update_or_stop(&mut scene, *detail, *after),
                    None => {
                        scene.update(*detail);
                        true
                    }
                });
                if !done {
                    // A stopped update counts for nothing: the next one reports what began and ended.
                    counts.stopped += 1;
                    continue;
                }
                let want = expected.pairs(*detail);
                check(&scene, *detail, &want, &expected.met).map_err(|e| format!("edit {n}: {e}"))?;
                counts.updates += 1;
                counts.met += want.len();
                counts.contained += want.values().filter(|(pairs, _)| pairs.is_empty()).count();
                counts.began += want.keys().filter(|pair| !expected.met.contains(*pair)).count();
                counts.ended += scene.ended().len();
                counts.reused += scene.stats().near - scene.stats().decided;
                expected.met = want.into_keys().collect();
            }
        }
    }
    Ok(())
}

/// Stops an update after a number of progress reports. Returns true if it was completed all the same. If not,
/// the scene has no contacts.
fn update_or_stop(scene: &mut Scene, detail: Detail, after: usize) -> bool {
    let (told, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let hear = |_: Progress| {
        if told.fetch_add(1, Ordering::Relaxed) == after {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let done = scene.update_with(detail, &Watch::new().progress(&hear).stop(&stop));
    if let Err(error) = &done {
        assert_eq!(*error.kind(), ErrorKind::Stopped);
        assert!(scene.contacts().is_empty());
    }
    done.is_ok()
}

fn check(scene: &Scene, detail: Detail, want: &Wanted, before: &BTreeSet<[BodyId; 2]>) -> Result<(), String> {
    let got: Vec<_> = scene.contacts().iter().map(|contact| contact.bodies).collect();
    let pairs: Vec<_> = want.keys().copied().collect();
    if got != pairs {
        return Err(format!("{got:?} meet, but {pairs:?} do"));
    }
    for (contact, (bodies, (triangles, kind))) in scene.contacts().iter().zip(want) {
        let right = contact.began != before.contains(bodies)
            && contact.witness.is_none_or(|witness| triangles.contains(&witness))
            && contact.witness.is_some() != triangles.is_empty()
            && contact.relation.map(|relation| relation.kind) == *kind
            && contact.relation.is_none_or(|relation| relation.witness == contact.witness)
            && match detail {
                Detail::Bodies => contact.triangle_pairs.is_none(),
                _ => {
                    contact.triangle_pairs == Some(triangles.len() as u64)
                        && contact.witness == triangles.first().copied()
                        && (detail < Detail::Triangles || scene.triangle_pairs(contact).unwrap() == triangles)
                }
            };
        if !right {
            return Err(format!("{contact:?}, but {triangles:?}, and before {}", before.contains(bodies)));
        }
    }
    let ended: Vec<_> = before.iter().filter(|pair| !want.contains_key(*pair)).copied().collect();
    if scene.ended() != ended {
        return Err(format!("{:?} ended, but {ended:?} did", scene.ended()));
    }
    Ok(())
}

/// Checks that a body has its expected shape.
fn has(mesh: &Mesh, points: &[[f64; 3]]) -> Result<(), String> {
    if mesh.points() == points { Ok(()) } else { Err("a body has another shape".to_owned()) }
}

/// Leaves out edits, in ever smaller runs, as long as the rest still fails.
fn shrink(mut edits: Vec<Edit>, fails: impl Fn(&[Edit]) -> bool) -> Vec<Edit> {
    let mut run = edits.len() / 2;
    while run > 0 {
        let mut at = 0;
        while at < edits.len() {
            let mut fewer = edits.clone();
            fewer.drain(at..(at + run).min(edits.len()));
            if fails(&fewer) { edits = fewer } else { at += run }
        }
        run /= 2;
    }
    edits
}

fn ways() -> Vec<SceneOptions> {
    let with = |&broad_phase: &BroadPhaseKind| {
        let options = SceneOptions::new().broad_phase(broad_phase).threads(Threads::Pool);
        Enclosure::ALL.iter().map(move |&enclosure| options.enclosure(enclosure))
    };
    BroadPhaseKind::ALL.iter().flat_map(with).collect()
}

#[test]
fn a_scene_after_any_edits_says_what_brute_force_says() {
    let (shapes, pools, mut counts) = (shapes(), pools(), Counts::default());
    let with = (&shapes[..], &pools[..]);
    for (n, options) in ways().into_iter().enumerate() {
        for seed in share(0..6, n) {
            let edits = edits(1000 * n as u64 + seed, 400);
            if let Err(wrong) = run(&edits, options, with, &mut counts) {
                let least = shrink(edits, |e| run(e, options, with, &mut Counts::default()).is_err());
                panic!("{options:?}, seed {seed}: {wrong}\nthe least edits: {least:#?}");
            }
        }
    }
    let Counts { updates, met, contained, began, ended, reused, stopped } = counts;
    println!(
        "{updates} updates, {met} contacts, {contained} of them inside, {began} began, {ended} ended, \
         {reused} pairs kept, {stopped} stopped"
    );
    assert!(began > 1000 && ended > 1000 && met > 2 * began && reused > met, "nothing happened");
    assert!(stopped > 400, "{stopped} updates were stopped");
    assert!(contained > 100, "{contained} were inside another");
}

/// The shrinker finds the one edit that matters.
#[test]
fn failures_shrink() {
    let fails = |edits: &[Edit]| edits.iter().any(|edit| matches!(edit, Edit::Remove(_)));
    assert_eq!(shrink(edits(3, 300), fails).len(), 1);
}

#[test]
fn what_is_said_of_bodies_that_are_not_there_is_an_error() {
    let shapes = shapes();
    let mut scene = Scene::new();
    let a = scene.add(Arc::clone(&shapes[0]), Pose::IDENTITY).unwrap();
    scene.remove(a).unwrap();
    let b = scene.add(Arc::clone(&shapes[0]), Pose::IDENTITY).unwrap();
    assert!(a != b && a.slot() == b.slot());
    for error in [
        scene.remove(a),
        scene.set_pose(a, Pose::IDENTITY),
        scene.set_model(a, Arc::clone(&shapes[1])),
        scene.set_filter(a, Filter::default()),
        scene.set_allowed([a, b], true),
        scene.body(a).map(|_| ()),
    ] {
        let error = error.unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::NoSuchBody { body: a });
        assert!(error.to_string().contains("has no"), "{error}");
    }
    assert_eq!(scene.bodies().collect::<Vec<_>>(), [b]);
}

#[test]
fn triangle_pairs_are_those_of_the_last_update_or_an_error() {
    let shapes = shapes();
    let scene_of_two = || {
        let mut scene = Scene::new();
        let bodies = [0, 1].map(|_| scene.add(Arc::clone(&shapes[0]), Pose::IDENTITY).unwrap());
        scene.update(Detail::Triangles);
        (scene, bodies)
    };
    let (mut scene, [a, b]) = scene_of_two();
    let contact = scene.contacts()[0];
    let want = scene.triangle_pairs(&contact).unwrap().to_vec();
    assert!(!want.is_empty() && contact.triangle_pairs == Some(want.len() as u64));
    // Edits do not count before the next update.
    scene.set_pose(a, Pose::from_translation([1e3, 0.0, 0.0]).unwrap()).unwrap();
    assert_eq!(scene.triangle_pairs(&contact).unwrap(), want);
    scene.set_pose(a, Pose::IDENTITY).unwrap();
    scene.update(Detail::Triangles);
    let later = scene.contacts()[0];
    let stale = Err(ErrorKind::StaleContact { bodies: [a, b] }.into());
    assert_eq!(scene.triangle_pairs(&contact), stale);
    assert_eq!(scene.triangle_pairs(&later).unwrap(), want);
    // The contacts differ in `began` only; their update is not compared.
    assert!(contact != later && contact.began && !later.began);
    scene.update(Detail::Triangles);
    assert_eq!(scene.contacts()[0], later);
    assert_eq!(scene.triangle_pairs(&later), stale);
    // The scene still has the list, but this update did not request it.
    scene.update(Detail::Counts);
    assert_eq!(scene.triangle_pairs(&scene.contacts()[0]), Err(ErrorKind::MissingDetail.into()));
    // A stopped update has no contacts; the one after it has the list again.
    let last = scene.contacts()[0];
    let watch = Watch::new();
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = scene.update_with(Detail::Triangles, &watch.stop(&stop));
    assert_eq!(stopped, Err(ErrorKind::Stopped.into()));
    assert_eq!(scene.triangle_pairs(&last), stale);
    scene.update_with(Detail::Triangles, &watch).unwrap();
    assert_eq!(scene.triangle_pairs(&scene.contacts()[0]).unwrap(), want);
    // Without the body there is no contact, and the old one stays stale.
    scene.remove(b).unwrap();
    scene.update(Detail::Triangles);
    assert!(scene.contacts().is_empty() && scene.ended() == [[a, b]]);
    assert_eq!(scene.triangle_pairs(&later), stale);
}

/// Two bodies of n equal triangles have n^2 pairs that meet. Counts list none of them, with caches or
/// without, on one thread or on several, at rest or in motion.
#[test]
fn counts_of_pairs_take_no_list() {
    let n = 500;
    let copies =
        Mesh::new(vec![[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]], vec![[0, 1, 2]; n as usize]).unwrap();
    let model = Arc::new(Model::new(copies));
    let pools = pools();
    for (caches, threads) in
        [(true, Threads::One), (false, Threads::One), (true, Threads::Pool), (false, Threads::Pool)]
    {
        let mut scene = Scene::with_options(SceneOptions::new().caches(caches).threads(threads));
        scene.add(Arc::clone(&model), Pose::IDENTITY).unwrap();
        let moving = scene.add(Arc::clone(&model), Pose::IDENTITY).unwrap();
        // Memory of the first traversal is no list.
        scene.update(Detail::Bodies);
        for step in 0..3 {
            let pose = Pose::from_translation([0.25 * f64::from(step), 0.0, 0.0]).unwrap();
            scene.set_pose(moving, pose).unwrap();
            let before = crate::allocator::bytes();
            if threads == Threads::One {
                scene.update(Detail::Counts);
            } else {
                pools[1].install(|| scene.update(Detail::Counts));
            }
            // By this thread alone.
            let taken = crate::allocator::bytes() - before;
            let [contact] = scene.contacts() else { panic!("they meet") };
            assert_eq!((contact.triangle_pairs, contact.witness), (Some(n * n), Some([0, 0])));
            // A list of all pairs takes 2 MB; a cache at most 0.1 MiB.
            assert!(taken < 1 << 19, "{taken} bytes, caches {caches}, {threads:?}");
        }
        // The list is available on request.
        scene.update(Detail::Triangles);
        assert_eq!(scene.triangle_pairs(&scene.contacts()[0]).unwrap().len() as u64, n * n);
    }
}

/// Three thousand parts have the same clashes at the origin and over a thousand kilometres away, for all
/// numbers of threads and kinds of boxes. Brute force confirms a sample of them.
#[test]
fn an_assembly_far_from_the_origin_has_the_clashes_of_one_at_the_origin() {
    let pools = pools();
    let mut answers = Vec::new();
    for (site, enclosure, threads) in [
        ([0.0; 3], Enclosure::Exact, Threads::One),
        (SITE, Enclosure::Exact, Threads::Pool),
        (SITE, Enclosure::Rotated, Threads::Pool),
    ] {
        let parts = lattice(3000, site);
        let mut models = BTreeMap::new();
        let mut scene = Scene::with_options(SceneOptions::new().enclosure(enclosure).threads(threads));
        let mut triangles = 0;
        for part in &parts {
            let model = models
                .entry(Arc::as_ptr(&part.mesh))
                .or_insert_with(|| Arc::new(Model::new(Arc::clone(&part.mesh))));
            scene.add(Arc::clone(model), part.pose).unwrap();
            triangles += part.mesh.len();
        }
        assert!((540..580).contains(&(triangles / parts.len())), "{}", triangles / parts.len());
        pools[1].install(|| scene.update(Detail::Counts));
        println!("{:?}", scene.stats());
        for contact in scene.contacts().iter().step_by(20) {
            let [a, b] = contact.bodies.map(|body| scene.body(body).unwrap()).map(|(m, p)| Body::new(m, *p));
            let pairs = brute_force::pairs(&a, &b);
            assert_eq!((Some(pairs.len() as u64), Some(pairs[0])), (contact.triangle_pairs, contact.witness));
        }
        let answer = scene.contacts().iter().map(|c| (c.bodies, c.witness, c.triangle_pairs));
        answers.push(answer.collect::<Vec<_>>());
    }
    assert!(answers[0].len() > 300 && answers[0] == answers[1] && answers[0] == answers[2]);
}

//! Saved models: reading gives what was written, and refuses everything else.
use crate::wide::builds;
use impinge::{Body, BuildOptions, ErrorKind, Mesh, Model, Pose, Quality, Query, Threads};
use impinge_testkit::{
    cases::{is_full, pools, scenes, share},
    meshes,
    rng::Rng,
    saved::{HEADER, check, concluded, deformed, found, seal, sections},
    ways::levels,
};
use std::sync::Arc;

fn saved(model: &Model) -> Vec<u8> {
    let mut bytes = Vec::new();
    model.save(&mut bytes).expect("a vector takes all");
    bytes
}

/// Shared bytes that begin at an offset from a multiple of 64.
#[derive(Clone)]
struct At {
    bytes: Arc<Vec<u8>>,
    start: usize,
}

impl At {
    fn new(saved: &[u8], offset: usize) -> Self {
        let mut bytes: Vec<u8> = Vec::with_capacity(saved.len() + 128);
        let start = bytes.as_ptr().align_offset(64) + offset;
        bytes.resize(start, 0);
        bytes.extend_from_slice(saved);
        Self { bytes: Arc::new(bytes), start }
    }
    /// True if an array is part of these bytes.
    fn holds<T>(&self, items: &[T]) -> bool {
        let (all, part) = (self.bytes.as_ptr_range(), items.as_ptr_range());
        all.start <= part.start.cast() && part.end.cast() <= all.end
    }
}

impl AsRef<[u8]> for At {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

fn text(model: &Model) -> String {
    format!("{model:?}").replace("Pool", "One")
}

/// Trees are the same to the last bit, for all meshes and options, and a second save has equal bytes.
#[test]
fn what_is_read_is_what_was_written() {
    let flat = meshes::mapped(&meshes::sheet(2, 6, 0.3), |[x, y, _]| [x, y, 0.0]);
    let far = meshes::mapped(&meshes::icosphere(2), |v| v.map(|x| 1e8 + x));
    let huge = meshes::mapped(&meshes::icosphere(2), |v| v.map(|x| 1.7e308 * x));
    let small = meshes::mapped(&meshes::icosphere(2), |v| v.map(|x| 1e-315 * x));
    let points = Mesh::new(vec![[1.0, 2.0, 3.0]; 4], vec![]).unwrap();
    let place = Mesh::new(vec![[1.0; 3]; 3], vec![[0, 1, 2]; 5000]).unwrap();
    let all = [flat, far, huge, small, points, place, Mesh::default(), meshes::torus(120, 60, 0.3)];
    let all = all.into_iter().chain(scenes().into_iter().flat_map(|(_, a, b)| [a, b]));
    for (turn, mesh) in all.enumerate() {
        let mesh: Arc<Mesh> = mesh.into();
        for options in share(builds(), turn) {
            let model = Model::with_options(mesh.clone(), &options);
            let bytes = At::new(&saved(&model), 0);
            let read = Model::from_saved(bytes.clone()).unwrap();
            assert_eq!(read.validate(), Ok(()), "{turn}, {options:?}");
            assert_eq!(read.mesh(), &*mesh);
            if options.quality != Quality::OnDemand {
                assert_eq!(text(&read), text(&model), "{turn}, {options:?}");
            }
            assert!(saved(&read) == bytes.as_ref(), "{turn}, {options:?}");
            assert!(mesh.is_empty() || bytes.holds(read.mesh().points()));
            assert!(mesh.is_empty() || bytes.holds(read.mesh().triangles()));
        }
    }
}

#[test]
fn answers_are_those_of_the_model_that_was_saved() {
    let other = Model::new(meshes::icosphere(1));
    for (turn, mesh) in [meshes::icosphere(2), meshes::torus(16, 8, 0.4)].into_iter().enumerate() {
        for (n, options) in share(builds(), turn).enumerate() {
            let mut model = Model::with_options(mesh.clone(), &options);
            let bytes = At::new(&saved(&model), 0);
            let mut read = Model::from_saved(bytes.clone()).unwrap();
            let (before, copy) = (bytes.bytes.to_vec(), read.clone());
            let ask = |model: &Model, level| {
                let mut rng = Rng::new(n as u64);
                let mut query = Query::new().simd(level);
                let bodies = [model, &other].map(|model| Body::new(model, Pose::IDENTITY));
                let [a, b] = &bodies;
                let far = query.closest_point(a, [2.0, 0.3, 0.1]);
                let near = (query.first_contact(a, b), query.distance(a, b), far);
                let found = found(model, &other, level, &mut rng);
                (found, concluded(model, &other, level, &mut rng), near, model.decay())
            };
            for level in levels() {
                assert_eq!(ask(&read, level), ask(&model, level), "{options:?}, {level:?}");
            }
            if options.quality == Quality::OnDemand {
                // It has no tree to compare or to refit by parts before the first query.
                continue;
            }
            let first = text(&copy);
            let deform = |model: &mut Model| deformed(model, &mut Rng::new(n as u64));
            assert_eq!(deform(&mut read), deform(&mut model), "{options:?}");
            assert!(*bytes.bytes == before && text(&copy) == first, "what is shared stays as it is");
            assert!(!bytes.holds(read.mesh().points()) && bytes.holds(copy.mesh().points()));
        }
    }
}

/// A model that was refitted is saved as it is: its decay, and a box that only grew.
#[test]
fn refitted_models_are_saved_as_they_are() {
    let mesh = meshes::torus(40, 20, 0.3);
    let mut rng = Rng::new(5);
    for threads in [Threads::One, Threads::Pool] {
        let mut model = Model::with_options(mesh.clone(), &BuildOptions::new().threads(threads));
        for round in 0..6 {
            let few: Vec<_> = (0..60).map(|i| (10 * i, rng.point(1.4))).collect();
            if round == 3 {
                let points: Vec<_> = model.mesh().points().iter().map(|v| v.map(|x| 3.0 * x)).collect();
                model.refit(&points).unwrap();
            } else {
                model.refit_some(&few).unwrap();
            }
            let bytes = saved(&model);
            let read = Model::from_saved(At::new(&bytes, 0)).unwrap().with_threads(threads);
            assert_eq!(read.validate(), Ok(()));
            assert!(model.decay() != 1.0 && read.decay() == model.decay());
            assert_eq!(text(&read), text(&model));
            assert!(saved(&read) == bytes);
        }
    }
}

/// Bytes may lie anywhere: unaligned ones are copied. The last model or mesh that needs them frees them.
#[test]
fn bytes_may_lie_anywhere_and_are_let_go() {
    let model = Model::new(meshes::icosphere(3));
    let bytes = saved(&model);
    for offset in [0, 1, 2, 4, 8, 16, 32] {
        let at = At::new(&bytes, offset);
        let read = Model::from_saved(at.clone()).unwrap();
        assert_eq!(text(&read), text(&model), "{offset}");
        assert_eq!(at.holds(read.mesh().points()), offset % 8 == 0);
        let (clone, mesh) = (read.clone(), Arc::clone(read.shared_mesh()));
        drop(read);
        assert_eq!(text(&clone), text(&model));
        drop(clone);
        assert_eq!(*mesh, *model.mesh());
        drop(mesh);
        assert_eq!(Arc::strong_count(&at.bytes), 1, "{offset}");
    }
    let read = Model::from_saved(bytes).unwrap();
    assert_eq!(text(&read), text(&model), "a vector");
}

#[test]
fn threads_share_what_was_read() {
    let mesh = meshes::torus(60, 30, 0.3);
    let model = Model::new(mesh);
    let read = Model::from_saved(At::new(&saved(&model), 0)).unwrap().with_threads(Threads::Pool);
    let mut rng = Rng::new(8);
    let poses: Vec<Pose> = (0..200).map(|_| Pose::rigid(rng.rotation(), rng.point(2.0)).unwrap()).collect();
    let want = Query::new().pairs_at(&Body::new(&model, Pose::IDENTITY), &model, &poses).pairs().to_vec();
    assert!(want.len() > 1000);
    for pool in pools() {
        let mut query = Query::new().threads(Threads::Pool);
        let body = Body::new(&read, Pose::IDENTITY);
        let got = pool.install(|| query.pairs_at(&body, &read, &poses).pairs().to_vec());
        assert_eq!(got, want);
    }
    let mut models = [model, read];
    let moved: Vec<_> = models[0].mesh().points().iter().map(|v| v.map(|x| x * x)).collect();
    for model in &mut models {
        model.refit(&moved).unwrap();
    }
    assert_eq!(text(&models[1]), text(&models[0]));
}

/// Degenerate models: costs of 0, and boxes of points that no triangle has.
#[test]
fn refitted_points_and_flat_models_are_saved() {
    let points: Vec<[f64; 3]> = (0..40).map(|i| [0.1 * f64::from(i), 0.0, 0.0]).collect();
    let line = (0..38).map(|i| [i, i + 1, i + 2]).collect();
    let [none, line] = [vec![], line].map(|triangles| Mesh::new(points.clone(), triangles).unwrap());
    for mesh in [none, line, Mesh::new(points.clone(), vec![[7, 7, 7]; 30]).unwrap()] {
        let mut model = Model::new(mesh);
        for step in [0.3, 1e-30, 0.0, 1e9] {
            let few: Vec<_> = (5..9).map(|i| (i, [0.1 * f64::from(i), 0.0, step])).collect();
            model.refit_some(&few).unwrap();
            let bytes = saved(&model);
            let read = Model::from_saved(bytes.clone()).unwrap();
            assert_eq!(read.validate(), Ok(()));
            assert_eq!(read.decay(), model.decay());
            assert!(saved(&read) == bytes);
        }
    }
}

/// Small models of several kinds.
fn small() -> Vec<Model> {
    let one = Mesh::new(vec![[0.; 3], [2., 0., 0.], [0., 2., 0.]], vec![[0, 1, 2]]).unwrap();
    let compact = BuildOptions::new().compact(true).leaf_size(3);
    let mut refitted = Model::new(meshes::icosphere(1));
    refitted.refit_some(&[(3, [0.0, 0.2, 1.4])]).unwrap();
    vec![
        Model::new(Mesh::default()),
        Model::with_options(one, &BuildOptions::new().quality(Quality::Fast)),
        Model::with_options(meshes::torus(9, 7, 0.3), &compact),
        refitted,
    ]
}

fn refusal(bytes: Vec<u8>) -> String {
    let error = Model::from_saved(bytes).expect_err("not as it was written");
    assert!(matches!(error.kind(), ErrorKind::InvalidSavedModel { .. }), "{error}");
    error.to_string()
}

#[test]
fn what_is_cut_short_or_altered_is_refused() {
    let mut refused = 0;
    for model in small() {
        let bytes = saved(&model);
        for length in 0..bytes.len() {
            refusal(bytes[..length].to_vec());
        }
        let mut rng = Rng::new(bytes.len() as u64);
        for at in 0..bytes.len() {
            for flip in [1, 0x80, 1 + rng.below(255) as u8] {
                let mut bytes = bytes.clone();
                bytes[at] ^= flip;
                let text = refusal(bytes);
                assert!(!text.contains('\n') && text.len() < 160, "{text}");
                refused += 1;
            }
        }
        for extra in [1, 64] {
            let longer = [&bytes[..], &vec![0; extra]].concat();
            assert!(refusal(longer).ends_with(&format!("behind its end at {}", bytes.len())));
        }
    }
    println!("{refused} alterations");
}

#[test]
fn refusals_say_what_and_where() {
    let model = &small()[2];
    let bytes = saved(model);
    let [points, triangles, nodes, words, order] = sections(&bytes);
    let altered = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 4;
        refusal(bytes)
    };
    assert_eq!(altered(0), "this is no saved model: it does not begin as one does");
    assert_eq!(altered(16), "bytes 16 to 19: the byte order is wrong");
    let version = altered(20);
    assert!(version.contains("version 5.1 of the format") && version.contains("save it anew"), "{version}");
    assert_eq!(altered(300), "bytes 0 to 383: the header was altered");
    for (name, [start, end]) in
        [("points", points), ("triangles", triangles), ("nodes", nodes), ("leaves", words), ("order", order)]
    {
        let want = format!("bytes {start} to {}: the {name} were altered", end - 1);
        assert_eq!([altered(start), altered(end - 1)], [want.clone(), want]);
    }
    assert_ne!(points[1], triangles[0], "there is a gap");
    assert_eq!(
        altered(points[1]),
        format!("bytes {} to {}: the gap before the triangles was altered", points[1], triangles[0] - 1)
    );
    let all = bytes.len();
    assert_eq!(
        refusal(bytes[..order[0]].to_vec()),
        format!("the saved model is cut short: it has {} of {all} bytes", order[0])
    );
    assert_eq!(refusal(bytes[..40].to_vec()), "the saved model is cut short: its header has 384 bytes");
    assert!(refusal(b"solid name\n".to_vec()).starts_with("this is no saved model"));
}

/// Altered bytes with correct checksums are refused, or are a model. Results of a valid model are correct.
/// Queries of another one end, without a panic.
#[test]
fn sealed_alterations_are_refused_or_answer() {
    let mut count = [0; 3];
    let rounds = if is_full() { 6000 } else { 600 };
    for (which, model) in small().into_iter().enumerate() {
        let bytes = saved(&model);
        let mut parts: Vec<_> = sections(&bytes).into_iter().filter(|[start, end]| start < end).collect();
        parts.push([28, HEADER - 8]);
        for round in 0..rounds {
            let mut rng = Rng::for_case(which as u64, round);
            let mut bytes = bytes.clone();
            for _ in 0..=rng.below(3) {
                let [start, end] = parts[rng.below(parts.len() as u64) as usize];
                let at = start + rng.below((end - start) as u64) as usize;
                bytes[at] = match rng.below(4) {
                    0 => rng.next_u64() as u8,
                    1 => bytes[at] ^ (1 << rng.below(8)),
                    2 => bytes[at].wrapping_add(1),
                    _ => [0, 0x7f, 0x80, 0xff][rng.below(4) as usize],
                };
            }
            let level = levels()[round as usize % levels().len()];
            count[check(bytes, level, round) as usize] += 1;
        }
    }
    println!("refused, not valid, valid: {count:?}");
    assert!(count.iter().all(|&n| n > 100), "{count:?}");
}

/// Files in which a number of the header, such as the entry of a section, has another value.
#[test]
fn sealed_numbers_of_the_header_are_checked() {
    let bytes = saved(&small()[2]);
    let mut count = 0;
    for at in (28..HEADER - 8).step_by(4) {
        for value in [0, 1, 2, 64, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0x7ff0_0000, 0x7ff8_0000] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
            seal(&mut bytes);
            count += usize::from(Model::from_saved(bytes).is_err());
        }
    }
    println!("{count} refused");
    assert!(count > 400, "{count}");
}
